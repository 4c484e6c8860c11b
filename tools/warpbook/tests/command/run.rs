//! `run`: one file, wherever it is.

use crate::tiny::{KERNEL, TWICE, Tiny, run_in};

#[test]
fn verdict_and_counters_are_printed() {
    let said = Tiny::new().run(&["run", KERNEL, "--n", "2^10"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for word in ["n = 1,024", "passed", "smsp__inst_executed.sum"] {
        assert!(said.stdout.contains(word), "`{word}` is missing: {}", said.stdout);
    }
}

#[test]
fn a_file_outside_any_book_runs_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.cu"), TWICE).unwrap();
    let said = run_in(folder.path(), &["run", "mine.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_wrong_result_is_printed_and_fails() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("* 2", "* 3", 1));
    let said = tiny.run(&["run", KERNEL]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("wrong-result"), "{said:#?}");
}

#[test]
fn nonsense_is_refused_with_what_would_do() {
    let tiny = Tiny::new();
    for (arguments, words) in [
        (vec!["run", KERNEL, "--n", "many"], "2^24"),
        (vec!["--port", "4000", "run", KERNEL], "`--port` before `run` has no effect"),
        (vec!["run", "no.cu"], "is not a file"),
        (vec!["run", KERNEL, "--backend", "cpu"], "sim, nvrtc, gpu"),
        (vec!["run", KERNEL, "--backend", "nvrtc", "--threads", "2"], "leave out `--threads`"),
    ] {
        let said = tiny.run(&arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
}
