//! Checking a recording: what is equal passes, and nothing else does.

use random_kernels::check::{Difference, Known, check};
use random_kernels::recording::Recording;

/// The committed recording, cut to its first program.
fn first() -> Recording {
    let text = include_str!("recorded/h200.txt");
    let mut recording = Recording::read(text).expect("the recording can be read");
    recording.programs.truncate(1);
    recording
}

#[test]
fn a_recording_is_written_as_it_was_read() {
    let texts = [
        include_str!("recorded/h200.txt"),
        include_str!("recorded/instructions-h100.txt"),
        include_str!("recorded/tiles-h100.txt"),
    ];
    for text in texts {
        assert_eq!(Recording::read(text).expect("it can be read").write(), text);
    }
}

#[test]
fn a_kernel_for_sm_90a_may_have_more_static_shared_memory() {
    // 49,664 bytes; an H200 ran it.
    let text = "seed 13\nkernels 100\ntrace false\ndevice NVIDIA H200\ncompiler nvcc\n\
                file 242/11 d0598272837ba6ac\nc11 aea21892137773f7\n";
    let recording = Recording::read(text).expect("the recording can be read");
    assert_eq!(check(&recording, 1).differences, []);
}

#[test]
fn another_hash_is_a_difference() {
    let mut recording = first();
    let before = check(&recording, 1).differences.len();
    let lines = recording.programs[0].output.as_mut().expect("there is output");
    lines[0].1 = "0000000000000000".to_owned();
    let found = check(&recording, 1).differences;
    assert_eq!(found.len(), before + 1, "{found:?}");
}

#[test]
fn a_missing_kernel_is_a_difference() {
    let mut recording = first();
    let before = check(&recording, 1).differences.len();
    let (name, _) = recording.programs[0].output.as_mut().expect("there is output").remove(0);
    let found = check(&recording, 1).differences;
    assert_eq!(found.len(), before + 1, "{found:?}");
    let missing = |d: &Difference| matches!(d, Difference::Line { name: n, recorded: None, .. } if *n == name);
    assert!(found.iter().any(|(_, difference)| missing(difference)), "{found:?}");
}

#[test]
fn a_condensed_recording_says_what_the_whole_one_says() {
    let mut recording = first();
    let whole = check(&recording, 1);
    recording.condense(&["0/3".parse().expect("an item")]);
    let lines = recording.programs[0].output.clone().expect("there is output");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(&lines[0].0[1..], "3");
    assert_eq!(check(&recording, 1), whole);
    let text = recording.write();
    assert_eq!(Recording::read(&text).expect("it can be read"), recording);
    for (at, (name, _)) in lines.iter().enumerate() {
        let mut other = recording.clone();
        other.programs[0].output.as_mut().expect("there is output")[at].1 = "0".repeat(16);
        let found = check(&other, 1).differences;
        assert_eq!(found.len(), whole.differences.len() + 1, "{name}: {found:?}");
    }
}

#[test]
fn a_list_of_known_differences_only_shrinks() {
    let mut recording = first();
    let lines = recording.programs[0].output.as_mut().expect("there is output");
    lines[0].1 = "0".repeat(16);
    let name = format!("file 0: {}", lines[0].0);
    let comparison = check(&recording, 1);
    let known = Known::read(&format!("# a reason\n{name}\n"));
    assert_eq!(known.compare(&comparison), (Vec::new(), Vec::new()));
    let (new, gone) = Known::read("file 0: k99\n").compare(&comparison);
    assert!(new[0].starts_with(&format!("{name}: recorded 0000000000000000")), "{new:?}");
    assert_eq!(gone, ["file 0: k99"]);
}

#[test]
fn a_changed_generator_is_a_difference() {
    let mut recording = first();
    recording.programs[0].text_hash = "0".repeat(16);
    let found = check(&recording, 1).differences;
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].1.to_string(),
        "the generator has changed since the recording: record anew"
    );
}

#[test]
fn what_is_no_recording_is_an_error_with_its_line() {
    for (text, line) in [
        ("seed x", "line 1"),
        ("kind x", "line 1"),
        ("seed 1\nk0 12", "line 2"),
        ("seed 1\nfile a b", "line 2"),
    ] {
        let error = format!("{:#}", Recording::read(text).expect_err("it is none"));
        assert!(error.contains(line), "{error}");
    }
    assert!(Recording::read("seed 1\n").is_err());
}
