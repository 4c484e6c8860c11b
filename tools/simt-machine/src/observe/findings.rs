//! What was found: a deduplicated list, with one finding per defect, pair of lines and object.

pub(crate) mod class;
mod pending;
mod render;

pub(crate) use pending::Word;

use super::{Class, Code, Finding, Site};
use crate::diagnostic::{Severity, Span};
use crate::event::LanesAt;
use crate::machine::prepared_kernel::PreparedKernel;
use pending::Pending;
use rustc_hash::{FxHashMap, FxHashSet};

/// Distinct findings that are kept; later ones are dropped.
pub(crate) const MAX: usize = 200;

/// The findings of one worker, by ranges of consecutive blocks.
///
/// Which cases are shown depends on the order in which they are added. So each range has a list of
/// its own, and the lists are joined in block order, whichever worker ran the range.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    ranges: Vec<(u32, List)>,
    /// Reads of what nothing was written to, until their block ends.
    pending: Pending,
}

/// What makes two cases the same finding: the class, both places, and a number for the object.
pub(crate) type Key = (Class, Span, Option<Span>, u32);

#[derive(Debug, Default)]
struct List {
    findings: Vec<Finding>,
    /// The rank of each: a case of higher rank replaces the one that is shown.
    ranks: Vec<u8>,
    index: FxHashMap<Key, usize>,
    /// Whether some were dropped.
    full: bool,
}

/// One case of a defect, before it is put into words.
#[derive(Debug)]
pub(crate) struct Case {
    code: Code,
    first: Site,
    second: Option<Site>,
    object: u32,
    count: u64,
}

/// The words of a finding.
#[derive(Debug)]
pub(crate) struct Text {
    severity: Severity,
    message: String,
    help: Option<String>,
}

impl Case {
    /// A defect in one thread.
    pub(crate) fn new(code: Code, first: Site) -> Case {
        Case { code, first, second: None, object: 0, count: 1 }
    }

    /// The other side of it.
    #[must_use]
    pub(crate) fn with_second(mut self, second: Option<Site>) -> Case {
        self.second = second;
        self
    }

    /// What makes it the same finding as another case.
    fn key(&self) -> Key {
        let second = self.second.as_ref().map(|s| s.span);
        (self.code.class(), self.first.span, second, self.object)
    }

    /// A number for what it concerns: cases with different numbers are different findings.
    #[must_use]
    pub(crate) fn with_object(mut self, object: u32) -> Case {
        self.object = object;
        self
    }

    /// In how many threads it happened at once.
    #[must_use]
    pub(crate) fn with_count(mut self, count: u32) -> Case {
        self.count = count.into();
        self
    }

    /// Puts it into words.
    pub(crate) fn finding(self, text: Text) -> Finding {
        let Case { code, first, second, count, .. } = self;
        let Text { severity, message, help } = text;
        Finding { code, severity, message, first, second, count, help }
    }
}

impl Text {
    pub(crate) fn error(message: impl Into<String>) -> Text {
        Text { severity: Severity::Error, message: message.into(), help: None }
    }

    pub(crate) fn warning(message: impl Into<String>) -> Text {
        Text { severity: Severity::Warning, ..Text::error(message) }
    }

    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Text {
        self.help = Some(help.into());
        self
    }
}

impl Site {
    /// The first of some lanes at an instruction.
    pub(crate) fn at(prepared: &PreparedKernel<'_>, at: LanesAt, what: &'static str) -> Site {
        Site {
            span: prepared.kernel.spans[at.pc as usize],
            what,
            block: prepared.block_index(at.block),
            thread: prepared.thread_index(at.warp * 32 + at.lanes.trailing_zeros()),
            value: None,
        }
    }
}

impl Findings {
    /// What comes next belongs to a range of blocks that begins with this one.
    pub(crate) fn start_range(&mut self, first_block: u32) {
        self.settle(None);
        match self.ranges.last_mut() {
            Some((first, list)) if list.findings.is_empty() => *first = first_block,
            _ => self.ranges.push((first_block, List::default())),
        }
    }

    fn list(&mut self) -> &mut List {
        if self.ranges.is_empty() {
            self.start_range(0);
        }
        let last = self.ranges.len() - 1;
        &mut self.ranges[last].1
    }

    /// Adds a case; `text` is called for the first of its kind only.
    pub(crate) fn add(&mut self, case: Case, text: impl FnOnce() -> Text) {
        self.list().add(case.key(), 0, case.count, || case.finding(text()));
    }

    /// Adds a case under a key; of several cases the first of the highest rank is shown.
    pub(crate) fn add_ranked(&mut self, key: Key, rank: u8, finding: impl FnOnce() -> Finding) {
        self.list().add(key, rank, 1, finding);
    }

    /// More cases of a finding that was added, of the rank that is shown or less.
    pub(crate) fn count(&mut self, key: &Key, cases: u64) {
        let list = self.list();
        // It is not there if there were too many findings.
        if let Some(&at) = list.index.get(key) {
            list.findings[at].count += cases;
        }
    }

    /// Adds what another worker found. `false`: there are more findings than are kept, so which ones
    /// are kept depends on the order of the blocks.
    pub(crate) fn merge(&mut self, mut other: Findings) -> bool {
        self.settle(None);
        other.settle(None);
        self.ranges.extend(other.ranges);
        let lists = || self.ranges.iter().map(|(_, list)| list);
        let distinct: FxHashSet<&Key> = lists().flat_map(|list| list.index.keys()).collect();
        distinct.len() <= MAX && !lists().any(|list| list.full)
    }

    /// All of them, most severe first, then by place.
    pub(crate) fn finish(mut self) -> Vec<Finding> {
        self.settle(None);
        self.ranges.sort_by_key(|(first, _)| *first);
        let mut all = List::default();
        for (_, list) in self.ranges {
            all.append(list);
        }
        all.findings.sort_by_key(|f| {
            let second = f.second.as_ref().map(|s| s.span);
            (std::cmp::Reverse(f.severity), f.first.span, f.class(), second)
        });
        without_consequences(all.findings)
    }
}

/// One finding for one mistake: what is read of host memory leads nowhere, and a variable without a
/// value has none at its later reads either.
fn without_consequences(mut findings: Vec<Finding>) -> Vec<Finding> {
    if findings.iter().any(|finding| finding.code == Code::HostMemory) {
        findings.retain(|finding| finding.code != Code::BadPointer);
    }
    let mut declared = Vec::new();
    findings.retain(|finding| match &finding.second {
        Some(variable) if finding.code == Code::UnassignedVariable => {
            let is_first = !declared.contains(&variable.span);
            declared.push(variable.span);
            is_first
        }
        _ => true,
    });
    findings
}

impl List {
    fn add(&mut self, key: Key, rank: u8, count: u64, finding: impl FnOnce() -> Finding) {
        if let Some(&at) = self.index.get(&key) {
            let count = self.findings[at].count + count;
            if rank > self.ranks[at] {
                self.ranks[at] = rank;
                self.findings[at] = finding();
            }
            self.findings[at].count = count;
            return;
        }
        if self.findings.len() >= MAX {
            self.full = true;
            return;
        }
        self.index.insert(key, self.findings.len());
        self.findings.push(Finding { count, ..finding() });
        self.ranks.push(rank);
    }

    /// Adds the findings of later blocks.
    fn append(&mut self, later: List) {
        if self.findings.is_empty() {
            *self = later;
            return;
        }
        let mut keys: Vec<(Key, usize)> = later.index.into_iter().collect();
        keys.sort_unstable_by_key(|k| k.1);
        for (((key, _), finding), rank) in keys.into_iter().zip(later.findings).zip(later.ranks) {
            self.add(key, rank, finding.count, || finding);
        }
    }
}
