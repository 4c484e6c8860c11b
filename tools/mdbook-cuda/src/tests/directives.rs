//! Directives that show points, experiments, claims and the rows of the notes.

use super::{expand, figure_of, fixture, golden};
use crate::facts::Facts;

/// The page without its tags.
fn plain(page: &str) -> String {
    page.split('<').map(|part| part.split('>').next_back().unwrap_or_default()).collect()
}

/// The page of one directive, which must be understood.
fn shown(directive: &str, facts: &Facts) -> String {
    let (page, problems) = expand(&format!("{directive}\n"), facts, false);
    assert_eq!(problems, []);
    page.replace("> <", ">\n<")
}

const STRIDES: [&str; 4] = ["stride=1", "stride=2", "stride=8", "stride=32"];
const SHAPES: [&str; 4] = ["bx=8,by=1", "bx=8,by=4", "bx=32,by=1", "bx=32,by=4"];

#[test]
fn a_sweep_over_one_variable_and_over_two() {
    let facts = fixture::swept(&STRIDES, true);
    let directive = "{{#sweep kernels/1_stride.cu time_us gbps global_load_sectors}}";
    golden("sweep.html", &shown(directive, &facts));
    let facts = fixture::swept(&SHAPES, false);
    golden("sweep-two.html", &shown("{{#sweep kernels/1_stride.cu global_load_sectors}}", &facts));
    let facts = fixture::swept(&["stride=8", "stride=2"], false);
    let page = shown("{{#sweep kernels/1_stride.cu global_load_sectors}}", &facts);
    assert!(page.contains("8 <small>used by Run</small>"), "{page}");
}

#[test]
fn a_sweep_of_several_sizes_draws_the_largest_and_says_so() {
    let mut facts = fixture::swept(&STRIDES, true);
    let result = facts.recordings[0].results.kernels.get_mut("1_stride").unwrap();
    for sizes in result.points.values_mut() {
        sizes.insert(1 << 28, fixture::measurement(1 << 28, 0.5, None));
    }
    let page = shown("{{#sweep kernels/1_stride.cu time_us}}", &facts);
    assert!(page.contains("1_stride.cu: time, n = 2²⁸<"), "{page}");
}

#[test]
fn a_sweep_of_two_files_is_one_chart_and_one_table() {
    let mut facts = fixture::swept(&STRIDES, true);
    facts.kernels.push(fixture::varying("2_less", &STRIDES));
    let results = &mut facts.recordings[0].results.kernels;
    let again = results["1_stride"].clone();
    results.insert("2_less".to_string(), again);
    let both = "{{#sweep kernels/1_stride.cu kernels/2_less.cu time_us}}";
    let page = shown(both, &facts);
    assert_eq!(page.matches("<svg").count(), 1, "{page}");
    for text in ["1_stride.cu, 2_less.cu: time<", ">1 stride<", "<code>2_less</code> time"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    facts.kernels[1] = fixture::varying("2_less", &["stride=3"]);
    let (_, problems) = expand(both, &facts, false);
    assert!(format!("{problems:?}").contains("do not vary the same"), "{problems:?}");
}

#[test]
fn large_rates_of_arithmetic_are_in_tflops_in_a_whole_column() {
    let mut facts = fixture::swept(&STRIDES, true);
    let result = facts.recordings[0].results.kernels.get_mut("1_stride").unwrap();
    for (i, sizes) in result.points.values_mut().enumerate() {
        sizes.values_mut().for_each(|m| m.gflops = Some(500.0 * (i + 1) as f64));
    }
    let page = shown("{{#sweep kernels/1_stride.cu gflops}}", &facts);
    assert!(page.contains("TFLOP/s") && page.contains(">0.500<"), "{page}");
    assert!(!page.contains("GFLOP/s"), "{page}");
}

#[test]
fn a_page_chooses_the_lines_of_a_listing() {
    let mut facts = fixture::facts();
    let kernel = &mut facts.kernels[0];
    let path = kernel.path.clone();
    let lines: String = (0..40).map(|i| format!("    step{i}();\n")).collect();
    kernel.file.code = format!("__global__ void f() {{\n{lines}}}\n");
    let page = shown(&format!("{{{{#kernel {path} from \"step7(\" to \"step12(\"}}}}"), &facts);
    assert!(page.contains("Shown: lines 15 to 20. All lines, 7 to 48"), "{page}");
    let wrong = format!("{{{{#kernel {path} from \"step7(\" to \"step6(\"}}}}");
    let (_, problems) = expand(&wrong, &facts, false);
    let said = format!("{problems:?}");
    assert!(
        said.contains("no line from there on of the code") && said.contains("step6("),
        "{said}"
    );
}

#[test]
fn a_sweep_in_bars_names_its_values() {
    let facts = fixture::swept(&STRIDES, true);
    let page = shown("{{#sweep kernels/1_stride.cu time_us bars}}", &facts);
    assert!(page.contains("cuda-plot-bar") && page.contains(">stride = 8 <"), "{page}");
    assert!(!page.contains("cuda-line-0"), "no line joins the values: {page}");
    let names: Vec<String> = (0..STRIDES.len()).map(|i| format!("\"case {i}\"")).collect();
    let directive = format!("{{{{#sweep kernels/1_stride.cu time_us bars {}}}}}", names.join(" "));
    let page = shown(&directive, &facts);
    assert!(page.contains(">case 0 <") && !page.contains(">stride = 8 <"), "{page}");
    let directive = "{{#sweep kernels/1_stride.cu time_us bars \"one\"}}";
    let (_, problems) = expand(directive, &facts, false);
    assert!(format!("{problems:?}").contains("`bars` names 1 values"), "{problems:?}");
    let facts = fixture::swept(&SHAPES, true);
    let (_, problems) = expand("{{#sweep kernels/1_stride.cu time_us bars}}", &facts, false);
    assert!(format!("{problems:?}").contains("is for one variable"), "{problems:?}");
}

#[test]
fn a_sweep_without_a_recording_shows_its_counters_and_says_so() {
    let facts = fixture::swept(&STRIDES, false);
    let page = shown("{{#sweep kernels/1_stride.cu gbps global_load_sectors}}", &facts);
    assert!(page.contains("not measured") && page.contains("23,170"), "{page}");
    assert_eq!(page.matches("<polyline").count() + page.matches("<svg").count(), 1, "{page}");
}

#[test]
fn the_figure_of_a_kernel_that_varies_shows_what_changes() {
    let facts = fixture::swept(&STRIDES, true);
    let html = figure_of(&facts, "1_stride");
    let html = html.split("<script").next().unwrap();
    assert!(html.contains("cuda-sweep") && !html.contains("cuda-counters"), "{html}");
    assert!(html.contains("global load sectors") && !html.contains("barriers"), "{html}");
    let both = "{{#kernel kernels/1_stride.cu}}\n\n{{#sweep kernels/1_stride.cu time_us}}";
    assert_eq!(shown(both, &facts).matches("class=\"cuda-sweep\"").count(), 1, "not twice");
    let html = figure_of(&fixture::swept(&SHAPES, true), "1_stride");
    assert!(html.contains("<summary>2 more</summary>"), "{html}");
}

#[test]
fn a_number_of_a_point_must_name_the_point() {
    let facts = fixture::swept(&STRIDES, true);
    let text = "{{#measured kernels/1_stride.cu 2^24 gbps stride=2}}, \
                {{#counter kernels/1_stride.cu global_load_sectors stride=8}}\n";
    let (page, problems) = expand(text, &facts, false);
    assert_eq!(problems, []);
    assert_eq!(plain(&page), "1,400 GB/s, 11,585\n");
    for (directive, wanted) in [
        ("{{#measured kernels/1_stride.cu 2^24 gbps}}", "has several points"),
        ("{{#measured kernels/1_stride.cu 2^24 gbps stride=3}}", "has no such point"),
        ("{{#measured kernels/1_stride.cu 2^24 gbps strid=2}}", "has no such point"),
        ("{{#counter kernels/1_stride.cu barriers}}", "choose one of `stride=1`"),
    ] {
        let (_, problems) = expand(&format!("so {directive}\n"), &facts, false);
        assert_eq!(problems.len(), 1, "{directive}");
        assert!(problems[0].message.contains(wanted), "{}", problems[0].message);
    }
}

#[test]
fn a_factor_divides_one_number_by_another() {
    let facts = fixture::swept(&STRIDES, true);
    let side = |stride: u32| format!("kernels/1_stride.cu 2^24 gbps stride={stride}");
    let factor = |a: &str, b: &str| format!("{{{{#factor {a} over {b}}}}}\n");
    let (page, problems) = expand(&factor(&side(1), &side(8)), &facts, false);
    assert_eq!(problems, []);
    assert_eq!(plain(&page), "3.00\n");
    let none = fixture::swept(&STRIDES, false);
    assert_eq!(plain(&expand(&factor(&side(1), &side(2)), &none, false).0), "– not measured\n");
    let time = "kernels/1_stride.cu 2^24 time_us stride=1";
    for (directive, wanted) in [
        (format!("{{{{#factor {}}}}}\n", side(1)), "wrong arguments"),
        (factor(time, &side(1)), "`time_us` and `gbps` cannot be compared"),
        (factor(&side(1), &side(3)), "has no such point"),
    ] {
        let (_, problems) = expand(&directive, &facts, false);
        assert_eq!(problems.len(), 1, "{directive}");
        assert!(problems[0].message.contains(wanted), "{}", problems[0].message);
    }
}

#[test]
fn an_axis_beside_a_chart_says_that_it_is_logarithmic() {
    let facts = fixture::swept(&STRIDES, true);
    assert!(shown("{{#experiment pinned}}", &facts).contains(">GB/s (logarithmic)<"));
    assert!(!shown("{{#sweep kernels/1_stride.cu time_us}}", &facts).contains(">(logarithmic)<"));
}

#[test]
fn rows_and_quantities_are_shown_under_the_words_that_the_page_gives() {
    let facts = fixture::swept(&STRIDES, true);
    let page = shown("{{#experiment latency \"L2\" as \"the second level\"}}", &facts);
    assert!(page.contains(">the second level</th>") && !page.contains(">L2<"), "{page}");
    let page =
        shown("{{#experiment latency \"L2\" as \"the second level\" count as \"runs\"}}", &facts);
    assert!(page.contains(">the second level</th>"), "{page}");
    assert!(page.contains(">runs</th>") && !page.contains(">count</th>"), "{page}");
    let wrong = "{{#experiment latency \"L3\" as \"the third level\"}}\n";
    let (_, problems) = expand(wrong, &facts, false);
    assert!(problems[0].message.contains("has no row `L3`"), "{}", problems[0].message);
}

#[test]
fn an_experiment_is_a_chart_and_a_table() {
    let facts = fixture::swept(&STRIDES, true);
    golden("experiment.html", &shown("{{#experiment pinned}}", &facts));
    golden("experiment-bars.html", &shown("{{#experiment latency}}", &facts));
    let text = "{{#value pinned \"pinned\" gbps bytes=1e8}}, {{#value latency \"L2\" cycles}}\n";
    assert_eq!(plain(&expand(text, &facts, false).0), "55.0 GB/s, 210 cycles\n");
    let none = fixture::swept(&STRIDES, false);
    let page = shown("{{#experiment pinned}}", &none);
    assert!(page.contains("not measured"), "{page}");
    assert_eq!(plain(&expand(text, &none, false).0), "– not measured, – not measured\n");
}

#[test]
fn mistakes_in_these_directives_are_named_with_a_suggestion() {
    let mut facts = fixture::swept(&STRIDES, true);
    facts.claims = fixture::claims();
    for (directive, wanted) in [
        ("{{#experiment pined}}", "did you mean `pinned`?"),
        ("{{#value pinned \"pined\" gbps}}", "did you mean `pinned`?"),
        ("{{#value latency \"L2\" cycle}}", "did you mean `cycles`?"),
        ("{{#value pinned \"pinned\" gbps}}", "choose one by `bytes`"),
        ("{{#sweep kernels/1_stride.cu gbsp}}", "did you mean `gbps`?"),
        ("{{#sass kernels/1_stride.cu}}", "add `//@ sass`"),
        ("{{#claim doubls}}", "did you mean `doubles`?"),
        ("{{#ladder kernels/9_*}}", "no kernel matches `kernels/9_*`"),
    ] {
        let (_, problems) = expand(&format!("{directive}\n"), &facts, false);
        assert_eq!(problems.len(), 1, "{directive}: {problems:?}");
        assert!(problems[0].message.contains(wanted), "{directive}: {}", problems[0].message);
    }
}

#[test]
fn a_claim_shows_its_verdict_and_its_numbers() {
    let facts = Facts { claims: fixture::claims(), ..Facts::default() };
    let words = "{{#claim doubles}}\n\n{{#claim warps}}\n\n{{#claim sheet}}\n\n{{#claim later}}";
    let (page, problems) = expand(&format!("{words}\n"), &facts, false);
    assert_eq!(problems, [], "the page is not that of its chapter");
    golden("claim.html", &page.replace("> <", ">\n<"));
    golden("claims.html", &shown("{{#claims}}", &facts));
}

#[test]
fn a_claim_that_the_data_contradict_is_a_problem_of_its_chapter() {
    let mut facts = Facts { claims: fixture::claims(), ..Facts::default() };
    for claim in &mut facts.claims {
        claim.page = "chapters/ch05/README.md".to_string();
    }
    let of = |strict: bool| -> Vec<String> {
        expand("x\n", &facts, strict).1.into_iter().map(|p| p.message).collect()
    };
    assert_eq!(of(false).len(), 1);
    assert!(of(false)[0].contains("the claim `warps`"), "{:?}", of(false));
    assert!(of(true).len() == 2 && of(true)[1].contains("`later` is not measured"));
}

#[test]
fn the_list_of_rows_says_where_each_is() {
    let row = |id: &str, gone: Option<&str>| verify::coverage::Row {
        id: id.to_string(),
        kind: "kernel".to_string(),
        what: "two tiles for each block".to_string(),
        figures: "twice the speed".to_string(),
        remark: String::new(),
        places: vec![verify::coverage::Place {
            chapter: "ch05-x".to_string(),
            heading: "two-tiles".to_string(),
            page: "chapters/ch05-x/README.md".to_string(),
        }],
        gone: gone.map(str::to_string),
        at: (1, 1),
    };
    let mut facts = Facts { claims: fixture::claims(), ..Facts::default() };
    facts.book.rows = vec![row("000.51", None), row("001.1", Some("nvprof"))];
    golden("coverage.html", &shown("{{#coverage}}", &facts));
}

#[test]
fn every_recording_is_told_with_its_machine_and_what_changed_since() {
    let mut facts = Facts::default();
    assert!(shown("{{#provenance}}", &facts).contains("Nothing is recorded"));
    let mut recording = fixture::swept(&STRIDES, true).recordings.remove(0);
    recording.stale_experiments.push("pinned".to_string());
    let mut dirty = recording.clone();
    dirty.results.machine.commit = "e9d02c269bee-dirty".to_string();
    facts.book.recordings.push(("ch06-y".to_string(), dirty));
    facts.book.recordings.push(("ch05-x".to_string(), recording));
    let page = shown("{{#provenance}}", &facts);
    for wanted in [
        "<a href=\"../ch05-x/index.html\">Chapter 5: x</a>",
        "kernels: 1, baselines: 3, experiments: 2",
        "580.159.04",
        "NVRTC 13.0.88",
        "<code>0123456789abcdef0123</code></td>",
        "<code>e9d02c269bee</code> with changes that were not committed</td>",
        "2026-11-21",
        "stale</span> pinned",
    ] {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
}
