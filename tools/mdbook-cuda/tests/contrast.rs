//! The colours of `book/css/palette.css` are readable: every text colour reaches a contrast of 4.5 to
//! 1 (WCAG 2, level AA) on each of its backgrounds, in all five themes of mdBook.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

/// The page's background in mdBook's themes, and whether the theme takes the dark set.
const PAGES: [(&str, bool, [f64; 3]); 5] = [
    ("light", false, [255.0, 255.0, 255.0]),
    ("rust", false, [225.0, 225.0, 219.0]),
    ("coal", true, [19.0, 21.0, 22.0]),
    ("navy", true, [22.0, 25.0, 35.0]),
    ("ayu", true, [15.0, 20.0, 25.0]),
];

/// Colours of text on the page and on a figure's surface.
const TEXT: [&str; 14] = [
    "ink",
    "muted",
    "global",
    "shared",
    "registers",
    "local",
    "constant",
    "passed",
    "failed",
    "skipped",
    "absent",
    "stale",
    "ceiling",
    "library",
];

/// Colours of source code, whose background is the surface or, in a marked line, the mark.
const SOURCE: [&str; 7] = ["ink", "comment", "keyword", "type", "special", "number", "text"];

type Palette = HashMap<String, [f64; 3]>;

/// The custom properties of the first block that starts with `selector`.
fn palette(css: &str, selector: &str) -> Palette {
    let block = css.split(&format!("\n{selector} {{")).nth(1).expect(selector);
    let block = &block[..block.find('}').unwrap()];
    let colours = block.lines().filter_map(|line| {
        let (name, value) = line.trim().strip_prefix("--cuda-")?.split_once(": #")?;
        let digits = value.strip_suffix(';')?;
        let channel = |i: usize| f64::from(u8::from_str_radix(&digits[i..i + 2], 16).unwrap());
        Some((name.to_string(), [channel(0), channel(2), channel(4)]))
    });
    colours.collect()
}

fn luminance(colour: [f64; 3]) -> f64 {
    let [r, g, b] = colour.map(|c| {
        let c = c / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn every_colour_is_readable_on_its_backgrounds() {
    let css = package().join("../../book/css/palette.css");
    let css = fs::read_to_string(css).unwrap();
    let light = palette(&css, ":root");
    let mut dark = light.clone();
    dark.extend(palette(&css, ".coal, .navy, .ayu"));
    let mut poor = Vec::new();
    let mut check = |theme: &str, text: &str, ground: &str, ratio: f64| {
        if ratio < 4.5 {
            poor.push(format!("{theme}: --cuda-{text} on {ground}: {ratio:.2}"));
        }
    };
    for (theme, is_dark, page) in PAGES {
        let of = if is_dark { &dark } else { &light };
        for text in TEXT {
            check(theme, text, "the page", contrast(of[text], page));
        }
        for text in SOURCE {
            for ground in ["surface", "mark"] {
                check(theme, text, ground, contrast(of[text], of[ground]));
            }
        }
        check(theme, "failed", "mark", contrast(of["failed"], of["mark"]));
        check(theme, "muted", "surface", contrast(of["muted"], of["surface"]));
        for text in ["ink", "failed"] {
            check(theme, text, "alarm", contrast(of[text], of["alarm"]));
        }
    }
    assert!(poor.is_empty(), "{}", poor.join("\n"));
}

#[test]
fn black_on_white_is_twenty_one_to_one() {
    assert!((contrast([0.0; 3], [255.0; 3]) - 21.0).abs() < 1e-9);
}

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let runtime = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    runtime.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}
