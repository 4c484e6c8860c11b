//! Figures that are drawn from data: what a page may ask for, and what each is made of.
//!
//! One way to draw a warp (32 boxes, filled where a lane works), one way to draw a bar against its
//! limit, one colour for each memory space and verdict. What a drawing shows also stands beside it
//! in words.

mod architectures;
mod banks;
mod frames;
mod lanes;
mod occupancy;
mod options;
mod roofline;
mod sectors;
#[cfg(test)]
mod tests;
mod timeline;
mod waves;

use crate::facts::{Facts, Kernel};
use crate::html::{escape, slug};
use options::{Options, split};
use roofline::{Roofline, Rung};
use std::fmt::Write;
use std::path::Path;
use verify::occupancy::{Architecture, Usage};
use verify::plan::Plan;
use verify::results::BaselineKind;
use verify::suggest::suggestion_or_list;
use verify::trace::{Follow, Place, Touched, Trace, follow};
use verify::{KernelFile, Point, Project};

/// The bytes from which on a probe reads memory and nothing else.
const LARGE: u64 = 1 << 28;

/// Instructions of a warp that are recorded for a figure.
const STEPS: usize = 20_000;

/// The words, each with its form.
pub(crate) const WORDS: [(&str, &str); 8] = [
    ("lanes", "{{#lanes kernels/FILE.cu}}"),
    ("sectors", "{{#sectors kernels/FILE.cu line=12}}"),
    ("banks", "{{#banks kernels/FILE.cu line=12}}"),
    ("waves", "{{#waves grid=1000 block=256 cc=9.0}}"),
    ("occupancy", "{{#occupancy cc=9.0 block=256 regs=32 shared=0}}"),
    ("architectures", "{{#architectures}}"),
    ("roofline", "{{#roofline kernels/A.cu kernels/B.cu}}"),
    ("timeline", "{{#timeline EXPERIMENT}}"),
];

/// What a page asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Picture {
    /// A warp of a kernel, seen in one of three ways.
    Warp { view: View, path: String, which: Which },
    /// Blocks on a device.
    Waves { grid: u64, usage: Usage, arch: &'static Architecture, multiprocessors: Option<u64> },
    /// A multiprocessor's resources.
    Occupancy { arch: &'static Architecture, usage: Usage },
    /// The calculator that works in the page.
    Calculator,
    /// The table of limits.
    Architectures,
    /// Kernels under the roofs of the device.
    Roofline { paths: Vec<String> },
    /// What ran when in an experiment, or what a model foretells.
    Timeline { name: String, model: bool },
    /// The same picture for several values of one argument, each with the value.
    Frames { name: String, frames: Vec<(String, Picture)> },
}

/// A picture that was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// The figure.
    pub(crate) html: String,
    /// What it shows, in a sentence of HTML.
    pub(crate) sentence: String,
}

/// Values that one argument may list: as many as a slider shows to good use.
const VALUES: usize = 16;

/// How a warp is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Lanes,
    Sectors,
    Banks,
}

/// Which warp, and which of its accesses, as the page says it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Which {
    /// `block=1 stride=4`: a variable of the file, if it has one of that name, else a word of ours.
    numbers: Vec<(String, u64)>,
    /// The array.
    array: Option<String>,
}

/// The same for one file: what is not said is the first.
#[derive(Debug, Clone)]
struct Chosen {
    point: Point,
    /// The launch's number, from 1.
    launch: u64,
    block: u64,
    warp: u64,
    /// The line of the file; the first access where it is not said.
    line: Option<u64>,
    array: Option<String>,
}

impl Which {
    fn of(&self, file: &KernelFile) -> Result<Chosen, String> {
        let is_variable = |name: &str| file.directives.varies.iter().any(|v| v.name == name);
        let (variables, ours): (Vec<_>, Vec<_>) =
            self.numbers.iter().cloned().partition(|(name, _)| is_variable(name));
        let mut chosen = Chosen {
            point: match variables.as_slice() {
                [] => file.points().into_iter().next().unwrap_or_default(),
                some => {
                    let values = some.iter().map(|(name, v)| (name.clone(), *v as f64));
                    file.choose(&values.collect::<Vec<_>>())?
                }
            },
            launch: 1,
            block: 0,
            warp: 0,
            line: None,
            array: self.array.clone(),
        };
        for (name, value) in ours {
            match name.as_str() {
                "launch" if value > 0 => chosen.launch = value,
                "block" => chosen.block = value,
                "warp" => chosen.warp = value,
                "line" => chosen.line = Some(value),
                _ => {
                    let varies = file.directives.varies.iter().map(|v| v.name.as_str());
                    let known = ["launch", "block", "warp", "line", "array"].into_iter();
                    let hint = suggestion_or_list(&name, known.chain(varies));
                    return Err(format!("`{name}={value}` says nothing here{hint}"));
                }
            }
        }
        Ok(chosen)
    }
}

/// What was found out for a picture before it is drawn.
#[derive(Debug, Clone)]
pub(crate) enum Material {
    Trace(Traced),
    Roofline(Roofline),
}

/// A warp that was followed.
#[derive(Debug, Clone)]
pub(crate) struct Traced {
    n: u64,
    chosen: Chosen,
    trace: Trace,
}

/// Where a picture of a warp was taken.
struct Scene<'a> {
    kernel: &'a Kernel,
    path: &'a str,
    which: &'a Chosen,
    n: u64,
    id: String,
    /// Whether the kernel's own figure is on the page.
    shown: bool,
}

impl Picture {
    /// Reads a directive; `None` where it is none of these.
    pub(crate) fn parse(name: &str, arguments: &[String]) -> Option<Result<Picture, String>> {
        let (_, form) = WORDS.iter().find(|(word, _)| *word == name)?;
        let lists: Vec<(usize, (&str, &str))> = arguments
            .iter()
            .enumerate()
            .filter_map(|(i, word)| Some((i, word.split_once('=')?)))
            .filter(|(_, (_, values))| values.contains(','))
            .collect();
        Some(match lists.as_slice() {
            [] => Picture::read(name, form, arguments),
            [(at, (parameter, values))] => {
                let values: Vec<&str> = values.split(',').collect();
                let frame = |value: &&str| {
                    let mut one = arguments.to_vec();
                    one[*at] = format!("{parameter}={value}");
                    Picture::read(name, form, &one).map(|picture| ((*value).to_string(), picture))
                };
                if values.len() > VALUES {
                    Err(format!("`{parameter}=` lists {} values: at most {VALUES}", values.len()))
                } else {
                    let frames = values.iter().map(frame).collect::<Result<_, _>>();
                    frames.map(|frames| Picture::Frames { name: (*parameter).to_string(), frames })
                }
            }
            [_, (_, (second, _)), ..] => {
                Err(format!("`{second}=` lists values too: one argument at most may do so"))
            }
        })
    }

    /// The pictures that are drawn one by one: itself, or its frames.
    pub(crate) fn parts(&self) -> Vec<&Picture> {
        match self {
            Picture::Frames { frames, .. } => frames.iter().map(|(_, picture)| picture).collect(),
            one => vec![one],
        }
    }

    fn read(name: &str, form: &str, arguments: &[String]) -> Result<Picture, String> {
        let (pairs, plain): (Vec<&String>, Vec<&String>) =
            arguments.iter().partition(|word| word.contains('='));
        let mut options = Options { pairs: split(&pairs), form };
        let wrong = || format!("`{{{{#{name}}}}}` does not say all that it needs: write `{form}`");
        let view = match name {
            "lanes" => Some(View::Lanes),
            "sectors" => Some(View::Sectors),
            "banks" => Some(View::Banks),
            _ => None,
        };
        let picture = match (name, plain.as_slice()) {
            (_, [path]) if view.is_some() => {
                let array = options.text("array");
                let which = Which { array, numbers: options.numbers()? };
                let view = view.unwrap_or(View::Lanes);
                Picture::Warp { view, path: (*path).clone(), which }
            }
            ("waves", []) => Picture::Waves {
                grid: options.number("grid")?.filter(|n| *n > 0).ok_or_else(wrong)?,
                usage: options.usage()?.ok_or_else(wrong)?,
                arch: options.architecture()?,
                multiprocessors: options.number("sms")?.filter(|n| *n > 0),
            },
            ("occupancy", []) if options.pairs.is_empty() => Picture::Calculator,
            ("occupancy", []) => Picture::Occupancy {
                usage: options.usage()?.ok_or_else(wrong)?,
                arch: options.architecture()?,
            },
            ("architectures", []) => Picture::Architectures,
            ("timeline", [name]) => Picture::Timeline { name: (*name).clone(), model: false },
            ("timeline", [name, word]) if *word == "model" => {
                Picture::Timeline { name: (*name).clone(), model: true }
            }
            ("roofline", [_, ..]) => {
                Picture::Roofline { paths: plain.into_iter().cloned().collect() }
            }
            _ => return Err(wrong()),
        };
        match options.pairs.first() {
            Some((name, _)) => Err(format!("`{name}=` says nothing here: write `{form}`")),
            None => Ok(picture),
        }
    }

    /// What must be found out before it can be drawn; `None` where the numbers are all there.
    pub(crate) fn gather(
        &self,
        project: &Project,
        dir: &Path,
        facts: &Facts,
    ) -> Option<Result<Material, String>> {
        match self {
            Picture::Warp { path, which, .. } => Some(warp(project, dir, path, which)),
            Picture::Roofline { paths } => {
                roofline(project, dir, facts, paths).transpose().map(|r| r.map(Material::Roofline))
            }
            _ => None,
        }
    }

    /// The HTML. `shown` are the kernels whose figures stand on the page: a picture of one of them
    /// leads to it.
    pub(crate) fn html(&self, facts: &Facts, shown: &[String]) -> Result<String, String> {
        match self {
            Picture::Frames { name, frames } => {
                let draw = |(value, picture): &(String, Picture)| {
                    Ok((value.clone(), picture.drawn(facts, shown)?))
                };
                let drawn = frames.iter().map(draw).collect::<Result<Vec<_>, String>>()?;
                Ok(frames::html(name, &drawn))
            }
            one => Ok(one.drawn(facts, shown)?.html),
        }
    }

    fn drawn(&self, facts: &Facts, shown: &[String]) -> Result<Drawn, String> {
        let alone = |html| Drawn { html, sentence: String::new() };
        let id = slug(&format!("picture-{}", self.name()));
        let material = facts.material(self).transpose()?;
        match self {
            Picture::Warp { view, path, .. } => {
                let kernel = crate::page::kernel(facts, path)?;
                let Some(Material::Trace(traced)) = material else {
                    return Err(format!("no warp of `{path}` was followed"));
                };
                let shown = shown.contains(path);
                let scene = Scene { kernel, path, which: &traced.chosen, n: traced.n, id, shown };
                match view {
                    View::Lanes => lanes::html(&scene, traced),
                    View::Sectors => sectors::html(&scene, traced),
                    View::Banks => banks::html(&scene, traced),
                }
            }
            Picture::Waves { grid, usage, arch, multiprocessors } => {
                let recorded = || {
                    let machines = facts.recordings.iter().map(|r| &r.results.machine);
                    let same = |m: &&verify::results::Machine| m.compute_capability == arch.label();
                    machines.clone().find(same).map(|m| u64::from(m.multiprocessors))
                };
                let multiprocessors = multiprocessors.or_else(recorded).ok_or_else(|| {
                    format!(
                        "no recorded device has compute capability {}: say how many \
                         multiprocessors, as in `sms=132`",
                        arch.label()
                    )
                })?;
                let asked = waves::Waves { grid: *grid, usage: *usage, arch, multiprocessors };
                waves::html(&asked, &id)
            }
            Picture::Occupancy { arch, usage } => Ok(occupancy::html(arch, *usage, &id)),
            Picture::Calculator => Ok(alone(occupancy::live(&id))),
            Picture::Architectures => Ok(alone(architectures::html())),
            Picture::Timeline { name, model } => {
                crate::experiment::is_known(facts, name)?;
                timeline::html(&facts.recordings, name, *model, &id).map(alone)
            }
            Picture::Roofline { .. } => match material {
                Some(Material::Roofline(roofline)) => Ok(alone(roofline::html(roofline, &id))),
                _ => Ok(alone(format!(
                    "<figure class=\"cuda-figure\"><p class=\"cuda-provenance\">The roofline of \
                     these kernels on a GPU: {}</p></figure>",
                    crate::verdicts::Badge::NotMeasured.html("")
                ))),
            },
            Picture::Frames { .. } => Err("frames stand for no single picture".to_string()),
        }
    }

    /// What tells it from the other pictures of a page.
    fn name(&self) -> String {
        match self {
            Picture::Warp { view, path, which } => {
                let numbers = which.numbers.iter().map(|(name, v)| format!("-{name}-{v}"));
                let array = which.array.as_deref().unwrap_or("");
                format!("{view:?}-{path}{}-{array}", numbers.collect::<String>()).to_lowercase()
            }
            Picture::Waves { grid, usage, arch, .. } => format!(
                "waves-{grid}-{}-{}-{}-{}",
                usage.block,
                usage.registers,
                usage.shared,
                arch.label()
            ),
            Picture::Occupancy { arch, usage } => format!(
                "occupancy-{}-{}-{}-{}",
                usage.block,
                usage.registers,
                usage.shared,
                arch.label()
            ),
            Picture::Calculator => "calculator".to_string(),
            Picture::Architectures => "architectures".to_string(),
            Picture::Timeline { name, .. } => format!("timeline-{name}"),
            Picture::Roofline { paths } => format!("roofline-{}", paths.join("-")),
            Picture::Frames { name, frames } => {
                let first = frames.first().map_or_else(String::new, |(_, picture)| picture.name());
                format!("frames-{name}-{first}")
            }
        }
    }
}

/// Follows a warp at the page's size.
fn warp(project: &Project, dir: &Path, path: &str, which: &Which) -> Result<Material, String> {
    let file = read(project, dir, path)?;
    trace_of(project, &file, which)
}

fn trace_of(project: &Project, file: &KernelFile, which: &Which) -> Result<Material, String> {
    let path = &file.relative;
    let n = file.directives.page.ok_or_else(|| format!("`{path}` has no `//@ page`"))?;
    let chosen = which.of(file)?;
    let whole = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
    let asked = Follow { block: whole(chosen.block), warp: whole(chosen.warp), steps: STEPS };
    let launch = usize::try_from(chosen.launch - 1).unwrap_or(usize::MAX);
    let trace = follow(&file.at(&chosen.point), project, n, launch, asked)
        .map_err(|problems| messages(path, &problems))?;
    Ok(Material::Trace(Traced { n, chosen, trace }))
}

fn read(project: &Project, dir: &Path, path: &str) -> Result<KernelFile, String> {
    project.read(&dir.join(path)).map_err(|problems| messages(path, &problems))
}

fn messages(path: &str, problems: &[verify::Problem]) -> String {
    let first = problems.first().map_or("it failed", |p| p.message.as_str());
    format!("`{path}` cannot be drawn: {first}")
}

/// The kernels under the roofs of the first device that measured them, each at its largest size
/// and, where a variable makes points, at the fastest of them. `None` where none was measured.
fn roofline(
    project: &Project,
    dir: &Path,
    facts: &Facts,
    paths: &[String],
) -> Result<Option<Roofline>, String> {
    let mut points = Vec::new();
    for path in paths {
        let kernel = crate::page::kernel(facts, path)?;
        let file = read(project, dir, path)?;
        let page = file.directives.page.unwrap_or(1);
        let counted = |point: &Point, n| -> Result<(f64, f64), String> {
            let plan = Plan::new(&file.at(point), n).map_err(|p| messages(path, &p))?;
            match (plan.flops, plan.bytes) {
                (Some(flops), Some(bytes)) if flops > 0 && bytes > 0 => {
                    Ok((flops as f64, bytes as f64))
                }
                _ => Err(format!("`{path}` does not say its `//@ flops` and `//@ bytes`")),
            }
        };
        // Also before anything is measured, so that it is noticed at once.
        counted(&file.points().into_iter().next().unwrap_or_default(), page)?;
        let measured = facts.recordings.first().and_then(|r| r.results.kernels.get(&kernel.stem));
        let Some(measured) = measured else { continue };
        let plain = std::iter::once((Point::default(), &measured.sizes));
        let all = plain.chain(measured.points.iter().map(|(point, sizes)| (point.clone(), sizes)));
        let mut best: Option<Rung> = None;
        for (point, sizes) in all {
            let Some((&n, m)) = sizes.last_key_value() else { continue };
            let (flops, bytes) = counted(&point, n)?;
            let gflops = flops / m.time_us.median / 1e3;
            if best.as_ref().is_none_or(|b| b.gflops < gflops) {
                let at = if point.is_empty() { String::new() } else { format!(" ({point})") };
                let label = format!("{}{at}", kernel.label());
                best = Some(Rung { label, intensity: flops / bytes, gflops });
            }
        }
        points.extend(best);
    }
    let Some(recording) = facts.recordings.first().filter(|_| !points.is_empty()) else {
        return Ok(None);
    };
    let machine = &recording.results.machine;
    let arch = Architecture::parse(&machine.compute_capability).ok_or_else(|| {
        format!("nothing is known of compute capability {}", machine.compute_capability)
    })?;
    let baselines = recording.results.baselines.values();
    let probes = baselines.filter(|b| b.kind == BaselineKind::Ceiling);
    // A probe that fits in a cache, or is over before the memory is busy, is no roof.
    let large = probes.flat_map(|b| b.sizes.values()).filter(|m| m.bytes >= LARGE);
    let probed = large.map(|m| m.gbps).fold(0.0, f64::max);
    let memory_gbps = if probed > 0.0 { probed } else { machine.memory_peak_gbps };
    let per_clock = 2.0 * f64::from(arch.fp32_per_clock) * f64::from(machine.multiprocessors);
    Ok(Some(Roofline {
        machine: format!("{}, {}", recording.gpu(), machine.date),
        memory_gbps,
        memory_measured: probed > 0.0,
        peak_gflops: per_clock * machine.clock_mhz / 1e3,
        points,
    }))
}

impl Scene<'_> {
    /// A line of the file, without its indentation.
    fn source(&self, line: u32) -> &str {
        let at = line.checked_sub(self.kernel.code_line).map(|at| at as usize);
        at.and_then(|at| self.kernel.code.lines().nth(at)).map_or("", str::trim)
    }

    fn file(&self) -> &str {
        self.kernel.file_name()
    }

    fn quoted(&self, line: u32) -> String {
        sectors::quoted_line(line, self.source(line))
    }

    /// `warp 0 of block 0 (n = 65,536, stride = 4)`.
    fn who(&self) -> String {
        let point: String =
            self.which.point.values().iter().map(|(name, v)| format!(", {name} = {v}")).collect();
        let n = crate::number::count(self.n);
        format!("warp {} of block {} (n = {n}{point})", self.which.warp, self.which.block)
    }

    /// The way to the kernel on this page: its listing, or in the lab this warp, at `line`.
    fn link(&self, line: Option<u32>) -> String {
        if !self.shown {
            return String::new();
        }
        let chosen = self.which;
        let mut place = format!("block={}&warp={}", chosen.block, chosen.warp);
        if chosen.launch > 1 {
            let _ = write!(place, "&launch={}", chosen.launch - 1);
        }
        if let Some(line) = line {
            let _ = write!(place, "&line={line}");
        }
        for (name, value) in chosen.point.values() {
            let _ = write!(place, "&at.{name}={value}");
        }
        format!(
            "<p><a class=\"cuda-to-lab\" href=\"#{}\" data-lab=\"{}\" \
             data-words=\"Step through it in the lab\">To the kernel</a></p>",
            slug(&self.kernel.stem),
            escape(&place)
        )
    }

    /// The access that is asked for, with its line: the first in one of `places`.
    fn access<'t>(
        &self,
        traced: &'t Traced,
        places: &[Place],
    ) -> Result<(u32, &'t Touched), String> {
        let all = || {
            let steps = traced.trace.steps.iter();
            steps.flat_map(|step| step.touched.iter().map(move |t| (step.line, t)))
        };
        let found = all().find(|(line, touched)| {
            places.contains(&touched.place)
                && self.which.line.is_none_or(|wanted| wanted == u64::from(*line))
                && self.which.array.as_ref().is_none_or(|wanted| *wanted == touched.array)
        });
        found.ok_or_else(|| {
            let mut there: Vec<(u32, &str)> = all()
                .filter(|(_, touched)| places.contains(&touched.place))
                .map(|(line, touched)| (line, touched.array.as_str()))
                .collect();
            there.sort_unstable();
            there.dedup();
            let there: Vec<String> =
                there.iter().map(|(line, array)| format!("line={line} array={array}")).collect();
            let there = match there.as_slice() {
                [] => "none at all".to_string(),
                some => some.join("; "),
            };
            format!("{} of `{}` makes no such access; there is {there}", self.who(), self.path)
        })
    }
}
