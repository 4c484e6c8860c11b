//! The words and `name=value` options of a diagram's directive.

use super::number::parse_size;
use crate::directive::Arguments;
use crate::facts::WarpRequest;
use kernel_file::suggest::suggestion_or_list;
use verify::occupancy::{ARCHITECTURES, Architecture, Usage};

/// The most threads of a block, on every device.
const MOST_THREADS: u32 = 1024;

/// The words and options that are not read yet.
pub(crate) struct Options<'a> {
    arguments: &'a Arguments<'a>,
    /// The words without `=`.
    pub(crate) plain: Vec<String>,
    pairs: Vec<(String, String)>,
    /// The options that were asked for.
    names: Vec<String>,
}

impl<'a> Options<'a> {
    /// Of these words.
    pub(crate) fn new(arguments: &'a Arguments<'a>, words: &[String]) -> Options<'a> {
        let (pairs, plain): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| word.contains('='));
        let split = |pair: &String| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (name.to_string(), value.to_string())
        };
        Options {
            arguments,
            plain: plain.into_iter().cloned().collect(),
            pairs: pairs.into_iter().map(split).collect(),
            names: Vec::new(),
        }
    }

    /// The error for words that do not fit the form.
    pub(crate) fn wrong(&self) -> String {
        self.arguments.wrong()
    }

    /// Whether there are no words and no options.
    pub(crate) fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.pairs.is_empty()
    }

    /// An error where there are words.
    pub(crate) fn no_words(&self) -> Result<(), String> {
        if self.plain.is_empty() { Ok(()) } else { Err(self.wrong()) }
    }

    /// An error where an option is left that nothing asked for.
    pub(crate) fn finish(self) -> Result<(), String> {
        let Some((name, _)) = self.pairs.first() else { return Ok(()) };
        let form = self.arguments.form;
        if self.names.is_empty() {
            return Err(format!("unknown option `{name}`: write `{form}`"));
        }
        let hint = suggestion_or_list(name, self.names.iter().map(String::as_str));
        Err(format!("unknown option `{name}`{hint}; write `{form}`"))
    }

    /// An option as it is written.
    fn text(&mut self, name: &str) -> Option<String> {
        self.names.push(name.to_string());
        let at = self.pairs.iter().position(|(n, _)| n == name)?;
        Some(self.pairs.remove(at).1)
    }

    /// An option that is a number.
    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let negative = text.strip_prefix('-').and_then(parse_size).is_some();
        parse_size(&text).map(Some).ok_or_else(|| match negative {
            true => format!("`{name}={text}` is below 0: write a number from 0, as in `{name}=0`"),
            false => format!("`{name}={text}` is not a number: write `{}`", self.arguments.form),
        })
    }

    fn small_number(&mut self, name: &str) -> Result<Option<u32>, String> {
        self.number(name)?
            .map(|n| u32::try_from(n).map_err(|_| format!("`{name}={n}` is too large")))
            .transpose()
    }

    /// The kernel file, and which warp of it. The file decides later which names are options and
    /// which are variables.
    pub(crate) fn warp(&mut self) -> Result<WarpRequest, String> {
        let [path] = self.plain.as_slice() else { return Err(self.wrong()) };
        let path = path.clone();
        let array = self.text("array");
        let names: Vec<String> = self.pairs.iter().map(|(name, _)| name.clone()).collect();
        let mut numbers = Vec::new();
        for name in names {
            numbers.extend(self.number(&name)?.map(|value| (name, value)));
        }
        Ok(WarpRequest { path, numbers, array })
    }

    /// What a block uses; an error where its size is missing.
    pub(crate) fn usage(&mut self) -> Result<Usage, String> {
        let block = self.small_number("block")?;
        let registers = self.small_number("regs")?.unwrap_or(0);
        let shared = self.small_number("shared")?.unwrap_or(0);
        let block = block.filter(|b| *b > 0).ok_or_else(|| self.wrong())?;
        if block > MOST_THREADS {
            return Err(format!("a block has {MOST_THREADS} threads at most, and this is {block}"));
        }
        Ok(Usage { block, registers, shared })
    }

    /// The compute capability; 9.0 by default.
    pub(crate) fn architecture(&mut self) -> Result<&'static Architecture, String> {
        let label = self.text("cc").unwrap_or_else(|| "9.0".to_string());
        Architecture::parse(&label).ok_or_else(|| {
            let labels: Vec<String> = ARCHITECTURES.iter().map(Architecture::label).collect();
            let hint = suggestion_or_list(&label, labels.iter().map(String::as_str));
            format!("unknown compute capability `{label}`{hint}")
        })
    }
}
