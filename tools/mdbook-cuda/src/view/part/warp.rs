//! A traced warp, as its diagrams show it: where it is, and which of its accesses is drawn.

use super::html::{escape, slug};
use super::number;
use crate::directive::Context;
use crate::facts::{Kernel, WarpAddress, WarpRequest, WarpTrace};
use std::fmt::Write;
use verify::trace::{ArraySpace, Touched};

/// A warp of a kernel on a page.
pub(crate) struct Warp<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) trace: &'a WarpTrace,
    /// Whether the kernel's figure is on the page, so that the diagram can link to it.
    is_linked: bool,
}

/// The name of a warp's diagram: `lanes-kernels/1_a.cu-line-12-`.
pub(crate) fn name(diagram: &str, request: &WarpRequest) -> String {
    let numbers = request.numbers.iter().map(|(name, v)| format!("-{name}-{v}"));
    let array = request.array.as_deref().unwrap_or("");
    format!("{diagram}-{}{}-{array}", request.path, numbers.collect::<String>()).to_lowercase()
}

impl<'a> Warp<'a> {
    /// The warp that was requested on a page.
    pub(crate) fn of(page: &Context<'a>, request: &WarpRequest) -> Result<Warp<'a>, String> {
        let kernel = page.kernel(&request.path)?;
        let trace = page.facts.warp(request)?;
        let is_linked = page.figures.contains(&request.path.as_str());
        Ok(Warp { kernel, trace, is_linked })
    }

    /// A line of the file, without its indentation.
    pub(crate) fn source(&self, line: u32) -> &str {
        self.kernel.code_at(line).map_or("", str::trim)
    }

    /// A line of the file above its diagram.
    pub(crate) fn quoted(&self, line: u32) -> String {
        format!(
            "<p class=\"cuda-quoted\"><span class=\"cuda-n\">{line}</span><code>{}</code></p>\n",
            escape(self.source(line))
        )
    }

    /// `warp 0 of block 0 (n = 65,536, stride = 4)`.
    pub(crate) fn title(&self) -> String {
        let address = &self.trace.address;
        format!("warp {} of block {} ({})", address.warp, address.block, point(address))
    }

    /// The link to the kernel's figure on this page; a script makes it open the lab at this warp
    /// and `line`.
    pub(crate) fn link(&self, line: Option<u32>) -> String {
        self.linked(line.map(|line| (line, None)))
    }

    fn linked(&self, place: Option<(u32, Option<usize>)>) -> String {
        if self.is_linked { to_lab(self.kernel, &self.trace.address, place) } else { String::new() }
    }

    /// The same, and there at one access.
    pub(crate) fn link_to(&self, line: u32, touched: &Touched) -> String {
        let mut steps = self.trace.trace.steps.iter().skip_while(|step| step.line != line);
        let further =
            steps.position(|step| step.touched.iter().any(|one| std::ptr::eq(one, touched)));
        self.linked(Some((line, further)))
    }

    /// The first access that the page asks for in one of these memory spaces, with its line.
    pub(crate) fn access(&self, spaces: &[ArraySpace]) -> Result<(u32, &'a Touched), String> {
        let address = &self.trace.address;
        let all = || {
            let steps = self.trace.trace.steps.iter();
            steps.flat_map(|step| step.touched.iter().map(move |t| (step.line, t)))
        };
        let found = all().find(|(line, touched)| {
            spaces.contains(&touched.space)
                && address.line.is_none_or(|wanted| wanted == u64::from(*line))
                && address.array.as_ref().is_none_or(|wanted| *wanted == touched.array)
        });
        found.ok_or_else(|| {
            let mut others: Vec<(u32, &str)> = all()
                .filter(|(_, touched)| spaces.contains(&touched.space))
                .map(|(line, touched)| (line, touched.array.as_str()))
                .collect();
            others.sort_unstable();
            others.dedup();
            let others: Vec<String> =
                others.iter().map(|(line, array)| format!("line={line} array={array}")).collect();
            let others = match others.as_slice() {
                [] => "none at all".to_string(),
                some => some.join("; "),
            };
            let path = &self.kernel.path;
            format!("{} of `{path}` makes no such access; there is {others}", self.title())
        })
    }
}

/// `n = 65,536, stride = 4`.
pub(crate) fn point(address: &WarpAddress) -> String {
    let values = address.point.values().iter();
    let point: String = values.map(|(name, v)| format!(", {name} = {v}")).collect();
    format!("n = {}{point}", number::count(address.n))
}

/// The link to a kernel's figure on the same page, and from there to a place in the lab, at the sizes of the
/// diagram: a line, and how many steps of the warp further.
pub(crate) fn to_lab(
    kernel: &Kernel,
    address: &WarpAddress,
    place_in_code: Option<(u32, Option<usize>)>,
) -> String {
    let mut place = format!("block={}&warp={}", address.block, address.warp);
    if address.launch > 1 {
        let _ = write!(place, "&launch={}", address.launch - 1);
    }
    if let Some((line, further)) = place_in_code {
        let _ = write!(place, "&line={line}");
        if let Some(further) = further {
            let _ = write!(place, "&further={further}");
        }
    }
    let _ = write!(place, "&at.n={}", address.n);
    for (name, value) in address.point.values() {
        let _ = write!(place, "&at.{name}={value}");
    }
    format!(
        "<p><a class=\"cuda-to-lab\" href=\"#{}\" data-lab=\"{}\" \
         data-words=\"Step through it\">To the kernel</a></p>",
        slug(kernel.stem()),
        escape(&place)
    )
}

/// What the lanes of an access do: `read`, `write`, `change`.
pub(crate) fn verb(touched: &Touched) -> &'static str {
    if touched.verb == "atomic" { "change" } else { touched.verb }
}
