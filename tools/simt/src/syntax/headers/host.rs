//! The headers of the host: C's and C++'s libraries, and what CUDA's samples bring along.
//!
//! Each is C++ in our own words, written from the documented interface on top of the functions
//! `__host_*` ([`crate::host`]). It is parsed for each program that includes it, so one file is
//! one header, and short. A header that is not here is refused by name.

macro_rules! headers {
    ($($name:literal)*) => {
        const HEADERS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("host/", $name)))),*];
    };
}

headers! {
    "stdio.h" "stdlib.h" "string.h"
}

/// Other names of the same text.
const ALSO: &[(&str, &str)] =
    &[("cstdio", "stdio.h"), ("cstdlib", "stdlib.h"), ("cstring", "string.h")];

/// The text of a header of the host; `None` if it is none.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let name = ALSO.iter().find(|(also, _)| *also == name).map_or(name, |(_, name)| name);
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
