//! Where a claim's number comes from, as its file says it:
//!
//! ```text
//! measured kernels/3_interleaved.cu 2^24 time_us      a clock, as it was recorded
//! hardware kernels/3_interleaved.cu dram__bytes.sum   Nsight Compute, as it was recorded
//! experiment pinned "pinned, to device" gbps          a host experiment, as it was recorded
//! counter kernels/3_interleaved.cu warp_instructions  the simulator, now
//! architecture 8.6 max_warps_per_sm                   what NVIDIA's tables say
//! occupancy 8.6 block=256 regs=32 shared=0            what follows from them
//! machine multiprocessors                             the recorded machine
//! ```
//!
//! A file or an experiment of another chapter is named with its folder:
//! `ch05-reduction/kernels/…`. `name=value` at the end chooses one point of a `//@ vary`, or one
//! of an experiment's rows that share a name.

use kernel_file::expression::Expression;
use kernel_file::suggest::suggestion_or_list;
use kernel_file::words::{Choice, split_choice, words};

/// A source, read.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A recorded measurement of a kernel at a size.
    Measured {
        /// The kernel.
        file: FileName,
        /// The size.
        n: u64,
        /// `time_us`, `gbps`, …
        quantity: String,
        /// Which point of a file with `//@ vary`.
        point: Choice,
    },
    /// A recorded counter of the hardware at the page's size.
    Hardware {
        /// The kernel.
        file: FileName,
        /// Nsight Compute's name.
        metric: String,
        /// Which point.
        point: Choice,
    },
    /// A counter of the simulator at the page's size.
    Counter {
        /// The kernel.
        file: FileName,
        /// Its word or its metric.
        name: String,
        /// Which point.
        point: Choice,
    },
    /// A recorded number of a host experiment.
    Experiment {
        /// The chapter's folder; empty for the claim's own.
        chapter: String,
        /// The experiment.
        name: String,
        /// The row's name.
        row: String,
        /// What was measured.
        quantity: String,
        /// Which of the rows of that name.
        point: Choice,
    },
    /// A field of the table of architectures.
    Architecture {
        /// `8.6`.
        capability: String,
        /// `max_warps_per_sm`.
        field: String,
    },
    /// Warps that are resident, as a share of those that could be: 0 to 1.
    Occupancy {
        /// `8.6`.
        capability: String,
        /// Threads per block.
        block: u32,
        /// Registers per thread.
        registers: u32,
        /// Bytes of shared memory a block.
        shared: u32,
    },
    /// A number of the recorded machine.
    Machine {
        /// `multiprocessors`, `clock_mhz`, `memory_peak_gbps`.
        field: String,
    },
}

/// A kernel file of this chapter or, by its folder, of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName {
    /// The chapter's folder; empty for the claim's own.
    pub chapter: String,
    /// `kernels/3_interleaved.cu`.
    pub path: String,
}

const FORMS: [(&str, &str); 7] = [
    ("measured", "measured kernels/FILE.cu 2^24 time_us"),
    ("hardware", "hardware kernels/FILE.cu METRIC"),
    ("counter", "counter kernels/FILE.cu NAME"),
    ("experiment", "experiment NAME \"row\" gbps"),
    ("architecture", "architecture 8.6 max_warps_per_sm"),
    ("occupancy", "occupancy 8.6 block=256 regs=32 shared=0"),
    ("machine", "machine multiprocessors"),
];

impl Source {
    /// Reads a source.
    ///
    /// # Errors
    /// One sentence that says how to write it.
    pub fn parse(text: &str) -> Result<Source, String> {
        let words = words(text)?;
        let (plain, point) = split_choice(&words)?;
        let Some((kind, rest)) = plain.split_first() else {
            return Err(format!("a source is missing: write `{}`", FORMS[0].1));
        };
        let Some((_, form)) = FORMS.iter().find(|(word, _)| word == kind) else {
            let hint = suggestion_or_list(kind, FORMS.iter().map(|(word, _)| *word));
            return Err(format!("unknown source `{kind}`{hint}"));
        };
        let wrong = || format!("`{text}` is incomplete: write `{form}`");
        let no_point = |source| if point.is_empty() { Ok(source) } else { Err(wrong()) };
        match (kind.as_str(), rest) {
            ("measured", [file, size, quantity]) => Ok(Source::Measured {
                file: FileName::parse(file)?,
                n: self::size(size)?,
                quantity: quantity.clone(),
                point,
            }),
            ("hardware", [file, metric]) => {
                Ok(Source::Hardware { file: FileName::parse(file)?, metric: metric.clone(), point })
            }
            ("counter", [file, name]) => {
                Ok(Source::Counter { file: FileName::parse(file)?, name: name.clone(), point })
            }
            ("experiment", [name, row, quantity]) => {
                let (chapter, name) = name.rsplit_once('/').unwrap_or(("", name));
                Ok(Source::Experiment {
                    chapter: chapter.to_owned(),
                    name: name.to_owned(),
                    row: row.clone(),
                    quantity: quantity.clone(),
                    point,
                })
            }
            ("architecture", [capability, field]) => no_point(Source::Architecture {
                capability: capability.clone(),
                field: field.clone(),
            }),
            ("machine", [field]) => no_point(Source::Machine { field: field.clone() }),
            ("occupancy", [capability]) => {
                let of = |name: &str| {
                    let value = point.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
                    value.filter(|v| v.fract() == 0.0 && (0.0..4e9).contains(v)).map(|v| v as u32)
                };
                match (of("block"), of("regs"), of("shared"), point.len()) {
                    (Some(block), Some(registers), Some(shared), 3) => Ok(Source::Occupancy {
                        capability: capability.clone(),
                        block,
                        registers,
                        shared,
                    }),
                    _ => Err(wrong()),
                }
            }
            _ => Err(wrong()),
        }
    }

    /// Whether it comes from a recording: nothing else can be missing.
    pub fn is_recorded(&self) -> bool {
        matches!(
            self,
            Source::Measured { .. }
                | Source::Hardware { .. }
                | Source::Experiment { .. }
                | Source::Machine { .. }
        )
    }
}

impl FileName {
    /// Reads a file's name.
    ///
    /// # Errors
    /// One sentence that says how to write it.
    pub fn parse(text: &str) -> Result<FileName, String> {
        let (chapter, path) = match text.find("kernels/") {
            Some(0) => ("", text),
            Some(at) if text[..at].ends_with('/') => (&text[..at - 1], &text[at..]),
            _ => return Err(format!("`{text}` is not a kernel file: write `kernels/FILE.cu`")),
        };
        Ok(FileName { chapter: chapter.to_owned(), path: path.to_owned() })
    }

    /// The file's name without folder and end, under which it is recorded.
    pub fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.strip_suffix(".cu").unwrap_or(name)
    }
}

/// A size: `2^24`, `16777216`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let value = Expression::parse(text).ok().and_then(|e| e.evaluate(&Default::default()).ok());
    let value = value.and_then(|v| u64::try_from(v).ok());
    value.ok_or_else(|| format!("`{text}` is not a size: write `2^24` or `16777216`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_source_is_read() {
        let source =
            Source::parse("measured ch05-reduction/kernels/1_a.cu 2^24 gbps stride=4").unwrap();
        let Source::Measured { file, n, quantity, point } = source else { panic!() };
        assert_eq!((file.chapter.as_str(), file.stem()), ("ch05-reduction", "1_a"));
        assert_eq!((n, quantity.as_str(), point), (1 << 24, "gbps", vec![("stride".into(), 4.0)]));
        let source = Source::parse("experiment pinned \"pinned, to device\" gbps").unwrap();
        let Source::Experiment { chapter, name, row, .. } = source else { panic!() };
        assert_eq!(
            (chapter.as_str(), name.as_str(), row.as_str()),
            ("", "pinned", "pinned, to device")
        );
        assert_eq!(
            Source::parse("occupancy 8.6 block=256 regs=32 shared=0"),
            Ok(Source::Occupancy {
                capability: "8.6".into(),
                block: 256,
                registers: 32,
                shared: 0
            })
        );
        for text in [
            "counter kernels/a.cu warp_instructions",
            "hardware kernels/a.cu dram__bytes.sum stride=2",
            "architecture 8.6 max_warps_per_sm",
            "machine multiprocessors",
        ] {
            assert!(Source::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn mistakes_say_how_to_write_it() {
        for (text, wanted) in [
            ("", "a source is missing"),
            ("measurd kernels/a.cu 2^24 gbps", "did you mean `measured`?"),
            ("measured kernels/a.cu gbps", "write `measured kernels/FILE.cu 2^24 time_us`"),
            ("measured a.cu 2^24 gbps", "`a.cu` is not a kernel file: write `kernels/FILE.cu`"),
            ("measured kernels/a.cu big gbps", "`big` is not a size"),
            ("counter kernels/a.cu x stride=many", "`stride=many` is not of the form"),
            ("experiment pinned \"to device gbps", "unclosed quote"),
            ("machine multiprocessors x=1", "write `machine multiprocessors`"),
            ("occupancy 8.6 block=256 regs=32", "write `occupancy 8.6 block=256 regs=32 shared=0`"),
        ] {
            let message = Source::parse(text).unwrap_err();
            assert!(message.contains(wanted), "{text}: {message}");
        }
    }
}
