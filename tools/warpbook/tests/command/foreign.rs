//! A book that is not ours, made by following `tools/mdbook-cuda/README.md` to the letter.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

use crate::tiny::executable;
use mdbook_driver::MDBook;

const README: &str = include_str!("../../../mdbook-cuda/README.md");

/// The README's block in this language: there is one of each.
fn block(fence: &str) -> &'static str {
    let (_, after) = README.split_once(&format!("\n{fence}\n")).expect("the README has it");
    let ticks: String = fence.chars().take_while(|c| *c == '`').collect();
    let end = after.find(&format!("\n{ticks}\n")).expect("the block ends");
    &after[..=end]
}

/// The preprocessor as book.toml names it where it is not installed.
fn preprocess() -> String {
    format!("{} preprocess", executable().display())
}

/// What `mdbook init` makes, and what the README adds to it.
fn book() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    // The command is not installed here, but it is the same one.
    let added = block("```toml").replace("warpbook preprocess", &preprocess());
    write("book.toml", &format!("[book]\ntitle = \"Mine\"\nlanguage = \"en\"\n\n{added}"));
    write("src/SUMMARY.md", "# Summary\n\n- [Chapter 1](./chapter_1.md)\n");
    write("src/chapter_1.md", block("````markdown"));
    write("src/kernels/1_scale.cu", block("```c++"));
    for line in block("```console").lines() {
        if let Some(arguments) = line.strip_prefix("warpbook ") {
            let said = command(folder.path(), arguments.split(' '));
            assert!(said.status.success(), "{line}: {said:?}");
        } else {
            assert!(line.starts_with("cargo install "), "{line}");
        }
    }
    folder
}

fn command<'a>(folder: &Path, arguments: impl Iterator<Item = &'a str>) -> Output {
    Command::new(executable()).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn it_shows_what_ours_shows() {
    let folder = book();
    let lab: Vec<_> = fs::read_dir(folder.path().join("src/lab")).unwrap().flatten().collect();
    assert!(lab.iter().any(|file| file.file_name() == "simt.wasm"), "{lab:?}");
    MDBook::load(folder.path()).unwrap().build().unwrap();
    let site = folder.path().join("book");
    let html = fs::read_to_string(site.join("chapter_1.html")).unwrap();
    for wanted in [
        "id=\"1_scale\"",
        "class=\"cuda-lab\">{",
        "right, and nothing found at",
        "class=\"cuda-frames\"",
        "12.5 % of them used",
        "data-key=\"chapter_1.md#sectors\" data-kind=\"prediction\"",
        "data-lab=\"block=0&amp;warp=0&amp;line=12&amp;further=",
    ] {
        assert!(html.contains(wanted), "no `{wanted}` in {html}");
    }
    assert!(!html.contains("{{#") && !html.contains("language-cuda"));
    // Whatever the page loads is there, the sheet among it.
    let scripts: Vec<&str> = html.split("<script type=\"module\" src=\"").skip(1).collect();
    assert!(scripts.len() >= 2, "{html}");
    for script in scripts {
        let name = script.split('"').next().unwrap();
        assert!(site.join(name).is_file(), "{name}");
    }
    let sheet =
        html.split("href=\"").filter_map(|l| l.split('"').next()).find(|l| l.contains("cuda"));
    let sheet = fs::read_to_string(site.join(sheet.unwrap())).unwrap();
    assert!(sheet.contains("--cuda-ink:") && sheet.contains(".cuda-frames"));
}

#[test]
fn a_kernel_that_is_wrong_there_fails_the_build() {
    let folder = book();
    let wrong = block("```c++").replace("y[i] = 3 *", "y[i] = 2 *");
    fs::write(folder.path().join("src/kernels/1_scale.cu"), wrong).unwrap();
    let error = MDBook::load(folder.path()).unwrap().build().unwrap_err();
    assert!(format!("{error:#}").contains("cuda"), "{error:#}");
    assert!(!folder.path().join("book/chapter_1.html").is_file());
}

#[test]
fn a_command_that_does_not_work_fails_the_build_and_no_directive_is_published() {
    let folder = book();
    let path = folder.path().join("book.toml");
    let settings = fs::read_to_string(&path).unwrap();
    for command in ["false", "no-such-command"] {
        let broken = settings.replace(&preprocess(), command);
        assert_ne!(broken, settings);
        fs::write(&path, broken).unwrap();
        assert!(MDBook::load(folder.path()).unwrap().build().is_err(), "{command}");
        assert!(!folder.path().join("book/chapter_1.html").is_file());
    }
    let ours = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book.toml"));
    assert!(ours.unwrap().contains("\nrenderers = [\"html\"]\n"));
}
