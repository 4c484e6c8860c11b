//! Groups kernels that are timed together, and times a group.
//!
//! Kernels that are compared must run in turns. Those of a chapter that move the same bytes at the
//! same size are one group: the rungs of a ladder. A file with variables is a group of its own at each
//! size. A group is compared with the read ceiling if its members move the same bytes and have no
//! `//@ flops`, and with the library if the chapter has one.

use super::{Bench, cub, probe};
use crate::backend::gpu::build;
use crate::backend::gpu::device::words;
use crate::backend::gpu::stage::Stage;
use crate::measure::{self, Candidate, Effort, Laps, scrubber, time_in_rounds};
use crate::project::Project;
use anyhow::{Context, Result, anyhow, bail};
use kernel_file::KernelFile;
use kernel_file::directive::Role;
use kernel_file::fill::{ElementType, Fill};
use kernel_file::plan::Plan;
use kernel_file::point::Point;
use std::collections::HashMap;
use std::ops::Range;

/// The most bytes of a group's arrays: each member has its own.
const ARRAYS: u64 = 48 << 30;

/// The size of the array for the probe whose kernel clears the caches.
const SMALL_PROBE: u64 = 4 << 20;

/// Kernels that run in turns.
pub(super) struct Group<'a> {
    /// The size.
    pub(super) n: u64,
    /// The kernels.
    pub(super) members: Vec<Member<'a>>,
}

/// One kernel at one point.
pub(super) struct Member<'a> {
    pub(super) file: &'a KernelFile,
    pub(super) point: Point,
    /// Bytes that must move.
    pub(super) bytes: u64,
    /// Operations that must be done, if the file has `//@ flops`.
    pub(super) flops: Option<u64>,
    arrays: u64,
}

impl Group<'_> {
    /// Its name in progress messages.
    pub(super) fn name(&self) -> String {
        let first = self.members.first().map_or("", |m| m.file.stem.as_str());
        format!("{} kernels at n = {}, from {first}", self.members.len(), self.n)
    }

    /// Bytes that the first member must move.
    pub(super) fn bytes(&self) -> u64 {
        self.members.first().map_or(0, |m| m.bytes)
    }

    fn has_ceiling(&self) -> bool {
        self.bytes() > 0
            && self.members.iter().all(|m| m.bytes == self.bytes() && m.flops.is_none())
    }
}

/// All groups of a chapter's kernels, in the order of their first member.
pub(super) fn groups(rungs: &[KernelFile]) -> Result<Vec<Group<'_>>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for file in rungs {
        for n in &file.directives.measure {
            for point in file.points() {
                let member = member(file, point, *n)?;
                let joins = |group: &&mut Group<'_>| {
                    let first = &group.members[0];
                    let taken: u64 = group.members.iter().map(|m| m.arrays).sum();
                    let kin = match member.point.is_empty() {
                        true => {
                            first.point.is_empty()
                                && first.bytes == member.bytes
                                && first.flops.is_some() == member.flops.is_some()
                        }
                        false => first.file.stem == file.stem,
                    };
                    group.n == *n && kin && taken + member.arrays <= ARRAYS
                };
                match groups.iter_mut().find(joins) {
                    Some(group) => group.members.push(member),
                    None => groups.push(Group { n: *n, members: vec![member] }),
                }
            }
        }
    }
    Ok(groups)
}

fn member(file: &KernelFile, point: Point, n: u64) -> Result<Member<'_>> {
    let plan = Plan::new(&file.at(&point), n).map_err(|p| anyhow!("{}", p[0].rendered))?;
    let arrays = plan.arrays.iter().map(|a| a.bytes() as u64).sum();
    Ok(Member { file, point, bytes: plan.bytes.unwrap_or(0), flops: plan.flops, arrays })
}

/// All times of a group.
pub(super) struct Round {
    /// In the members' order.
    pub(super) members: Vec<Laps>,
    /// The type of each member's input, where the library sums it, in the members' order.
    pub(super) elements: Vec<Option<ElementType>>,
    /// The library's laps, by the type that it sums.
    pub(super) library: Vec<(ElementType, Laps)>,
    /// The laps of the fastest read of the same bytes.
    pub(super) ceiling: Option<Laps>,
    pub(super) ceiling_name: String,
}

/// The name of an element type, as a hash key.
type ElementName = &'static str;

/// The members of a group on the device, and what CUB sums beside them.
#[derive(Default)]
struct Staged {
    /// In the members' order.
    stages: Vec<Stage>,
    /// The first input of the first member of each element type: type, length, bytes.
    inputs: Vec<(ElementType, usize, Vec<u8>)>,
    /// The element type of each member's input, if CUB sums it.
    elements: Vec<Option<ElementType>>,
}

impl Round {
    /// The library's laps for the work of a member.
    pub(super) fn library_of(&self, element: Option<ElementType>) -> Option<&Laps> {
        self.library.iter().find(|(of, _)| Some(*of) == element).map(|(_, laps)| laps)
    }
}

impl Bench {
    /// Times all members of a group in turns.
    pub(super) fn round(
        &self,
        project: &Project,
        group: &Group<'_>,
        cub: Option<&cub::Cub>,
    ) -> Result<Round> {
        let device = &self.device;
        let Staged { stages, inputs, elements } = self.stage(project, group, cub.is_some())?;
        let probed = if group.has_ceiling() { group.bytes().max(16) } else { SMALL_PROBE };
        let probes = probe::Probes::new(device, &self.nvrtc, &self.info, probed)?;
        let scrub = probe::Scrub::new(&probes)?;
        let mut tasks = Vec::new();
        for (element, count, content) in inputs {
            if let Some(cub) = cub {
                tasks.push((element, cub.task(device, element, &content, count as u64)?));
            }
        }
        device.stream.synchronize().map_err(|e| anyhow!("{}", words(e)))?;

        let mut candidates: Vec<Candidate<'_>> = Vec::new();
        for (member, stage) in group.members.iter().zip(&stages) {
            candidates.push(Candidate {
                name: member.file.stem.clone(),
                run: Box::new(|| {
                    stage.launches.iter().try_for_each(|l| l.launch(device)).map_err(words)
                }),
            });
        }
        if group.has_ceiling() {
            candidates.extend(probes.candidates());
        }
        let library_at = candidates.len();
        candidates.extend(tasks.iter().map(|(_, task)| task.candidate(device)));
        let names: Vec<String> = candidates.iter().map(|c| c.name.clone()).collect();
        let scrub = scrubber(&scrub.buffer, |buffer| scrub.read(buffer));
        let laps = time_in_rounds(device, &candidates, &scrub, &Effort::RECORD)
            .map_err(|e| anyhow!("{e}"))?;
        if laps.len() < group.members.len() {
            bail!("{} of {} kernels were timed", laps.len(), group.members.len());
        }
        let (ceiling, ceiling_name) = if group.has_ceiling() {
            let probes = group.members.len()..laps.len();
            let (laps, name) = self.ceiling(group, &names, &laps, probes)?;
            (Some(laps), name)
        } else {
            (None, String::new())
        };
        let library = laps.get(library_at..).unwrap_or_default().iter().cloned();
        let library = tasks.iter().map(|(element, _)| *element).zip(library).collect();
        Ok(Round {
            members: laps[..group.members.len()].to_vec(),
            elements,
            library,
            ceiling,
            ceiling_name,
        })
    }

    /// Compiles the members and copies their arrays to the device.
    fn stage(&self, project: &Project, group: &Group<'_>, sums: bool) -> Result<Staged> {
        let mut staged = Staged::default();
        let mut fills: HashMap<(Fill, ElementName, usize), Vec<u8>> = HashMap::new();
        for Member { file, point, .. } in &group.members {
            let file = &file.at(point);
            let plan = Plan::new(file, group.n).map_err(|p| anyhow!("{}", p[0].rendered))?;
            for array in &plan.arrays {
                let key = (array.fill, array.element.name(), array.count);
                fills.entry(key).or_insert_with(|| array.initial());
            }
            let input = plan.arrays.iter().find(|a| a.role == Role::Input);
            let input = input.filter(|a| 4 * a.count as u64 == group.bytes());
            let input = input.filter(|a| sums && cub::sums(a.element));
            staged.elements.push(input.map(|a| a.element));
            if let Some(array) = input
                && staged.inputs.iter().all(|known| known.0 != array.element)
            {
                staged.inputs.push((array.element, array.count, array.initial()));
            }
            let built = build(&self.nvrtc, &self.info.architecture(), file, project.unit(file))
                .map_err(|p| anyhow!("{}", p[0].rendered))?;
            let initial: Vec<&[u8]> = plan
                .arrays
                .iter()
                .map(|a| fills[&(a.fill, a.element.name(), a.count)].as_slice())
                .collect();
            let (compiled, kernels) = (&built.compiled, &built.kernels);
            let stage = Stage::new(&self.device, &plan, &initial, compiled, kernels, &file.text)
                .map_err(|r| anyhow!("`{}` line {}: {}", file.relative, r.line, r.message))?;
            staged.stages.push(stage);
        }
        Ok(staged)
    }

    /// The read ceiling: the fastest of the candidates, or what this device is known to read.
    fn ceiling(
        &self,
        group: &Group<'_>,
        names: &[String],
        laps: &[Laps],
        candidates: Range<usize>,
    ) -> Result<(Laps, String)> {
        let median = |at: &usize| measure::time(&laps[*at]).median;
        let fastest = candidates.min_by(|a, b| median(a).total_cmp(&median(b)));
        let fastest = fastest.context("no read probe")?;
        let mut best = laps[fastest].clone();
        match probe::anchor_us(&self.info.name, group.bytes()) {
            Some(anchor) if anchor < median(&fastest) => {
                best.fill([anchor; 2]);
                Ok((best, "0.98 of what this device was once seen to read".to_owned()))
            }
            _ => Ok((best, names.get(fastest).cloned().unwrap_or_default())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(stem: &str, directives: &str) -> KernelFile {
        let text = format!(
            "//@ input a: int[n] = iota\n{directives}//@ launch k(a) grid = 1, block = 1\n\
             //@ page 1\n//@ measure 2^10, 2^11\n__global__ void k(int* a) {{}}\n"
        );
        KernelFile::parse(&format!("{stem}.cu"), text).unwrap()
    }

    #[test]
    fn the_same_work_is_timed_together() {
        let files = [
            file("1_a", "//@ bytes 4 * n\n"),
            file("2_b", "//@ bytes 4 * n\n"),
            file("3_twice", "//@ bytes 8 * n\n"),
            file("4_points", "//@ vary s = 1, 2, 4\n//@ bytes 4 * n / s\n"),
            file("5_flops", "//@ flops 2 * n\n"),
        ];
        let groups = groups(&files).unwrap();
        let names: Vec<(u64, Vec<String>, bool)> = groups
            .iter()
            .map(|g| {
                let members = g.members.iter().map(|m| format!("{}{}", m.file.stem, m.point));
                (g.n, members.collect(), g.has_ceiling())
            })
            .collect();
        let group = |n, members: &[&str], ceiling| {
            (n, members.iter().map(|m| (*m).to_owned()).collect::<Vec<_>>(), ceiling)
        };
        assert_eq!(names[0], group(1024, &["1_a", "2_b"], true));
        assert_eq!(names[1], group(2048, &["1_a", "2_b"], true));
        assert_eq!(names[2], group(1024, &["3_twice"], true));
        let points = ["4_pointss=1", "4_pointss=2", "4_pointss=4"];
        assert_eq!(names[4], group(1024, &points, false));
        assert_eq!(names[6], group(1024, &["5_flops"], false));
    }

    #[test]
    fn what_counts_nothing_is_timed_without_a_ceiling() {
        let files = [file("1_a", "")];
        assert!(groups(&files).unwrap().iter().all(|group| !group.has_ceiling()));
    }
}
