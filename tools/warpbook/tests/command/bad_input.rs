//! Bad input: odd files, odd names, a full disk, a clock that jumps, a signal at
//! any moment. Each ends with a message or does its work, and the built book is whole.

use crate::serve::Served;
use crate::tiny::{KERNEL, PAGE, Said, TWICE, Tiny, warpbook};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

fn make_pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn assert_built(said: &Said) {
    assert_eq!(said.code, Some(0), "{said:#?}");
}

/// What a failed or killed build may leave in `target`: the book, its lock and the verdicts.
fn assert_whole(tiny: &Tiny) {
    assert!(tiny.read("target/book/ch01-tiny/index.html").ends_with("</html>\n"));
    assert!(tiny.read("target/book/other.html").contains("Another page"));
}

#[test]
fn a_pipe_in_a_book_is_named_and_nobody_waits_for_its_end() {
    for place in [
        "chapters/ch01-tiny/results/h200.json",
        "chapters/ch01-tiny/claims.toml",
        "chapters/ch01-tiny/quiz.toml",
        "chapters/ch01-tiny/exercises/1_e.cu",
        "chapters/ch01-tiny/notes.md",
        "chapters/picture.png",
    ] {
        let tiny = Tiny::new();
        make_pipe(&tiny.path(place));
        let said = tiny.run(&["build"]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.stderr.contains(place), "{said:#?}");
        assert!(said.stderr.contains("it is not a regular file"), "{said:#?}");
        // Whatever `check` says of it, it ends.
        assert!(tiny.run(&["check"]).code.is_some());
    }
    let tiny = Tiny::new();
    make_pipe(&tiny.path("pipe.h"));
    tiny.write("main.cu", "#include \"pipe.h\"\nint main() { }\n");
    let said = tiny.run(&["run", "main.cu"]);
    assert!(said.code != Some(0) && said.stderr.contains("it is not a regular file"), "{said:#?}");
}

#[test]
fn a_page_or_results_of_a_gigabyte_are_named_and_not_read() {
    for (place, words) in [
        (PAGE, "more than 16777216 bytes"),
        ("chapters/ch01-tiny/results/h200.json", "it has more than 64 MiB"),
        (KERNEL, "it has more than 16 MiB"),
    ] {
        let tiny = Tiny::new();
        if place != KERNEL {
            tiny.write(place, "");
        }
        // It takes no room on the disk.
        File::options().write(true).open(tiny.path(place)).unwrap().set_len(1 << 30).unwrap();
        let said = tiny.run_with_memory(2_000_000, &["build"]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.stderr.contains(words), "{place}: {said:#?}");
    }
}

#[test]
fn names_that_are_not_text_are_read_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let odd = |bytes: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(bytes));
    for name in [&b"a\xff.cu"[..], b"a\nb.cu", b"a b'\"\\.cu", b"-x.cu"] {
        fs::write(odd(name), "int main() { return 3; }\n").unwrap();
        let mut command = warpbook(folder.path());
        let output = command.arg("run").arg(odd(name)).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
    }
    let tiny = Tiny::new();
    tiny.write("chapters/ch01-tiny/kernels/2_a\n\"<b>.cu", &TWICE.replacen("* 2", "* 3", 1));
    let said = tiny.run(&["check"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("wrong-result"), "{said:#?}");
}

#[test]
fn texts_that_are_not_utf8_are_read_or_named() {
    let latin = b"// caf\xe9\n";
    let tiny = Tiny::new();
    fs::write(tiny.path(KERNEL), [TWICE.as_bytes(), latin].concat()).unwrap();
    assert_built(&tiny.run(&["build"]));
    for place in [PAGE, "chapters/SUMMARY.md", "book.toml"] {
        let tiny = Tiny::new();
        let mut text = fs::read(tiny.path(place)).unwrap();
        text.extend(b"# caf\xe9\n");
        fs::write(tiny.path(place), text).unwrap();
        let said = tiny.run(&["build"]);
        assert!(matches!(said.code, Some(1 | 2)), "{said:#?}");
        assert!(said.stderr.contains("UTF-8"), "{place}: {said:#?}");
    }
}

#[test]
fn a_book_without_kernels_or_with_empty_files_is_a_book() {
    let tiny = Tiny::new();
    fs::remove_dir_all(tiny.path("chapters/ch01-tiny/kernels")).unwrap();
    tiny.write(PAGE, "# Tiny");
    for arguments in [&["build"][..], &["build", "--strict"], &["check"]] {
        assert_built(&tiny.run(arguments));
    }
    tiny.write(PAGE, "");
    tiny.write("chapters/other.md", "\n");
    assert_built(&tiny.run(&["build"]));
    let tiny = Tiny::with_kernel("");
    let said = tiny.run(&["build"]);
    assert!(said.code == Some(1) && said.stderr.contains("no launch"), "{said:#?}");
}

#[test]
fn a_kernel_s_last_line_needs_no_end_and_lines_may_end_as_elsewhere() {
    for text in [
        TWICE.trim_end().to_owned(),
        format!("{TWICE}// the end"),
        format!("{TWICE}#if 1\n#endif"),
        format!("{TWICE}// the end \\"),
        TWICE.replace('\n', "\r\n"),
        format!("\u{feff}{TWICE}"),
    ] {
        let tiny = Tiny::with_kernel(&text);
        assert_built(&tiny.run(&["build"]));
    }
}

#[test]
fn a_disk_that_fills_half_way_leaves_the_old_book() {
    let tiny = Tiny::new();
    assert_built(&tiny.run(&["build"]));
    tiny.write("chapters/other.md", "# Another page\n\nnew\n");
    // No file may grow beyond these units of 512 bytes. As on a full disk, the write fails.
    for blocks in [0, 1, 30, 200] {
        let words = format!("trap '' XFSZ; ulimit -f {blocks}");
        let said = tiny.run_after(&words, &["build"]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.stderr.contains("error: "), "{said:#?}");
        assert_whole(&tiny);
        assert!(!tiny.read("target/book/other.html").contains("new"));
        assert!(!tiny.path("target/book.new").exists() && !tiny.path("target/book.old").exists());
    }
    assert_built(&tiny.run(&["build"]));
    assert!(tiny.read("target/book/other.html").contains("new"));
}

#[test]
fn an_output_that_cannot_be_written_ends_nothing_early() {
    let tiny = Tiny::new();
    for words in ["exec >/dev/full", "exec 2>/dev/full", "exec >&- 2>&-"] {
        let said = tiny.run_after(words, &["build"]);
        assert_eq!(said.code, Some(0), "{words}: {said:#?}");
        tiny.write(KERNEL, &TWICE.replacen("* 2", "* 3", 1));
        let said = tiny.run_after(words, &["build"]);
        assert_eq!(said.code, Some(1), "{words}: {said:#?}");
        tiny.write(KERNEL, TWICE);
    }
}

#[test]
fn a_build_that_is_ended_at_any_moment_leaves_a_whole_book() {
    let tiny = Tiny::new();
    assert_built(&tiny.run(&["build"]));
    for wait in [0, 5, 20, 50, 100, 200, 400] {
        // Nothing is taken from the cache.
        fs::remove_dir_all(tiny.path("target/verify")).unwrap();
        let mut command = warpbook(&tiny.path(""));
        let command = command.arg("build").stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        let pid = child.id().to_string();
        let name = if wait % 100 == 0 { "-KILL" } else { "-TERM" };
        // It may have ended by then.
        let _ = Command::new("kill").args([name, &pid]).stderr(Stdio::null()).status();
        child.wait().unwrap();
        assert_whole(&tiny);
        let _ = fs::create_dir(tiny.path("target/verify"));
    }
    assert_built(&tiny.run(&["build"]));
    let mut left: Vec<_> = fs::read_dir(tiny.path("target")).unwrap().flatten().collect();
    left.sort_by_key(fs::DirEntry::file_name);
    let left: Vec<_> = left.iter().map(fs::DirEntry::file_name).collect();
    assert_eq!(left, ["book", "book.lock", "verify"]);
}

#[test]
fn two_servers_of_one_book_do_not_touch_each_other() {
    let tiny = Tiny::new();
    let one = Served::start(&tiny);
    let other = Served::start(&tiny);
    assert_ne!(one.address, other.address);
    let (mut of_one, mut of_other) = (one.events(), other.events());
    of_one.next();
    of_other.next();
    tiny.write("chapters/other.md", "# Another page\n\nnew\n");
    of_one.next();
    of_other.next();
    assert!(one.get("/other.html").1.contains("new") && other.get("/other.html").1.contains("new"));
    drop(one);
    assert_built(&tiny.run(&["build"]));
    assert!(other.get("/other.html").1.contains("new"));
}

#[test]
fn a_clock_that_jumps_hides_no_change() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    let mut events = served.events();
    events.next();
    let day = Duration::from_secs(86_400);
    let (past, future) = (SystemTime::UNIX_EPOCH, SystemTime::now() + 40_000 * day);
    for (word, time) in [("one", future), ("two", past), ("six", future)] {
        let path = tiny.path("chapters/other.md");
        // Each has the length of the one before, and a time that is no later.
        tiny.write("chapters/new", &format!("# Another page\n\n{word}\n"));
        File::options()
            .write(true)
            .open(tiny.path("chapters/new"))
            .unwrap()
            .set_modified(time)
            .unwrap();
        fs::rename(tiny.path("chapters/new"), path).unwrap();
        let shown = (0..3).any(|_| {
            events.next();
            served.get("/other.html").1.contains(word)
        });
        assert!(shown, "{word}");
    }
}

#[test]
fn a_project_that_cannot_be_written_is_named() {
    let tiny = Tiny::new();
    tiny.write("target", "a file and no folder");
    let said = tiny.run(&["build"]);
    assert!(matches!(said.code, Some(1 | 2)), "{said:#?}");
    assert!(said.stderr.contains("cannot write `") && said.stderr.contains("help: "), "{said:#?}");

    let tiny = Tiny::new();
    for (path, mode) in [("chapters", 0o555), ("", 0o555)] {
        fs::set_permissions(tiny.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut command = warpbook(&tiny.path(""));
    // Root may write anywhere, so root runs the command as the user `nobody`.
    if rustix::process::geteuid().is_root() {
        command.uid(65_534);
    }
    let output = command.arg("build").output();
    fs::set_permissions(tiny.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    let output = output.expect("the command can be read by everybody");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{output:?}");
    assert!(said.contains("cannot write `") && said.contains("must be writable"), "{said}");
    assert!(!tiny.path("target").exists());
}

#[test]
fn a_server_outlives_the_reader_of_its_words() {
    let tiny = Tiny::new();
    let mut command = warpbook(&tiny.path(""));
    let command =
        command.args(["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stderr.take());
    let served = Served::of(child);
    let mut events = served.events();
    events.next();
    tiny.write(KERNEL, &TWICE.replacen("* 2", "* 3", 1));
    events.next();
    assert!(served.get("/ch01-tiny/index.html").1.contains("wrong-result"));
}

#[test]
fn a_page_with_more_than_a_page_may_have_is_named_and_the_others_are_built() {
    for (text, words) in [
        ("{{#counter kernels/1_twice.cu instructions}} ", "at most 1000 directives"),
        ("```cuda\n__global__ void f() {}\n```\n\n", "at most 200 fences of CUDA"),
        ("# a\n", "at most 5000 headings"),
    ] {
        let tiny = Tiny::new();
        tiny.write(PAGE, &text.repeat(20_000));
        let said = tiny.run(&["build"]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.stderr.contains(words), "{said:#?}");
        let said = tiny.run(&["check", PAGE]);
        assert!(said.code == Some(1) && said.stdout.contains(words), "{said:#?}");
    }
}

#[test]
fn a_page_with_a_warning_for_each_word_is_built_and_the_first_hundred_are_shown() {
    let tiny = Tiny::new();
    tiny.write(PAGE, &format!("# Tiny\n\n{}\n", "<!-- ".repeat(20_000)));
    let said = tiny.run(&["build"]);
    assert_eq!(said.code, Some(0), "{} bytes", said.stderr.len());
    assert!(said.stderr.contains("only the first 100 are shown"), "{} bytes", said.stderr.len());
    // Each of them holds the page's HTML.
    assert!(said.stderr.len() < 200_000, "{} bytes", said.stderr.len());
}
