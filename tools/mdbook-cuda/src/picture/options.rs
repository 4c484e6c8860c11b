//! The `name=value` arguments of a picture.

use crate::number::parse_size;
use verify::occupancy::{Architecture, Usage};
use verify::suggest::suggestion_or_list;

/// `name=value` pairs; what is understood is taken out.
pub(super) struct Options<'a> {
    pub(super) pairs: Vec<(String, String)>,
    /// How the directive is written, for whoever wrote it otherwise.
    pub(super) form: &'a str,
}

/// The pairs of these arguments.
pub(super) fn split(pairs: &[&String]) -> Vec<(String, String)> {
    let of = |pair: &&String| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (name.to_string(), value.to_string())
    };
    pairs.iter().map(of).collect()
}

impl Options<'_> {
    /// As it is written.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let at = self.pairs.iter().position(|(n, _)| n == name)?;
        Some(self.pairs.remove(at).1)
    }

    /// As a number.
    pub(super) fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        let Some(text) = self.text(name) else { return Ok(None) };
        parse_size(&text)
            .map(Some)
            .ok_or_else(|| format!("`{name}={text}` is no number: write `{}`", self.form))
    }

    /// All that are left, as numbers.
    pub(super) fn numbers(&mut self) -> Result<Vec<(String, u64)>, String> {
        let names: Vec<String> = self.pairs.iter().map(|(name, _)| name.clone()).collect();
        let mut all = Vec::new();
        for name in names {
            all.extend(self.number(&name)?.map(|value| (name, value)));
        }
        Ok(all)
    }

    fn small(&mut self, name: &str) -> Result<Option<u32>, String> {
        self.number(name)?
            .map(|n| u32::try_from(n).map_err(|_| format!("`{name}={n}` is too large")))
            .transpose()
    }

    /// `None` where the block is not said.
    pub(super) fn usage(&mut self) -> Result<Option<Usage>, String> {
        let block = self.small("block")?;
        let registers = self.small("regs")?.unwrap_or(0);
        let shared = self.small("shared")?.unwrap_or(0);
        Ok(block.filter(|b| *b > 0).map(|block| Usage { block, registers, shared }))
    }

    /// Compute capability 9.0 where nothing else is said.
    pub(super) fn architecture(&mut self) -> Result<&'static Architecture, String> {
        let label = self.text("cc").unwrap_or_else(|| "9.0".to_string());
        Architecture::parse(&label).ok_or_else(|| {
            let labels: Vec<String> =
                verify::occupancy::ARCHITECTURES.iter().map(Architecture::label).collect();
            let known = labels.iter().map(String::as_str);
            format!("unknown compute capability `{label}`{}", suggestion_or_list(&label, known))
        })
    }
}
