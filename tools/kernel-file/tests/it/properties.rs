//! Property tests: no text makes a parser panic, and well-formed expressions have their value.
//! `PROPTEST_CASES=1000000` tries a million texts instead of 256.

use crate::exercise::SUMS;
use crate::soup::{changed, soup};
use kernel_file::directive::Directives;
use kernel_file::expression::{Expression, Scope};
use kernel_file::{Exercise, KernelFile, Plan, Point};
use proptest::prelude::*;

/// An expression and its value, computed beside it.
fn arithmetic() -> impl Strategy<Value = (String, Option<i64>)> {
    let leaf = (0..1000i64).prop_map(|v| (v.to_string(), Some(v)));
    leaf.prop_recursive(4, 32, 2, |inner| {
        (inner.clone(), inner, proptest::sample::select(vec!['+', '-', '*', '/', '%'])).prop_map(
            |((a, x), (b, y), op)| {
                let both = x.zip(y);
                let value = both.and_then(|(x, y)| match op {
                    '+' => x.checked_add(y),
                    '-' => x.checked_sub(y),
                    '*' => x.checked_mul(y),
                    '/' => x.checked_div(y),
                    _ => x.checked_rem(y),
                });
                (format!("({a} {op} {b})"), value)
            },
        )
    })
}

proptest! {
    #[test]
    fn expressions_never_panic(text in soup()) {
        if let Ok(expression) = Expression::parse(&text) {
            let _ = expression.evaluate(&Scope::from([("n".to_owned(), i64::MAX)]));
        }
    }

    #[test]
    fn expressions_are_computed((text, value) in arithmetic()) {
        let computed = Expression::parse(&text).unwrap().evaluate(&Scope::new());
        prop_assert_eq!(computed.ok(), value);
    }

    #[test]
    fn directives_never_panic(text in soup()) {
        let mut directives = Directives::default();
        for (text, line) in text.lines().zip(1..) {
            if let Err(error) = directives.add(line, 4, text) {
                prop_assert!(error.column >= 4 && !error.message.is_empty());
            }
        }
        let _ = directives.scope(u64::MAX);
    }

    #[test]
    fn kernel_files_never_panic(text in soup()) {
        if let Err(problems) = KernelFile::parse("x.cu", text) {
            prop_assert!(!problems.is_empty());
        }
    }

    #[test]
    fn changed_kernel_files_never_panic(seed in any::<u64>()) {
        let text = changed(&[KERNEL, SUMS], seed);
        match KernelFile::parse("x.cu", text.clone()) {
            Ok(file) => {
                for n in [0, 1, 65, u64::MAX] {
                    let _ = Plan::new(&file.at(&Point::default()), n);
                }
            }
            Err(problems) => prop_assert!(!problems.is_empty()),
        }
        if let Err(problems) = Exercise::parse("x.cu", text) {
            prop_assert!(!problems.is_empty());
        }
    }
}

const KERNEL: &str = "\
//! # Doubles
//@ input in: int[n] = iota
//@ let factor = 2
//@ let blocks = (n + 63) / 64
//@ output out: int[blocks * 64] = poison
//@ vary stride = 1, 2, 4
//@ launch k(in, out, n, factor, stride) grid = (blocks, 1), block = 64, shared = 4 * 64
//@ test 1, 31, 2^10 + 1
//@ page 100
//@ measure 2^20
//@ bytes 8 * n
//@ needs sm_80
//@ catch race

__global__ void k(const int* in, int* out, int n, int factor, int stride) {
    out[0] = in[0];  //~ race
}

__host__ __device__ int expected(const int* in, int i) { return in[i] * 2; }
";
