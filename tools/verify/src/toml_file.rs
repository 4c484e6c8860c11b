//! A TOML file of `[[word]]` tables, read so that whatever is not understood is named with its
//! place.
//!
//! serde would say that a field is unknown; it cannot say which one was meant. So the tree is
//! walked by hand: it keeps line and column of every value, and each table knows the words that
//! it may hold.

use kernel_file::suggest::suggestion_or_list;
use kernel_file::{Places, TextError};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Line and column, from 1.
pub(crate) type At = (u32, u32);

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Value {
    pub(crate) at: At,
    pub(crate) data: Data,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Data {
    Text(String),
    Number(f64),
    List(Vec<Value>),
    Table(Vec<(String, Value)>),
    /// A date, a truth value.
    Other,
}

/// One `[[word]]` table.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    /// Where it begins.
    pub(crate) at: At,
    entries: Vec<(String, Value)>,
}

/// The `[[name]]` tables of a file, which holds nothing else; each may hold these `words`.
pub(crate) fn tables(text: &str, name: &str, words: &[&str]) -> Result<Vec<Table>, Vec<TextError>> {
    let lines = Lines(Places::new(text));
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or((0, 0), |span| lines.place(&span));
        vec![TextError::new(at, error.message().lines().next().unwrap_or("not TOML").to_owned())]
    })?;
    let mut wrong = Vec::new();
    let mut found = Vec::new();
    for (key, value) in root.get_ref() {
        let at = lines.place(&key.span());
        match value.get_ref() {
            DeValue::Array(items) if key.get_ref() == name => {
                for item in items.iter() {
                    match lines.value(item) {
                        Value { at, data: Data::Table(entries) } => {
                            found.push(Table { at, entries });
                        }
                        Value { at, .. } => {
                            wrong
                                .push(TextError::new(at, format!("expected a table `[[{name}]]`")));
                        }
                    }
                }
            }
            _ => wrong.push(TextError::new(
                at,
                format!("expected `[[{name}]]`, found `{key}`", key = key.get_ref()),
            )),
        }
    }
    for table in &found {
        for (word, value) in &table.entries {
            if !words.contains(&word.as_str()) {
                let hint = suggestion_or_list(word, words.iter().copied());
                wrong.push(TextError::new(
                    lines.key(word, value),
                    format!("unknown key `{word}`{hint}"),
                ));
            }
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}

impl Table {
    pub(crate) fn get(&self, word: &str) -> Option<&Value> {
        self.entries.iter().find(|(key, _)| key == word).map(|(_, value)| value)
    }

    pub(crate) fn has(&self, word: &str) -> bool {
        self.get(word).is_some()
    }

    /// The text under `word`.
    pub(crate) fn text(&self, word: &str) -> Result<String, TextError> {
        match self.get(word) {
            Some(value) => value.text(word),
            None => Err(TextError::new(self.at, format!("`{word} = \"…\"` is missing"))),
        }
    }

    /// The texts of the list under `word`; none where it is not there.
    pub(crate) fn texts(&self, word: &str) -> Result<Vec<String>, TextError> {
        match self.get(word) {
            None => Ok(Vec::new()),
            Some(Value { data: Data::List(items), .. }) => {
                items.iter().map(|item| item.text(word)).collect()
            }
            Some(Value { at, .. }) => Err(TextError::new(
                *at,
                format!("`{word}` must be a list: `{word} = [\"…\", \"…\"]`"),
            )),
        }
    }

    /// The tables of the list under `word`, each of which may hold these `words`; none where it is
    /// not there.
    pub(crate) fn tables(&self, word: &str, words: &[&str]) -> Result<Vec<Table>, TextError> {
        match self.get(word) {
            None => Ok(Vec::new()),
            Some(Value { data: Data::List(items), .. }) => {
                items.iter().map(|item| item.table(word, words)).collect()
            }
            Some(Value { at, .. }) => Err(TextError::new(
                *at,
                format!("`{word}` must be a list of tables: `{word} = [{{ … }}, {{ … }}]`"),
            )),
        }
    }

    /// The entries of the table under `word`; none where it is not there.
    pub(crate) fn pairs(&self, word: &str) -> Result<&[(String, Value)], TextError> {
        match self.get(word) {
            None => Ok(&[]),
            Some(Value { data: Data::Table(entries), .. }) => Ok(entries),
            Some(Value { at, .. }) => Err(TextError::new(
                *at,
                format!("`{word}` must be a table: `{word} = {{ name = … }}`"),
            )),
        }
    }
}

impl Value {
    pub(crate) fn text(&self, word: &str) -> Result<String, TextError> {
        match &self.data {
            Data::Text(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
            Data::Text(_) => Err(TextError::new(self.at, format!("`{word}` is empty"))),
            _ => Err(TextError::new(self.at, format!("`{word}` must be a string in quotes"))),
        }
    }

    /// A table in braces, which may hold these `words`; it stands under `word`.
    pub(crate) fn table(&self, word: &str, words: &[&str]) -> Result<Table, TextError> {
        let Data::Table(entries) = &self.data else {
            let message = format!("`{word}` must hold tables: `{{ {} = … }}`", words[0]);
            return Err(TextError::new(self.at, message));
        };
        match entries.iter().find(|(key, _)| !words.contains(&key.as_str())) {
            None => Ok(Table { at: self.at, entries: entries.clone() }),
            Some((key, value)) => {
                let hint = suggestion_or_list(key, words.iter().copied());
                Err(TextError::new(value.at, format!("unknown key `{key}`{hint}")))
            }
        }
    }

    /// The place of a character in the value of a one-line string.
    pub(crate) fn inside(&self, characters: u32) -> At {
        (self.at.0, self.at.1 + 1 + characters)
    }
}

/// From bytes to lines and columns.
struct Lines<'a>(Places<'a>);

impl Lines<'_> {
    fn place(&self, span: &Range<usize>) -> At {
        self.0.of(span.start)
    }

    fn value(&self, value: &Spanned<DeValue<'_>>) -> Value {
        let number = |text: &str| text.replace('_', "").parse::<f64>().ok();
        let data = match value.get_ref() {
            DeValue::String(text) => Data::Text(text.to_string()),
            DeValue::Integer(n) => number(&n.to_string()).map_or(Data::Other, Data::Number),
            DeValue::Float(n) => number(n.as_str()).map_or(Data::Other, Data::Number),
            DeValue::Array(items) => {
                Data::List(items.iter().map(|item| self.value(item)).collect())
            }
            DeValue::Table(entries) => Data::Table(
                entries
                    .iter()
                    .map(|(key, value)| (key.get_ref().to_string(), self.value(value)))
                    .collect(),
            ),
            DeValue::Boolean(_) | DeValue::Datetime(_) => Data::Other,
        };
        Value { at: self.place(&value.span()), data }
    }

    /// Where the key of `value` stands: on its line, as far as that can be seen.
    fn key(&self, word: &str, value: &Value) -> At {
        let line = self.0.line(value.at.0).unwrap_or_default();
        let column = line.find(word).map_or(0, |at| line[..at].chars().count() as u32 + 1);
        (value.at.0, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        let all = tables(text, "row", &["id", "what", "rows"]).unwrap_err();
        all.iter().map(|w| format!("{}:{}: {}", w.line, w.column, w.message)).collect()
    }

    #[test]
    fn values_keep_their_places() {
        let text = "# a file\n[[row]]\nid = \"a\"\nrows = [\"x\", \"y\"]\n\n[[row]]\nid = 'b'\n";
        let all = tables(text, "row", &["id", "rows"]).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].texts("rows").unwrap(), ["x", "y"]);
        assert_eq!(all[1].get("id").unwrap().at, (7, 6));
        assert_eq!(all[1].text("what").unwrap_err().line, 6);
    }

    #[test]
    fn what_is_not_understood_is_named_with_its_place() {
        assert_eq!(
            wrong("[[row]]\nid = \"a\"\nwaht = \"b\"\n"),
            ["3:1: unknown key `waht`; did you mean `what`?"]
        );
        assert_eq!(wrong("[[rwo]]\n"), ["1:3: expected `[[row]]`, found `rwo`"]);
        assert!(wrong("[[row]]\nid = \n")[0].starts_with("2:"), "{:?}", wrong("[[row]]\nid = \n"));
        assert_eq!(wrong("row = [1]\n"), ["1:8: expected a table `[[row]]`"]);
    }
}
