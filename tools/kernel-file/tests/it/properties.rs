//! Property tests: no text makes a parser panic, and well-formed expressions have their value.

use crate::soup::soup;
use kernel_file::KernelFile;
use kernel_file::directive::Directives;
use kernel_file::expression::{Expression, Scope};
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
}
