//! What the arrays of a recorded launch hold before it, and how they are compared after it.

use sha2::{Digest, Sha256};

fn hash(i: u64, s: u64) -> u64 {
    let mut z = i.wrapping_add(s).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z ^= z >> 30;
    z = z.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z ^= z >> 27;
    z = z.wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The bytes of `count` elements, and the size of one.
pub(crate) fn filled(ty: &str, count: u64, fill: &str) -> (Vec<u8>, u32) {
    let size = match ty {
        "i8" => 1,
        "i16" => 2,
        "i32" | "f32" => 4,
        "i64" | "f64" => 8,
        other => panic!("unknown type {other}"),
    };
    if fill == "zero" {
        return (vec![0; count as usize * size], size as u32);
    }
    let bytes = (0..count).flat_map(|i| element(ty, fill, i).to_le_bytes().into_iter().take(size));
    (bytes.collect(), size as u32)
}

/// An element's bits, in the low bytes.
fn element(ty: &str, fill: &str, i: u64) -> u64 {
    let fraction = |s| ((hash(i, s) % 2001) as i64 - 1000) as f64 / 1000.0;
    let whole = match fill {
        "zero" => 0,
        "iota" => i,
        "lcg256" => hash(i, 12345) % 256,
        "frac" | "frac2" => {
            let value = fraction(if fill == "frac" { 12345 } else { 777 });
            return match ty {
                "f32" => u64::from((value as f32).to_bits()),
                "f64" => value.to_bits(),
                other => panic!("{fill} is for floats, not {other}"),
            };
        }
        other => panic!("unknown fill {other}"),
    };
    match ty {
        "f32" => u64::from((whole as f32).to_bits()),
        "f64" => (whole as f64).to_bits(),
        _ => whole,
    }
}

/// The first 16 hexadecimal digits of the SHA-256.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|b| format!("{b:02x}")).collect()
}
