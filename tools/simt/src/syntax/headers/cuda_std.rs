//! `<cuda/std/..>`: the C++ library for the host and the device, in the namespace `cuda::std`.
//!
//! The texts are those of the host's library ([`HostEnvironment`]) in another namespace, each made when it is
//! first included. The parser lets both sides call the functions of that namespace. What C declares is known
//! in every namespace.

use crate::environment::HostEnvironment;
use std::sync::OnceLock;

/// The headers of C++, and their texts.
static SHARED: [(&str, OnceLock<String>); 15] = [
    ("algorithm", OnceLock::new()),
    ("__below", OnceLock::new()),
    ("__function", OnceLock::new()),
    ("__ranges", OnceLock::new()),
    ("array", OnceLock::new()),
    ("chrono", OnceLock::new()),
    ("functional", OnceLock::new()),
    ("iterator", OnceLock::new()),
    ("limits", OnceLock::new()),
    ("numeric", OnceLock::new()),
    ("optional", OnceLock::new()),
    ("ratio", OnceLock::new()),
    ("tuple", OnceLock::new()),
    ("type_traits", OnceLock::new()),
    ("utility", OnceLock::new()),
];

/// The headers of C.
const C: [(&str, &str); 11] = [
    ("cassert", "#include <cassert>\n"),
    ("cfloat", "#include <cfloat>\n"),
    ("climits", "#include <climits>\n"),
    ("cmath", "#include <cmath>\n"),
    ("cstddef", "#include <cstddef>\n"),
    ("cstdint", "#include <cstdint>\n"),
    ("cstdlib", ""),
    ("cstring", ""),
    ("ctime", ""),
    (
        "initializer_list",
        "#include <initializer_list>\nnamespace cuda { namespace std { using ::std::initializer_list; } }\n",
    ),
    ("version", ""),
];

/// The text of a header.
pub(super) fn text(name: &str, host: Option<&'static HostEnvironment>) -> Option<&'static str> {
    let name = name.strip_prefix("cuda/std/")?;
    if let Some((_, text)) = C.iter().find(|(known, _)| *known == name) {
        return Some(text);
    }
    let made = shared(name)?;
    let text = (host?.header)(name)?;
    Some(made.get_or_init(|| moved(text)))
}

fn shared(name: &str) -> Option<&'static OnceLock<String>> {
    SHARED.iter().find(|(known, _)| *known == name).map(|(_, made)| made)
}

/// The text in the namespace `cuda::std`.
fn moved(text: &str) -> String {
    let mut out = String::new();
    // For each open brace, whether it is that of the namespace.
    let mut open = Vec::new();
    for line in text.lines() {
        let included = line.strip_prefix("#include <").and_then(|rest| rest.strip_suffix('>'));
        if let Some(name) = included
            && (shared(name).is_some() || name == "initializer_list")
        {
            out += &format!("#include <cuda/std/{name}>\n");
            continue;
        }
        if line == "namespace std {" {
            out += "namespace cuda { namespace std {\n";
            open.push(true);
            continue;
        }
        let line = line.replace("std::", "cuda::std::");
        // Exceptions are those of the host.
        let line = line.replace("public exception", "public ::std::exception");
        let line = line.replace("throw out_of_range", "throw ::std::out_of_range");
        for c in line.chars() {
            out.push(c);
            match c {
                '{' => open.push(false),
                '}' if open.pop() == Some(true) => out.push('}'),
                _ => {}
            }
        }
        out.push('\n');
    }
    out
}
