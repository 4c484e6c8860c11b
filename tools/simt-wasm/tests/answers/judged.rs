//! A kernel file, its mistakes, and what is said of each.

use crate::ask;
use serde_json::{Value, json};

const FILE: &str = "\
//! Neighbours in a block are added.
//@ vary stride = 1, 2
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch add(in, out, n, stride) grid = (n + 63) / 64, block = 64
//@ test 1, 64
//@ page 128

__global__ void add(const int* in, int* out, int n, int stride) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = s[threadIdx.x] + s[(threadIdx.x + stride) % 64];
    if (i == 0) printf(\"%d numbers\\n\", n);
}

__host__ __device__ int expected(const int* in, int n, int stride, int i) {
    int other = i / 64 * 64 + (i + stride) % 64;
    return in[i] + (other < n ? in[other] : 0);
}
";

fn asked(name: &str, what: &str, text: &str, more: Value) -> Value {
    let mut request = json!({ "do": what, "files": [["kernels/1_add.cu", text]] });
    for (key, value) in more.as_object().unwrap() {
        request[key] = value.clone();
    }
    ask(&format!("judged-{name}"), request)
}

/// The line, column and length of the first diagnostic.
fn first_place(told: &Value) -> [u64; 3] {
    let place = &told["diagnostics"][0]["place"];
    ["line", "column", "length"].map(|key| place[key].as_u64().unwrap())
}

#[test]
fn a_file_that_is_right_is_answered_with_everything_that_is_known() {
    let told = asked("right", "run", FILE, json!({}));
    assert_eq!(told["verdict"], "passed", "{told:#}");
    assert_eq!(told["outcome"], "completed");
    assert_eq!(told["printed"], "128 numbers\n");
    assert_eq!((&told["problems"], &told["findings"]), (&json!([]), &json!([])));
    assert_eq!(told["point"], json!({ "n": 128, "stride": 1 }));
    let launch = json!({ "kernel": "add", "grid": [2, 1, 1], "block": [64, 1, 1], "line": 5 });
    assert_eq!(told["launches"], json!([launch]));
    let counters = told["counters"].as_array().unwrap();
    let barriers = counters.iter().position(|c| c["name"] == "barriers").unwrap();
    assert_eq!(counters[barriers]["value"], 4.0);
    let lines = told["lines"].as_array().unwrap();
    let line = lines.iter().find(|l| l["line"] == 13).unwrap();
    assert_eq!(line["values"][barriers], 4.0, "the barrier is at its line");
    assert_eq!(line["values"].as_array().unwrap().len(), counters.len());
    let out = &told["arrays"][1];
    assert_eq!(
        (&out["name"], &out["role"], &out["count"]),
        (&json!("out"), &json!("output"), &json!(128))
    );
    assert_eq!((&out["head"][0], &out["head"][1]), (&json!("1"), &json!("3")));
    assert_eq!(out["hash"].as_str().unwrap().len(), 16);
    assert!(told["arrays"][0]["head"].is_null(), "an input is no news");
}

#[test]
fn what_there_is_to_say_before_it_runs() {
    let told = asked("check", "check", FILE, json!({}));
    assert_eq!(told["diagnostics"], json!([]));
    assert_eq!(told["kernels"][0]["parameters"][1]["element"]["name"], "int");
    assert_eq!(told["kernels"].as_array().unwrap().len(), 1, "what is generated is not shown");
    assert_eq!(told["launches"][0]["line"], 5);
    assert_eq!(told["point"], json!({ "n": 128, "stride": 1 }));
    assert_eq!(told["varies"], json!([{ "name": "stride", "values": [1, 2] }]));
    assert_eq!(told["program"], false);
}

#[test]
fn a_reader_chooses_the_point_and_the_shape() {
    let told = asked("point", "run", FILE, json!({ "point": { "n": 100, "stride": 5 } }));
    assert_eq!(told["verdict"], "passed", "{told:#}");
    assert_eq!(told["point"], json!({ "n": 100, "stride": 5 }));
    let shapes = json!({ "shapes": [{ "grid": [1], "block": [64] }] });
    let told = asked("shape", "run", FILE, shapes);
    assert_eq!(told["launches"][0]["grid"], json!([1, 1, 1]));
    assert_eq!(told["verdict"], "failed", "half of the output is not written");
    assert_eq!(told["problems"][0]["code"], "wrong-result", "{:#}", told["problems"]);
    let told = asked("wide", "run", FILE, json!({ "shapes": [{ "block": [4096] }] }));
    assert_eq!(told["outcome"], "refused");
    assert!(told["problems"][0]["message"].as_str().unwrap().contains("4096"), "{told:#}");
    for (name, more, expected) in [
        ("unknown", json!({ "point": { "width": 1 } }), "does not vary `width`"),
        ("shapes", json!({ "shapes": [null, null] }), "2 shapes for 1 launches"),
        ("negative", json!({ "point": { "n": -1 } }), "not a number that fits"),
    ] {
        let told = asked(name, "run", FILE, more);
        assert!(told["error"].as_str().unwrap().contains(expected), "{told:#}");
    }
}

#[test]
fn a_deleted_barrier_is_a_race_with_both_lines() {
    let text = FILE.replace("    __syncthreads();\n", "");
    let told = asked("race", "run", &text, json!({}));
    assert_eq!(told["verdict"], "failed");
    let finding = &told["findings"][0];
    assert_eq!((&finding["class"], &finding["launch"]), (&json!("race"), &json!(0)));
    let lines = ["first", "second"].map(|side| finding[side]["place"]["line"].as_u64().unwrap());
    assert_eq!(lines.iter().sum::<u64>(), 12 + 13, "{finding:#}");
    assert!(finding["first"]["thread"].is_array() && finding["first"]["block"].is_array());
    let marked =
        text.replace("//@ page", "//@ catch race\n//@ page").replace("% 64];", "% 64]; //~ race");
    let told = asked("caught", "run", &marked, json!({}));
    assert_eq!(told["verdict"], "passed", "what it teaches was caught: {told:#}");
}

#[test]
fn a_wrong_result_is_a_problem_at_the_output() {
    let told =
        asked("wrong", "run", &FILE.replace("+ stride) % 64];", "+ stride) % 64] + 1;"), json!({}));
    assert_eq!(told["verdict"], "failed");
    let problem = &told["problems"][0];
    assert_eq!((&problem["code"], &problem["line"]), (&json!("wrong-result"), &json!(4)));
    assert!(problem["message"].as_str().unwrap().contains("out[0]: expected"));
}

#[test]
fn a_mistake_is_underlined_where_it_is() {
    for (name, from, to, place, expected) in [
        ("syntax", "in[i] : 0;", "in[i] : ;", [12, 38, 1], "expected an expression"),
        ("name", "int i = block", "int i = blok", [11, 13, 7], "blokIdx"),
        ("word", "//@ page 128", "//@ pagge 128", [7, 5, 5], "unknown directive `pagge`"),
        ("launch", "//@ launch add(in", "//@ launch add(inn", [5, 16, 3], "inn"),
        ("reference", "stride, int i)", "stride, int width, int i)", [18, 25, 8], "width"),
    ] {
        assert!(FILE.contains(from), "{from}");
        let text = FILE.replacen(from, to, 1);
        for what in ["check", "run"] {
            let told = asked(&format!("{name}-{what}"), what, &text, json!({}));
            let first = &told["diagnostics"][0];
            assert!(first["message"].as_str().unwrap().contains(expected), "{first:#}");
            assert_eq!(
                (first_place(&told), &first["severity"]),
                (place, &json!("error")),
                "{first:#}"
            );
            assert!(what == "check" || told.as_object().unwrap().len() == 1, "it does not run");
        }
    }
}

#[test]
fn what_is_suspicious_is_said_and_it_runs() {
    let text =
        FILE.replace("    int i = blockIdx", "    int unused_one = 1;\n    int i = blockIdx");
    let told = asked("suspicious", "run", &text, json!({}));
    assert_eq!(told["verdict"], "passed", "{told:#}");
    let all = told["diagnostics"].as_array().unwrap();
    assert!(all.iter().all(|d| d["severity"] == "warning"), "{told:#}");
}
