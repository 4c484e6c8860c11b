//! The rules of the house that no compiler and no lint can hold. The map of the code
//! (`chapters/appendix/architecture.md`) states them; its tables are what is compared here.

use house::{Package, Source, code, map, packages, read, root, sources, table};
use std::collections::BTreeSet;

/// Lines of a file of Rust, at most.
const FILE_LINES: usize = 600;

/// Functions that may be longer than clippy's threshold, each with its reason.
const LONG_FUNCTIONS: usize = 5;

/// The crates that run in a page: they import nothing that the table does not name.
const SIMULATOR: [&str; 6] =
    ["simt-machine", "simt-ptx", "simt", "simt-host", "kernel-file", "simt-wasm"];

/// Crates whose code needs `unsafe`: the simulator's memory and SIMD, the entry points of the
/// WebAssembly module, and what calls the CUDA driver. Chapters may launch kernels, too.
const UNSAFE_CRATES: [&str; 4] = ["simt-machine", "simt-wasm", "verify", "kernels"];

/// Files of `simt-machine` that may hold `unsafe` code.
const UNSAFE_FILES: [&str; 2] =
    ["tools/simt-machine/src/machine/memory/zeroed.rs", "tools/simt-machine/src/machine/simd.rs"];

fn fail_if_any(broken: Vec<String>, rule: &str) {
    assert!(broken.is_empty(), "{rule}:\n  {}\n", broken.join("\n  "));
}

/// A crate's row in the table of crates: what it may import, and what its tests may besides.
fn allowed(name: &str) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    let name = if name.starts_with("ch") { "chapters/ch*" } else { name };
    let map = map();
    let row = table(&map, "crate").into_iter().find(|row| row[0].trim_matches('`') == name)?;
    let names = |cell: &str| code(cell).into_iter().map(str::to_owned).collect();
    Some((names(&row[2]), names(&row[3])))
}

fn is_ours(name: &str) -> bool {
    packages().contains_key(name)
}

#[test]
fn every_crate_is_in_the_table_of_crates() {
    let missing = packages().keys().filter(|name| allowed(name).is_none()).cloned().collect();
    fail_if_any(missing, "crates without a row in the table of the map");
    let gone = table(&map(), "crate")
        .into_iter()
        .map(|row| row[0].trim_matches('`').to_owned())
        .filter(|name| name != "chapters/ch*" && !packages().contains_key(name))
        .collect();
    fail_if_any(gone, "rows of the map whose crate does not exist");
}

#[test]
fn crates_import_what_the_table_allows() {
    let mut broken = Vec::new();
    for (name, Package { imports, test_imports, .. }) in packages() {
        let Some((library, tests)) = allowed(name) else { continue };
        // The simulator's crates list every import; the others list the crates of the project.
        let strict = SIMULATOR.contains(&name.as_str());
        let bad = imports.iter().filter(|i| (strict || is_ours(i)) && !library.contains(*i));
        broken.extend(bad.map(|import| format!("`{name}` imports `{import}`")));
        let bad = test_imports
            .iter()
            .filter(|i| is_ours(i) && !tests.contains(*i) && !library.contains(*i));
        broken.extend(bad.map(|import| format!("the tests of `{name}` import `{import}`")));
    }
    fail_if_any(broken, "imports that the table of crates does not allow");
}

#[test]
fn the_table_allows_no_more_than_there_is() {
    let mut broken = Vec::new();
    for (name, Package { imports, test_imports, .. }) in packages() {
        if name.starts_with("ch") {
            continue;
        }
        let Some((library, tests)) = allowed(name) else { continue };
        let unused = library.iter().filter(|i| !imports.contains(*i));
        broken.extend(unused.map(|import| format!("`{name}` does not import `{import}`")));
        let unused = tests.iter().filter(|i| !test_imports.contains(*i));
        broken
            .extend(unused.map(|import| format!("the tests of `{name}` do not import `{import}`")));
    }
    fail_if_any(broken, "the table of crates lists imports that do not exist");
}

#[test]
fn cudarc_is_where_a_gpu_is_used() {
    let may = |name: &str| ["kernels", "verify"].contains(&name) || name.starts_with("ch");
    let broken = packages()
        .iter()
        .filter(|(name, package)| package.imports.contains("cudarc") && !may(name))
        .map(|(name, _)| name.clone())
        .collect();
    fail_if_any(broken, "crates that import `cudarc` without need");
}

/// The files of a module, `simt::sema` say.
fn of_module<'a>(module: &str, sources: &'a [Source]) -> Vec<&'a Source> {
    let (name, path) = module.split_once("::").expect("`crate::module`");
    let folder = packages()[name].folder.clone();
    let stem = format!("{folder}/src/{}", path.replace("::", "/"));
    let inside = |source: &&Source| {
        source.path == format!("{stem}.rs") || source.path.starts_with(&format!("{stem}/"))
    };
    sources.iter().filter(inside).collect()
}

#[test]
fn modules_use_what_the_table_allows() {
    let (map, sources) = (map(), sources());
    let rows = table(&map, "module");
    let named: BTreeSet<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let mut broken = Vec::new();
    for row in &rows {
        let module = row[0].trim_matches('`');
        let (package, own) = module.split_once("::").expect("`crate::module`");
        let allowed = code(&row[2]);
        let files = of_module(module, &sources);
        assert!(!files.is_empty(), "the map names `{module}`, which does not exist");
        for file in files.into_iter().filter(|file| !file.is_test()) {
            for used in file.crate_modules() {
                let is_module = named.contains(format!("{package}::{used}").as_str());
                if is_module && used != own && !allowed.contains(&used.as_str()) {
                    broken.push(format!("{} uses `crate::{used}`", file.path));
                }
            }
        }
    }
    fail_if_any(broken, "uses of modules that the map does not allow");
}

#[test]
fn the_machine_judges_nothing() {
    let sources = sources();
    let broken = of_module("simt-machine::machine", &sources)
        .into_iter()
        .filter(|file| !file.is_test() && file.code().any(|line| line.contains("Finding")))
        .map(|file| file.path.clone())
        .collect();
    fail_if_any(broken, "files of the machine that name a finding: observers report findings");
}

#[test]
fn the_words_of_the_code_are_where_the_map_says() {
    let gone = table(&map(), "word")
        .into_iter()
        .flat_map(|row| code(&row[1]).into_iter().map(str::to_owned).collect::<Vec<_>>())
        .filter(|path| !root().join(path).exists())
        .collect();
    fail_if_any(gone, "places in the table of words that do not exist");
}

#[test]
fn files_are_short() {
    let broken = sources()
        .iter()
        .map(|source| (source.text.lines().count(), &source.path))
        .filter(|(lines, _)| *lines > FILE_LINES)
        .map(|(lines, path)| format!("{path}: {lines} lines"))
        .collect();
    fail_if_any(broken, &format!("files of more than {FILE_LINES} lines"));
}

/// Behind the parser a qualified name is a path of interned names. A text with `::` is a part of a
/// message there.
#[test]
fn qualified_names_are_no_texts_behind_the_parser() {
    const MESSAGES: [&str; 3] = ["spell(outer)", "\"std::nullptr_t\".to_string()", ".with_help("];
    let sources = sources();
    let behind = ["simt::sema", "simt::lower"];
    let broken = behind
        .iter()
        .flat_map(|module| of_module(module, &sources))
        .flat_map(|source| source.code().map(move |line| (source, line)))
        .filter(|(_, line)| line.split('"').skip(1).step_by(2).any(|text| text.contains("::")))
        .filter(|(_, line)| !MESSAGES.iter().any(|message| line.contains(message)))
        .map(|(source, line)| format!("{}: {}", source.path, line.trim()))
        .collect();
    fail_if_any(broken, "texts with `::` that may be names");
}

#[test]
fn a_module_is_a_file_beside_its_folder() {
    // In `tests/` and `benches/` cargo takes each file for a target, so there it is `mod.rs`.
    let broken = sources()
        .iter()
        .filter(|source| source.path.ends_with("/mod.rs") && !source.is_test())
        .map(|source| source.path.clone())
        .collect();
    fail_if_any(broken, "modules that are `foo/mod.rs` instead of `foo.rs`");
}

#[test]
fn the_map_states_the_limits() {
    let mut rules = vec![format!("- **A file has at most {FILE_LINES} lines.**")];
    if read("Cargo.toml").contains("too_many_lines = \"warn\"") {
        rules.push("- **A function has at most 100 lines.**".to_owned());
    }
    let missing = rules.into_iter().filter(|rule| !map().contains(rule)).collect();
    fail_if_any(missing, "rules that the map must state");
}

#[test]
fn long_functions_are_rare_and_have_a_reason() {
    let sources = sources();
    let exceptions = |source: &Source| {
        let lines = source.code().filter(|line| line.contains("clippy::too_many_lines"));
        lines.map(|_| source.path.clone()).collect::<Vec<_>>()
    };
    let long: Vec<String> = sources
        .iter()
        .filter(|s| !s.path.starts_with("tools/house/"))
        .flat_map(exceptions)
        .collect();
    assert!(long.len() <= LONG_FUNCTIONS, "at most {LONG_FUNCTIONS} functions are long: {long:?}");
}

#[test]
fn unsafe_code_is_where_it_must_be() {
    let sources = sources();
    let mut broken = Vec::new();
    for (name, package) in packages() {
        let exempt = UNSAFE_CRATES.contains(&name.as_str()) || name.starts_with("ch");
        let target = |file: &str| format!("{}/src/{file}.rs", package.folder);
        let roots: Vec<&Source> = sources
            .iter()
            .filter(|s| s.path == target("lib") || s.path == target("main"))
            .collect();
        let forbids = |s: &&Source| s.text.contains("#![forbid(unsafe_code)]");
        if !exempt && !roots.iter().all(forbids) {
            broken.push(format!("`{name}` has no `#![forbid(unsafe_code)]`"));
        }
    }
    let machine = sources.iter().filter(|s| s.path.starts_with("tools/simt-machine/"));
    for source in machine.filter(|s| !UNSAFE_FILES.contains(&s.path.as_str())) {
        if source.code().any(|line| line.contains("unsafe ")) {
            broken.push(source.path.clone());
        }
    }
    fail_if_any(broken, "`unsafe` where the house has none");
}

#[test]
fn the_simulator_does_no_io() {
    const BANS: &str = "#![deny(clippy::disallowed_methods, clippy::disallowed_types)]";
    let banned = |name: &&str| {
        packages()
            .get(*name)
            .is_none_or(|package| read(&format!("{}/src/lib.rs", package.folder)).contains(BANS))
    };
    let broken = SIMULATOR.iter().filter(|name| !banned(name)).map(|name| (*name).to_owned());
    fail_if_any(broken.collect(), &format!("crates without `{BANS}`"));
}

#[test]
fn record_and_import_write_the_results() {
    let writes = |line: &str| line.contains("results.write(") || line.contains("Results::write(");
    let broken = sources()
        .iter()
        .filter(|source| !source.is_test() && !source.path.starts_with("tools/verify/src/record"))
        .filter(|source| source.code().any(writes))
        .map(|source| source.path.clone())
        .collect();
    fail_if_any(broken, "files that write results");
}

#[test]
fn tests_of_the_tools_name_no_chapter() {
    let chapters: Vec<String> = packages()
        .values()
        .filter_map(|package| package.folder.strip_prefix("chapters/"))
        .map(str::to_owned)
        .collect();
    assert!(!chapters.is_empty(), "the chapters are crates");
    let in_tests =
        |source: &&Source| source.path.starts_with("tools/") && source.path.contains("/tests/");
    let broken = sources()
        .iter()
        .filter(in_tests)
        .filter(|source| chapters.iter().any(|chapter| source.text.contains(chapter)))
        .map(|source| source.path.clone())
        .collect();
    fail_if_any(broken, "tests of the tools that name a chapter of the book");
}

/// The rules of the map: each bold sentence, and what its bullet says after "Held by".
fn rules() -> Vec<(String, String)> {
    let map = map();
    let section = map.split("\n## ").find(|section| section.starts_with("The rules"));
    let section = section.expect("the map has a section of rules");
    section
        .lines()
        .filter_map(|line| line.strip_prefix("- **"))
        .map(|line| {
            let (rule, rest) = line.split_once("**").expect("the rule ends in bold");
            let held = rest.split_once("Held by").map_or("", |(_, held)| held);
            (rule.to_owned(), held.to_owned())
        })
        .collect()
}

#[test]
fn every_rule_names_what_holds_it() {
    let mut broken = Vec::new();
    assert!(rules().len() > 10, "the map has its rules as `- **Rule.** ... Held by `...`.`");
    for (rule, held) in rules() {
        if code(&held).is_empty() {
            broken.push(format!("{rule}: nothing after `Held by`"));
        }
        for by in code(&held) {
            // A lint's name, an attribute or a command is not a path.
            let is_path = by.contains('/') && !by.contains(' ');
            let (path, function) = by.split_once("::").unwrap_or((by, ""));
            if is_path && !root().join(path).exists() {
                broken.push(format!("{rule}: `{path}` does not exist"));
            } else if is_path
                && !function.is_empty()
                && !read(path).contains(&format!("fn {function}("))
            {
                broken.push(format!("{rule}: `{path}` has no test `{function}`"));
            }
        }
    }
    fail_if_any(broken, "rules of the map that nothing holds");
}

#[test]
fn bold_sentences_are_rules() {
    let map = map();
    let bold = map.lines().filter(|line| line.contains("**") && !line.starts_with("- **"));
    fail_if_any(bold.map(str::to_owned).collect(), "bold text outside of the list of rules");
}

/// The pages of a chapter in lower case, with a space for each hyphen and line break.
fn pages_of_chapter(number: &str) -> String {
    let prefix = format!("ch{number:0>2}-");
    let folders = std::fs::read_dir(root().join("chapters")).expect("the chapters");
    let mut text = String::new();
    for folder in folders.filter_map(Result::ok) {
        if !folder.file_name().to_string_lossy().starts_with(&prefix) {
            continue;
        }
        let files = std::fs::read_dir(folder.path()).expect("the folder of a chapter");
        let pages = files.filter_map(Result::ok).map(|file| file.path());
        for page in pages.filter(|page| page.extension().is_some_and(|end| end == "md")) {
            text.push_str(&std::fs::read_to_string(page).expect("a page"));
        }
    }
    text.to_lowercase().replace(['-', '\n'], " ")
}

#[test]
fn the_chapters_that_the_glossary_names_have_the_term() {
    let glossary = read("chapters/appendix/glossary.md");
    let rows = glossary.lines().filter(|line| line.starts_with("| ") && !line.contains("---"));
    let mut broken = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let Some((_, numbers)) = cells.last().and_then(|meaning| meaning.rsplit_once(" (")) else {
            continue;
        };
        let numbers: Vec<&str> = numbers.trim_end_matches(')').split(", ").collect();
        if !numbers.iter().all(|number| number.parse::<u8>().is_ok()) {
            continue;
        }
        let forms: Vec<String> =
            cells[0].split(", ").map(|form| form.to_lowercase().replace('-', " ")).collect();
        for number in numbers {
            let text = pages_of_chapter(number);
            if !forms.iter().any(|form| text.contains(form.as_str())) {
                broken.push(format!("chapter {number} does not mention \"{}\"", cells[0]));
            }
        }
    }
    fail_if_any(broken, "terms of the glossary that a chapter named there does not have");
}

#[test]
fn the_inner_loop_names_files_that_exist() {
    let page = read("CONTRIBUTING.md");
    let gone = table(&page, "You changed")
        .into_iter()
        .flat_map(|row| code(&row[0]).into_iter().map(str::to_owned).collect::<Vec<_>>())
        .filter(|file| !root().join(file).is_file())
        .collect();
    fail_if_any(gone, "files in the first table of CONTRIBUTING.md that do not exist");
}

/// A tag of somebody else's action can be moved to other code; a commit cannot.
#[test]
fn actions_of_others_are_pinned_by_their_commit() {
    let mut loose = Vec::new();
    let mut found = 0;
    for file in [".github/workflows/ci.yml", ".github/workflows/release.yml", "action.yml"] {
        for line in read(file).lines() {
            let Some((_, action)) = line.split_once("uses: ") else { continue };
            let Some((_, version)) = action.split_once('@') else { continue };
            found += 1;
            let commit = version.split(' ').next().unwrap_or_default();
            if commit.len() != 40 || !commit.chars().all(|c| c.is_ascii_hexdigit()) {
                loose.push(format!("{file}: {}", line.trim()));
            }
        }
    }
    assert!(found >= 4, "only {found} actions were found");
    fail_if_any(loose, "actions that are not pinned by their commit");
}
