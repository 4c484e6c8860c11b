//! Every way around an exercise is rejected.
//!
//! `cargo test` tries them on one exercise of each chapter, `.ci/run mutants` on all:
//! `ONLY=6.2 cargo test -p verify hacks:: -- --ignored --nocapture` prints what became of those of one.

#![allow(clippy::print_stdout, reason = "the table that it prints is asked for")]

use std::collections::BTreeMap;
use verify::hacks::{Fate, Hack, Kind, survey};
use verify::{PlacedExercise, Project, parallel};

fn project() -> Project {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    Project::find(here.as_ref()).expect("the book")
}

/// The hacks of these exercises.
fn all(project: &Project, places: &[PlacedExercise]) -> Vec<(String, Vec<Hack>)> {
    parallel::map(places, |place| {
        let (exercise, headers) = project.exercise(&place.path).expect("it is understood");
        let hacks = survey(&exercise, &headers, 1).unwrap_or_else(|why| panic!("{why}"));
        (place.number.clone(), hacks)
    })
}

/// Codes of rejections that are about this way around. Any other rejection is right, too: an answer may
/// also be racing, or miss a gate.
fn own(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Input => &["input"],
        Kind::Reference => &["reference"],
        Kind::OneThread | Kind::OneWarp => &["serial"],
        Kind::Race | Kind::Lucky => &["race", "order", "stream-race", "host-race"],
        Kind::Bounds => &["bounds"],
        Kind::Directives | Kind::Frame | Kind::Launch => &["frame"],
        Kind::Hidden => &["frame", "compile"],
        Kind::Host => &["host"],
        Kind::Clock => &["clock"],
        Kind::Trap => &["trap"],
        Kind::Zeros => &["uninitialised"],
        Kind::Endless => &["endless"],
        Kind::Disguised | Kind::Moved => &["traffic"],
        _ => &["result"],
    }
}

fn assert_rejected(all: &[(String, Vec<Hack>)]) {
    let accepted = all.iter().flat_map(|(number, hacks)| {
        let accepted = hacks.iter().filter(|hack| hack.fate == Fate::Accepted);
        accepted.map(move |hack| format!("{number}, {:?}:\n{}", hack.kind, hack.text))
    });
    let accepted: Vec<String> = accepted.collect();
    assert!(accepted.is_empty(), "{} accepted\n{}", accepted.len(), accepted.join("\n"));
}

#[test]
fn hacks_of_one_exercise_per_chapter_are_rejected() {
    let project = project();
    let mut places = project.exercises().expect("the chapters can be read");
    // Another number in each chapter, so that every kind of exercise is among them.
    let chapter = |place: &PlacedExercise| place.number.split('.').next().map(str::len);
    let mut count = 0;
    places.retain(|place| {
        count += 1;
        chapter(place).is_some() && (count - 1) % 5 == 0
    });
    assert!(places.len() >= 10);
    assert_rejected(&all(&project, &places));
}

#[test]
#[ignore = "takes a minute; .ci/run runs it"]
fn all_hacks_are_rejected() {
    let project = project();
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut places = project.exercises().expect("the chapters can be read");
    places.retain(|place| only.is_empty() || place.number == only);
    let all = all(&project, &places);
    println!(
        "{:<12} {:>9} {:>6} {:>8} {:>8}  {:>5}",
        "kind", "exercises", "texts", "rejected", "accepted", "own"
    );
    for kind in Kind::ALL {
        let mut exercises = 0;
        let (mut texts, mut rejected, mut accepted, mut named) = (0, 0, 0, 0);
        let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, hacks) in &all {
            let before = texts;
            for hack in hacks.iter().filter(|hack| hack.kind == kind) {
                match &hack.fate {
                    Fate::Rejected(code, _) => {
                        (texts, rejected) = (texts + 1, rejected + 1);
                        named += usize::from(own(kind).contains(&code.as_str()));
                        *codes.entry(code).or_default() += 1;
                    }
                    Fate::Accepted => (texts, accepted) = (texts + 1, accepted + 1),
                    Fate::Unfit(_) => {}
                }
            }
            exercises += usize::from(texts > before);
        }
        println!(
            "{:<12} {exercises:>9} {texts:>6} {rejected:>8} {accepted:>8}  {named:>5}  {codes:?}",
            format!("{kind:?}")
        );
    }
    if !only.is_empty() || std::env::var_os("VERBOSE").is_some() {
        for (number, hacks) in &all {
            for Hack { kind, fate, .. } in hacks.iter().filter(|h| h.kind != Kind::Frame) {
                println!("{number} {kind:?}: {fate:?}");
            }
        }
    }
    assert_rejected(&all);
}
