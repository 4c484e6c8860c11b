//! `gpu-child`, and what `serve` says of a GPU. What needs one is tested where there is one, in
//! `verify`'s tests of hardware; here the answers must make sense with and without.

use crate::serve::Served;
use crate::tiny::{TWICE, Tiny};
use serde_json::{Value, json};

const SEAL: &str = "a-seal";

/// What the child answers to an order.
fn answer(tiny: &Tiny, order: &Value) -> Value {
    let said = tiny.run_with_input(&["gpu-child"], &format!("{SEAL}\n{order}"));
    assert_eq!(said.code, Some(0), "{said:#?}");
    let line = said.stdout.lines().find_map(|line| line.strip_prefix(SEAL));
    serde_json::from_str(line.unwrap_or_else(|| panic!("{said:#?}"))).unwrap()
}

fn order(text: &str) -> Value {
    json!({ "files": [["1_twice.cu", text]], "point": { "n": 100 } })
}

#[test]
fn the_child_answers_with_a_gpu_and_without() {
    let tiny = Tiny::new();
    let before = tiny.files();
    let answer = answer(&tiny, &order(TWICE));
    match answer["error"].as_str() {
        Some(why) => assert!(!why.is_empty()),
        None => assert_eq!(answer["verdict"], "passed", "{answer}"),
    }
    assert_eq!(tiny.files(), before, "it leaves nothing in the book's folder");
}

#[test]
fn what_cannot_be_run_is_said_before_a_gpu_is_looked_for() {
    let tiny = Tiny::new();
    let said = answer(&tiny, &order("int main() { return 0; }\n"));
    assert!(said["error"].as_str().unwrap().contains("runs on the simulator"), "{said}");
    let said = answer(&tiny, &order(&TWICE.replace("launch twice", "lunch twice")));
    let first = &said["diagnostics"][0];
    assert_eq!(
        (&first["place"]["line"], &first["severity"]),
        (&json!(4), &json!("error")),
        "{said}"
    );
    let said = answer(&tiny, &json!({ "files": [["a.cu", TWICE]], "point": { "m": 1 } }));
    assert!(said["error"].as_str().unwrap().contains("does not vary `m`"), "{said}");
    for nonsense in [json!({}), json!({ "files": [] }), json!({ "files": [["a.cu"]] })] {
        assert!(answer(&tiny, &nonsense)["error"].is_string());
    }
    for broken in ["", "a-seal", "a-seal\n", "a-seal\n{"] {
        let said = tiny.run_with_input(&["gpu-child"], broken);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said:#?}");
    }
}

#[test]
fn it_stands_in_no_list_of_commands() {
    let said = Tiny::new().run(&["--help"]);
    assert!(said.stdout.contains("doctor") && !said.stdout.contains("gpu-child"), "{said:#?}");
}

/// Where there is no GPU the pages say nothing of one, and nobody answers.
#[test]
fn pages_offer_a_gpu_where_there_is_one() {
    let tiny = Tiny::new();
    let offered = answer(&tiny, &order(TWICE)).get("error").is_none();
    let served = Served::start(&tiny);
    let (_, page) = served.get("/ch01-tiny/index.html");
    assert_eq!(page.contains("<meta name=\"warpbook-gpu\" content=\""), offered, "{page}");
    // A GET without the browser's word for where it comes from.
    let (status, said) = served.get("/__gpu");
    assert_eq!(status, if offered { 403 } else { 404 }, "{said}");
    // A book that is built to be kept is for any machine.
    assert_eq!(tiny.run(&["build"]).code, Some(0));
    assert!(!tiny.read("target/book/ch01-tiny/index.html").contains("warpbook-gpu"));
}
