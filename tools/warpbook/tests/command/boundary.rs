//! No file outside the book's folder is read into a page or written, whatever the book says.

use crate::tiny::{PAGE, Said, Tiny};
use std::fs;

/// The build is refused, names these words, and leaves nothing behind.
fn assert_refused(tiny: &Tiny, words: &[&str]) {
    let said: Said = tiny.run(&["build"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    for word in words {
        assert!(said.stderr.contains(word), "`{word}` is missing: {said:#?}");
    }
    assert!(!tiny.path("target/book").exists() && !tiny.path("target/book.new").exists());
}

/// The tiny book with this line in the table `[output.html]` or above it.
fn with_setting(line: &str) -> Tiny {
    let tiny = Tiny::new();
    let book = tiny.read("book.toml");
    let added = match line.split_once(": ") {
        Some(("html", line)) => format!("{book}\n[output.html]\n{line}\n"),
        Some((table, line)) => {
            book.replace(&format!("[{table}]\n"), &format!("[{table}]\n{line}\n"))
        }
        None => unreachable!("a line names its table"),
    };
    tiny.write("book.toml", &added);
    tiny
}

#[test]
fn a_setting_that_names_a_file_elsewhere_is_refused_and_the_file_is_as_before() {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("precious");
    fs::write(&file, "precious").unwrap();
    let path = file.to_str().unwrap();
    for line in [
        format!("html: additional-css = [\"{path}\"]"),
        format!("html: additional-js = [\"{path}\"]"),
        format!("html: theme = \"{}\"", outside.path().display()),
        "html: additional-css = [\"../precious.css\"]".to_owned(),
        "html: input-404 = \"../../404.md\"".to_owned(),
        "html: redirect = { \"/../../precious.html\" = \"other.html\" }".to_owned(),
        format!("build: extra-watch-dirs = [\"{}\"]", outside.path().display()),
    ] {
        let tiny = with_setting(&line);
        let key = line.split(": ").nth(1).unwrap().split(' ').next().unwrap();
        let at = tiny.read("book.toml").lines().position(|l| l.starts_with(key)).unwrap() + 1;
        let (key, place) = (format!("`{key}`"), format!("book.toml:{at}"));
        assert_refused(&tiny, &["error[outside]", &key, &place, "help: "]);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn of_many_such_settings_the_first_hundred_are_named() {
    let all: Vec<String> = (0..20_000).map(|i| format!("\"../{i}.css\"")).collect();
    let tiny = with_setting(&format!("html: additional-css = [{}]", all.join(", ")));
    let said = tiny.run(&["build"]);
    assert_eq!(said.code, Some(1), "{} bytes", said.stderr.len());
    assert_eq!(said.stderr.matches("error[outside]").count(), 100);
}

#[test]
fn another_src_or_build_dir_is_refused_too() {
    for (from, to) in [
        ("src = \"chapters\"", "src = \"../chapters\""),
        ("build-dir = \"target/book\"", "build-dir = \"/srv/book\""),
    ] {
        let tiny = Tiny::new();
        tiny.write("book.toml", &tiny.read("book.toml").replace(from, to));
        assert_refused(&tiny, &["error[outside]", "book.toml:", "is not inside the book's folder"]);
    }
}

#[test]
fn a_page_elsewhere_is_refused_and_not_created() {
    for link in ["../../stolen.md", "./a/../../stolen.md", "/stolen.md"] {
        let tiny = Tiny::new();
        tiny.write("book.toml", &tiny.read("book.toml").replace("create-missing = false\n", ""));
        tiny.write("chapters/SUMMARY.md", &format!("# Summary\n\n- [Stolen]({link})\n"));
        assert_refused(&tiny, &["error[outside]", "SUMMARY.md", "stolen.md"]);
        assert!(!tiny.path("../stolen.md").exists());
    }
}

#[test]
fn an_included_file_is_one_of_the_book_s() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "s3cret").unwrap();
    let secret = outside.path().join("secret");
    for text in [
        format!("{{{{#include {}}}}}", secret.display()),
        format!("```text\n{{{{ #rustdoc_include {}:1:2 }}}}\n```", secret.display()),
        "{{#include part.txt}}".to_owned(),
        "{{#include /dev/zero}}".to_owned(),
        "{{#playground ..}}".to_owned(),
    ] {
        let tiny = Tiny::new();
        let nested = format!("\n{{{{#include {}}}}}\n", secret.display());
        tiny.write("chapters/ch01-tiny/part.txt", &nested);
        tiny.write(PAGE, &format!("# Tiny\n\n{text}\n"));
        assert_refused(&tiny, &["error[outside]", "chapters/ch01-tiny/"]);
    }
}

#[test]
fn files_that_include_each_other_too_deep_hide_nothing() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "s3cret").unwrap();
    let tiny = Tiny::new();
    for i in 0..12 {
        let next = format!("{{{{#include part{}.md}}}}\n", i + 1);
        tiny.write(&format!("chapters/part{i}.md"), &next);
    }
    let secret = outside.path().join("secret");
    tiny.write("chapters/part12.md", &format!("{{{{#include {}}}}}\n", secret.display()));
    tiny.write("chapters/other.md", "{{#include part0.md}}\n");
    // The second page includes the last file itself.
    tiny.write(PAGE, "# Tiny\n\n{{#include ../part12.md}}\n");
    assert_refused(&tiny, &["error[outside]", "is included more than 10 deep", "part12.md:1"]);
}

#[test]
fn an_include_that_leads_nowhere_is_an_error_with_its_line() {
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\n{{#include no.txt}}\n");
    assert_refused(&tiny, &["error[include]", "README.md:3", "`no.txt`"]);
    // An example of one is none.
    tiny.write(PAGE, "# Tiny\n\n\\{{#include no.txt}}\n");
    assert_eq!(tiny.run(&["build"]).code, Some(0));
}

#[test]
fn a_page_that_includes_a_file_often_is_refused_before_it_is_built() {
    let tiny = Tiny::new();
    tiny.write(PAGE, &"{{#include ../other.md}}\n\n".repeat(20_000));
    let limit = "more than 16777216 bytes or 5000 headings with what it includes";
    assert_refused(&tiny, &["error[outside]", "SUMMARY.md:4", "ch01-tiny/README.md", limit]);
    // Parts of a file are not counted as the file.
    let tiny = Tiny::new();
    tiny.write(
        "chapters/other.md",
        &format!("# Another page\n\n{}", "text\n\n# a\n\n".repeat(2_000)),
    );
    tiny.write(PAGE, &"{{#include ../other.md:1:4}}\n\n".repeat(10));
    assert_eq!(tiny.run(&["build"]).code, Some(0));
    // Each file includes the one before it many times.
    let tiny = Tiny::new();
    tiny.write("chapters/part0.md", "text\n");
    for i in 1..9 {
        let include = format!("{{{{#include part{}.md}}}}\n", i - 1);
        tiny.write(&format!("chapters/part{i}.md"), &include.repeat(10));
    }
    tiny.write("chapters/other.md", "{{#include part8.md}}\n");
    assert_refused(&tiny, &["error[outside]", "SUMMARY.md:3", limit]);
    let tiny = Tiny::new();
    tiny.write("chapters/other.md", &"{{#include other.md}}\n".repeat(10));
    assert_refused(&tiny, &["error[outside]", "`chapters/other.md` includes itself"]);
}

#[test]
fn an_empty_list_of_pages_is_no_book() {
    let tiny = Tiny::new();
    tiny.write("chapters/SUMMARY.md", "# Summary\n");
    assert_refused(&tiny, &["error[summary]", "chapters/SUMMARY.md", "lists no page"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_text_is_named_and_a_strange_one_is_not() {
    use std::os::unix::ffi::OsStrExt;
    let tiny = Tiny::new();
    tiny.write("chapters/ch01-tiny/kernels/2_new\nline.cu", crate::tiny::TWICE);
    assert_eq!(tiny.run(&["build"]).code, Some(0));
    let name = std::ffi::OsStr::from_bytes(b"a.\xff");
    fs::write(tiny.path("chapters").join(name), "").unwrap();
    fs::remove_dir_all(tiny.path("target")).unwrap();
    assert_refused(&tiny, &["error[file-name]", "is not UTF-8"]);
}

#[cfg(unix)]
#[test]
fn a_header_or_a_kernel_elsewhere_is_not_read() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.cuh");
    fs::write(&secret, "// s3cret\n").unwrap();
    let tiny = Tiny::new();
    let shown = secret.display();
    let include = format!("#if 0\n#include \"{shown}\"\n#endif\n// #include \"{shown}\"\n");
    tiny.write(
        crate::tiny::KERNEL,
        &crate::tiny::TWICE.replace("extern", &format!("{include}extern")),
    );
    assert_eq!(tiny.run(&["build"]).code, Some(0));
    assert!(!tiny.read("target/book/ch01-tiny/index.html").contains("s3cret"));
    for kernel in ["a fifo", "a device"] {
        let tiny = Tiny::new();
        let path = tiny.path("chapters/ch01-tiny/kernels/2_not.cu");
        if kernel == "a fifo" {
            assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
            assert_refused(&tiny, &["2_not.cu", "it is not a regular file"]);
        } else {
            std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            assert_refused(&tiny, &["error[outside]", "2_not.cu"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_what_it_leads_to() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "s3cret").unwrap();
    for (target, link) in [
        (outside.path().join("secret"), "chapters/picture.png"),
        (outside.path().to_path_buf(), "chapters/ch01-tiny/folder"),
        ("..".into(), "chapters/ch01-tiny/loop"),
    ] {
        let tiny = Tiny::new();
        symlink(target, tiny.path(link)).unwrap();
        assert_refused(&tiny, &["error[outside]", link]);
    }
    let tiny = Tiny::new();
    symlink("other.md", tiny.path("chapters/same.md")).unwrap();
    assert_eq!(tiny.run(&["build"]).code, Some(0));
}
