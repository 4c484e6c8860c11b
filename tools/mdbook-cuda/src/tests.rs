//! Fragments of HTML, compared with the files in `tests/golden/`.

mod diagrams;
mod directives;
pub(crate) mod fixture;
mod glossary;
mod layers;
mod properties;

use crate::directive::Context;
use crate::facts::{Facts, Kernel};
use crate::page;
use crate::source::PageSource;
use crate::view::part::{key_figures, measurement, verdicts};
use kernel_file::directive::Defect;
use kernel_file::exception::{Differs, Direction};
use kernel_file::verdict::{BackendName, Problem, SizeRun, Status, Verdict};
use std::path::PathBuf;
use verify::results::Profile;
use verify::{KernelFile, Point};

/// Compares `html` with the file of this name.
#[track_caller]
pub(crate) fn golden(name: &str, html: &str) {
    expect_test::expect_file![package().join("tests/golden").join(name)].assert_eq(html);
}

/// What one directive becomes.
pub(crate) fn rendered(directive: &str, facts: &Facts) -> Result<String, String> {
    let page = PageSource::parse("chapters/ch05/README.md", &format!("{{{{#{directive}}}}}\n"));
    let [placed] = page.directives.as_slice() else { panic!("{directive}") };
    let directive = placed.directive.as_ref().map_err(Clone::clone)?;
    directive.html(&Context::new(&page.file, facts, &[directive.as_ref()]))
}

fn figure_of(facts: &Facts, stem: &str) -> String {
    rendered(&format!("kernel kernels/{stem}.cu"), facts).unwrap()
}

/// What the page of `{{#finding}}` says of a defective kernel.
fn finding_of(kernel: Kernel) -> String {
    let directive = format!("finding {}", kernel.path);
    rendered(&directive, &Facts { kernels: vec![kernel], ..Facts::default() }).unwrap()
}

#[test]
fn a_kernel_that_passes_and_is_not_measured() {
    golden("passing.html", &figure_of(&fixture::facts(), "1_neighbored"));
}

#[test]
fn a_measured_kernel_is_compared_with_the_previous_rung() {
    golden("measured.html", &figure_of(&fixture::measured(), "2_less"));
}

#[test]
fn neighbours_of_two_ladders_are_not_compared() {
    let declared = |line: &str| {
        let text = format!("{line}//@ test 1\n//@ page 1\n__global__ void f(int* out) {{}}\n");
        verify::KernelFile::parse("chapters/ch05/kernels/1_a.cu", text).unwrap().directives
    };
    let ours = declared("//@ output out: int[n] = zero\n//@ launch f(out) grid = 1, block = 1\n");
    let mut facts = fixture::facts();
    facts.kernels[0].file.directives.launches = ours.launches.clone();
    facts.kernels[0].file.directives.arrays = ours.arrays.clone();
    facts.kernels[1].file.directives.arrays = ours.arrays;
    assert!(facts.before(&facts.kernels[1]).is_some(), "the same arrays");
    facts.kernels[1].file.directives.arrays.clear();
    assert!(facts.before(&facts.kernels[1]).is_none(), "other arrays and another kernel");
    facts.kernels[1].file.directives.launches = ours.launches;
    assert!(facts.before(&facts.kernels[1]).is_some(), "the same kernel");
}

#[test]
fn a_page_may_choose_what_a_kernel_is_compared_with() {
    let mut facts = fixture::facts();
    let third = fixture::kernel("3_third", &[("instructions", 2048.0)]);
    facts.kernels.insert(2, third);
    let figure = |directive: &str| rendered(directive, &facts).unwrap();
    let chosen = figure("kernel kernels/3_third.cu kernels/1_neighbored.cu");
    assert!(chosen.contains("beside <code>1_neighbored</code>"), "{chosen}");
    assert!(chosen.contains("\"name\":\"1_neighbored.cu\""), "{chosen}");
    assert!(!figure("kernel kernels/3_third.cu").contains("1_neighbored"));
    assert!(rendered("kernel kernels/3_third.cu kernels/none.cu", &facts).is_err());
}

#[test]
fn a_stale_measurement_says_so() {
    let mut facts = fixture::measured();
    facts.recordings[0].stale.push("1_neighbored".to_string());
    let html = figure_of(&facts, "1_neighbored");
    golden("stale.html", &html);
    assert!(rendered("ladder", &facts).unwrap().contains("</span> stale</span>"));
}

#[test]
fn a_kernel_that_fails_shows_what_and_where() {
    let mut facts = fixture::facts();
    let verdict = &mut facts.kernels[0].verdicts[0];
    verdict.status = Status::Failed;
    verdict.runs[0].status = Status::Failed;
    verdict.runs[0].problems.push(fixture::race("chapters/ch05/kernels/1_neighbored.cu"));
    golden("failing.html", &figure_of(&facts, "1_neighbored"));
}

#[test]
fn a_back_end_that_is_skipped_or_absent_gives_its_reason() {
    let mut facts = fixture::facts();
    facts.kernels[0].verdicts[1] =
        Verdict::skipped(BackendName::Nvrtc, "NVRTC 13.0.88", "needs <sm_100>");
    let html = figure_of(&facts, "1_neighbored");
    assert!(html.contains("</span> skipped</span></dt><dd>needs &lt;sm_100&gt;</dd>"), "{html}");
    facts.kernels[0].verdicts[1] =
        Verdict::skipped(BackendName::Nvrtc, "", "no NVRTC library found");
    let html = figure_of(&facts, "1_neighbored");
    assert!(html.contains("</span> absent</span></dt><dd>no NVRTC library found</dd>"), "{html}");
}

#[test]
fn a_defect_shows_both_sides() {
    golden("defect.html", &figure_of(&fixture::facts(), "bad_missing_sync"));
}

#[test]
fn findings_of_one_class_at_one_line_are_counted() {
    let mut kernel = fixture::defect();
    assert!(!finding_of(kernel.clone()).contains("more like it"));
    let first = kernel.verdicts[0].runs[0].clone();
    let more = SizeRun { n: 33, problems: vec![first.problems[0].clone(); 2], ..first };
    kernel.verdicts[0].runs.push(more);
    let html = finding_of(kernel);
    assert!(html.contains("And 2 more like it, at <i>n</i> = 33."), "{html}");
}

#[test]
fn a_defect_that_was_not_found_is_no_green_badge() {
    let mut kernel = fixture::defect();
    kernel.verdicts[0].runs[0].problems.clear();
    kernel.verdicts[0].status = Status::Failed;
    let html = finding_of(kernel);
    assert!(html.contains("did not find it") && !html.contains("caught</span>"), "{html}");
}

#[test]
fn a_wrong_result_is_not_promised_at_the_line_that_computes_it() {
    let mut kernel = fixture::defect();
    kernel.file.directives.catches = Defect::all().find(|class| class.name() == "wrong-result");
    let html = finding_of(kernel);
    let promise =
        "Promised: a wrong result; the line to look at is marked <code>//~ wrong-result</code>";
    assert!(html.contains(promise), "{html}");
}

#[test]
fn many_findings_are_folded_after_the_first() {
    let mut kernel = fixture::defect();
    let problems = &mut kernel.verdicts[0].runs[0].problems;
    for line in 11..14 {
        let again = Problem { line, ..problems[0].clone() };
        problems.extend([again.clone(), again]);
    }
    let html = finding_of(kernel);
    let findings = html.split("<div class=\"cuda-finding\">").nth(1).unwrap();
    assert!(findings.contains("<summary>3 more</summary>"), "{html}");
    assert_eq!(findings.matches("<pre").count(), 4);
}

#[test]
fn the_ladder_with_and_without_results() {
    golden("ladder.html", &rendered("ladder", &fixture::measured()).unwrap());
    golden("ladder-not-measured.html", &rendered("ladder", &fixture::facts()).unwrap());
}

#[test]
fn a_ladder_is_compared_with_the_library_of_its_own_type() {
    let typed = |of: &str| {
        let mut facts = fixture::measured();
        let text = format!(
            "//@ input in: {of}[n] = zero\n//@ output out: {of}[n] = poison\n\
             //@ launch f(in, out) grid = 1, block = 1\n//@ page 1\n__global__ void f() {{}}\n"
        );
        let directives = KernelFile::parse("1_a.cu", text).unwrap().directives;
        for kernel in facts.kernels.iter_mut().filter(|kernel| kernel.defect().is_none()) {
            kernel.file.directives.arrays = directives.arrays.clone();
        }
        facts
    };
    let row = "CUB DeviceReduce::Sum</th>";
    let with = |of: &str, element: Option<&str>, ratio: f64| {
        let mut facts = typed(of);
        let results = &mut facts.recordings[0].results;
        let cub = results.baselines.get_mut("cub").unwrap();
        cub.element = element.map(str::to_string);
        let times: Vec<(u64, f64)> =
            cub.sizes.iter().map(|(n, m)| (*n, m.time_us.median)).collect();
        for m in results.kernels.values_mut().flat_map(|result| &mut result.sizes) {
            let (_, library) = times.iter().find(|(n, _)| n == m.0).unwrap();
            if let Some(spread) = &mut m.1.ratio_to_library {
                spread.median = ratio * library / m.1.time_us.median;
            }
        }
        rendered("ladder", &facts).unwrap()
    };
    assert!(with("float", Some("float"), 1.0).contains(row));
    let html = with("float", Some("int"), 1.0);
    assert!(!html.contains(row) && html.contains("not recorded at this size"), "{html}");
    assert!(with("float", None, 0.99).contains(row), "the ratios are those to it");
    assert!(!with("float", None, 0.95).contains(row), "the ratios are those to another");
}

#[test]
fn times_are_compared_if_as_many_operations_are_done() {
    let mut facts = fixture::measured();
    let after = facts.kernels[1].clone();
    let html = |facts: &Facts| {
        let before = facts.before(&facts.kernels[1]);
        key_figures::html(&facts.kernels[1], facts, before)
    };
    let compared = |html: &str| {
        html.lines().filter(|line| line.contains("time on an")).all(|line| !line.contains(">–<"))
    };
    assert!(compared(&html(&facts)));
    let results = &mut facts.recordings[0].results.kernels;
    for m in results.get_mut(after.stem()).unwrap().sizes.values_mut() {
        m.bytes *= 2;
    }
    assert!(!compared(&html(&facts)), "other bytes, and no operations");
    for result in facts.recordings[0].results.kernels.values_mut() {
        for m in result.sizes.values_mut() {
            m.gflops = Some(1e6 / m.time_us.median);
        }
    }
    assert!(compared(&html(&facts)), "as many operations");
}

#[test]
fn dynamic_shared_memory_is_told_beside_the_compiler_s() {
    let mut facts = fixture::facts();
    let text = "//@ output out: int[n] = poison\n\
                //@ launch f(out) grid = 1, block = 1, shared = 4096 * n\n//@ page 2\n\
                __global__ void f(int* out) {}\n";
    facts.kernels[0].file.directives =
        KernelFile::parse("1_a.cu", text.to_string()).unwrap().directives;
    let said = verdicts::resource_summary(&facts.kernels[0], &facts);
    assert!(
        said.contains("128 B of static and 8,192 B of dynamic shared memory per block"),
        "{said}"
    );
}

#[test]
fn a_size_at_which_the_library_was_not_recorded_says_so() {
    let mut facts = fixture::measured();
    let cub = facts.recordings[0].results.baselines.get_mut("cub").unwrap();
    cub.sizes.remove(&(1 << 24));
    let html = rendered("ladder", &facts).unwrap();
    let rows: Vec<&str> =
        html.lines().filter(|l| l.contains("not recorded at this size")).collect();
    assert_eq!(rows.len(), 1, "{html}");
    assert!(rows[0].contains(">CUB</th><td colspan=\"6\">"), "{}", rows[0]);
}

#[test]
fn a_kernel_that_asks_for_no_measurement_is_not_called_unmeasured() {
    let facts = fixture::facts();
    let mut kernel = facts.rungs().next().unwrap().clone();
    assert!(measurement::html(&kernel, &facts).contains("not measured"));
    kernel.file.directives.measure.clear();
    assert!(measurement::html(&kernel, &facts).contains("not timed by itself"));
}

/// The facts with a profile of the second rung: the same sectors, and other instructions.
fn profiled(sectors: f64) -> Facts {
    let mut facts = fixture::measured();
    facts.kernels[1].verdicts[0].runs[0].counters[0].metric = "smsp__inst_executed.sum".to_string();
    let metrics = [("l1tex__t_sectors.sum", sectors), ("smsp__inst_executed.sum", 1024.0)];
    let result = facts.recordings[0].results.kernels.get_mut("2_less").unwrap();
    result.profiles.push(Profile {
        point: Point::default(),
        n: 65536,
        unoptimised: false,
        metrics: metrics.map(|(name, value)| (name.to_string(), value)).into(),
    });
    facts
}

#[test]
fn a_metric_is_named_only_where_the_profiler_counted_the_same() {
    let names = |facts: &Facts| {
        let html = figure_of(facts, "2_less");
        (html.contains("<code>l1tex__t_sectors<wbr>.sum"), html.contains("smsp__inst_executed"))
    };
    let same = profiled(2048.0);
    assert_eq!(names(&same), (true, false), "instructions are the compiler's, even where equal");
    let html = figure_of(&same, "2_less");
    assert!(html.contains("in the source; 1,024 in the compiled code on the H200"), "{html}");
    let mut other = profiled(1024.0);
    assert_eq!(names(&other), (false, false));
    other.kernels[1].file.directives.differs.push(Differs {
        direction: Direction::Fewer,
        counters: vec!["global_load_sectors".to_string()],
        reason: "it reads `a` once".to_string(),
        date: "2026-11-21".to_string(),
        line: 1,
    });
    let html = figure_of(&other, "2_less");
    assert!(html.contains("1,024 on the H200: it reads <code>a</code> once"), "{html}");
    assert!(html.contains("<li>global load sectors: fewer on a GPU, because it reads"), "{html}");
    // A recording of another source or of another size says nothing.
    let mut stale = profiled(2048.0);
    stale.recordings[0].stale.push("2_less".to_string());
    assert_eq!(names(&stale), (false, false));
    let mut resized = profiled(2048.0);
    resized.kernels[1].verdicts[0].runs[0].n = 64;
    assert_eq!(names(&resized), (false, false));
}

#[test]
fn counters_side_by_side() {
    let directive = "counters kernels/1_neighbored.cu kernels/2_less.cu";
    golden("side-by-side.html", &rendered(directive, &fixture::facts()).unwrap());
}

fn expand(text: &str, facts: &Facts, strict: bool) -> (String, Vec<Problem>) {
    page::expand(&PageSource::parse("chapters/ch05/README.md", text), facts, &[], strict)
}

#[test]
fn a_number_in_the_text_is_never_typed() {
    let text = "{{#measured kernels/1_neighbored.cu 2^24 gbps}}, \
                {{#measured kernels/2_less.cu 2^28 time_us}}, \
                {{#measured kernels/2_less.cu 268435456 ratio}}, \
                {{#measured kernels/1_neighbored.cu 2^28 share}}, \
                {{#counter kernels/1_neighbored.cu global_load_sectors}}\n";
    let (page, problems) = expand(text, &fixture::measured(), false);
    assert_eq!(problems, []);
    let plain: String = page.split('<').map(|part| part.split('>').next_back().unwrap()).collect();
    assert_eq!(plain, "763 GB/s, 245 µs, ≈ 1.00 ×, 24.6 %, 2,048\n");
    let (page, problems) = expand(text, &fixture::facts(), false);
    assert_eq!((problems.len(), page.matches("not measured").count()), (0, 4));
    let (_, problems) = expand(text, &fixture::facts(), true);
    let unrecorded = |problem: &&Problem| problem.message.starts_with("no measurement of `kern");
    assert_eq!(problems.iter().filter(unrecorded).count(), 4, "{problems:#?}");
}

#[test]
fn every_mistake_is_shown_in_its_place_and_handed_back() {
    for (text, wanted) in [
        ("{{#kernal kernels/1_neighbored.cu}}", "did you mean `kernel`?"),
        ("{{#kernel kernels/1_neighbord.cu}}", "did you mean `kernels/1_neighbored.cu`?"),
        ("so {{#measured kernels/2_less.cu 2^24 gbs}}", "did you mean `gbps`?"),
        ("so {{#measured kernels/2_less.cu 2^20 gbps}}", "was not measured at 1048576"),
        ("so {{#counter kernels/2_less.cu instruction}}", "did you mean `instructions`?"),
        ("{{#finding kernels/2_less.cu}}", "teaches no defect"),
    ] {
        let (page, problems) = expand(&format!("# T\n\n{text}\n"), &fixture::measured(), false);
        assert_eq!(problems.len(), 1, "{text}");
        assert!(problems[0].message.contains(wanted), "{}", problems[0].message);
        assert_eq!((problems[0].file.as_str(), problems[0].line), ("chapters/ch05/README.md", 3));
        assert!(page.contains("cuda-failed") && !page.contains("{{#"), "{page}");
    }
}

#[test]
fn a_stale_result_is_a_problem_only_where_that_is_asked_for() {
    let mut facts = fixture::measured();
    facts.recordings[0].stale.push("2_less".to_string());
    assert_eq!(expand("{{#ladder}}\n", &facts, false).1.len(), 0);
    let problems = expand("{{#ladder}}\n", &facts, true).1;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].file, "chapters/ch05/results/h200.json");
    assert!(problems[0].message.contains("`2_less` are stale"), "{}", problems[0].message);
}

#[test]
fn nothing_inside_the_noise_is_called_faster() {
    use measurement::{ratio, within_noise};
    let noise = verify::results::Spread { median: 1.0, p10: 0.99, p90: 1.004, samples: 9 };
    assert!(within_noise(1.009, &noise) && within_noise(0.991, &noise));
    assert!(!within_noise(1.02, &noise) && !within_noise(0.97, &noise));
    let of = |median| ratio(&verify::results::Spread { median, ..noise }, &noise);
    assert_eq!((of(1.009), of(1.02)), ("≈ 1.01 ×".to_string(), "1.02 ×".to_string()));
}

#[test]
fn a_page_is_one_html_block_a_directive_also_in_a_list() {
    let (page, _) = expand(
        "- item\n\n  {{#kernel kernels/1_neighbored.cu}}\n\nafter\n",
        &fixture::facts(),
        false,
    );
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!((lines.len(), lines[4]), (5, "after"));
    assert!(lines[2].starts_with("  <figure") && lines[2].ends_with("</figure>"));
}

/// A page with one fence, and what the back ends say of it.
fn fenced(info: &str, verdicts: Vec<Verdict>) -> (String, Facts) {
    let page = format!("1. One\n\n   ```{info}\n   __global__ void f() {{}}\n   ```\n\nafter\n");
    (page, Facts { fences: vec![verdicts], ..Facts::default() })
}

#[test]
fn a_fence_carries_its_verdict_also_inside_a_list() {
    let passed = Verdict::new(BackendName::Sim, "simt 1");
    let absent = Verdict::skipped(BackendName::Nvrtc, "", "no NVRTC library found");
    let (text, facts) = fenced("cuda", vec![passed, absent]);
    let (page, problems) = expand(&text, &facts, false);
    assert_eq!(problems, []);
    golden("fence.md", &page);
}

#[test]
fn a_fence_that_fails_is_a_problem() {
    let said = fixture::race("chapters/ch05/README.md");
    let failed = Verdict::failed(BackendName::Sim, "simt 1", vec![said.clone()]);
    let again = Verdict::failed(BackendName::Nvrtc, "NVRTC", vec![said]);
    let (text, facts) = fenced("cuda", vec![failed, again]);
    let (page, problems) = expand(&text, &facts, false);
    assert_eq!(problems.len(), 1);
    assert_eq!(page.matches("<code>chapters/ch05/README.md:10:5</code>").count(), 1, "{page}");
}

#[test]
fn a_program_can_be_run_in_the_page_and_shows_what_it_printed() {
    let mut passed = Verdict::new(BackendName::Sim, "simt");
    passed.reason = "1 < 2\n".to_owned();
    let facts = Facts { fences: vec![vec![passed]], ..Facts::default() };
    let code = "__global__ void add(int* a) { *a += 1; }\nint main() { return 0; }";
    let text = format!("# T\n\n```cuda,run\n{code}\n```\n");
    let (page, problems) = expand(&text, &facts, false);
    assert_eq!(problems, []);
    assert!(page.contains("id=\"program-add\""), "{page}");
    assert!(page.contains("<samp>1 &lt; 2</samp>"), "{page}");
    assert!(page.contains(crate::view::part::lab::OPENING), "{page}");
}

#[test]
fn an_ignored_fence_gives_its_reason() {
    let (text, facts) = fenced("cuda,ignore=needs-two-devices", Vec::new());
    assert!(expand(&text, &facts, false).0.contains("not checked: needs two devices"));
}

#[test]
fn a_fence_that_is_not_understood_keeps_its_place() {
    let (text, facts) = fenced("cuda,rnu", Vec::new());
    let (page, problems) = expand(&text, &facts, false);
    assert_eq!(problems.len(), 1);
    let lines: Vec<&str> = page.lines().collect();
    assert!(lines[2].starts_with("   <div class=\"cuda-problem\""), "{page}");
    assert_eq!(lines[3..5], ["", "   ```cuda,rnu"]);
}

#[test]
fn results_that_cannot_be_read_are_named_at_the_top_of_the_page() {
    let mut facts = fixture::facts();
    let file = "chapters/ch05/results";
    facts.problems.push(Problem::new(
        file,
        "",
        (0, 0),
        "results",
        "`h200.json` is not a results file",
    ));
    let (page, problems) = expand("# T\n\n{{#ladder}}\n", &facts, false);
    assert_eq!(problems.len(), 1);
    assert!(
        page.starts_with("<div class=\"cuda-problem\"")
            && page.contains("<code>h200.json</code> is not")
    );
}

#[test]
fn a_kernel_that_fails_is_one_problem_wherever_its_counters_are_asked_for() {
    let mut facts = fixture::facts();
    let said = fixture::race("chapters/ch05/kernels/2_less.cu");
    facts.kernels[1].verdicts = vec![Verdict::failed(BackendName::Sim, "simt", vec![said])];
    let text = "It is {{#counter kernels/2_less.cu barriers}}.\n";
    let (page, problems) = expand(text, &facts, false);
    assert_eq!(problems.len(), 1);
    assert!(page.contains("not counted"), "{page}");
}

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let runtime = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    runtime.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}

#[test]
fn a_page_holds_the_numbers_of_every_machine_and_shows_the_first() {
    let mut facts = fixture::measured();
    facts.recordings[0].file = "chapters/ch05/results/h200.json".to_owned();
    let mut other = facts.recordings[0].clone();
    other.file = "chapters/ch05/results/h100.json".to_owned();
    other.results.machine.gpu = "NVIDIA H100".to_owned();
    for kernel in other.results.kernels.values_mut() {
        kernel.sizes.values_mut().for_each(|m| m.gbps *= 0.5);
    }
    facts.recordings.push(other);
    let machines: Vec<_> =
        ["h200", "h100", "mine"].map(|name| (name, crate::gather::on(&facts, name))).into();
    let one = |machine: &str| {
        let text = format!("{{{{#measured kernels/1_neighbored.cu 2^24 gbps on={machine}}}}}\n");
        let source = PageSource::parse("chapters/ch05/README.md", &text);
        page::expand(&source, &facts, &machines, false)
    };
    let (page, problems) = one("h100");
    assert_eq!(problems, []);
    assert!(page.contains("NVIDIA H100") && !page.contains("data-machine"), "{page}");
    assert!(one("h20").1[0].message.contains("no recorded machine `h20`"), "{:?}", one("h20").1);
    let text = "{{#measured kernels/1_neighbored.cu 2^24 gbps}} of {{#counter \
                kernels/1_neighbored.cu global_load_sectors}}\n\n{{#kernel kernels/2_less.cu}}\n";
    let source = PageSource::parse("chapters/ch05/README.md", text);
    let (page, problems) = page::expand(&source, &facts, &machines, false);
    assert_eq!(problems, []);
    let number = page.lines().next().unwrap();
    assert_eq!(number.matches("data-machine=").count(), 3, "{number}");
    assert_eq!(number.matches(" hidden").count(), 2, "the first is shown: {number}");
    assert!(number.contains("data-machine=\"h100\" hidden"), "{number}");
    assert!(number.contains("not measured"), "the third has no recording: {number}");
    assert_eq!(page.matches("class=\"cuda-lab\"").count(), 1, "one laboratory per kernel");
    assert!(page.contains("\"gpu\":\"H100\"") && page.contains("\"gpu\":\"H200\""));
    // So does a question in the list of all.
    let text = "> More than {{#measured kernels/1_neighbored.cu 2^24 gbps}}? {{#question more}}\n";
    let source = PageSource::parse("chapters/ch05/README.md", text);
    let [asked] = page::questions(&source, &facts, &machines).try_into().unwrap();
    assert_eq!((asked.id.as_str(), asked.predicts), ("more", true));
    assert!(asked.markdown.starts_with("More than <span") && asked.markdown.ends_with("? "));
    assert_eq!(asked.markdown.matches("data-machine=").count(), 3, "{asked:?}");
}
