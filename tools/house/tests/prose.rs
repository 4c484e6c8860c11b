//! Rules for the sentences of the book: a ratio of what was measured or counted is a directive, which
//! shows both numbers, and never a word such as "a quarter".
//!
//! Looked at are the pages, the essays of kernels, the statements of exercises and the reasons of
//! claims. What a claim *says* is held by its predicate, and the counters of an exercise by its gates.
//! A ratio of the source alone ("half as many blocks") is arithmetic, and may be said.

use house::root;
use regex::Regex;
use std::path::Path;

/// Parts of a whole, in words.
const PART: &str = "(?:half|third|quarter|fifth|sixth|eighth|tenth|sixteenth|twentieth|thirtieth|\
                    fiftieth|hundredth|thousandth)s?";

/// Numbers of times, in words and digits.
const TIMES: &str = "(?:two|three|four|five|six|seven|eight|nine|ten|fifteen|sixteen|twenty|thirty|\
                     fifty|hundred|many|several|[0-9][0-9,.]*) times";

/// What a clock measures.
const TIME: &str =
    r"\b(?:time|fast(?:er|est)?|slow(?:er|est)?|long(?:er)?|speed|bandwidth|throughput)\b";

/// What a counter counts.
const COUNTED: &str = r"\b(?:sectors?|requests?|wavefronts?|conflicts?|barriers|shared loads)\b";

/// Marks of sentences that state no ratio of the book's own: predictions, directives, what others say.
const STATES_NOTHING: [&str; 3] = ["?", "{{#", "often reads"];

/// Finds ratios in words.
struct Ratios {
    compares: Regex,
    look_at: Regex,
    part: Regex,
    time: Regex,
    counted: Regex,
}

impl Ratios {
    fn new() -> Ratios {
        let regex = |text: &str| Regex::new(&format!("(?i){text}")).expect("it is well-formed");
        let compares = [
            format!(
                r"\b(?:twice|half|{TIMES}|an? {PART}) as (?:fast|slow|long|many|much|high|low)"
            ),
            format!(r"\b(?:to|by|within|than|under|nearly|about) (?:an?|one|two|three) {PART}\b"),
            format!(r"\b{TIMES} (?:faster|slower|more|longer|larger|less|fewer)\b"),
            format!(r"\b(?:an?|two|three) {PART} (?:more|less|longer|faster|slower|fewer)\b"),
            r"\b(?:doubles|halves|doubled|halved) (?:the |its )?(?:time|speed|throughput)\b".into(),
            r"\b(?:times?|speed|throughput|sectors|requests) (?:doubles?|halves?|fell by half)\b"
                .into(),
        ];
        Ratios {
            compares: regex(&compares.join("|")),
            look_at: regex(r"\blook at:"),
            part: regex(&format!(r"\b(?:{PART}|twice|{TIMES})\b")),
            time: regex(TIME),
            counted: regex(COUNTED),
        }
    }

    /// Whether a sentence states a ratio in words; of counters only where `counters`.
    fn states_one(&self, sentence: &str, counters: bool) -> bool {
        if sentence.starts_with("If ") || STATES_NOTHING.iter().any(|s| sentence.contains(s)) {
            return false;
        }
        let is_measured =
            self.time.is_match(sentence) || counters && self.counted.is_match(sentence);
        let looks_at = counters && self.look_at.is_match(sentence);
        is_measured && self.compares.is_match(sentence)
            || looks_at && is_measured && self.part.is_match(sentence)
    }
}

/// The paragraphs of a file that tell the reader something.
fn paragraphs(path: &Path, text: &str) -> Vec<String> {
    let lines = text.lines();
    match path.extension().and_then(|end| end.to_str()) {
        // The sentences of an essay go over several lines.
        Some("cu") => vec![lines.filter_map(|line| line.strip_prefix("//!")).collect()],
        Some("toml") => {
            lines.filter_map(|line| line.strip_prefix("because = ")).map(str::to_owned).collect()
        }
        _ => {
            let mut is_code = false;
            let prose = lines.filter(|line| {
                let is_fence = line.starts_with("```");
                is_code ^= is_fence;
                // Predictions, tables, and what the reader may try.
                !is_code
                    && !is_fence
                    && !["> ", "| ", "- **", "#"].iter().any(|s| line.starts_with(s))
            });
            prose.map(str::to_owned).collect()
        }
    }
}

/// The sentences of a paragraph: each ends with a mark and a space, or with the paragraph.
fn sentences(paragraph: &str) -> Vec<&str> {
    let end = Regex::new(r"[.?!;] ").expect("it is well-formed");
    let mut at = 0;
    let mut found = Vec::new();
    for mark in end.find_iter(paragraph) {
        found.push(paragraph[at..mark.end()].trim());
        at = mark.end();
    }
    found.push(paragraph[at..].trim());
    found
}

#[test]
fn ratios_of_what_was_measured_are_directives() {
    let ratios = Ratios::new();
    let mut broken = Vec::new();
    for file in walkdir::WalkDir::new(root().join("chapters")).into_iter().filter_map(Result::ok) {
        let path = file.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_prose = name.ends_with(".md") || name.ends_with(".cu") || name == "claims.toml";
        if !is_prose || path.iter().any(|part| part == "appendix") {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("a file of a chapter");
        let counters = !path.iter().any(|part| part == "exercises");
        for paragraph in paragraphs(path, &text) {
            for sentence in sentences(&paragraph) {
                if ratios.states_one(sentence, counters) {
                    broken.push(format!("{}: {sentence}", path.display()));
                }
            }
        }
    }
    let broken = broken.join("\n  ");
    assert!(broken.is_empty(), "ratios in words; show both numbers by directives:\n  {broken}\n");
}

#[test]
fn ratios_are_found_and_arithmetic_is_left_alone() {
    let ratios = Ratios::new();
    for sentence in [
        "It is twice as fast as before.",
        "The time falls to a quarter.",
        "This kernel is 3.5 times faster.",
        "It comes within a tenth of the fastest.",
        "Unrolling doubles the speed.",
        "Look at: *global load requests*, a quarter; and the time.",
        "The load sectors fall to an eighth.",
    ] {
        assert!(ratios.states_one(sentence, true), "{sentence}");
    }
    for sentence in [
        "How much faster is it: twice as fast?",
        "It takes {{#measured a.cu 1 time_us}}, half as long.",
        "There are half as many blocks.",
        "Half of the lanes are idle for a long time.",
        "The load of the third kernel touches four sectors.",
    ] {
        assert!(!ratios.states_one(sentence, true), "{sentence}");
    }
    assert!(!ratios.states_one("The requests fall to a third.", false));
}
