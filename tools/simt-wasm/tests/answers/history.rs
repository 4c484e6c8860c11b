//! A launch recorded and looked at, as a page does it. The requests' names say in which order they
//! are asked.

use crate::{ask, ask_whole};
use serde_json::{Value, json};
use simt_wasm::Message;

const TEXT: &str = "\
//@ input  x: float[n] = one
//@ output y: float[n] = poison
//@ launch k(x, y) grid = n / 32, block = 32
//@ test 64
//@ page 64

__global__ void k(const float* x, float* y) {
    __shared__ float tile[32 * 33];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int row = threadIdx.x;
    tile[row * 32] = x[i];
    __syncthreads();
    if (row < 8) {
        y[i] = tile[row * 32];
    } else {
        y[i] = tile[row * 32] + row;
    }
}

__host__ __device__ float expected(const float* x, unsigned int n, unsigned int i) {
    return i % 32 < 8 ? x[i] : x[i] + i % 32;
}
";

fn record(name: &str, more: Value) -> Message {
    let mut text = json!({ "do": "record", "files": [["k.cu", TEXT]] });
    for (key, value) in more.as_object().unwrap() {
        text[key] = value.clone();
    }
    ask_whole(&format!("history-{name}-record"), text)
}

fn state(name: &str, step: usize) -> Value {
    ask(&format!("history-{name}-state-{step:04}"), json!({ "do": "state", "step": step }))
}

#[test]
fn a_recording_stays_and_its_states_are_looked_up() {
    let told = record("whole", json!({ "block": 1 }));
    let steps = told.text["steps"].as_u64().unwrap_or_else(|| panic!("{}", told.text)) as usize;
    assert_eq!(told.text["cut"], false);
    assert_eq!(told.text["warps"], 1);
    assert_eq!(told.bytes.len(), steps * 6);
    let lines: Vec<u32> =
        told.bytes[..steps * 4].as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect();
    assert!(told.bytes[steps * 4..].iter().all(|b| *b == 0), "one warp, number 0");
    let names: Vec<&str> = told.text["variables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["x", "y", "tile", "i", "row"]);

    let all: Vec<Value> = (0..steps).map(|step| state("whole", step)).collect();
    for (step, (state, line)) in all.iter().zip(&lines).enumerate() {
        assert_eq!(state["step"], step);
        assert_eq!(state["place"]["line"], *line, "step {step}: {state}");
    }
    let touching = |place: &str, verb: &str| {
        let found = all
            .iter()
            .find(|s| s["touched"][0]["place"] == place && s["touched"][0]["verb"] == verb);
        found.unwrap_or_else(|| panic!("nobody goes to {place} memory to {verb}"))
    };
    let read = &touching("global", "read")["touched"][0];
    assert_eq!((&read["array"], &read["sectors"]), (&json!("x"), &json!([4, 5, 6, 7])));
    let write = touching("shared", "write");
    assert_eq!(write["touched"][0]["transactions"], 32);
    assert_eq!(
        write["touched"][0]["served"][31],
        json!({ "pass": 31, "bank": 0, "lanes": 1u32 << 31 })
    );
    let variable = |state: &Value, name: &str| {
        let variables = state["variables"].as_array().unwrap();
        variables.iter().find(|v| v["name"] == name).cloned().unwrap_or_default()
    };
    let i = variable(write, "i");
    assert_eq!((&i["type"], &i["values"][5], &i["line"]), (&json!("int"), &json!("37"), &json!(9)));
    assert_eq!(variable(write, "y")["values"][0], "y + 0");
    assert_eq!(variable(write, "tile")["values"][0], Value::Null);
    // Element 32 of the tile is lane 1's, and is written by that step.
    assert_eq!(told.text["tiles"][0]["count"], 32 * 33);
    let piece = |at: &Value, from: u32| {
        let request = json!({ "do": "state", "step": at["step"], "tiles": [[0, from, 2]] });
        ask(&format!("history-whole-state-tiles-{from:04}"), request)["tiles"][0].clone()
    };
    assert_eq!(piece(write, 32), json!({ "values": ["1.0", null], "changed": [32] }));
    assert_eq!(piece(&all[0], 0), json!({ "values": [null, null], "changed": [] }));
    // Before the last step of the barrier nobody else waits: there is one warp.
    let waiting = all.iter().find(|s| s["warps"][0]["parts"].as_array().unwrap().len() == 2);
    let waiting = waiting.expect("lanes part");
    assert_eq!(waiting["warps"][0]["state"], "running");
    let end = all.last().unwrap();
    assert_eq!((&end["warps"][0]["state"], &end["warps"][0]["at"]), (&json!("done"), &Value::Null));
}

#[test]
fn what_makes_no_sense_is_answered() {
    let odd = [
        (json!({ "block": 2 }), "`block` is 2"),
        (json!({ "steps": 1u64 << 40 }), "is the most"),
        (json!({ "steps": "many" }), "not a number that fits"),
        (json!({ "files": [["m.cu", "int main() {}"]] }), "`main`"),
    ];
    for (at, (more, expected)) in odd.into_iter().enumerate() {
        let name = format!("odd-{at}");
        let told = record(&name, more).text;
        let error = told["error"].as_str().unwrap_or_else(|| panic!("{told}"));
        assert!(error.contains(expected), "{error} does not say {expected}");
        let told = state(&name, 0);
        assert!(told["error"].as_str().unwrap().contains("`record` comes first"), "{told}");
    }
    let told = record("odd-launch", json!({ "launch": 1 })).text;
    assert_eq!(told["problems"][0]["code"], "launch", "{told}");
    let wrong = TEXT.replace("int row", "in row");
    let told = record("odd-text", json!({ "files": [["k.cu", wrong]] })).text;
    assert_eq!(told["diagnostics"][0]["severity"], "error", "{told}");
    record("tiles", json!({}));
    let wanted = json!({ "do": "state", "step": 0, "tiles": [[7, 0, 1]] });
    let told = ask("history-tiles-state-0000", wanted);
    assert!(told["error"].as_str().unwrap().contains("there is no number 7"), "{told}");
    assert_eq!(record("short", json!({ "steps": 3 })).text["cut"], true);
    assert!(state("short", 3)["error"].as_str().unwrap().contains("there are 3"));
}
