//! Parts of values: `p.x`, `q[1].y` of variables of the kernel, `a[3].x` of elements of arrays.

use super::element::Element;
use super::session::Session;
use super::show::in_lanes;
use std::fmt::Write;

/// `a[3]` and `v[1].x` of `a[3].v[1].x`.
pub(super) fn split(text: &str) -> (&str, Option<&str>) {
    match text.split_once("].") {
        Some((head, member)) => (&text[..=head.len()], Some(member.trim())),
        None => (text, None),
    }
}

/// Whether the path of a scalar, `.v[1].x`, leads through a member, `v[1]`.
fn is_within(path: &str, member: &str) -> bool {
    let rest = path.strip_prefix('.').and_then(|path| path.strip_prefix(member));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The part of a value as it is shown, `{x: 1, v: [2, 3]}`, at the end of a path, `.v[1]`.
fn part_of<'v>(value: &'v str, path: &str) -> Option<&'v str> {
    if path.is_empty() {
        return Some(value);
    }
    let parts = top_level(value);
    if let Some(rest) = path.strip_prefix('.') {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let named = parts.into_iter().filter_map(|part| part.split_once(": "));
        let found = value.starts_with('{').then_some(named)?.find(|(own, _)| *own == name);
        return part_of(found?.1, rest);
    }
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    let index: usize = index.trim().parse().ok()?;
    part_of(value.starts_with('[').then_some(parts)?.get(index)?, rest)
}

/// What stands between the commas of a value in brackets.
fn top_level(value: &str) -> Vec<&str> {
    let inside = value.get(1..value.len().saturating_sub(1)).unwrap_or_default();
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inside[start..].trim());
    parts
}

impl Session<'_> {
    /// A part of a variable in every lane; `None` if the text is not that.
    ///
    /// # Errors
    /// If the variable has no such part.
    pub(super) fn print_part(&self, text: &str) -> Result<Option<String>, String> {
        let Some(end) = text.find(['.', '[']).filter(|_| !text.contains("..")) else {
            return Ok(None);
        };
        let (name, path) = text.split_at(end);
        let history = &self.recorded.history;
        let Some(snapshot) = history.after(self.at) else { return Ok(None) };
        let variables = history.variables();
        let is_tile = |at: usize| history.tiles().iter().any(|tile| tile.variable == at);
        let mut out = String::new();
        for shown in &snapshot.variables {
            let whole = |value: &Option<String>| {
                value.as_ref().is_some_and(|value| value.starts_with(['{', '[']))
            };
            if variables[shown.variable].name != name
                || is_tile(shown.variable)
                || !shown.values.iter().any(whole)
            {
                continue;
            }
            let part = |value: &Option<String>| {
                value.as_ref().and_then(|value| part_of(value, path)).map(str::to_owned)
            };
            let parts: Vec<Option<String>> = shown.values.iter().map(part).collect();
            if parts.iter().all(Option::is_none) {
                return Err(format!("`{name}` has no part `{path}`: `print {name}` shows it"));
            }
            let _ = writeln!(out, "{text}, warp {}:", snapshot.moment.warp);
            out.push_str(&in_lanes(&parts));
        }
        Ok((!out.is_empty()).then_some(out))
    }

    /// An error for a member that an element does not have.
    ///
    /// # Errors
    /// See above.
    pub(super) fn must_have(&self, element: &Element, member: Option<&str>) -> Result<(), String> {
        let Some(member) = member else { return Ok(()) };
        let all = self.recorded.history.members(&element.ty);
        if all.iter().any(|path| is_within(path, member)) {
            return Ok(());
        }
        let text = &element.text;
        let names: Vec<String> = all.iter().map(|path| format!("`{text}{path}`")).collect();
        Err(match names.is_empty() {
            true => {
                format!("the members of `{text}` are not known: `print {text}` shows its bytes")
            }
            false => format!("`{text}` has no member `{member}`; there are {}", names.join(", ")),
        })
    }

    /// The parts of an element that this block has accessed, each as it has last seen it.
    pub(super) fn members(&self, element: &Element, member: Option<&str>) -> String {
        let (history, text) = (&self.recorded.history, &element.text);
        let mut parts: Vec<(i64, i64, String)> = Vec::new();
        let mut left = i64::from(element.width());
        for step in (0..=self.at).rev() {
            for (touched, values) in history.accesses(step) {
                let lane = 31_u32.checked_sub(element.lanes(&touched).leading_zeros());
                let Some(lane) = lane.filter(|_| left > 0) else { continue };
                let first = element.begins(&touched, lane);
                let end = first + i64::from(touched.width);
                if parts.iter().any(|(from, until, _)| first < *until && *from < end) {
                    continue;
                }
                left -= end - first;
                let bits = values.map(|values| values[lane as usize]);
                let place = u32::try_from(first).ok().map(|first| (first, touched.width));
                let named = place
                    .zip(bits)
                    .and_then(|(place, bits)| history.member(&element.ty, place, bits));
                if let Some((path, value)) = named {
                    if member.is_none_or(|member| is_within(&path, member)) {
                        let (verb, warp) = (touched.verb, self.warp(step));
                        let who = format!("{verb} in step {step}, warp {warp}, lane {lane}");
                        parts.push((first, end, format!("  {text}{path} = {value} ({who})\n")));
                    } else {
                        parts.push((first, end, String::new()));
                    }
                    continue;
                }
                let value = bits.map_or("?".to_owned(), |bits| format!("{bits:#x}"));
                let by = self.moment(step).map_or("", |moment| history.sources().text(moment.span));
                let by = by.lines().next().unwrap_or_default();
                let (verb, warp) = (touched.verb, self.warp(step));
                let who = format!("{verb} in step {step}, warp {warp}, lane {lane}, by `{by}`");
                let bytes = format!("bytes {first} to {}", end - 1);
                parts.push((first, end, format!("  {text}, {bytes}: {value} ({who})\n")));
            }
        }
        parts.sort_by_key(|(first, ..)| *first);
        let said: String = parts.into_iter().map(|(_, _, line)| line).collect();
        if said.is_empty() {
            let path = member.map_or_else(String::new, |member| format!(".{member}"));
            return format!("  {text}{path}: not accessed by this block yet\n");
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_a_part() {
        let value = "{v: [{x: 1.5, y: -2}, {x: 3, y: 4}], d: {}, at: heap block 1 + 4 bytes}";
        assert_eq!(part_of(value, ".v[1].y"), Some("4"));
        assert_eq!(part_of(value, ".v[0]"), Some("{x: 1.5, y: -2}"));
        assert_eq!(part_of(value, ".at"), Some("heap block 1 + 4 bytes"));
        for none in [".w", ".v[2]", ".v.x", "[0]", ".d.x", ".v[", ".v[x]"] {
            assert_eq!(part_of(value, none), None, "{none}");
        }
        assert_eq!(split("a[3].v[1].x"), ("a[3]", Some("v[1].x")));
        assert!(is_within(".v[1].x", "v[1]") && is_within(".v[1].x", "v[1].x"));
        assert!(!is_within(".v[11].x", "v[1") && !is_within(".vx", "v"));
    }
}
