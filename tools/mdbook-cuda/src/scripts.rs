//! The script tags at the end of a page: one for each script that the page uses.
//!
//! The scripts are modules of the folder `lab/` beside `SUMMARY.md`, which mdBook copies as it is. A
//! module blocks nothing: the page is complete before it runs. A book without that folder has the same
//! pages without scripts.

use std::fmt::Write;
use std::path::Path;

/// The scripts, each with the HTML that needs it.
const SCRIPTS: [(&str, &[&str]); 9] = [
    ("lab.js", &[crate::view::part::lab::OPENING]),
    ("machine.js", &["class=\"cuda-machine\""]),
    ("figures.js", &["class=\"cuda-frames\"", "class=\"cuda-to-lab\""]),
    ("occupancy.js", &["cuda-calculator"]),
    ("exercise.js", &["class=\"cuda-exercise"]),
    ("answers.js", &["class=\"cuda-question\""]),
    ("quiz.js", &["class=\"cuda-quiz\""]),
    ("review.js", &["class=\"cuda-review\""]),
    ("progress.js", &["class=\"cuda-progress\""]),
];

/// The tags for a page, `page` from the source folder `src`; empty where it needs none. With
/// `old_module` the lab's tag tells its script that the simulator is older than its sources.
pub(crate) fn tags(html: &str, src: &Path, page: &Path, old_module: bool) -> String {
    let up = "../".repeat(page.components().count().saturating_sub(1));
    let mut out = String::new();
    for (name, marks) in SCRIPTS {
        let needed = marks.iter().any(|mark| html.contains(mark));
        if needed && src.join("lab").join(name).is_file() {
            let old = if old_module && name == "lab.js" { " data-old-module" } else { "" };
            let _ =
                writeln!(out, "\n\n<script type=\"module\" src=\"{up}lab/{name}\"{old}></script>");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::tags;
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_page_has_the_scripts_that_it_needs_and_that_are_there() {
        let src = tempfile::tempdir().unwrap();
        let page = Path::new("ch01/README.md");
        let html = "<form class=\"cuda-calculator\"></form>";
        assert_eq!(tags(html, src.path(), page, false), "");
        fs::create_dir(src.path().join("lab")).unwrap();
        for name in ["figures.js", "lab.js", "occupancy.js"] {
            fs::write(src.path().join("lab").join(name), "").unwrap();
        }
        let tag = "<script type=\"module\" src=\"../lab/occupancy.js\"></script>";
        assert_eq!(tags(html, src.path(), page, false).trim(), tag);
        assert_eq!(tags(html, src.path(), Path::new("a.md"), true).trim(), tag.replace("../", ""));
        let html = crate::view::part::lab::OPENING;
        let tag = "<script type=\"module\" src=\"../lab/lab.js\" data-old-module></script>";
        assert_eq!(tags(html, src.path(), page, true).trim(), tag);
        assert_eq!(tags("<p>Nothing.</p>", src.path(), page, true), "");
    }
}
