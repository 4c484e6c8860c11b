//! The commands: their names as in gdb and cuda-gdb, and what each does.

use super::hints;
use super::parts;
use super::session::{Breakpoint, Condition, Line, Session, Stop};

/// Names, short names, and what they do.
pub(super) const COMMANDS: [(&[&str], &str); 23] = [
    (&["help", "h"], "this list"),
    (&["where", "w"], "where this is"),
    (&["list", "l"], "[LINE]: the source around a line"),
    (&["step", "s"], "[N]: to the next line of this warp"),
    (&["reverse-step", "rs"], "[N]: back to the line before"),
    (&["stepi", "si"], "[N]: one instruction, of whatever warp"),
    (&["reverse-stepi", "rsi"], "[N]: one instruction back"),
    (&["continue", "c"], "to the next breakpoint, or the end"),
    (&["reverse-continue", "rc"], "back to the breakpoint before, or the beginning"),
    (&["goto", "g"], "STEP: to a step, from 0"),
    (&["start"], "to the first step"),
    (&["end"], "to the last step"),
    (&["warp"], "N: to the next instruction of a warp"),
    (&["lane"], "N: the lane that `info locals` shows"),
    (&["thread"], "N: to the next instruction of this thread of the block, and its lane"),
    (&["block"], "N: another block of this launch, from 0"),
    (&["launch"], "N: another launch, from 0"),
    (&["break", "b"], "[FILE:]LINE [thread N] [if NAME OP NUMBER]: stop where a warp comes to it"),
    (&["watch"], "NAME[I] [thread N] [if NAME OP NUMBER]: stop where it is written"),
    (&["delete", "d"], "[N]: a breakpoint, or all"),
    (&["info", "i"], "warps | locals | shared | breakpoints | access"),
    (
        &["print", "p"],
        "NAME | NAME[I] | NAME[FROM..TO] | NAME.PART: a variable in all lanes, elements, members",
    ),
    (&["last-writer", "lw"], "NAME[I]: which threads wrote it last"),
];

/// What ends a session.
const QUIT: [&str; 3] = ["quit", "q", "exit"];

impl Session<'_> {
    /// Obeys a command; `None` if it ends the session. An empty line repeats the command before.
    ///
    /// # Errors
    /// What is wrong with the command, or why it cannot be obeyed here.
    pub(super) fn obey(&mut self, line: &str) -> Result<Option<String>, String> {
        let line = line.split('#').next().unwrap_or_default().trim();
        let line = if line.is_empty() { self.last.clone() } else { line.to_owned() };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        let rest = rest.trim();
        if word.is_empty() {
            return Ok(Some(String::new()));
        }
        if QUIT.contains(&word) {
            return Ok(None);
        }
        let found = COMMANDS.iter().find(|(names, _)| names.contains(&word));
        let Some((names, _)) = found else {
            return Err(hints::no_command(word));
        };
        self.last.clone_from(&line);
        self.named(names[0], rest).map(Some)
    }

    fn named(&mut self, name: &str, rest: &str) -> Result<String, String> {
        match name {
            "help" => return Ok(help()),
            "list" => {
                let line = self.line_at(rest)?;
                return match line.line == 0 || line.line as usize > self.lines_of(line.file) {
                    true => Err(self.no_line(line)),
                    false => Ok(self.list(line)),
                };
            }
            "where" => {}
            "step" | "reverse-step" => {
                for _ in 0..count(rest)? {
                    self.step_line(name == "step")?;
                }
            }
            "stepi" | "reverse-stepi" => self.step_instructions(count(rest)?, name == "stepi")?,
            "continue" | "reverse-continue" => {
                let forwards = name == "continue";
                let stopped = self.go_on(forwards)?;
                let why = match stopped {
                    Some(number) => format!("breakpoint {number}"),
                    None if forwards => "the end of the recording".to_owned(),
                    None => "the beginning of the recording".to_owned(),
                };
                return Ok(format!("{why}\n{}", self.place()));
            }
            "goto" => {
                let to = number(rest)? as usize;
                if to >= self.len() {
                    return Err(format!(
                        "there is no step {to}: the last one is {}",
                        self.len() - 1
                    ));
                }
                self.at = to;
            }
            "start" => self.at = 0,
            "end" => self.at = self.len() - 1,
            "warp" => self.go_to_warp(number(rest)? as u32)?,
            "lane" => {
                self.lane = Some(number(rest)? as u32)
                    .filter(|lane| *lane < 32)
                    .ok_or("lanes are 0 to 31")?;
                return Ok(self.locals());
            }
            "thread" => {
                let thread = self.thread(rest)?;
                self.go_to_warp(thread / 32)?;
                (self.lane, self.follows) = (thread % 32, true);
            }
            "block" => {
                let block = u32::try_from(number(rest)?).map_err(|_| "there is no such block")?;
                return self.again(self.recorded.launch, block);
            }
            "launch" => return self.again(number(rest)?, 0),
            "break" | "watch" => return self.add(name == "watch", rest),
            "delete" => return self.delete(rest),
            "info" => return self.info(rest),
            "print" => {
                if let Some(shown) = self.print_part(rest)? {
                    return Ok(shown);
                }
                let (rest, member) = parts::split(rest);
                let rest = self.in_one_row(rest)?;
                let (name, range) = element(&rest)?;
                return self.print(name, range, member);
            }
            _ => {
                let rest = self.in_one_row(rest)?;
                let (name, index) = self.one_element(&rest)?;
                return Ok(self.writer(&self.base(name)?.element(index)?));
            }
        }
        Ok(self.place())
    }

    fn info(&self, what: &str) -> Result<String, String> {
        match what {
            "warps" => Ok(self.warps()),
            "locals" => Ok(self.locals()),
            "shared" => Ok(self.shared()),
            "access" => Ok(self.accesses()),
            "breakpoints" | "break" => {
                let all = self.breakpoints.iter();
                let text: String = all.map(|b| format!("{}: {}\n", b.number, b.text)).collect();
                Ok(if text.is_empty() { "no breakpoints".to_owned() } else { text })
            }
            _ => {
                Err("write `info warps`, `locals`, `shared`, `breakpoints` or `access`".to_owned())
            }
        }
    }

    /// The name and the index of an element.
    fn one_element<'t>(&self, text: &'t str) -> Result<(&'t str, u64), String> {
        let (name, range) = element(text)?;
        if let Some(pointer) = name.strip_prefix('*') {
            return Err(format!("write `{pointer}[0]` for what `{pointer}` points to"));
        }
        self.base(name)?;
        let (from, _) =
            range.ok_or_else(|| format!("which element of `{name}`? Write `{name}[0]`"))?;
        Ok((name, from))
    }

    /// Adds a breakpoint.
    fn add(&mut self, is_watch: bool, text: &str) -> Result<String, String> {
        let (head, condition) = match text.split_once(" if ") {
            Some((head, condition)) => {
                let condition = self::condition(condition)?;
                if condition.variable.contains('[') {
                    return Err(format!(
                        "a condition compares a variable of the kernel with a number, as \
                         `i > 300`, and `{}` is an element",
                        condition.variable
                    ));
                }
                self.must_be_known(&condition.variable)?;
                (head, Some(condition))
            }
            None => (text, None),
        };
        let (head, thread) = match head.split_once(" thread ") {
            Some((head, thread)) => (head, Some(self.thread(thread.trim())?)),
            None => (head, None),
        };
        let at = match is_watch {
            true => {
                let head = self.in_one_row(head.trim())?;
                let (name, index) = self.one_element(&head)?;
                Stop::Write(self.base(name)?.element(index)?)
            }
            false => {
                let line = self.line_at(head.trim())?;
                if (0..self.len()).all(|step| self.line(step) != Some(line)) {
                    return Err(self.no_instruction(line));
                }
                Stop::Line(line)
            }
        };
        self.made += 1;
        let number = self.made;
        let word = if is_watch { "watch" } else { "break" };
        let mut text = format!("{word} {text}").trim_end().to_owned();
        if let (Stop::Line(line), true) = (&at, head.trim().is_empty()) {
            text.insert_str(word.len(), &format!(" {}", self.name(*line)));
        }
        let said = format!("breakpoint {number}: {text}");
        self.breakpoints.push(Breakpoint { number, at, thread, condition, text });
        Ok(said)
    }

    fn delete(&mut self, rest: &str) -> Result<String, String> {
        if rest.is_empty() {
            self.breakpoints.clear();
            return Ok("all breakpoints are deleted".to_owned());
        }
        let wanted = number(rest)?;
        let before = self.breakpoints.len();
        self.breakpoints.retain(|breakpoint| u64::from(breakpoint.number) != wanted);
        match self.breakpoints.len() == before {
            true => Err(format!("there is no breakpoint {wanted}; `info breakpoints` lists them")),
            false => Ok(format!("breakpoint {wanted} is deleted")),
        }
    }

    /// `12`, `a.cu:12`; the current line if nothing is written.
    fn line_at(&self, text: &str) -> Result<Line, String> {
        let here = self.line(self.at).or_else(|| (0..self.len()).find_map(|step| self.line(step)));
        let here = here.ok_or("no instruction has a line")?;
        if text.is_empty() {
            return Ok(here);
        }
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| self.no_number(text));
        let Some((file, line)) = text.rsplit_once(':') else {
            return Ok(Line { line: number(text)?, ..here });
        };
        let files = self.recorded.history.sources().files();
        let named =
            files.iter().position(|(name, _)| name == file || name.ends_with(&format!("/{file}")));
        let at = named.ok_or_else(|| self.no_file(file))?;
        Ok(Line { file: at as u32, line: number(line)? })
    }

    fn thread(&self, text: &str) -> Result<u32, String> {
        let threads = self.recorded.threads.count();
        let thread = number(text)?;
        let found = u32::try_from(thread).ok().filter(|_| thread < threads);
        found.ok_or_else(|| {
            let numbered = crate::step::numbered(threads);
            format!("there is no thread {thread}: the block has {numbered}")
        })
    }
}

fn help() -> String {
    let lines = COMMANDS.iter().map(|(names, what)| format!("  {:<22} {what}\n", names.join(", ")));
    let lines: String = lines.collect();
    format!("{lines}  {:<22} ends the session\nAn empty line repeats the last command.", "quit, q")
}

fn number(text: &str) -> Result<u64, String> {
    text.trim().parse().map_err(|_| match text.trim() {
        "" => "a number is missing behind the command".to_owned(),
        text => format!("a number is expected, and this is `{text}`"),
    })
}

/// How often; once if nothing is written.
fn count(text: &str) -> Result<usize, String> {
    if text.is_empty() { Ok(1) } else { number(text).map(|count| count as usize) }
}

/// `name`, `name[3]`, `name[3..8]`.
fn element(text: &str) -> Result<(&str, Option<Range>), String> {
    if text.is_empty() {
        return Err("name a variable or an array".to_owned());
    }
    let Some((name, rest)) = text.split_once('[') else { return Ok((text, None)) };
    if let Some((index, _)) = rest.split_once("].") {
        return Err(format!("`{text}` is a member: `print {name}[{index}]` shows the element"));
    }
    let inside = rest.strip_suffix(']').ok_or("a `]` is missing")?;
    let (from, until) = match inside.split_once("..") {
        Some((from, until)) => (number(from)?, number(until)?),
        None => (number(inside)?, number(inside)?.saturating_add(1)),
    };
    match from < until {
        true => Ok((name.trim(), Some((from, until)))),
        false => Err(format!("`{inside}` is an empty range")),
    }
}

/// From the first element to the one behind the last.
pub(super) type Range = (u64, u64);

/// `i >= 3`.
fn condition(text: &str) -> Result<Condition, String> {
    const OPERATORS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];
    for operator in OPERATORS {
        if let Some((variable, number)) = text.split_once(operator) {
            let number = number.trim();
            let number = number.parse().map_err(|_| format!("`{number}` is no number"))?;
            return Ok(Condition { variable: variable.trim().to_owned(), operator, number });
        }
    }
    Err(format!("`{text}` is no condition: write `i == 3`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_and_conditions_are_read() {
        assert_eq!(element("a"), Ok(("a", None)));
        assert_eq!(element("a[3]"), Ok(("a", Some((3, 4)))));
        assert_eq!(element("a[3..8]"), Ok(("a", Some((3, 8)))));
        for bad in ["", "a[", "a[x]", "a[3..3]", "a[18446744073709551615..0]"] {
            assert!(element(bad).is_err(), "{bad}");
        }
        let condition = condition("i >= -2.5").unwrap();
        assert_eq!((condition.variable.as_str(), condition.operator), ("i", ">="));
        assert!(self::condition("i = 3").is_err());
    }
}
