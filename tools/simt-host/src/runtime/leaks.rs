//! Leaks: arrays that the program allocated and never freed, and memory of `malloc` in kernels.

use crate::host_memory::parts;
use crate::interpreter::Interpreter;
use simt::diagnostic::{Diagnostic, Span};
use simt::observe::bounds::plural;
use std::collections::BTreeMap;

impl Interpreter<'_> {
    /// What is not freed as the program ends, one finding per call that allocated it.
    pub(crate) fn leaks(&self) -> Vec<Diagnostic> {
        let excused = |object: u64| {
            self.runtime.registered.iter().any(|r| parts(r[1]).0 == object)
                || self.runtime.frees_refused.contains(&object)
        };
        let mut calls: BTreeMap<(u32, u32), (&str, Span, u64, u64)> = BTreeMap::new();
        let arrays = (1..).map_while(|object| Some((object, self.memory.global(object)?)));
        for (object, array) in arrays {
            let made = array.owner.made;
            if array.owner.freed.is_some() || made == Span::default() || excused(object) {
                continue;
            }
            let (.., count, bytes) =
                calls.entry((made.file, made.start)).or_insert((&array.name, made, 0, 0));
            *count += 1;
            *bytes += array.bytes as u64;
        }
        for (made, size) in self.memory.live_in_heap() {
            if made != Span::default() {
                let name = "malloc in a kernel";
                let (.., count, bytes) =
                    calls.entry((made.file, made.start)).or_insert((name, made, 0, 0));
                *count += 1;
                *bytes += u64::from(size);
            }
        }
        let found = calls.into_values().map(|(name, made, count, bytes)| {
            let size = match count {
                1 => plural(bytes, "byte"),
                _ => format!("{} with {}", plural(count, "allocation"), plural(bytes, "byte")),
            };
            Diagnostic::error("leak", made, format!("`{name}` is never freed: {size}"))
        });
        found.collect()
    }
}
