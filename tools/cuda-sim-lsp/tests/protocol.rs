//! The server as an editor meets it: messages over standard input and output.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const KERNEL: &str = "\
//! Doubles every number.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch twice(in, out, n) grid = (n + 63) / 64, block = 64
//@ page 100

__global__ void twice(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 2;
}

__host__ __device__ int expected(const int* in, int i) { return in[i] * 2; }
";

const FILE: &str = "file:///no/such/folder/twice.cu";

struct Client {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    errors: ChildStderr,
}

/// One message, or nothing at the end.
fn read(from: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).unwrap() == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes).unwrap();
    Some(serde_json::from_slice(&bytes).unwrap())
}

impl Client {
    fn start(arguments: &[&str]) -> Client {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-sim-lsp"));
        let piped = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = piped.stderr(Stdio::piped()).spawn().unwrap();
        let mut from = BufReader::new(child.stdout.take().unwrap());
        let (send, receive) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut from) {
                let _ = send.send(message);
            }
        });
        let to = child.stdin.take().unwrap();
        let errors = child.stderr.take().unwrap();
        Client { child, to, from: receive, errors }
    }

    /// A client that has said hello, and what it was answered.
    fn greeted(arguments: &[&str]) -> (Client, Value) {
        let mut client = Client::start(arguments);
        let answer = client.ask("initialize", json!({ "capabilities": {} }));
        client.tell("initialized", json!({}));
        (client, answer)
    }

    fn raw(&mut self, text: &str) {
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.to.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.raw(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string());
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let text = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        self.raw(&text.to_string());
        loop {
            let message = self.next();
            if message["id"] == 7 {
                return message;
            }
        }
    }

    fn next(&self) -> Value {
        self.from.recv_timeout(PATIENCE).expect("the server answers")
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "cuda", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, version: i32, text: &str) {
        let params = json!({
            "textDocument": { "uri": FILE, "version": version },
            "contentChanges": [{ "text": text }],
        });
        self.tell("textDocument/didChange", params);
    }

    /// The next diagnostics, as `line:from-to severity code: message`, and the version of the text.
    fn diagnostics(&self) -> (Value, Vec<String>) {
        let said = loop {
            let message = self.next();
            if message["method"] == "textDocument/publishDiagnostics" {
                break message["params"].clone();
            }
        };
        let all = said["diagnostics"].as_array().unwrap().iter();
        let all = all.map(|one| {
            let (start, end) = (&one["range"]["start"], &one["range"]["end"]);
            format!(
                "{}:{}-{} {} {}: {}",
                start["line"],
                start["character"],
                end["character"],
                one["severity"],
                one["code"].as_str().unwrap(),
                one["message"].as_str().unwrap()
            )
        });
        (said["version"].clone(), all.collect())
    }

    fn at(line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        json!({ "textDocument": { "uri": FILE }, "position": position })
    }

    /// Its exit code and what it says on standard error.
    fn ended(mut self) -> (ExitStatus, String) {
        drop(self.to);
        let status = self.child.wait().unwrap();
        let mut said = String::new();
        self.errors.read_to_string(&mut said).unwrap();
        (status, said)
    }
}

#[test]
fn diagnostics_follow_the_text_that_is_not_saved() {
    let (mut client, _) = Client::greeted(&[]);
    client.open(FILE, &KERNEL.replace("iota", "itoa"));
    let wrong = "1:23-27 1 directive: unknown fill `itoa`; did you mean `iota`?";
    assert_eq!(client.diagnostics(), (json!(1), vec![wrong.to_owned()]));
    client.change(2, KERNEL);
    assert_eq!(client.diagnostics(), (json!(2), Vec::new()));
    // The compiler's word.
    client.change(3, &KERNEL.replace("in[i] * 2;\n}\n\n", "inn[i] * 2;\n}\n\n"));
    let (version, said) = client.diagnostics();
    assert_eq!(version, 3);
    assert!(said.len() == 1 && said[0].starts_with("8:24-27 1 "), "{said:?}");
    assert!(said[0].contains("`inn`"), "{said:?}");
    // What a launch and its kernel disagree on.
    client.change(4, &KERNEL.replace("launch twice(in, out, n)", "launch twice(in, out)"));
    let wrong = "3:0-58 1 launch: `twice` takes 3 arguments, and the launch gives 2";
    assert_eq!(client.diagnostics().1, [wrong]);
    client.change(5, &KERNEL.replace("launch twice", "launch twize"));
    let wrong = "3:0-61 1 launch: there is no kernel `twize`; did you mean `twice`?";
    assert_eq!(client.diagnostics().1, [wrong]);
    client.change(6, &KERNEL.replace("int i =", "int unused = 3; int i ="));
    let (_, said) = client.diagnostics();
    assert!(said.iter().all(|said| said.contains(" 2 ")), "warnings at the most: {said:?}");
    // A closed file has no diagnostics.
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": FILE } }));
    assert_eq!(client.diagnostics(), (Value::Null, Vec::new()));
}

#[test]
fn of_many_changes_the_last_is_checked() {
    let (mut client, _) = Client::greeted(&[]);
    client.open(FILE, KERNEL);
    assert_eq!(client.diagnostics().0, 1);
    for version in 2..40 {
        client.change(version, &KERNEL.replace("iota", &"i".repeat(version as usize)));
    }
    client.change(40, KERNEL);
    let mut versions = 1;
    while client.diagnostics().0 != 40 {
        versions += 1;
    }
    assert!(versions < 10, "{versions} texts were checked");
}

#[test]
fn a_launch_that_cannot_start_is_underlined() {
    let (mut client, _) = Client::greeted(&[]);
    for (from, to, words) in [
        ("int[n] = iota", "char[n] = iota", "is an array of signed char"),
        ("block = 64", "block = 2048", "x must lie between 1 and 1024"),
    ] {
        client.open(FILE, &KERNEL.replacen(from, to, 1));
        let (_, said) = client.diagnostics();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(words), "{said:?}");
    }
    client.ended();
}

#[test]
fn what_is_no_kernel_file_has_no_diagnostics() {
    let (mut client, _) = Client::greeted(&[]);
    client.open(FILE, "int main( {");
    assert_eq!(client.diagnostics().1, [""; 0]);
}

#[test]
fn headers_are_found_beside_the_file_and_in_folders() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("include")).unwrap();
    std::fs::write(folder.path().join("beside.cuh"), "__device__ int two() { return 2; }\n")
        .unwrap();
    std::fs::write(
        folder.path().join("include/far.cuh"),
        "#define THREE 3\nint broken = missing;\n",
    )
    .unwrap();
    let include = folder.path().join("include");
    let (mut client, _) = Client::greeted(&["-I", include.to_str().unwrap(), "--stdio"]);
    let uri = format!("file://{}", folder.path().join("a%20b.cu").display());
    client.open(&uri, &KERNEL.replace("__global__", "#include \"beside.cuh\"\n__global__"));
    assert_eq!(client.diagnostics().1, [""; 0]);
    client.open(&uri, &KERNEL.replace("__global__", "#include \"far.cuh\"\n__global__"));
    let (_, said) = client.diagnostics();
    assert!(said[0].starts_with("6:0-18 1 ") && said[0].contains("far.cuh:2:"), "{said:?}");
}

#[test]
fn directives_and_their_arguments_are_offered_with_their_meaning() {
    let (mut client, hello) = Client::greeted(&[]);
    let capabilities = &hello["result"]["capabilities"];
    assert!(capabilities["completionProvider"]["triggerCharacters"].is_array(), "{hello}");
    assert_eq!(hello["result"]["serverInfo"]["name"], "cuda-sim-lsp");
    client.open(FILE, &KERNEL.replace("//@ page 100\n", "//@ \n//@\n//@ catch \n"));
    let labels = |answer: &Value| -> Vec<String> {
        let items = answer["result"].as_array().unwrap().iter();
        items.map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    let offered = client.ask("textDocument/completion", Client::at(4, 4));
    let words = labels(&offered);
    for word in ["input", "launch", "catch", "equivalent", "exercise"] {
        assert!(words.iter().any(|known| known == word), "{word}: {words:?}");
    }
    let page =
        &offered["result"].as_array().unwrap()[words.iter().position(|w| w == "page").unwrap()];
    let about = page["documentation"]["value"].as_str().unwrap();
    assert!(about.contains("the size whose counters the page shows"), "{page}");
    assert_eq!(page["textEdit"]["newText"], "page");
    assert_eq!(page["textEdit"]["range"]["start"], json!({ "line": 4, "character": 4 }));
    let offered = client.ask("textDocument/completion", Client::at(5, 3));
    assert_eq!(offered["result"][0]["textEdit"]["newText"], " input", "a blank is put before it");
    let offered = client.ask("textDocument/completion", Client::at(6, 10));
    assert!(labels(&offered).contains(&"race".to_owned()), "{offered}");
    let offered = client.ask("textDocument/completion", Client::at(3, 17));
    assert_eq!(labels(&offered), ["n", "in", "out"]);
    let offered = client.ask("textDocument/completion", Client::at(10, 8));
    assert_eq!(offered["result"], json!([]), "code is not this server's");

    let about = client.ask("textDocument/hover", Client::at(3, 6));
    let shown = about["result"]["contents"]["value"].as_str().unwrap();
    assert!(shown.contains("//@ launch reduce(") && shown.contains("several run in order"));
    for (line, character) in [(0, 4), (4, 4), (9, 3), (500, 0)] {
        let about = client.ask("textDocument/hover", Client::at(line, character));
        assert_eq!(about["result"], Value::Null);
    }
}

#[test]
fn what_makes_no_sense_is_refused_and_the_next_message_is_answered() {
    let (mut client, _) = Client::greeted(&[]);
    let answer = client.ask("textDocument/definition", Client::at(0, 0));
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let answer = client.ask("textDocument/hover", json!({ "position": 5 }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    client.tell("textDocument/didChange", json!({ "nothing": [] }));
    client.tell("textDocument/didOpen", json!(null));
    client.tell("$/unknown", json!({}));
    client.change(3, "a text that was never opened");
    let answer = client.ask("textDocument/completion", Client::at(0, 4));
    assert_eq!(answer["result"], json!([]), "{answer}");
    client.open("untitled:Untitled-1", &KERNEL.replace("iota", "itoa"));
    assert_eq!(client.diagnostics().1.len(), 1, "a text without a file");
    assert_eq!(client.ask("shutdown", Value::Null)["result"], Value::Null);
    client.tell("exit", Value::Null);
    let (status, said) = client.ended();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

#[test]
fn a_stream_that_is_no_protocol_ends_the_server_with_a_reason() {
    for text in ["Content-Length: 3\r\n\r\n{{{", "hello\r\n\r\n", "Content-Length: x\r\n\r\n{}"] {
        let (mut client, _) = Client::greeted(&[]);
        client.to.write_all(text.as_bytes()).unwrap();
        let (status, said) = client.ended();
        assert_eq!(status.code(), Some(1), "{text}: {said}");
        assert!(said.starts_with("error: ") && !said.contains("panicked"), "{text}: {said}");
    }
    // It ends before it said that it would.
    let (mut client, _) = Client::greeted(&[]);
    client.tell("exit", Value::Null);
    let (status, said) = client.ended();
    assert_eq!(status.code(), Some(1));
    assert!(said.contains("without `shutdown`"), "{said}");
    // Nothing was said before.
    let (status, said) = Client::start(&[]).ended();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: ") && !said.contains("panicked"), "{said}");
}
