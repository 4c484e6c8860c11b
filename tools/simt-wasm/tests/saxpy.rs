//! A request by hand, and what a page is told; the same request goes through the module itself in
//! `module.mjs`.

use serde_json::{Value, json};
use simt_wasm::{Message, respond};

const TEXT: &str = "__global__ void saxpy(const float* x, float* y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        y[i] = a * x[i] + y[i];
    if (i == 0) printf(\"%d elements\\n\", n);
}
";

fn request(more: Value) -> Message {
    let floats = |n: u16| (0..n).flat_map(|i| f32::from(i).to_le_bytes());
    let mut text = json!({
        "files": [["saxpy.cu", TEXT]],
        "launch": {
            "kernel": "saxpy", "grid": [2], "block": [32],
            "arguments": [
                { "array": 256, "upload": 256 }, { "array": 240, "upload": 240 },
                { "value": [0, 0, 0, 64] }, { "value": [60, 0, 0, 0] },
            ],
        },
    });
    for (key, value) in more.as_object().unwrap() {
        text[key] = value.clone();
    }
    Message { text, bytes: floats(64).chain(floats(60)).collect() }
}

fn ask(request: &Message) -> Message {
    Message::read(&respond(&request.write())).unwrap()
}

#[test]
fn a_launch_is_answered_with_everything_that_is_known() {
    let answer = ask(&request(json!({})));
    let told = &answer.text;
    assert_eq!(told["outcome"], "faulted", "{told:#}");
    assert_eq!(told["printed"], "60 elements\n");
    assert_eq!(told["kernels"][0]["parameters"][1]["element"]["name"], "float");
    let finding = &told["findings"][0];
    assert_eq!(
        (&finding["class"], &finding["first"]["place"]["line"]),
        (&json!("bounds"), &json!(4))
    );
    assert!(finding["rendered"].as_str().unwrap().contains("`y`"));
    let row = |name: &str| {
        let counters = told["counters"].as_array().unwrap();
        counters.iter().position(|c| c["name"] == name).unwrap()
    };
    assert_eq!(told["counters"][row("global load requests")]["value"], 4.0);
    let line4 = told["lines"].as_array().unwrap().iter().find(|l| l["line"] == 4).unwrap();
    assert_eq!(line4["values"][row("global load requests")], 4.0);
    assert_eq!(
        told["arrays"],
        json!([{ "argument": 0, "bytes": 256 }, { "argument": 1, "bytes": 240 }])
    );
    assert_eq!(answer.bytes.len(), 256 + 240);
    assert_eq!(answer.bytes[256 + 59 * 4..], 177.0f32.to_le_bytes());
}

#[test]
fn a_warp_is_followed() {
    let answer = ask(&request(json!({ "follow": { "block": 0, "warp": 0, "steps": 50 } })));
    let steps = answer.text["trace"]["steps"].as_array().unwrap();
    let access = steps.iter().find(|s| s["work"] == "access").unwrap();
    assert_eq!(access["touched"][0]["array"], "x");
    assert_eq!(access["touched"][0]["offsets"].as_array().unwrap().len(), 32);
}

#[test]
fn budgets_are_arguments() {
    let endless = "__global__ void k(int* p) { while (p) p[0]++; }";
    let launch = json!({ "grid": [1], "block": [1], "arguments": [{ "array": 4, "upload": 4 }] });
    let wanted = json!({ "files": [["k.cu", endless]], "launch": launch, "steps": 5000 });
    assert_eq!(ask(&request(wanted)).text["outcome"], "budget spent");
    let large = ask(&request(json!({ "memory": 300 })));
    assert_eq!(large.text["error"], "496 bytes of arrays; `memory` is 300");
    let most = ask(&request(json!({ "memory": 1u64 << 40 })));
    assert!(most.text["error"].as_str().unwrap().contains("is the most"));
}

#[test]
fn what_makes_no_sense_is_answered_too() {
    for (more, expected) in [
        (json!({ "files": [] }), "`files` is a list"),
        (json!({ "launch": { "kernel": "nobody" } }), "no kernel is called"),
        (json!({ "launch": { "arguments": [] } }), "0 arguments for 4 parameters"),
        (json!({ "model": "fermi" }), "`model` is volta"),
        (json!({ "steps": -1 }), "not a number that fits"),
    ] {
        let answer = ask(&request(more));
        let error = answer.text["error"].as_str().unwrap();
        assert!(error.contains(expected), "{error} does not say {expected}");
    }
    for bytes in [&b""[..], b"\xff\xff\xff\xff{}", b"\x02\0\0\0{}", b"\x02\0\0\0{x"] {
        assert!(Message::read(&respond(bytes)).unwrap().text["error"].is_string());
    }
    let wrong = ask(&request(json!({ "files": [["a.cu", "__global__ void k() { int i = ; }"]] })));
    assert_eq!(wrong.text["diagnostics"][0]["place"]["line"], 1);
    let refused = ask(&request(json!({ "launch": { "grid": [1], "block": [2048], "arguments": [
        { "array": 4 }, { "array": 4 }, { "value": [0, 0, 0, 0] }, { "value": [0, 0, 0, 0] }] } })));
    assert!(refused.text["refused"].as_str().unwrap().contains("2048"), "{:#}", refused.text);
}
