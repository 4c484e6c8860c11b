//! The host's copies of `__device__` variables, which are no device memory.

use crate::world::*;

#[test]
fn an_address_in_host_code_is_not_the_devices() {
    let (printed, report) = run("host_copies.cu", include_str!("../host_copies.cu"));
    let printed: Vec<&str> = printed.lines().collect();
    let mut expected = vec!["cudaSuccess"; 4];
    expected.push("6 9");
    expected.extend(["cudaErrorInvalidValue"; 6]);
    expected.push("cudaErrorIllegalAddress");
    assert_eq!(printed, expected);
    let said: Vec<&str> = report.findings.iter().map(|(_, said)| &**said).collect();
    let [copies @ .., kernel] = &said[..] else { panic!("nothing is found") };
    let names = ["factors", "factors", "pair", "factors", "count"];
    assert_eq!(copies.len(), names.len(), "{said:?}");
    for (said, name) in copies.iter().zip(names) {
        assert!(said.contains(&format!("`{name}` by its address in host code")), "{said}");
    }
    assert!(kernel.contains("the address of `factors` in host code"), "{kernel}");
}
