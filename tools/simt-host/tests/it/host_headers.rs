//! Programs with headers of the host: what g++ and libstdc++ make of them is the measure.

use crate::world::*;

#[test]
fn programs_end_as_with_gcc() {
    run_sections(&[
        ("headers", include_str!("../host_headers/headers.cu")),
        ("format", include_str!("../host_headers/format.cu")),
        ("ranges", include_str!("../host_headers/ranges.cu")),
        ("regex", include_str!("../host_headers/regex.cu")),
    ]);
}

#[test]
fn the_runtime_tells_what_objects_are_made_of() {
    run_sections(&[("cuda", include_str!("../host_headers/cuda.cu"))]);
}

#[test]
fn a_percent_sign_that_is_no_conversion_takes_no_value() {
    let text = "#include <cstdio>\nint main() { printf(\"d = %.2f%  @ [%d, %d]: %f\\n\", 0.5, 1, 2, 3.0); }";
    let (output, report) = run("program.cu", text);
    assert_eq!((output.as_str(), report.findings.len()), ("d = 0.50%  @ [1, 2]: 3.000000\n", 0));
}

#[test]
fn system_calls_are_refused_by_name() {
    let text = "#include <sys/syscall.h>\nint main() { return syscall(1); }";
    let (code, said) = ended(text);
    assert!(
        code != 0 && said.contains("a system call other than SYS_getpid and SYS_gettid"),
        "{said}"
    );
}
