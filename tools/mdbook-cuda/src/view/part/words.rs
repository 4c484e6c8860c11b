//! English in figures: plurals, capitals, lanes in words, a chapter's title.

use super::number;

/// `1 byte`, `4 bytes`.
pub(crate) fn plural(count: u64, what: &str) -> String {
    format!("{} {what}{}", number::count(count), if count == 1 { "" } else { "s" })
}

/// With its first letter in upper case.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

/// `Chapter 5: reduction` for `ch05-reduction`.
pub(crate) fn chapter_title(chapter: &str) -> String {
    let (number, name) = chapter.split_once('-').unwrap_or((chapter, ""));
    match number.trim_start_matches("ch").parse::<u32>() {
        Ok(number) => format!("Chapter {number}: {}", name.replace('-', " ")),
        Err(_) => chapter.to_string(),
    }
}

/// `all 32 lanes`, `lanes 0 to 15`, `lanes 0, 2, 4, …, 30`.
pub(crate) fn lanes_in_words(lanes: u32) -> String {
    let all: Vec<u32> = (0..32).filter(|lane| lanes >> lane & 1 == 1).collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return "no lane".to_string();
    };
    if all.len() == 32 {
        return "all 32 lanes".to_string();
    }
    if all.len() == 1 {
        return format!("lane {first}");
    }
    let step = all[1] - first;
    let even = all.windows(2).all(|pair| pair[1] - pair[0] == step);
    let runs = all.iter().enumerate().filter(|(i, l)| *i == 0 || all[i - 1] + 1 != **l).count();
    if even && step == 1 {
        format!("lanes {first} to {last}")
    } else if even && all.len() > 3 {
        format!("lanes {}, {}, {}, …, {last}", all[0], all[1], all[2])
    } else if runs > 4 {
        format!("{} lanes", all.len())
    } else {
        let mut parts: Vec<String> = Vec::new();
        let mut start = all[0];
        for (i, lane) in all.iter().enumerate() {
            if all.get(i + 1) != Some(&(lane + 1)) {
                parts.push(if start == *lane {
                    lane.to_string()
                } else {
                    format!("{start} to {lane}")
                });
                start = all.get(i + 1).copied().unwrap_or_default();
            }
        }
        format!("lanes {}", parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_said_as_one_would_say_them() {
        for (lanes, words) in [
            (u32::MAX, "all 32 lanes"),
            (0, "no lane"),
            (1 << 7, "lane 7"),
            (0xFFFF, "lanes 0 to 15"),
            (0x5555_5555, "lanes 0, 2, 4, …, 30"),
            (0x0101_0101, "lanes 0, 8, 16, …, 24"),
            (0x0001_0001, "lanes 0, 16"),
            (0xFF00_00FF, "lanes 0 to 7, 24 to 31"),
            (0b1011_0011_0101_0111_0001, "11 lanes"),
        ] {
            assert_eq!(lanes_in_words(lanes), words, "{lanes:b}");
        }
    }
}
