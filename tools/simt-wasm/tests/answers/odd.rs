//! What a reader may type that is no kernel file, or one that takes for ever: each has an answer
//! within its budget.

use crate::ask;
use serde_json::{Value, json};

/// One kernel of one warp on one array of a thousand numbers.
fn file(body: &str) -> String {
    format!(
        "//@ output out: int[1000] = zero\n//@ launch k(out, n) grid = 1, block = 32\n//@ page 32\n\
         __global__ void k(int* out, unsigned n) {{ {body} }}\n\
         __host__ __device__ int expected(int i) {{ return 0; }}\n"
    )
}

fn run(name: &str, text: &str, more: Value) -> Value {
    let mut request = json!({ "do": "run", "files": [["a.cu", text]] });
    for (key, value) in more.as_object().unwrap() {
        request[key] = value.clone();
    }
    ask(&format!("odd-{name}"), request)
}

/// The message of the first problem.
fn problem(told: &Value) -> (&str, &str) {
    let first = &told["problems"][0];
    let text = |key: &str| first[key].as_str().unwrap_or_else(|| panic!("{told:#}"));
    (text("code"), text("message"))
}

#[test]
fn an_endless_loop_ends_with_its_steps() {
    let text = file("volatile int* o = out; while (true) o[0] = 1;");
    let told = run("endless", &text, json!({ "steps": 100_000 }));
    assert_eq!((&told["verdict"], &told["outcome"]), (&json!("failed"), &json!("budget spent")));
    let (code, message) = problem(&told);
    assert_eq!(code, "steps");
    assert!(message.contains("100000 warp-instructions"), "{message}");
    assert_eq!(told["problems"][0]["line"], 4);
    let text = file("").replace("return 0;", "while (true) i++; return i;");
    let told = run("endless-reference", &text, json!({ "steps": 100_000 }));
    assert_eq!(problem(&told).0, "reference");
}

#[test]
fn a_million_lines_are_cut() {
    let told = run(
        "printf",
        &file("for (int i = 0; i < 31250; i++) printf(\"line %d\\n\", i);"),
        json!({}),
    );
    let printed = told["printed"].as_str().unwrap();
    assert!(printed.starts_with("line 0\n") && printed.ends_with(" lines more]\n"));
    assert!(printed.len() < 70_000, "{} bytes", printed.len());
}

#[test]
fn what_is_too_large_is_refused_by_its_size() {
    let large = file("").replace("int[1000]", "int[n << 24]");
    let told = run("array", &large, json!({}));
    let (code, message) = problem(&told);
    assert_eq!(code, "memory");
    assert!(message.contains("the simulator holds at most 256 MiB"), "{message}");
    let told = run("count", &file("").replace("int[1000]", "int[n << 40]"), json!({}));
    assert!(
        told["diagnostics"][0]["message"].as_str().unwrap().contains("cannot have"),
        "{told:#}"
    );
    let told =
        run("shared", &file("__shared__ int s[1 << 20]; s[0] = 1; out[0] = s[0];"), json!({}));
    assert!(told["diagnostics"][0].is_object() || told["outcome"] == "refused", "{told:#}");
    let told = run("grid", &file(""), json!({ "shapes": [{ "grid": [4_000_000_000u64] }] }));
    assert!(problem(&told).1.contains("x must lie between 1 and 2147483647"), "{told:#}");
    let told = run("memory", &file(""), json!({ "memory": 1u64 << 40 }));
    assert!(told["error"].as_str().unwrap().contains("is the most"), "{told:#}");
    let told = run("nothing", &file(""), json!({ "shapes": [{ "block": [0] }] }));
    assert_eq!(told["outcome"], "refused", "{told:#}");
}

#[test]
fn a_text_that_is_no_kernel_file_says_what_it_lacks() {
    for (name, text, expected) in [
        ("empty", "", "no launch"),
        ("blank", "\n\n  \n", "no launch"),
        ("prose", "Dear diary,\nit's \"raining\n", "no launch"),
        ("kernel", "__global__ void k() {}\n", "no launch"),
        ("header", "#include \"nowhere.cuh\"\n", "no launch"),
    ] {
        for what in ["check", "run"] {
            let request = json!({ "do": what, "files": [["a.cu", text]] });
            let told = ask(&format!("odd-{name}-{what}"), request);
            let all = told["diagnostics"].as_array().unwrap();
            let said = |d: &Value| d["message"].as_str().unwrap().contains(expected);
            assert!(all.iter().any(said), "{told:#}");
            assert!(all.iter().all(|d| d["place"]["line"].as_u64() >= Some(1)), "{told:#}");
        }
    }
    let told = run("missing", &format!("#include \"nowhere.cuh\"\n{}", file("")), json!({}));
    assert!(told["diagnostics"].to_string().contains("nowhere.cuh"), "{told:#}");
}

#[test]
fn what_is_nested_without_end_is_refused() {
    let deep = 20_000;
    for (name, body) in [
        ("brackets", format!("out[0] = {}1{};", "(".repeat(deep), ")".repeat(deep))),
        ("minus", format!("out[0] = {}1;", "-".repeat(2 * deep).replace("--", "- "))),
        ("blocks", format!("{}{}", "{".repeat(deep), "}".repeat(deep))),
        ("ifs", format!("{}out[0] = 1;", "if (n) ".repeat(deep))),
        ("sum", format!("out[0] = {}1;", "n + ".repeat(deep))),
        ("elses", format!("{}out[0] = 1;", "if (n) out[1] = 2; else ".repeat(deep))),
        ("calls", format!("out[0] = {}1{};", "max(1, ".repeat(deep), ")".repeat(deep))),
        ("macros", "\n#define A(x) A(x x)\nA(A(A(1)))\n".to_owned()),
    ] {
        let told = run(name, &file(&body), json!({}));
        assert!(told["diagnostics"].is_array(), "{name}: {told:#}");
    }
}

#[test]
fn what_makes_no_sense_is_answered_too() {
    let text = file("");
    for (at, (request, expected)) in [
        (json!({}), "`do` is check, run, program, exercise, record or state"),
        (json!({ "do": "fly" }), "`do` is check, run, program, exercise, record or state"),
        (json!({ "do": "check" }), "`files` is a list"),
        (json!({ "do": "run", "files": [] }), "`files` is empty"),
        (json!({ "do": "run", "files": [["a.cu"]] }), "a name and a text"),
        (json!({ "do": "run", "files": [["a.cu", text]], "steps": -1 }), "a number that fits"),
        (json!({ "do": "run", "files": [["a.cu", text]], "checks": 7, "steps": "x" }), "`steps`"),
        (json!({ "do": "run", "files": [["a.cu", text]], "checks": "few" }), "`checks` is all"),
        (json!({ "do": "program", "files": [["a.cu", ""]], "arguments": [1] }), "`arguments`"),
    ]
    .into_iter()
    .enumerate()
    {
        let told = ask(&format!("odd-request-{at}"), request);
        assert!(told["error"].as_str().unwrap().contains(expected), "{told:#}");
    }
    for bytes in [&b""[..], b"\xff\xff\xff\xff{}", b"\x02\0\0\0[]", b"\x02\0\0\0{x"] {
        let answer = simt_wasm::respond(bytes);
        assert!(simt_wasm::Message::read(&answer).unwrap().text["error"].is_string());
    }
}
