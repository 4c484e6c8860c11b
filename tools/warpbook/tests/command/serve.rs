//! `serve`: pages that follow what is saved, and survive what is broken.

use crate::tiny::{KERNEL, TWICE, Tiny};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

/// A reload, or an answer, takes at most this long, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Served {
    pub(crate) address: String,
    process: Child,
}

impl Served {
    /// Starts it and waits until it says where it is.
    pub(crate) fn start(tiny: &Tiny) -> Served {
        let mut process = tiny.serve();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split(' ').next());
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).to_string();
        // What it says later must be read, or it would wait for us.
        std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()));
        Served { address, process }
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        let mut answer = String::new();
        self.ask(path, "close").read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer)
    }

    fn ask(&self, path: &str, connection: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: {connection}\r\n\r\n")
            .unwrap();
        stream
    }

    /// The stream of reload events.
    fn events(&self) -> Events {
        Events(BufReader::new(self.ask("/__reload", "keep-alive")))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Events(BufReader<TcpStream>);

impl Events {
    /// Waits for the next stamp.
    fn next(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the server hung up");
            if let Some(stamp) = line.strip_prefix("data: ") {
                return stamp.trim().to_string();
            }
        }
    }
}

#[test]
fn a_saved_kernel_reloads_its_page_and_a_broken_one_breaks_no_other() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    let (status, page) = served.get("/ch01-tiny/index.html");
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("twice"), "{page}");

    let mut events = served.events();
    let first = events.next();
    assert!(page.contains(&first), "a page knows the stamp that it was built with");

    tiny.write(KERNEL, &TWICE.replace("Doubles every number", "Doubles each and every number"));
    let second = events.next();
    assert_ne!(first, second);
    let (_, page) = served.get("/ch01-tiny/");
    assert!(page.contains("each and every") && page.contains(&second), "{page}");

    tiny.write(KERNEL, &TWICE.replacen("* 2", "* 3", 1));
    events.next();
    let (_, page) = served.get("/ch01-tiny/index.html");
    assert!(page.contains("wrong-result"), "the page says what is wrong: {page}");
    assert_eq!(served.get("/other.html").0, 200);
}

#[test]
fn what_is_wrong_only_at_a_test_size_comes_to_the_page_later_and_goes_when_mended() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    let mut events = served.events();
    events.next();
    // Right at the page's 100 numbers, wrong at 65 of the test sizes. The page is built with the
    // first, and again when the background has found the second.
    tiny.write(KERNEL, &TWICE.replacen("* 2", "* 2 + (n == 65)", 1));
    let mut reloads = 0;
    let page = loop {
        events.next();
        reloads += 1;
        let (_, page) = served.get("/ch01-tiny/");
        if page.contains("At a test size") {
            break page;
        }
        assert!(reloads < 2, "the second reload says what is wrong: {page}");
    };
    assert!(page.contains("wrong-result"), "{page}");
    assert!(!served.get("/other.html").1.contains("At a test size"));
    tiny.write(KERNEL, TWICE);
    events.next();
    assert!(!served.get("/ch01-tiny/").1.contains("At a test size"));
}

#[test]
fn what_breaks_the_whole_book_leaves_the_old_pages_served() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    let mut events = served.events();
    events.next();
    let summary = tiny.read("chapters/SUMMARY.md");
    tiny.write("chapters/SUMMARY.md", "# Summary\n\n- [Gone](gone.md)\n");
    // No reload will come; wait for the one after the repair instead.
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(served.get("/ch01-tiny/index.html").0, 200);
    tiny.write("chapters/SUMMARY.md", &summary.replace("[Other]", "[Mended]"));
    events.next();
    assert!(served.get("/toc.html").1.contains("Mended"));
}

#[test]
fn a_missing_page_is_the_books_own_404() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    let (status, page) = served.get("/no/such/page.html");
    assert_eq!(status, 404);
    assert!(page.contains("<html"), "{page}");
}

#[test]
fn a_taken_port_is_named_with_the_remedy() {
    let tiny = Tiny::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = tiny.run(&["serve", "--port", &port]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains(&format!("error: port {port} is taken")), "{said:#?}");
    assert!(said.stderr.contains("help: ") && said.stderr.contains("--port"), "{said:#?}");
}
