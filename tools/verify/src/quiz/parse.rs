//! Reads `quiz.toml`.

use super::{
    Edit, Entry, Extreme, Item, Number, Outcome, Outcomes, Placed, Quantity, Question, Show,
    Subject,
};
use crate::claims::{FileName, Read, Source, size};
use crate::include::file_text;
use crate::toml_file::{At, Data, Table, Value, tables};
use kernel_file::TextError;
use kernel_file::suggest::suggestion_or_list;
use kernel_file::verdict::Problem;
use kernel_file::words::{split_choice, words};
use std::path::Path;

const WORDS: [&str; 15] = [
    "id", "ask", "reads", "right", "unit", "because", "wrong", "kernel", "edit", "n", "at", "most",
    "least", "among", "show",
];

/// The items of a chapter, in the order of its file; none if it has no file.
///
/// # Errors
/// Every mistake in the file.
pub fn read(relative: &str, chapter: &str, path: &Path) -> Result<Vec<Item>, Vec<Problem>> {
    match file_text(path) {
        Ok(text) => parse(relative, chapter, &text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => {
            let message = format!("cannot read `{relative}`: {error}");
            Err(vec![Problem::new(relative, "", (0, 0), "quiz", message)])
        }
    }
}

/// Parses a `quiz.toml`; `relative` is its name in messages.
///
/// # Errors
/// Every mistake in the text.
pub fn parse(relative: &str, chapter: &str, text: &str) -> Result<Vec<Item>, Vec<Problem>> {
    let problems = |wrong| TextError::problems(wrong, relative, text, "quiz");
    let found = tables(text, "item", &WORDS).map_err(problems)?;
    let mut items: Vec<Item> = Vec::new();
    let mut wrong = Vec::new();
    for table in &found {
        match item(table) {
            Ok(item) if items.iter().any(|known| known.id == item.id) => {
                let message = format!("duplicate item `{}`", item.id);
                wrong.push(TextError::new(place(table, "id"), message));
            }
            Ok(item) => items.push(Item {
                chapter: chapter.to_owned(),
                place: (relative.to_owned(), table.at.0),
                ..item
            }),
            Err(one) => wrong.push(one),
        }
    }
    if wrong.is_empty() { Ok(items) } else { Err(problems(wrong)) }
}

fn item(table: &Table) -> Result<Item, TextError> {
    let id = table.text("id")?;
    if !id.chars().all(|c: char| c.is_ascii_alphanumeric() || c == '-') {
        let message = format!("`{id}` is not a valid id: use letters, digits and `-`");
        return Err(TextError::new(place(table, "id"), message));
    }
    let ask = table.text("ask")?;
    let default = subject(table, None)?;
    let question = if table.has("most") || table.has("least") {
        only(table, &["reads", "right", "unit", "because", "wrong"], "`most` and `least`")?;
        Question::Extreme(extreme(table, default.as_ref())?)
    } else if table.has("right") {
        only(table, &["among"], "`right`")?;
        Question::Number(number(table, default.is_some())?)
    } else if default.is_some() {
        only(table, &["reads", "unit", "among"], "a question about an outcome")?;
        Question::Outcome(outcomes(table)?)
    } else {
        let message = "what is asked? `right = \"…\"` asks for a number, `kernel = \"…\"` for what \
                       its run reports, `most = \"…\"` or `least = \"…\"` for one among several";
        return Err(TextError::new(table.at, message));
    };
    Ok(Item {
        id,
        chapter: String::new(),
        place: (String::new(), 0),
        ask,
        question,
        show: show(table, default.is_some())?,
        subject: default,
    })
}

/// Refuses words that do not belong to this kind of question.
fn only(table: &Table, words: &[&str], kind: &str) -> Result<(), TextError> {
    match words.iter().find_map(|word| Some((word, table.get(word)?))) {
        None => Ok(()),
        Some((word, value)) => {
            Err(TextError::new(value.at, format!("`{word}` is not allowed with {kind}")))
        }
    }
}

fn number(table: &Table, has_kernel: bool) -> Result<Number, TextError> {
    let mut reads = Vec::new();
    for (name, value) in table.pairs("reads")? {
        let text = value.text(name)?;
        let source = Source::parse(&text).map_err(|message| TextError::new(value.at, message))?;
        if source.is_recorded() {
            let message = "a quiz item reads what is the same on every machine: `counter`, \
                           `architecture`, `occupancy`";
            return Err(TextError::new(value.at, message));
        }
        reads.push((name.clone(), value.at, Read { text, source }));
    }
    let names: Vec<&str> = reads.iter().map(|(name, ..)| name.as_str()).collect();
    // The names of a kernel's counters are known when it has run.
    let known = if has_kernel { None } else { Some(&names[..]) };
    let right = quantity(table, "right", known)?;
    if right.value.names().next().is_none() {
        let message = "`right` reads no number, so it is typed, not computed: name its numbers under \
                       `reads`, or a `kernel` whose counters it uses";
        return Err(TextError::new(right.at, message));
    }
    let mut wrong = Vec::new();
    for option in wrong_options(table, "value")? {
        wrong.push((quantity(&option, "value", known)?, option.text("because")?));
    }
    let used = |name: &str| {
        let all = std::iter::once(&right).chain(wrong.iter().map(|(value, _)| value));
        all.flat_map(|quantity| quantity.value.names()).any(|(used, _)| used == name)
    };
    if let Some((name, at, _)) = reads.iter().find(|(name, ..)| !used(name)) {
        return Err(TextError::new(*at, format!("`{name}` is read, but no formula uses it")));
    }
    let unit = if table.has("unit") { table.text("unit")? } else { String::new() };
    Ok(Number { right, unit, because: table.text("because")?, wrong, reads })
}

fn outcomes(table: &Table) -> Result<Outcomes, TextError> {
    let mut wrong: Vec<(Placed<Outcome>, String)> = Vec::new();
    for option in wrong_options(table, "outcome")? {
        let at = place(&option, "outcome");
        let word = option.text("outcome")?;
        let value = Outcome::all().find(|outcome| outcome.word() == word).ok_or_else(|| {
            let hint = suggestion_or_list(&word, Outcome::all().map(Outcome::word));
            TextError::new(at, format!("unknown outcome `{word}`{hint}"))
        })?;
        if wrong.iter().any(|(other, _)| other.value == value) {
            return Err(TextError::new(at, format!("two options are `{word}`")));
        }
        wrong.push((Placed { at, value }, option.text("because")?));
    }
    Ok(Outcomes { because: table.text("because")?, wrong })
}

fn extreme(table: &Table, default: Option<&Subject>) -> Result<Extreme, TextError> {
    let most = table.has("most");
    if most && let Some(least) = table.get("least") {
        return Err(TextError::new(least.at, "`most` and `least` are two questions"));
    }
    let of = quantity(table, if most { "most" } else { "least" }, None)?;
    let mut among: Vec<Entry> = Vec::new();
    for entry in table.tables("among", &["kernel", "edit", "n", "at", "says", "because"])? {
        let subject = subject(&entry, default)?.ok_or_else(|| {
            TextError::new(entry.at, "`kernel = \"kernels/FILE.cu\"` is missing: what is run?")
        })?;
        let says = entry.text("says")?;
        if among.iter().any(|other| other.says == says) {
            return Err(TextError::new(place(&entry, "says"), format!("two options say `{says}`")));
        }
        among.push(Entry { subject, says, because: entry.text("because")? });
    }
    if !(3..=5).contains(&among.len()) {
        let message = format!("`among` has {} entries; three to five are allowed", among.len());
        return Err(TextError::new(place(table, "among"), message));
    }
    Ok(Extreme { most, of, among })
}

/// The wrong options, each with `word` and `because`.
fn wrong_options(table: &Table, word: &str) -> Result<Vec<Table>, TextError> {
    let options = table.tables("wrong", &[word, "because"])?;
    if !(2..=4).contains(&options.len()) {
        let message = format!("`wrong` has {} options; two to four are allowed", options.len());
        return Err(TextError::new(place(table, "wrong"), message));
    }
    Ok(options)
}

/// A formula; where its `names` are known, it may use no others.
fn quantity(
    table: &Table,
    word: &str,
    names: Option<&[&str]>,
) -> Result<Placed<Quantity>, TextError> {
    let text = table.text(word)?;
    let value = table.get(word).expect("its text was just read");
    let quantity = Quantity::parse(&text)
        .map_err(|error| TextError::new(value.inside(error.column), error.message))?;
    if let Some(names) = names {
        let unknown = quantity.names().find(|(name, _)| !names.contains(name));
        if let Some((name, column)) = unknown {
            let hint = suggestion_or_list(name, names.iter().copied());
            let message = format!("unknown name `{name}`{hint}");
            return Err(TextError::new(value.inside(column), message));
        }
    }
    Ok(Placed { at: value.at, value: quantity })
}

/// The kernel of a table, with its edits, size and point; what it does not say is `default`'s.
fn subject(table: &Table, default: Option<&Subject>) -> Result<Option<Subject>, TextError> {
    let file = match (table.get("kernel"), default) {
        (Some(value), _) => {
            let name = FileName::parse(&value.text("kernel")?)
                .map_err(|message| TextError::new(value.at, message))?;
            Placed { at: value.at, value: name }
        }
        (None, Some(default)) => default.file.clone(),
        (None, None) => {
            for word in ["edit", "n", "at"] {
                if let Some(value) = table.get(word)
                    && !table.has("among")
                {
                    return Err(TextError::new(value.at, format!("`{word}` needs a `kernel`")));
                }
            }
            return Ok(None);
        }
    };
    let mut edits = Vec::new();
    for edit in table.tables("edit", &["find", "replace"])? {
        edits.push(Edit {
            find: verbatim(&edit, "find")?,
            replace: verbatim(&edit, "replace")?.value,
        });
    }
    if edits.is_empty()
        && let Some(default) = default
    {
        edits.clone_from(&default.edits);
    }
    let n = match table.get("n") {
        Some(value) => Some(whole(value)?),
        None => default.and_then(|default| default.n),
    };
    let point = match table.get("at") {
        Some(value) => {
            let wrong = |message| TextError::new(value.at, message);
            let all = words(&value.text("at")?).map_err(wrong)?;
            match split_choice(&all).map_err(wrong)? {
                (plain, point) if plain.is_empty() => point,
                _ => return Err(wrong("`at` chooses a point: `at = \"stride=4\"`".to_owned())),
            }
        }
        None => default.map_or_else(Vec::new, |default| default.point.clone()),
    };
    Ok(Some(Subject { file, edits, n, point }))
}

/// A size: `1024` or `"2^10"`.
fn whole(value: &Value) -> Result<u64, TextError> {
    match &value.data {
        Data::Number(n) if n.fract() == 0.0 && (0.0..9e15).contains(n) => Ok(*n as u64),
        Data::Text(text) => size(text).map_err(|message| TextError::new(value.at, message)),
        _ => Err(TextError::new(value.at, "`n` is a size: `n = 1024` or `n = \"2^10\"`")),
    }
}

/// A text as it stands, blanks at its ends included; it may be empty where it replaces.
fn verbatim(table: &Table, word: &str) -> Result<Placed<String>, TextError> {
    let Some(value) = table.get(word) else {
        return Err(TextError::new(table.at, format!("`{word} = \"…\"` is missing")));
    };
    match &value.data {
        Data::Text(text) if !text.is_empty() || word == "replace" => {
            Ok(Placed { at: value.at, value: text.clone() })
        }
        Data::Text(_) => Err(TextError::new(value.at, format!("`{word}` is empty"))),
        _ => Err(TextError::new(value.at, format!("`{word}` must be a string in quotes"))),
    }
}

fn show(table: &Table, has_kernel: bool) -> Result<Option<Show>, TextError> {
    let Some(value) = table.get("show") else { return Ok(None) };
    if !has_kernel {
        return Err(TextError::new(value.at, "`show` needs a `kernel`"));
    }
    let lines = value.table("show", &["from", "to"])?;
    Ok(Some(Show { from: verbatim(&lines, "from")?, to: verbatim(&lines, "to")? }))
}

/// Where the value of `word` stands; else where the table does.
fn place(table: &Table, word: &str) -> At {
    table.get(word).map_or(table.at, |value| value.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: &str = r#"
[[item]]
id = "stride"
ask = "How many sectors?"
reads = { s = "counter kernels/6_stride.cu sectors_per_load stride=2" }
right = "s"
because = "They are apart."
wrong = [
    { value = "s * 4", because = "A." },
    { value = "32", because = "B." },
]
"#;

    const RUN: &str = r#"
[[item]]
id = "run"
ask = "What is reported?"
kernel = "kernels/3_tiled.cu"
edit = [{ find = "a", replace = "" }]
n = "2^6"
at = "stride=2"
because = "So."
wrong = [{ outcome = "passes", because = "A." }, { outcome = "bounds", because = "B." }]
show = { from = "a", to = "b" }
"#;

    const MOST: &str = r#"
[[item]]
id = "most"
ask = "Which has the most?"
most = "a / b"
kernel = "kernels/3_tiled.cu"
among = [
    { at = "stride=1", says = "one", because = "A." },
    { at = "stride=2", says = "two", because = "B." },
    { kernel = "ch05-x/kernels/4_b.cu", n = 64, says = "another", because = "C." },
]
"#;

    #[test]
    fn each_kind_of_item_is_read() {
        let items = parse("q", "ch04-x", &format!("{ITEM}{RUN}{MOST}")).unwrap();
        let [number, run, most] = items.as_slice() else { panic!("{items:?}") };
        assert!(matches!(&number.question, Question::Number(n) if n.wrong.len() == 2));
        assert_eq!((number.place.1, number.chapter.as_str()), (2, "ch04-x"));
        let subject = run.subject.as_ref().unwrap();
        assert_eq!((subject.n, subject.point.len(), subject.edits.len()), (Some(64), 1, 1));
        assert!(run.show.is_some());
        let Question::Extreme(extreme) = &most.question else { panic!("{most:?}") };
        assert!(extreme.most);
        let files: Vec<&str> =
            extreme.among.iter().map(|e| e.subject.file.value.path.as_str()).collect();
        assert_eq!(files, ["kernels/3_tiled.cu", "kernels/3_tiled.cu", "kernels/4_b.cu"]);
    }

    /// What is said of a file with one thing changed.
    fn wrong(text: &str, old: &str, new: &str) -> String {
        assert!(text.contains(old), "{old}");
        let problems = parse("quiz.toml", "c", &text.replacen(old, new, 1)).unwrap_err();
        format!("{}:{}: {}", problems[0].line, problems[0].column, problems[0].message)
    }

    #[test]
    fn what_is_wrong_with_a_number_is_named_with_its_place() {
        for (old, new, wanted) in [
            (
                "because = \"They",
                "becuase = \"They",
                "7:1: unknown key `becuase`; did you mean `because`?",
            ),
            ("\"stride\"", "\"the stride\"", "3:6: `the stride` is not a valid id"),
            ("ask = \"How many sectors?\"\n", "", "2:1: `ask = \"…\"` is missing"),
            ("right = \"s\"", "right = \"s > 1\"", "6:10: this is a comparison, not a number"),
            ("right = \"s\"", "right = \"4 * t\"", "6:14: unknown name `t`; did you mean `s`?"),
            ("right = \"s\"", "right = \"8\"", "6:9: `right` reads no number, so it is typed"),
            ("\"s * 4\"", "\"s * \"", "9:19: expected a number or a name, found nothing"),
            ("right = \"s\"\n", "", "2:1: what is asked? `right = \"…\"` asks for a number"),
            ("counter kernels", "countr kernels", "5:15: unknown source `countr`"),
            (
                "counter kernels/6_stride.cu sectors_per_load stride=2",
                "measured kernels/6_stride.cu 2^20 gbps",
                "5:15: a quiz item reads what is the same on every machine",
            ),
            (
                "{ s =",
                "{ u = \"occupancy 8.6 block=256 regs=32 shared=0\", s =",
                "5:15: `u` is read, but",
            ),
            (
                "    { value = \"32\", because = \"B.\" },\n",
                "",
                "8:9: `wrong` has 1 options; two to four",
            ),
            (
                "because = \"B.\"",
                "becuase = \"B.\"",
                "10:31: unknown key `becuase`; did you mean `because`?",
            ),
            (", because = \"B.\"", "", "10:5: `because = \"…\"` is missing"),
            (
                "because = \"They are apart.\"",
                "n = 4\nbecause = \"a\"",
                "7:5: `n` needs a `kernel`",
            ),
            (
                "because = \"They are apart.\"",
                "show = { from = \"a\", to = \"b\" }\nbecause = \"a\"",
                "7:8: `show` needs",
            ),
        ] {
            let message = wrong(ITEM, old, new);
            assert!(message.starts_with(wanted), "{new}: {message}");
        }
        let problems = parse("q", "c", &format!("{ITEM}{ITEM}")).unwrap_err();
        assert_eq!(
            (problems[0].line, problems[0].message.as_str()),
            (14, "duplicate item `stride`")
        );
    }

    #[test]
    fn what_is_wrong_with_a_run_is_named_with_its_place() {
        for (old, new, wanted) in [
            ("\"passes\"", "\"pases\"", "10:22: unknown outcome `pases`; did you mean `passes`?"),
            ("\"bounds\"", "\"passes\"", "10:62: two options are `passes`"),
            ("kernels/3", "3", "5:10: `3_tiled.cu` is not a kernel file"),
            ("find = \"a\"", "find = \"\"", "6:18: `find` is empty"),
            ("find = \"a\"", "fnd = \"a\"", "6:17: unknown key `fnd`; did you mean `find`?"),
            ("\"2^6\"", "\"big\"", "7:5: `big` is not a size"),
            ("\"2^6\"", "1.5", "7:5: `n` is a size"),
            ("\"stride=2\"", "\"stride 2\"", "8:6: `at` chooses a point"),
            (", to = \"b\"", "", "11:8: `to = \"…\"` is missing"),
            (
                "because = \"So.\"",
                "unit = \"x\"\nbecause = \"So.\"",
                "9:8: `unit` is not allowed with",
            ),
        ] {
            let message = wrong(RUN, old, new);
            assert!(message.starts_with(wanted), "{new}: {message}");
        }
        for (old, new, wanted) in [
            ("\"two\"", "\"one\"", "9:31: two options say `one`"),
            ("most = \"a / b\"", "most = \"a\"\nleast = \"b\"", "6:9: `most` and `least` are two"),
            (
                "    { at = \"stride=2\", says = \"two\", because = \"B.\" },\n",
                "",
                "7:9: `among` has 2 entries",
            ),
            ("kernel = \"kernels/3_tiled.cu\"\n", "", "7:12: `at` needs a `kernel`"),
            (
                "most = \"a / b\"",
                "most = \"a\"\nbecause = \"x\"",
                "6:11: `because` is not allowed with",
            ),
        ] {
            let message = wrong(MOST, old, new);
            assert!(message.starts_with(wanted), "{new}: {message}");
        }
    }
}
