//! Programs that are refused: what is said, and where.
//!
//! `programs/refused/NAME.cu` uses something that the simulator does not have, `NAME.err` is what
//! it says.

use expect_test::expect_file;
use simt::Sources;
use std::path::Path;

#[test]
fn programs_are_refused_by_name() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/refused");
    let entries = std::fs::read_dir(&folder).expect("the folder of programs");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "cu"));
    paths.sort();
    assert!(paths.len() >= 8);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a program");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A page has no textures and no libraries at all, and says so at their first name.
        let beginnings = ["texture", "cublas", "cusolver", "curand_host"];
        if cfg!(target_arch = "wasm32") && beginnings.iter().any(|b| name.starts_with(b)) {
            continue;
        }
        let failure = simt_host::compile(Sources::single(&name, text)).expect_err(&name);
        // What it does not know; what follows from that may change.
        let named = failure.diagnostics.iter().find(|d| d.code == "unsupported");
        let said = named.map(|d| d.render(&failure.sources)).unwrap_or_default();
        assert!(!said.is_empty(), "{name}: nothing is unsupported");
        expect_file![path.with_extension("err")].assert_eq(&said);
    }
}
