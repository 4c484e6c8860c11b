//! Generates the tables of `README.md` from `results/`: a heading and two tables per machine.

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- results/*.json, by a test -->\n";
const END: &str = "<!-- end -->\n";

fn table(results: &Value) -> String {
    let machine = results["machine"].as_object().expect("a machine");
    let mut text = format!("### {}\n\n", machine["gpu"].as_str().expect("its name"));
    for (name, value) in machine {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(text, "- {}: {value}", name.replace('_', " "));
    }
    text.push_str("\n| what | size | who | rate | ratio (p10 to p90) | A/A noise | counts as |\n");
    text.push_str("|---|---|---|---:|---:|---:|---:|\n");
    let number = |row: &Value, name: &str, part: &str| row[name][part].as_f64().unwrap_or(f64::NAN);
    let word = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let rows = results["rows"].as_array().expect("rows");
    for row in rows.iter().filter(|row| row.get("ratio").is_some()) {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} {} | {:.3} ({:.3} to {:.3}) | {:.3} to {:.3} | {:.3} |",
            word(row, "row"),
            word(row, "size"),
            word(row, "name"),
            row["rate"].as_f64().unwrap_or(f64::NAN),
            word(row, "unit"),
            number(row, "ratio", "median"),
            number(row, "ratio", "p10"),
            number(row, "ratio", "p90"),
            number(row, "noise", "p10"),
            number(row, "noise", "p90"),
            row["counts"].as_f64().unwrap_or(f64::NAN),
        );
    }
    text.push_str("\n| what | of what | values |\n|---|---|---|\n");
    for row in rows.iter().filter(|row| row.get("ratio").is_none()) {
        let values = row["values"].as_object().expect("values");
        let values: Vec<String> = values
            .iter()
            .map(|(name, value)| match (value.as_f64(), value.as_str()) {
                (Some(number), _) => format!("{} {number:.3}", name.replace('_', " ")),
                (None, said) => said.unwrap_or_default().to_owned(),
            })
            .collect();
        let (what, size) = (word(row, "row"), word(row, "size"));
        let _ = writeln!(text, "| {what} | {size} | {} |", values.join(", "));
    }
    text
}

#[test]
fn the_tables_are_what_was_measured() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(here.join("results")).expect("results");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    // `h200.json` before `h100-80gb-hbm3.json`: the book's first machine leads.
    files.sort_by(|a, b| b.cmp(a));
    let tables: Vec<String> = files
        .iter()
        .map(|file| {
            let results = std::fs::read_to_string(file).expect("results");
            table(&serde_json::from_str(&results).expect("they are JSON"))
        })
        .collect();
    let path = here.join("README.md");
    let text = std::fs::read_to_string(&path).expect("a README");
    let (before, rest) = text.split_once(BEGIN).expect("where the table begins");
    let (_, after) = rest.split_once(END).expect("where it ends");
    let wanted = format!("{before}{BEGIN}\n{}\n{END}{after}", tables.join("\n"));
    expect_test::expect_file![path].assert_eq(&wanted);
}
