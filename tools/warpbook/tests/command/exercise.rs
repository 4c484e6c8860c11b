//! `exercise`: the list, the reader's file, and its check.

use crate::tiny::Tiny;
use std::fs;

const ADD: &str = "\
//! # Add one
//!
//! Add one to each number.
//!
//! ## Hint
//! Read first.
//!
//! ## Hint
//! Write then.
//!
//! ## Why it works
//! Each thread has its own number.
//@ exercise write, 10 minutes
//@ gate global_load_requests <= (n + 31) / 32
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch add(in, out, n) grid = (n + 31) / 32, block = 32
//@ test 1, 31, 33
//@ page 64

__global__ void add(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    if (i < n) out[i] = in[i] + 1;
    //@ starter
    //| out[0] = i;
    //@ wrong result: one is missing
    //| if (i < n) out[i] = in[i];
    //@ wrong bounds: the last block has threads without a number
    //| out[i] = in[i] + 1;
    //@ wrong gate global_load_requests: it reads twice
    //| if (i < n) out[i] = in[i] + 1 + in[(i + 1) % n] - in[(i + 1) % n];
    //@ end
}

__host__ __device__ int expected(const int* in, int i) { return in[i] + 1; }
";

const PLACE: &str = "chapters/ch01-tiny/exercises/2_add.cu";

fn tiny(text: &str) -> Tiny {
    let tiny = Tiny::new();
    tiny.write(PLACE, text);
    tiny
}

#[test]
fn a_reader_gets_a_file_and_solves_it() {
    let tiny = tiny(ADD);
    let said = tiny.run(&["exercise"]);
    assert!(said.stdout.contains("1.2   write     10 min          Add one"), "{said:#?}");
    assert!(said.stdout.contains("0 of 1 solved.\nNext: warpbook exercise 1.2"), "{said:#?}");
    let said = tiny.run(&["exercise", "1.2"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("Goal: global load requests: at most (n + 31) / 32"), "{said:#?}");
    let own = tiny.path("exercises/1.2_add.cu");
    let starter = fs::read_to_string(&own).unwrap();
    assert!(!starter.contains("Hint") && !starter.contains("in[i] + 1;\n    //"), "{starter}");

    let said = tiny.run(&["exercise", "1.2", "--seed", "5"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("not yet (race)") || said.stdout.contains("not yet: "));
    assert!(said.stdout.contains("--seed 5"), "{said:#?}");

    fs::write(&own, starter.replace("    out[0] = i;", "    if (i < n) out[i] = in[i] + 1;"))
        .unwrap();
    let said = tiny.run(&["exercise", "1.2", "--check", "--seed", "492299"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    // 27 is the size that this seed adds to those of the file.
    for words in ["n = 1, 27, 31, 33", "starter", "<= 2", "Each thread has its own number."] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {said:#?}");
    }
    assert!(tiny.run(&["exercise"]).stdout.contains("1 of 1 solved."));
    // The reader's file is as the reader left it.
    assert!(fs::read_to_string(&own).unwrap().contains("in[i] + 1;\n    // ---"));
}

#[test]
fn the_next_command_names_the_folders_that_were_given() {
    let tiny = tiny(ADD);
    let own = ["--folder", "my own"];
    let said = tiny.run(&[&["exercise", "1.2"], &own[..]].concat());
    let next = "check it: warpbook exercise --folder 'my own' 1.2\n";
    assert!(said.stdout.contains(next), "{said:#?}");
    let root = tiny.path("").display().to_string();
    let said = tiny.run(&[&["exercise", "1.2", "--seed", "5", "--root", &root], &own[..]].concat());
    let again = format!("again: warpbook exercise --root {root} --folder 'my own' 1.2 --seed 5\n");
    assert!(said.stdout.contains(&again), "{said:#?}");
    let said = tiny.run(&[&["exercise"], &own[..]].concat());
    assert!(said.stdout.contains("Next: warpbook exercise --folder 'my own' 1.2"), "{said:#?}");
}

#[test]
fn hints_come_one_by_one_and_the_solution_on_request() {
    let tiny = tiny(ADD);
    let hint = || tiny.run(&["exercise", "1.2", "--hint"]).stdout;
    assert_eq!(hint(), "Hint 1 of 2:\n\nRead first.\n");
    assert_eq!(hint(), "Hint 2 of 2:\n\nWrite then.\n");
    assert!(hint().contains("These are all."));
    let said = tiny.run(&["exercise", "1.2", "--solution"]);
    assert!(said.stdout.contains("if (i < n) out[i] = in[i] + 1;\n"), "{said:#?}");
}

#[test]
fn progress_that_cannot_be_read_is_put_aside() {
    let tiny = tiny(ADD);
    tiny.write("exercises/progress.json", "not json");
    let said = tiny.run(&["exercise"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stderr.contains("progress-unreadable-1.json"), "{said:#?}");
    let aside = tiny.path("exercises/progress-unreadable-1.json");
    assert_eq!(fs::read_to_string(aside).unwrap(), "not json");
}

#[test]
fn nonsense_is_refused_with_what_would_do() {
    let tiny = tiny(ADD);
    for (arguments, words) in [
        (vec!["exercise", "1.3"], "did you mean `1.2`?"),
        (vec!["exercise", "1.2", "--check"], "`warpbook exercise 1.2` writes it"),
        (vec!["exercise", "1.2", "--folder", "chapters/ch01-tiny"], "among the book's pages"),
        (vec!["exercise", "1.2", "--hint", "--solution"], "cannot be used with"),
    ] {
        let said = tiny.run(&arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
}

#[test]
fn all_solutions_are_run_a_line_for_each() {
    let said = tiny(ADD).run(&["exercise", "--all"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("1.2   passed"), "{said:#?}");
    assert!(said.stdout.ends_with("2_add: 4 sizes, 1 gates\n\n1 passed, 0 failed, 0 not run.\n"));
    let said = tiny(&ADD.replace("<= (n + 31) / 32", "= 0")).run(&["exercise", "--all"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("1.2   FAILED") && said.stdout.contains("1 failed"), "{said:#?}");
}

#[test]
fn check_holds_an_exercise_to_its_wrong_answers() {
    let said = tiny(ADD).run(&["check", PLACE]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let said = tiny(&ADD.replace("wrong bounds", "wrong race")).run(&["check", PLACE]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("rejected for `bounds`, not for `race`"), "{said:#?}");
    assert!(said.stdout.contains(&format!("{PLACE}:29")), "{said:#?}");
}
