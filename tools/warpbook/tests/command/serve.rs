//! `serve`: pages that follow what is saved, and survive what is broken.

use crate::tiny::{KERNEL, TWICE, Tiny};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A reload, or an answer, takes at most this long, on a machine that does much else. A file may take
/// two minutes before it is given up.
const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) struct Served {
    pub(crate) address: String,
    process: Child,
}

impl Served {
    /// Starts it and waits until it says where it is.
    pub(crate) fn start(tiny: &Tiny) -> Served {
        Served::of(tiny.serve())
    }

    /// The same with so many kilobytes of memory per process.
    #[cfg(unix)]
    pub(crate) fn start_with_memory(tiny: &Tiny, kilobytes: u64) -> Served {
        let mut command = tiny.with_memory(kilobytes, &["serve", "--port", "0"]);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
        Served::of(command.spawn().unwrap())
    }

    pub(crate) fn of(mut process: Child) -> Served {
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

    /// The answer to a request by another name.
    fn get_as(&self, host: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// The stream of reload events.
    pub(crate) fn events(&self) -> Events {
        Events(BufReader::new(self.ask("/__reload", "keep-alive")))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    /// Waits for the next stamp.
    pub(crate) fn next(&mut self) -> String {
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
    // A reload of the text before may still be on its way.
    let mended = (0..3).any(|_| {
        events.next();
        !served.get("/ch01-tiny/").1.contains("At a test size")
    });
    assert!(mended, "the mended page is served");
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
fn an_emptied_list_of_pages_leaves_the_old_pages_served() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    tiny.write("chapters/SUMMARY.md", "");
    std::thread::sleep(Duration::from_secs(2));
    assert!(served.get("/toc.html").1.contains("Tiny"));
}

#[test]
fn removed_pages_are_built_again() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    let mut events = served.events();
    events.next();
    std::fs::remove_dir_all(tiny.path("target")).unwrap();
    assert_eq!(served.get("/other.html").0, 404);
    events.next();
    assert_eq!(served.get("/other.html").0, 200);
}

/// Each connection takes a file handle, and so does each file of a build.
#[test]
#[cfg(unix)]
fn many_clients_leave_a_build_enough_file_handles() {
    let tiny = Tiny::new();
    let mut command = tiny.after("ulimit -n 48", &["serve", "--port", "0"]);
    let served = Served::of(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut events = served.events();
    events.next();
    let _others: Vec<TcpStream> = (0..60).map(|_| served.ask("/__reload", "keep-alive")).collect();
    std::thread::sleep(Duration::from_millis(500));
    tiny.write(KERNEL, &TWICE.replace("Doubles every number", "Doubles each and every number"));
    events.next();
}

#[test]
fn a_name_that_was_pointed_here_reads_no_draft_and_a_silent_client_is_left() {
    let tiny = Tiny::new();
    let served = Served::start(&tiny);
    let mut silent = TcpStream::connect(&served.address).unwrap();
    silent.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(silent, "GET / HTTP/1.1\r\nHost: ").unwrap();
    for path in ["/", "/ch01-tiny/index.html", "/__reload"] {
        let answer = served.get_as("evil.example", path);
        assert!(answer.starts_with("HTTP/1.1 403 ") && answer.contains("--host"), "{answer}");
    }
    let page = served.get_as("localhost:1", "/ch01-tiny/index.html");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    assert!(page.contains("content-security-policy: default-src 'self';"), "{page}");
    // The server hangs up, with or without a word.
    let _ = silent.read_to_end(&mut Vec::new()).unwrap();
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
