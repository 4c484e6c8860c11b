//! Rules for the claims of the chapters: a word of comparison has the limit that the appendix prints
//! (`chapters/appendix/claims.md`), and a claim that depends has a counterfactual for both predicates.
//!
//! Each key of a `claims.toml` is on a line of its own, so the lines are enough.

use house::root;
use regex::Regex;

/// The keys of a claim as written, without quotes around a text.
struct Claim(String);

impl Claim {
    fn get(&self, key: &str) -> &str {
        let mut lines = self.0.lines();
        let value = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
        value.unwrap_or_default().trim_matches('"')
    }
}

/// What is wrong with a claim.
fn wrong(claim: &Claim) -> Option<&'static str> {
    let regex = |text: &str| Regex::new(text).expect("it is well-formed");
    let (says, holds, fails) = (claim.get("says"), claim.get("holds"), claim.get("fails"));
    if holds.is_empty() {
        return None;
    }
    let compares = regex(r"\b(?:faster|slower|alike)\b").is_match(says);
    let figure = r"\d %|\d times|\b(?:third|tenth|twentieth|twice)\b|\b(?:half|times) as";
    let has_limit = regex(figure).is_match(says) || claim.get("because").contains("*Faster* is");
    if compares && !has_limit && !holds.contains("1.05") {
        return Some("*faster*, *slower* and *alike* are by a twentieth: `1.05`");
    }
    if regex(r"(?i)\babout\b").is_match(says) && !holds.contains("0.75 * ") {
        return Some("*about* is within a quarter: `0.75 *` and `1.25 *`");
    }
    let flip = claim.get("flip");
    let sets = |formula: &str| {
        regex(r"(\w+) = ").captures_iter(flip).any(|name| {
            let name = regex(&format!(r"\b{}\b", &name[1]));
            name.is_match(formula)
        })
    };
    let sets_both = fails.is_empty() || sets(holds) && sets(fails);
    (!sets_both).then_some("`flip` must contradict both `holds` and `fails`")
}

#[test]
fn words_have_their_limits_and_both_predicates_can_be_contradicted() {
    let mut broken = Vec::new();
    let mut seen = 0;
    for file in walkdir::WalkDir::new(root().join("chapters")).into_iter().filter_map(Result::ok) {
        if file.file_name() != "claims.toml" {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).expect("a file of a chapter");
        for claim in text.split("[[claim]]").skip(1).map(|text| Claim(text.to_owned())) {
            seen += 1;
            if let Some(why) = wrong(&claim) {
                broken.push(format!("{}: {why}", claim.get("id")));
            }
        }
    }
    assert!(seen > 100, "{seen} claims");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_limit_of_its_own_and_a_lonely_flip_are_found() {
    let claim = |text: &str| wrong(&Claim(text.to_owned())).unwrap_or_default();
    let faster = "says = \"It is faster.\"\nholds = \"a / b >= 1.03\"\n";
    assert!(claim(faster).contains("twentieth"));
    assert_eq!(claim(&faster.replace("1.03", "1.05")), "");
    assert_eq!(claim(&faster.replace("faster", "a tenth faster")), "");
    assert!(claim("says = \"It takes about 5.\"\nholds = \"a < 6\"\n").contains("quarter"));
    let depends =
        "says = \"It is so.\"\nholds = \"a > 1\"\nfails = \"b > 1\"\nflip = { b = 0.0 }\n";
    assert!(claim(depends).contains("both"));
    assert_eq!(claim(&depends.replace("b = 0.0", "a = 0.0, b = 0.0")), "");
}
