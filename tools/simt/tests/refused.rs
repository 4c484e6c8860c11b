//! Programs that are refused: what is said, and where.
//!
//! `programs/refused/NAME.cu` uses something that the simulator does not have, `NAME.err` is what
//! it says. `BLESS=1` writes the files anew.

use simt::Sources;
use std::path::Path;

#[test]
fn programs_are_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/refused");
    let bless = std::env::var_os("BLESS").is_some();
    let entries = std::fs::read_dir(&folder).expect("the folder of programs");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cu"));
    paths.sort();
    assert!(paths.len() >= 8);
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a program");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let failure = simt::host::compile(Sources::single(&name, text)).expect_err(&name);
        // What it does not know; what follows from that may change.
        let named = failure.diagnostics.iter().find(|d| d.code == "unsupported");
        let said = named.map(|d| d.render(&failure.sources)).unwrap_or_default();
        let golden = path.with_extension("err");
        if bless {
            std::fs::write(&golden, &said).expect("a file to write");
        } else if said.is_empty() || std::fs::read_to_string(&golden).unwrap_or_default() != said {
            wrong.push(format!("{name} said:\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
