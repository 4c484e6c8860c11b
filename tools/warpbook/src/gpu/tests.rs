//! The server as browsers, other sites and broken processes meet it. No GPU is needed: what would
//! run the kernel is a shell's script.

use super::{Gpu, PATH, Worker};
use crate::server::{self, Published, Site};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// Reads the seal and the order, and then does as the test says.
const HEAD: &str = "read -r seal; read -r order; answer() { printf '%s%s\\n' \"$seal\" \"$1\"; }; ";

/// No answer takes longer, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

struct Served {
    port: u16,
    _folder: TempDir,
    _site: Site,
}

struct Answer {
    status: u16,
    head: String,
    said: Value,
}

impl Served {
    /// A server whose process is this script, with a limit that only what hangs reaches.
    fn with(script: &str) -> Served {
        Served::running("/bin/sh", script, Duration::from_secs(50))
    }

    fn running(program: &str, script: &str, limit: Duration) -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("404.html"), "not here").unwrap();
        let arguments = vec!["-c".into(), format!("{HEAD}{script}").into()];
        let worker = Worker { program: program.into(), arguments, limit };
        let gpu = Gpu::offer("Test GPU".to_owned(), address, worker).unwrap();
        let first = Published { folder: folder.path().to_owned(), stamp: String::new() };
        let site = server::start(listener, None, first, Some(gpu)).unwrap();
        Served { port: address.port(), _folder: folder, _site: site }
    }

    fn send(&self, request: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        let end = format!("Connection: close\r\nContent-Length: {length}\r\n\r\n{body}");
        // It may refuse before it has read everything.
        let _ = stream.write_all(format!("{request}{end}").as_bytes());
        stream
    }

    fn ask(&self, request: &str, body: &str) -> Answer {
        received(self.send(request, body))
    }

    /// A GET for the token with these headers.
    fn get(&self, headers: &[(&str, &str)]) -> Answer {
        self.ask(&format!("GET {PATH} HTTP/1.1\r\n{}", lines(headers)), "")
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn token(&self) -> String {
        let answer = self.get(&[("Host", &self.host()), ("Sec-Fetch-Site", "same-origin")]);
        assert_eq!(answer.status, 200, "{}", answer.head);
        answer.said["token"].as_str().unwrap().to_owned()
    }

    /// What a page of this server sends, but for one header that is otherwise, or missing.
    fn order_but(&self, name: &str, value: Option<&str>) -> String {
        let (host, token) = (self.host(), self.token());
        let origin = format!("http://{host}");
        let mut headers = vec![
            ("Host", host.as_str()),
            ("Origin", &origin),
            ("Sec-Fetch-Site", "same-origin"),
            ("X-Warpbook-Token", &token),
            ("Content-Type", "application/json"),
        ];
        headers.retain(|(header, _)| *header != name);
        headers.extend(value.map(|value| (name, value)));
        format!("POST {PATH} HTTP/1.1\r\n{}", lines(&headers))
    }

    fn order(&self) -> String {
        self.order_but("", None)
    }

    fn run(&self, body: &str) -> Answer {
        self.ask(&self.order(), body)
    }
}

fn lines(headers: &[(&str, &str)]) -> String {
    headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect()
}

fn received(mut stream: TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A server that refuses a long request hangs up on the rest of it.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let said = serde_json::from_str(body).unwrap_or(Value::Null);
    Answer { status, head: head.to_lowercase(), said }
}

fn error(answer: &Answer) -> &str {
    answer.said["error"].as_str().unwrap_or_else(|| panic!("no error: {}", answer.said))
}

const RIGHT: &str = r#"printf 'hello\n'; answer '{"verdict":"passed"}'"#;

#[test]
fn a_page_of_this_server_is_answered() {
    let served =
        Served::with(r#"printf 'hello\n'; answer "{\"verdict\":\"passed\",\"was\":$order}""#);
    let answer = served.run(r#"{"files":[["a.cu","int x;"]]}"#);
    assert_eq!((answer.status, &answer.said["verdict"]), (200, &"passed".into()));
    assert_eq!(answer.said["printed"], "hello\n");
    assert_eq!(answer.said["was"]["files"][0][1], "int x;");
    assert!(answer.head.contains("cache-control: no-store"), "{}", answer.head);
    assert!(!answer.head.contains("access-control"), "{}", answer.head);
    // By its other names, too.
    for name in ["localhost", "[::1]"] {
        let host = format!("{name}:{}", served.port);
        let headers = [("Host", host.as_str()), ("Sec-Fetch-Site", "same-origin")];
        assert_eq!(served.get(&headers).said["gpu"], "Test GPU");
    }
}

#[test]
fn only_its_own_pages_learn_the_token() {
    let served = Served::with(RIGHT);
    let host = served.host();
    let rebound = format!("evil.example:{}", served.port);
    for headers in [
        &[("Host", rebound.as_str()), ("Sec-Fetch-Site", "same-origin")][..],
        &[("Host", "127.0.0.1"), ("Sec-Fetch-Site", "same-origin")],
        &[("Host", "127.0.0.1:1"), ("Sec-Fetch-Site", "same-origin")],
        &[("Host", &host), ("Host", &host), ("Sec-Fetch-Site", "same-origin")],
        &[("Host", &host), ("Sec-Fetch-Site", "cross-site")],
        &[("Host", &host), ("Sec-Fetch-Site", "same-site")],
        &[("Host", &host), ("Sec-Fetch-Site", "none")],
        &[("Host", &host)],
    ] {
        let answer = served.get(headers);
        assert!(answer.status == 403 || answer.status == 400, "{headers:?}: {}", answer.head);
        assert!(answer.said.get("token").is_none(), "{headers:?}: {}", answer.said);
    }
    assert_ne!(served.token(), Served::with(RIGHT).token(), "each start has its own");
}

#[test]
fn other_sites_run_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    let served = Served::with(&format!("touch {}; {RIGHT}", ran.display()));
    let rebound = format!("evil.example:{}", served.port);
    let other_port = format!("http://127.0.0.1:{}", served.port ^ 1);
    let other_name = format!("http://localhost:{}", served.port);
    let secure = format!("https://{}", served.host());
    for (name, value) in [
        ("Host", Some(rebound.as_str())),
        ("Host", Some("127.0.0.1")),
        ("Origin", None),
        ("Origin", Some("null")),
        ("Origin", Some("http://evil.example")),
        ("Origin", Some(&other_port)),
        ("Origin", Some(&other_name)),
        ("Origin", Some(&secure)),
        ("Sec-Fetch-Site", Some("cross-site")),
        ("Sec-Fetch-Site", Some("same-site")),
        ("X-Warpbook-Token", None),
        ("X-Warpbook-Token", Some("")),
        (
            "X-Warpbook-Token",
            Some("0000000000000000000000000000000000000000000000000000000000000000"),
        ),
    ] {
        let answer = served.ask(&served.order_but(name, value), "{}");
        assert_eq!(answer.status, 403, "{name}: {value:?}: {}", answer.said);
        assert!(!error(&answer).is_empty());
    }
    // What a form of another site may send without asking first.
    let form = served.order_but("Content-Type", Some("text/plain"));
    assert_eq!(served.ask(&form, "{}").status, 415);
    // And asking first is answered with no permission.
    let preflight = format!(
        "OPTIONS {PATH} HTTP/1.1\r\nHost: {}\r\nOrigin: http://evil.example\r\n\
         Access-Control-Request-Method: POST\r\n",
        served.host()
    );
    let answer = served.ask(&preflight, "");
    assert_eq!(answer.status, 405);
    assert!(!answer.head.contains("access-control-allow"), "{}", answer.head);
    assert!(!ran.exists(), "something was run");
    // The same order from the page itself does run.
    assert_eq!(served.run("{}").status, 200);
    assert!(ran.exists());
}

#[test]
fn what_is_no_order_is_refused() {
    let served = Served::with(RIGHT);
    for body in ["", "{", "[]", "7", "\u{1}"] {
        assert_eq!(served.run(body).status, 400, "{body:?}");
    }
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(super::MOST_REQUEST));
    assert_eq!(served.run(&long).status, 413);
    let fits = format!("{{\"x\":\"{}\"}}", "x".repeat(super::MOST_REQUEST - 8));
    assert_eq!(served.run(&fits).status, 200);
}

#[test]
fn a_process_that_breaks_is_an_answer_and_not_the_end() {
    for (script, words) in [
        ("kill -SEGV $$", "without an answer (signal: 11"),
        ("echo 'error: a defect' >&2; exit 3", "(exit status: 3). Its last words: error: a defect"),
        ("printf 'hello\\n'", "without an answer (exit status: 0)"),
        // It cannot know the seal.
        (r#"printf '{"verdict":"passed"}\n'"#, "without an answer"),
        ("answer 'passed'", "an answer that is none"),
        ("answer '[1]'", "an answer that is none"),
        ("yes | head -c 9000000", "was ended after 8388608 bytes"),
    ] {
        let served = Served::with(script);
        for _ in 0..2 {
            let answer = served.run("{}");
            assert_eq!(answer.status, 200);
            assert!(error(&answer).contains(words), "{script}: {}", error(&answer));
        }
    }
    let served = Served::running("/no/such/program", "", PATIENCE);
    assert!(error(&served.run("{}")).contains("`/no/such/program` does not start"));
}

#[test]
fn a_process_that_hangs_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let script = format!("echo $$ > {}; exec sleep 1000", pid.display());
    let served = Served::running("/bin/sh", &script, Duration::from_secs(1));
    let answer = served.run("{}");
    assert!(error(&answer).contains("was ended after 1 seconds"), "{}", error(&answer));
    assert_eq!(answer.said["stopped"], true);
    goes(&pid);
    assert_eq!(served.run("{}").said["stopped"], true, "the next one has its turn");
}

#[test]
fn an_answer_is_enough_whatever_the_process_does_then() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let script = format!("echo $$ > {}; {RIGHT}; exec sleep 1000", pid.display());
    let served = Served::with(&script);
    assert_eq!(served.run("{}").said["verdict"], "passed");
    goes(&pid);
}

#[test]
fn who_leaves_ends_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let pid = folder.path().join("pid");
    let served = Served::with(&format!("echo $$ > {}; exec sleep 1000", pid.display()));
    let reader = served.send(&served.order(), "{}");
    until("the process has started", || pid_in(&pid).is_some());
    drop(reader);
    goes(&pid);
}

#[test]
fn one_runs_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let (started, go) = (folder.path().join("started"), folder.path().join("go"));
    let script = format!(
        "touch {}; while [ ! -e {} ]; do sleep 0.02; done; {RIGHT}",
        started.display(),
        go.display()
    );
    let served = Served::with(&script);
    let first = served.send(&served.order(), "{}");
    until("the first has started", || started.exists());
    let second = served.run("{}");
    assert_eq!(second.status, 409);
    assert!(error(&second).contains("another page’s kernel"), "{}", error(&second));
    std::fs::write(&go, "").unwrap();
    assert_eq!(received(first).said["verdict"], "passed");
    assert_eq!(served.run("{}").said["verdict"], "passed");
}

#[test]
fn what_others_can_reach_has_no_gpu() {
    let worker = || Worker { program: "sh".into(), arguments: Vec::new(), limit: PATIENCE };
    let offered = |address: &str| {
        let address: SocketAddr = address.parse().unwrap();
        Gpu::offer("Test GPU".to_owned(), address, worker()).is_some()
    };
    assert!(offered("127.0.0.1:3000") && offered("[::1]:3000"));
    assert!(!offered("0.0.0.0:3000") && !offered("[::]:3000") && !offered("192.168.1.2:3000"));
}

fn pid_in(file: &Path) -> Option<u32> {
    std::fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// Waits until the process whose id is in the file is gone.
fn goes(file: &Path) {
    let pid = pid_in(file).expect("it wrote its number").to_string();
    until("the process is gone", || {
        let alive = std::process::Command::new("kill").args(["-0", &pid]).output().unwrap();
        !alive.status.success()
    });
}

fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1200 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("in a minute: not {what}");
}
