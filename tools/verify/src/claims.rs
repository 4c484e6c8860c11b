//! Claims: rules of thumb as sentences that the data must confirm.
//!
//! A lesson says "unrolling by two doubles the speed". A chapter's `claims.toml` has such a sentence
//! with its numbers, a predicate over them, and a verdict: it `holds`, it is `refuted`, or it
//! `depends`. The numbers are read from recordings and the simulator ([`source`]); the predicate
//! ([`formula`]) must agree with the verdict. Each claim also has a counterfactual (`flip`): numbers
//! for which the verdict would be another. A predicate that no number can contradict proves nothing.
//!
//! A claim from a data sheet cannot be measured. It has a source and a quotation instead, and is
//! counted separately.
//!
//! ```text
//! claims (here)    parses `claims.toml`
//! formula, source  a predicate; where a number comes from
//! readings            reads the numbers: recordings, counters, tables
//! judge            whether the predicate agrees with the verdict
//! ```

mod formula;
mod judge;
mod readings;
mod source;

pub use formula::Formula;
pub(crate) use formula::{Comparisons, Op, Type};
pub use judge::{Judgement, State};
pub use readings::{Missing, Reading, Readings};
pub(crate) use source::size;
pub use source::{FileName, Source};

use crate::include::file_text;
use crate::toml_file::{Data, Table, Value, tables};
use kernel_file::TextError;
use kernel_file::expression::ExpressionError;
use kernel_file::suggest::suggestion_or_list;
use kernel_file::verdict::Problem;
use std::fmt;
use std::path::Path;

/// The verdict about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It is true.
    Holds,
    /// It is false.
    Refuted,
    /// It is true in some cases and false in others.
    Depends,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 3] = [Outcome::Holds, Outcome::Refuted, Outcome::Depends];

    /// Its name in `claims.toml` and on the page.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Refuted => "refuted",
            Outcome::Depends => "depends",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Its name in the chapter.
    pub id: String,
    /// The chapter's folder.
    pub chapter: String,
    /// The file that makes it, relative to the project's root, and its line.
    pub place: (String, u32),
    /// The sentence.
    pub says: String,
    /// The rows of the notes that make it.
    pub rows: Vec<String>,
    /// The verdict.
    pub verdict: Outcome,
    /// Other verdicts, by the machine on which they are given: `("h100-80gb-hbm3", Refuted)`.
    pub elsewhere: Vec<(String, Outcome)>,
    /// The only machine that it is about: `h200`.
    pub only: Option<String>,
    /// Why, in one to three sentences of Markdown.
    pub because: String,
    /// Its evidence.
    pub ground: Ground,
}

/// The evidence of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// Numbers.
    Numbers(Numbers),
    /// A data sheet.
    Datasheet {
        /// Publisher, title and date.
        source: String,
        /// The quotation.
        quotes: String,
    },
}

/// The numbers of a claim and what must be true of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers {
    /// The one thing in which the numbers differ: `the tiles per block: one, two`.
    pub varies: String,
    /// By name, in the order of the file.
    pub reads: Vec<(String, Read)>,
    /// The claim as a predicate.
    pub holds: Formula,
    /// For `depends`: a predicate for the cases in which the claim is false.
    pub fails: Option<Formula>,
    /// Numbers for which the verdict would be another.
    pub flip: Vec<(String, f64)>,
}

/// A source, and how the file spells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// As it was written.
    pub text: String,
    /// The source.
    pub source: Source,
}

const WORDS: [&str; 14] = [
    "id",
    "says",
    "rows",
    "varies",
    "reads",
    "holds",
    "fails",
    "verdict",
    "elsewhere",
    "only",
    "flip",
    "because",
    "source",
    "quotes",
];

impl Claim {
    /// Its verdict on a machine, or where no machine counts (an empty name).
    pub fn verdict_on(&self, machine: &str) -> Outcome {
        let own = self.elsewhere.iter().find(|(name, _)| name == machine);
        own.map_or(self.verdict, |(_, outcome)| *outcome)
    }
}

/// The claims of a chapter, in the order of its file; none if it has no file.
///
/// # Errors
/// Every mistake in the file.
pub fn read(relative: &str, chapter: &str, path: &Path) -> Result<Vec<Claim>, Vec<Problem>> {
    match file_text(path) {
        Ok(text) => parse(relative, chapter, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => {
            let message = format!("cannot read `{relative}`: {error}");
            Err(vec![Problem::new(relative, "", (0, 0), "claim", message)])
        }
    }
}

/// Parses a `claims.toml`; `relative` is its name in messages.
///
/// # Errors
/// Every mistake in the text.
pub fn parse(relative: &str, chapter: &str, text: &str) -> Result<Vec<Claim>, Vec<Problem>> {
    let problems = |wrong| TextError::problems(wrong, relative, text, "claim");
    let found = tables(text, "claim", &WORDS).map_err(problems)?;
    let mut claims: Vec<Claim> = Vec::new();
    let mut wrong = Vec::new();
    for table in &found {
        match claim(table) {
            Ok(claim) if claims.iter().any(|known| known.id == claim.id) => {
                let message = format!("duplicate claim `{}`", claim.id);
                wrong.push(TextError::new(table.get("id").map_or(table.at, |v| v.at), message));
            }
            Ok(claim) => claims.push(Claim {
                chapter: chapter.to_owned(),
                place: (relative.to_owned(), table.at.0),
                ..claim
            }),
            Err(one) => wrong.push(one),
        }
    }
    if wrong.is_empty() { Ok(claims) } else { Err(problems(wrong)) }
}

fn claim(table: &Table) -> Result<Claim, TextError> {
    let id = table.text("id")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if !id.chars().all(plain) {
        let at = table.get("id").map_or(table.at, |v| v.at);
        return Err(TextError::new(
            at,
            format!("`{id}` is not a valid id: use letters, digits and `-`"),
        ));
    }
    table.text("verdict")?;
    let verdict = table.get("verdict").expect("its text was just read");
    let verdict = outcome("verdict", verdict)?;
    let pairs = table.pairs("elsewhere")?;
    let elsewhere = pairs.iter().map(|(name, value)| Ok((name.clone(), outcome(name, value)?)));
    let elsewhere = elsewhere.collect::<Result<Vec<_>, TextError>>()?;
    let only = table.get("only").map(|value| value.text("only")).transpose()?;
    let ground = if table.has("source") || table.has("quotes") {
        for word in ["varies", "reads", "holds", "fails", "elsewhere", "only", "flip"] {
            if let Some(value) = table.get(word) {
                let message = format!(
                    "`{word}` is not allowed with `source`: a data sheet is quoted, not measured"
                );
                return Err(TextError::new(value.at, message));
            }
        }
        Ground::Datasheet { source: table.text("source")?, quotes: table.text("quotes")? }
    } else {
        Ground::Numbers(numbers(table, verdict)?)
    };
    Ok(Claim {
        id,
        chapter: String::new(),
        place: (String::new(), 0),
        says: table.text("says")?,
        rows: table.texts("rows")?,
        verdict,
        elsewhere,
        only,
        because: table.text("because")?,
        ground,
    })
}

fn outcome(key: &str, value: &Value) -> Result<Outcome, TextError> {
    let word = value.text(key)?;
    Outcome::ALL.into_iter().find(|outcome| outcome.word() == word).ok_or_else(|| {
        let hint = suggestion_or_list(&word, Outcome::ALL.iter().map(|outcome| outcome.word()));
        TextError::new(value.at, format!("unknown verdict `{word}`{hint}"))
    })
}

fn numbers(table: &Table, verdict: Outcome) -> Result<Numbers, TextError> {
    let mut reads = Vec::new();
    for (name, value) in table.pairs("reads")? {
        let text = value.text(name)?;
        let source = Source::parse(&text).map_err(|message| TextError::new(value.at, message))?;
        reads.push((name.clone(), Read { text, source }));
    }
    let names: Vec<&str> = reads.iter().map(|(name, _)| name.as_str()).collect();
    let holds = formula(table, "holds", &names)?;
    let fails = match (verdict, table.get("fails")) {
        (Outcome::Depends, _) => Some(formula(table, "fails", &names)?),
        (_, None) => None,
        (_, Some(value)) => {
            let message = format!("`fails` needs the verdict `depends`, not `{verdict}`");
            return Err(TextError::new(value.at, message));
        }
    };
    let used = |name: &str| {
        holds.names().chain(fails.iter().flat_map(Formula::names)).any(|(used, _)| used == name)
    };
    if let Some(name) = names.iter().find(|name| !used(name)) {
        let at = table.get("reads").map_or(table.at, |v| v.at);
        return Err(TextError::new(at, format!("`{name}` is read, but no predicate uses it")));
    }
    let flip = flip(table, &names)?;
    Ok(Numbers { varies: table.text("varies")?, reads, holds, fails, flip })
}

/// A predicate that reads at least one number, and only declared ones.
fn formula(table: &Table, word: &str, names: &[&str]) -> Result<Formula, TextError> {
    let text = table.text(word)?;
    let value = table.get(word).expect("its text was just read");
    let inside = |error: ExpressionError| TextError::new(value.inside(error.column), error.message);
    let formula = Formula::parse(&text).map_err(inside)?;
    if names.is_empty() || formula.names().next().is_none() {
        let message = format!(
            "`{word}` reads no recorded or counted number, so no recording can contradict it: \
             name its numbers under `reads`"
        );
        return Err(TextError::new(value.at, message));
    }
    for (name, column) in formula.names() {
        if !names.contains(&name) {
            let hint = suggestion_or_list(name, names.iter().copied());
            return Err(TextError::new(
                value.inside(column),
                format!("unknown name `{name}`{hint}"),
            ));
        }
    }
    Ok(formula)
}

fn flip(table: &Table, names: &[&str]) -> Result<Vec<(String, f64)>, TextError> {
    let entries = table.pairs("flip")?;
    if entries.is_empty() {
        let message = "`flip = { name = 1.0 }` is missing: a record for which the verdict would be \
                       another";
        return Err(TextError::new(table.at, message));
    }
    let number = |(name, value): &(String, Value)| match value.data {
        _ if !names.contains(&name.as_str()) => {
            let hint = suggestion_or_list(name, names.iter().copied());
            Err(TextError::new(value.at, format!("`flip` sets `{name}`, which is not read{hint}")))
        }
        Data::Number(number) => Ok((name.clone(), number)),
        _ => Err(TextError::new(value.at, format!("`{name}` must be a number"))),
    };
    entries.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const CLAIM: &str = r#"
[[claim]]
id = "unroll2-doubles"
says = "Unrolling by two doubles the speed."
rows = ["000.51"]
reads = { before = "measured kernels/3_a.cu 2^24 time_us", after = "measured kernels/4_b.cu 2^24 time_us" }
holds = "before / after >= 1.9"
verdict = "refuted"
flip = { after = 20.0 }
because = "The rounds cost, not the loads."
varies = "the elements per thread: one, two"
"#;

    #[test]
    fn a_claim_is_read() {
        let claims = parse("claims.toml", "ch05-a", CLAIM).unwrap();
        let Ground::Numbers(numbers) = &claims[0].ground else { panic!() };
        assert_eq!(numbers.reads.len(), 2);
        assert_eq!(numbers.flip, [("after".to_owned(), 20.0)]);
        assert_eq!(claims[0].place, ("claims.toml".to_owned(), 2));
        assert_eq!(claims[0].verdict, Outcome::Refuted);
        assert_eq!(numbers.varies, "the elements per thread: one, two");
    }

    #[test]
    fn a_datasheet_is_no_measurement() {
        let text = "[[claim]]\nid = \"a\"\nsays = \"b\"\nverdict = \"holds\"\nbecause = \"c\"\n\
                    source = \"NVIDIA H100 datasheet, 2023\"\nquotes = \"3.35 TB/s\"\n";
        assert!(matches!(parse("c", "c", text).unwrap()[0].ground, Ground::Datasheet { .. }));
        let both = format!("{text}holds = \"a > 1\"\n");
        let problems = parse("c", "c", &both).unwrap_err();
        assert!(problems[0].message.contains("`holds` is not allowed"), "{}", problems[0].message);
    }

    /// What is said of the claim with one thing changed.
    fn wrong(old: &str, new: &str) -> String {
        assert!(CLAIM.contains(old));
        let problems = parse("claims.toml", "c", &CLAIM.replace(old, new)).unwrap_err();
        let p = &problems[0];
        format!("{}:{}: {}", p.line, p.column, p.message)
    }

    #[test]
    fn what_is_wrong_is_named_with_line_and_column() {
        for (old, new, wanted) in [
            ("says", "syas", "4:1: unknown key `syas`; did you mean `says`?"),
            (
                "\"refuted\"",
                "\"refutd\"",
                "8:11: unknown verdict `refutd`; did you mean `refuted`?",
            ),
            (
                "before / after >=",
                "befor / after >=",
                "7:10: unknown name `befor`; did you mean `before`?",
            ),
            (">= 1.9", "* 1.9", "7:10: this is a number, not a comparison"),
            ("before / after >= 1.9", "2 > 1", "7:9: `holds` reads no recorded"),
            (
                "before / after >= 1.9",
                "before > 9",
                "6:9: `after` is read, but no predicate uses it",
            ),
            ("flip = { after = 20.0 }\n", "", "2:1: `flip = { name = 1.0 }` is missing"),
            ("{ after = 20.0 }", "{ aftr = 20.0 }", "9:17: `flip` sets `aftr`, which is not read"),
            ("{ after = 20.0 }", "{ after = \"x\" }", "9:18: `after` must be a number"),
            ("measured kernels/3_a.cu", "measurd kernels/3_a.cu", "6:20: unknown source `measurd`"),
            ("\"refuted\"", "\"depends\"", "2:1: `fails = \"…\"` is missing"),
            ("\"refuted\"", "\"refuted\"\nfails = \"after > 1\"", "9:9: `fails` needs the verdict"),
            ("unroll2-doubles", "unroll 2", "3:6: `unroll 2` is not a valid id"),
            (
                "because = \"The rounds cost, not the loads.\"",
                "because = \" \"",
                "10:11: `because` is empty",
            ),
            (
                "varies = \"the elements per thread: one, two\"\n",
                "",
                "2:1: `varies = \"…\"` is missing",
            ),
        ] {
            let message = wrong(old, new);
            assert!(message.starts_with(wanted), "{new}: {message}");
        }
        let twice = format!("{CLAIM}{CLAIM}");
        let problems = parse("c", "c", &twice).unwrap_err();
        assert!(problems[0].message.contains("duplicate claim `unroll2-doubles`"));
    }
}
