//! Races of streams and of the host: racy and right programs, with labels.
//!
//! A section `//# racy: name` of a file in `tests/stream_races` is a program; `//~ code` ends a line
//! that a finding has to name. A `clean` program has no finding.

use crate::world::World;
use simt::{Config, Sources};
use std::collections::BTreeSet;

const PRELUDE: &str = include_str!("../stream_races/prelude.cuh");

const FILES: [(&str, &str); 6] = [
    ("streams", include_str!("../stream_races/streams.cu")),
    ("default_stream", include_str!("../stream_races/default_stream.cu")),
    ("events", include_str!("../stream_races/events.cu")),
    ("host", include_str!("../stream_races/host.cu")),
    ("allocation", include_str!("../stream_races/allocation.cu")),
    ("functions_and_graphs", include_str!("../stream_races/functions_and_graphs.cu")),
];

/// Line and code.
type Place = (u32, String);

/// What is promised, and what was found: the places of a finding are its own and the other one.
struct Outcome {
    promised: BTreeSet<Place>,
    found: Vec<[Option<Place>; 2]>,
}

fn outcome(name: &str, text: &str) -> Outcome {
    let promised = text.lines().enumerate().filter_map(|(at, line)| {
        let (_, code) = line.split_once("//~ ")?;
        Some((at as u32 + 1, code.trim().to_owned()))
    });
    let files = vec![
        (format!("{name}.cu"), format!("#include \"prelude.cuh\" //\n{text}")),
        ("prelude.cuh".to_owned(), PRELUDE.to_owned()),
    ];
    let program = simt_host::compile(Sources::with_headers(files)).unwrap_or_else(|failure| {
        let said = failure.diagnostics.iter().map(|d| d.render(&failure.sources));
        panic!("{name}: {}", said.collect::<String>())
    });
    let mut world = World::default();
    let report = simt_host::run(&program, &[name.to_owned()], &Config::default(), &mut world);
    let sources = &program.module.sources;
    let line = |span| sources.position(span).line - 1;
    let host = report.diagnostics.iter().map(|found| {
        let code = found.code.to_owned();
        let other = found.labels.first().map(|(span, _)| (line(*span), code.clone()));
        [Some((line(found.span), code)), other]
    });
    let kernels = report.launches.iter().flat_map(|launched| &launched.report.findings);
    let kernels =
        kernels.map(|found| [Some((line(found.first.span), found.code.name().to_owned())), None]);
    let found = host.chain(kernels).collect();
    Outcome { promised: promised.collect(), found }
}

/// The programs of a file: their names, whether they are racy, and their texts.
fn programs(text: &'static str) -> impl Iterator<Item = (&'static str, bool, &'static str)> {
    text.split("//# ").skip(1).map(|section| {
        let (heading, body) = section.split_once('\n').unwrap_or((section, ""));
        let (kind, name) = heading.split_once(": ").unwrap_or(("", heading));
        assert!(["racy", "clean"].contains(&kind), "{heading}");
        (name, kind == "racy", body)
    })
}

#[test]
fn racy_programs_are_found_and_right_ones_are_not() {
    let (mut racy, mut clean) = (0, 0);
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    let (mut right, mut findings) = (0, 0);
    for (file, text) in FILES {
        for (name, is_racy, body) in programs(text) {
            *(if is_racy { &mut racy } else { &mut clean }) += 1;
            let Outcome { promised, found } = outcome(name, body);
            assert_eq!(is_racy, !promised.is_empty(), "the labels of {file}: {name}");
            let named: BTreeSet<&Place> = found.iter().flatten().flatten().collect();
            if promised.iter().any(|place| !named.contains(place)) {
                missed.push(format!("{file}: {name}: {found:?}"));
            }
            for places in &found {
                findings += 1;
                match places.iter().flatten().any(|place| promised.contains(place)) {
                    true => right += 1,
                    false => wrong.push(format!("{file}: {name}: {places:?}")),
                }
            }
        }
    }
    let recall = 100.0 * f64::from(racy - missed.len() as u32) / f64::from(racy);
    let precision = 100.0 * f64::from(right) / f64::from(findings);
    eprintln!("{racy} racy programs, recall {recall:.1} %; {clean} right programs");
    eprintln!("{findings} findings, precision {precision:.1} %");
    let say = |what: &str, all: &[String]| eprintln!("{what}:\n{}", all.join("\n"));
    say("missed", &missed);
    say("wrong", &wrong);
    assert!(racy >= 40 && clean >= 40, "{racy} racy, {clean} clean");
    assert!(recall >= 95.0 && precision >= 99.0);
}
