//! What a program includes, and the options of nvcc that say where it is.

use crate::tiny::{Said, run_in};
use std::fs;
use tempfile::TempDir;

/// A folder with these files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(files: &[(&str, &[u8])], arguments: &[&str]) -> Said {
    run_in(folder(files).path(), &[&["run"], arguments].concat())
}

/// What closes a run without a launch.
const NO_LAUNCH: &str = "0 launches, 0 findings\n";

#[test]
fn one_header_under_two_names_is_read_once() {
    let said = run(
        &[
            (
                "main.cu",
                b"#include \"a/x.h\"\n#include \"a/y.h\"\nint main() { return x() + y(); }\n",
            ),
            (
                "a/x.h",
                b"#pragma once\n#include \"deep/../z.h\"\nstruct X { }; int x() { return 1; }\n",
            ),
            (
                "a/y.h",
                b"#include \"x.h\"\n#include \"../a/z.h\"\nint y() { X x; return z() + 2; }\n",
            ),
            ("a/z.h", b"#pragma once\nint z() { return 4; }\n"),
            ("a/deep/z.h", b"#error the file beside the including one comes first\n"),
        ],
        &["main.cu"],
    );
    assert_eq!((said.code, said.stderr.as_str()), (Some(7), NO_LAUNCH), "{said:#?}");
}

#[test]
fn two_headers_of_one_name_are_two_files() {
    let said = run(
        &[
            (
                "main.cu",
                b"#include \"a/all.h\"\n#include \"b/all.h\"\nint main() { return A + B; }\n",
            ),
            ("a/all.h", b"#include \"config.h\"\n"),
            ("b/all.h", b"#include \"config.h\"\n"),
            ("a/config.h", b"#define A 3\n"),
            ("b/config.h", b"#define B 5\n"),
        ],
        &["main.cu"],
    );
    assert_eq!((said.code, said.stderr.as_str()), (Some(8), NO_LAUNCH), "{said:#?}");
}

#[test]
fn a_main_may_stand_in_a_header_that_only_a_folder_finds() {
    let files: [(&str, &[u8]); 3] = [
        ("all.cu", b"#include <app/main.h>\n"),
        ("include/app/main.h", b"#include \"n.h\"\nint main() { return N; }\n"),
        ("include/app/n.h", b"#define N 6\n"),
    ];
    assert_eq!(run(&files, &["-Iinclude", "all.cu"]).code, Some(6));
    assert_eq!(run(&files, &["-isystem", "include", "all.cu"]).code, Some(6));
}

#[test]
fn bytes_that_are_no_utf8_stay_as_they_are() {
    let text = b"// \xe9t\xe9\n#include <cstdio>\nint main() { const char* s = \"\xe9\"; printf(\"%d %d\\n\", (unsigned char)s[0], (int)sizeof \"\xe9\"); }\n";
    let said = run(&[("main.cu", text)], &["main.cu"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "233 2\n"), "{said:#?}");
}

#[test]
fn a_comment_or_a_skipped_branch_reads_no_file() {
    let text = b"// #include \"/dev/zero\"\n/*\n#include \"/dev/zero\"\n*/\n#if 0\n#include \"/dev/zero\"\n#endif\nint main() { return 3; }\n";
    let said = run(&[("main.cu", text)], &["main.cu"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(3), NO_LAUNCH), "{said:#?}");
}

#[test]
fn options_of_nvcc_are_honoured_ignored_or_refused_by_name() {
    let text = b"#ifdef GONE\n#error GONE\n#endif\nint main() { return N; }\n";
    let files: [(&str, &[u8]); 1] = [("main.cu", text)];
    let said = run(
        &files,
        &[
            "-O3",
            "-std=c++17",
            "-arch=sm_80",
            "-gencode",
            "arch=compute_80,code=sm_80",
            "-lineinfo",
            "-Xcompiler",
            "-Wall",
            "-x",
            "cu",
            "-DN=9",
            "-D",
            "GONE",
            "-U",
            "GONE",
            "-o",
            "main",
            "main.cu",
            "-lcublas",
            "--use_fast_math",
        ],
    );
    assert_eq!(said.code, Some(9), "{said:#?}");
    let lines: Vec<&str> = said.stderr.lines().collect();
    assert_eq!(
        lines,
        [
            "without effect here: -O3, -std=c++17, -arch=sm_80, -gencode arch=compute_80,code=sm_80, \
             -lineinfo, -Xcompiler -Wall, -x cu, -o main, -lcublas",
            "without effect here: --use_fast_math (division, square root and functions stay exact, and \
             nothing is flushed to zero)",
            NO_LAUNCH.trim_end(),
        ]
    );
    for (option, words) in [
        ("-c", "cannot do -c (a program is run from its sources"),
        (
            "-fmad=false",
            "cannot do -fmad=false (a multiplication and an addition are always contracted)",
        ),
        ("-frobnicate", "no option `-frobnicate` is known"),
    ] {
        let said = run(&files, &[option, "main.cu"]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "{said:#?}");
    }
}
