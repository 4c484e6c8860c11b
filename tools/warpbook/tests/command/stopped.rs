//! `run` of programs that do not end by themselves: by a signal, a limit, or a closed pipe.

use crate::tiny::{Said, run_in, warpbook};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const HEAD: &str = "#include <cstdio>
#include <iostream>
#include <string>
__global__ void bad(int* a) { a[threadIdx.x] = 1; }
__global__ void endless(volatile int* a) { for (int i = 0;; ++i) a[threadIdx.x] = i; }
int main() {
    int* a; cudaMalloc(&a, 16);
";

/// A folder with `program.cu`, whose `main` has this body.
fn program(body: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.cu"), format!("{HEAD}{body}\n}}\n")).unwrap();
    folder
}

fn start(folder: &Path) -> Child {
    let mut command = warpbook(folder);
    command.args(["run", "program.cu"]).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the program has done `before` and says so, then runs `then`, and returns how it
/// ended.
fn begun(before: &str, body: &str, then: impl FnOnce(&mut Child)) -> Said {
    let folder = program(&format!("{before} printf(\"begun\\n\"); {body}"));
    let mut child = start(folder.path());
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut stdout = String::new();
    lines.read_line(&mut stdout).unwrap();
    assert_eq!(stdout, "begun\n");
    child.stdout = Some(lines.into_inner());
    then(&mut child);
    let started = Instant::now();
    if let Some(mut rest) = child.stdout.take() {
        let mut bytes = Vec::new();
        let _ = rest.read_to_end(&mut bytes);
    }
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let code = child.wait().unwrap().code();
    assert!(started.elapsed() < Duration::from_secs(30), "it went on: {stderr}");
    Said { code, stdout, stderr }
}

fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
}

#[test]
fn a_signal_ends_a_program_and_findings_are_told_before() {
    let launch = "bad<<<1, 32>>>(a); cudaDeviceSynchronize();";
    for (body, name, code) in [
        ("for (volatile int i = 0;; ++i) {}", "-INT", 130),
        ("for (;;) { printf(\"more\\n\"); }", "-TERM", 143),
        ("for (;;) { delete new int; }", "-INT", 130),
    ] {
        let said = begun(launch, body, |child| signal(child, name));
        assert_eq!(said.code, Some(code), "{said:#?}");
        let words = ["error[out-of-bounds]", "error[interrupted]: the program is stopped"];
        for word in words.iter().chain(&["program.cu:8", "2 errors, 0 warnings"]) {
            assert!(said.stderr.contains(word), "`{word}` is missing: {body}: {}", said.stderr);
        }
    }
}

#[test]
fn a_signal_names_the_thread_of_the_kernel_that_runs() {
    // Nothing tells that the kernel runs: on a busy machine the signal may come before it does.
    let in_the_kernel = [200, 1_000, 10_000].into_iter().any(|wait| {
        let said = begun("", "endless<<<1, 4>>>(a); cudaDeviceSynchronize();", |child| {
            std::thread::sleep(Duration::from_millis(wait));
            signal(child, "-TERM");
        });
        assert_eq!(said.code, Some(143), "{said:#?}");
        assert!(said.stderr.contains("got the signal SIGTERM"), "{said:#?}");
        said.stderr.contains("`endless` was here: block (0, 0, 0), thread (0, 0, 0)")
    });
    assert!(in_the_kernel, "the signal never met the kernel");
}

#[test]
fn a_program_that_waits_for_input_is_ended_too() {
    // On a busy machine the signal may come just before the program waits, where it still looks.
    let waited = [200, 1_000, 10_000].into_iter().any(|wait| {
        let said = begun("", "std::string s; std::getline(std::cin, s);", |child| {
            std::thread::sleep(Duration::from_millis(wait));
            signal(child, "-INT");
        });
        assert_eq!(said.code, Some(130), "{said:#?}");
        assert!(said.stderr.contains("it got the signal SIGINT"), "{said:#?}");
        said.stderr.contains("the program is ended:")
    });
    assert!(waited, "the signal never met a program that waits");
}

#[test]
fn a_closed_pipe_ends_the_program() {
    let said = begun("", "for (;;) { printf(\"more\\n\"); }", |child| drop(child.stdout.take()));
    assert_eq!(said.code, Some(141), "{said:#?}");
    assert!(said.stderr.contains("its output is closed"), "{said:#?}");
}

#[test]
fn the_time_limit_names_host_and_kernel() {
    let folder = program("endless<<<1, 4>>>(a); cudaDeviceSynchronize();");
    // On a busy machine half a second may end before the kernel begins.
    let in_the_kernel = ["0.5", "5", "50"].into_iter().any(|limit| {
        let said = run_in(folder.path(), &["run", "--time-limit", limit, "program.cu"]);
        assert_eq!(said.code, Some(124), "{said:#?}");
        let over = format!("its time limit of {limit} s is over");
        for word in [&*over, "program.cu:8:"] {
            assert!(said.stderr.contains(word), "`{word}` is missing: {}", said.stderr);
        }
        ["`endless` was here", "program.cu:5:"].iter().all(|word| said.stderr.contains(word))
    });
    assert!(in_the_kernel, "no limit ended inside the kernel");
    let said = run_in(folder.path(), &["run", "--time-limit", "0", "program.cu"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("a number of seconds"), "{said:#?}");
}

#[test]
fn a_launch_that_never_starts_decides_the_exit_code() {
    let folder = program("bad<<<1, 2048>>>(a);");
    let said = run_in(folder.path(), &["run", "--error-exitcode", "9", "program.cu"]);
    assert_eq!(said.code, Some(9), "{said:#?}");
    assert!(said.stderr.contains("error[launch]: `bad` does not start: no block may be (2048"));
    assert!(said.stderr.contains("1 error, 0 warnings"), "{said:#?}");
}

#[test]
fn devices_and_pipes_are_no_files() {
    let folder = program(
        "printf(\"%d\", fopen(\"/dev/zero\", \"r\") == nullptr);
        printf(\"%d\", fopen(\"pipe\", \"r\") == nullptr);
        printf(\"%d\", fopen(\"pipe\", \"w\") == nullptr);
        FILE* nowhere = fopen(\"/dev/null\", \"w\");
        printf(\"%d\", fprintf(nowhere, \"x\"));
        printf(\"%d\", fclose(nowhere));",
    );
    let made = Command::new("mkfifo").arg("pipe").current_dir(folder.path()).status().unwrap();
    assert!(made.success());
    let said = run_in(folder.path(), &["run", "program.cu"]);
    assert_eq!((said.code, &*said.stdout), (Some(0), "11110"), "{said:#?}");
    assert!(
        said.stderr.contains("`/dev/zero` is not opened: it is not a regular file"),
        "{said:#?}"
    );
    assert!(said.stderr.contains("`pipe` is not opened"), "{said:#?}");
}
