//! Where an answer goes: the function around a region, and how its parameters name the exercise's arrays
//! and numbers.

use kernel_file::Exercise;
use kernel_file::directive::{Argument, Array, Launch, Role};
use kernel_file::exercise::{BEGIN, END};
use kernel_file::token::{Kind, Token, tokens};
use std::collections::BTreeMap;

/// What a region is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A kernel's body.
    Kernel,
    /// The body of a function that kernels call.
    Function,
    /// The file: it holds functions.
    File,
}

/// The region of an exercise that is attacked: the last one in a kernel, or the first.
#[derive(Debug)]
pub(super) struct Site<'a> {
    pub(super) exercise: &'a Exercise,
    /// The number of the region.
    pub(super) region: usize,
    pub(super) place: Place,
    /// The kernel's declaration from its name to the closing bracket.
    pub(super) head: String,
    /// The launch of the kernel.
    pub(super) launch: Option<&'a Launch>,
    /// The parameter that has an array or a number of the directives.
    bound: BTreeMap<String, String>,
}

/// An array that the kernel sees.
#[derive(Debug, Clone)]
pub(super) struct Seen<'a> {
    pub(super) array: &'a Array,
    /// The parameter's name.
    pub(super) name: String,
    /// Its length, in C++.
    pub(super) count: String,
}

impl<'a> Site<'a> {
    pub(super) fn of(exercise: &'a Exercise) -> Site<'a> {
        let solved = exercise.solved();
        let places: Vec<(Place, Vec<String>)> =
            solved.match_indices(BEGIN).map(|(at, _)| enclosing(&solved[..at])).collect();
        let region = places.iter().rposition(|(place, _)| *place == Place::Kernel).unwrap_or(0);
        let (place, declaration) =
            places.into_iter().nth(region).unwrap_or((Place::File, Vec::new()));
        let mut site = Site {
            exercise,
            region,
            place,
            head: declaration.join(" "),
            launch: None,
            bound: BTreeMap::new(),
        };
        if place == Place::Kernel {
            site.bind(&declaration);
        }
        site
    }

    fn bind(&mut self, declaration: &[String]) {
        let launches = &self.exercise.solution.directives.launches;
        self.launch = launches.iter().find(|launch| declaration.contains(&launch.kernel));
        let parameters = parameters(declaration);
        for (argument, (_, name)) in self.launch.iter().flat_map(|l| &l.args).zip(parameters) {
            if matches!(argument, Argument::Array(_) | Argument::Integer(_)) {
                self.bound.entry(argument.text()).or_insert(name);
            }
        }
    }

    /// The solution of the region.
    pub(super) fn solution(&self) -> String {
        self.exercise.solution_regions().nth(self.region).unwrap_or_default()
    }

    /// The starter of the region.
    pub(super) fn starter(&self) -> String {
        self.exercise.starter_regions().nth(self.region).unwrap_or_default()
    }

    /// The reader's text with this in the region, and the solution in the others.
    pub(super) fn text(&self, answer: &str) -> String {
        let mut answers: Vec<String> = self.exercise.solution_regions().collect();
        if let Some(region) = answers.get_mut(self.region) {
            answer.clone_into(region);
        }
        self.exercise.with_answers(&answers)
    }

    /// The arrays of a role that the kernel sees.
    pub(super) fn arrays(&self, role: Role) -> Vec<Seen<'a>> {
        let arrays = self.exercise.solution.directives.arrays.iter().filter(|a| a.role == role);
        let seen = arrays.filter_map(|array| {
            let name = self.bound.get(&array.name)?.clone();
            Some(Seen { array, name, count: self.number(array.count.text())? })
        });
        seen.collect()
    }

    /// A number of the directives in C++, if the kernel can compute it.
    pub(super) fn number(&self, text: &str) -> Option<String> {
        let directives = &self.exercise.solution.directives;
        let mut out = String::new();
        for token in tokens(text) {
            match token.kind {
                Kind::Name => match self.bound.get(token.text) {
                    Some(parameter) => out.push_str(parameter),
                    None if token.text == "n" => out.push_str(&self.size()?),
                    None => {
                        let (_, value) =
                            directives.lets.iter().find(|(name, _)| name == token.text)?;
                        out.push_str(&format!("({})", self.number(value.text())?));
                    }
                },
                _ => out.push_str(token.text),
            }
        }
        Some(out)
    }

    /// The size `n` in C++.
    pub(super) fn size(&self) -> Option<String> {
        if let Some(parameter) = self.bound.get("n") {
            return Some(parameter.clone());
        }
        let grid = &self.launch?.grid;
        (grid.len() == 1 && grid[0].text() == "n").then(|| "gridDim.x".to_owned())
    }

    /// The call of a function of the reference, `h_` before its name, for element `i` of an output.
    pub(super) fn call(&self, output: &Array) -> Option<String> {
        let text = &self.exercise.solution.text;
        let names = [format!("expected_{}", output.name), "expected".to_owned()];
        let (name, at) = names.iter().find_map(|name| {
            let at = text.rfind(&format!(" {name}("))?;
            Some((name, at + 1 + name.len()))
        })?;
        let open = &text[at..];
        let words: Vec<String> = words(&open[..=open.find(')')?]);
        let values = parameters(&words).into_iter().map(|(_, parameter)| {
            if parameter == "i" {
                return Some("h_i".to_owned());
            }
            self.bound.get(&parameter).cloned().or_else(|| self.number(&parameter))
        });
        Some(format!("h_{name}({})", values.collect::<Option<Vec<_>>>()?.join(", ")))
    }

    /// The functions of the reference as members of a local struct `h_copy`, `h_` before their names.
    pub(super) fn copy(&self) -> Option<String> {
        let text = self.exercise.solved();
        let last = text.rfind(END)?;
        let first = text[last..].find("__host__")? + last;
        let names = functions(&text[first..]);
        let renamed = tokens(&text[first..]).into_iter().map(|token| {
            let own = token.kind == Kind::Name && names.iter().any(|n| n == token.text);
            match token.text {
                "__host__" => "static".to_owned(),
                text if own => format!("h_{text}"),
                text => text.to_owned(),
            }
        });
        Some(format!("struct h_copy {{\n{}\n}};\n", renamed.collect::<String>()))
    }
}

/// The names of the functions that the host may call.
pub(super) fn functions(text: &str) -> Vec<String> {
    let words = words(text);
    let starts = words.iter().enumerate().filter(|(_, word)| *word == "__host__");
    let name = |(at, _): (usize, &String)| {
        let open = words[at..].iter().position(|word| word == "(")?;
        words.get(at + open - 1).cloned()
    };
    starts.filter_map(name).collect()
}

/// The tokens of a text without blanks and comments.
fn words(text: &str) -> Vec<String> {
    let all = tokens(text).into_iter();
    let seen = all.filter(|t: &Token<'_>| !matches!(t.kind, Kind::Blank | Kind::Comment));
    seen.map(|token| token.text.to_owned()).collect()
}

/// What encloses the end of a text, and the declaration of that function.
fn enclosing(before: &str) -> (Place, Vec<String>) {
    let (mut depth, mut declaration, mut around) = (0, Vec::new(), Vec::new());
    for word in words(before) {
        match word.as_str() {
            "{" => {
                if depth == 0 {
                    around = std::mem::take(&mut declaration);
                }
                depth += 1;
            }
            "}" => {
                depth -= 1;
                declaration.clear();
            }
            ";" => declaration.clear(),
            _ => declaration.push(word),
        }
    }
    let is_kernel = around.iter().any(|word| word == "__global__");
    match (depth, is_kernel) {
        (0, _) => (Place::File, Vec::new()),
        (_, true) => (Place::Kernel, around),
        (_, false) => (Place::Function, around),
    }
}

/// The type and the name of each parameter of a declaration, which ends with the closing bracket.
pub(super) fn parameters(declaration: &[String]) -> Vec<(String, String)> {
    let Some(open) = declaration.iter().rposition(|word| word == "(") else { return Vec::new() };
    let inside = &declaration[open + 1..declaration.len().saturating_sub(1)];
    let parameters = inside.split(|word| word == ",").filter(|words| !words.is_empty());
    let parameter = |words: &[String]| {
        let (name, ty) = words.split_last().expect("it is not empty");
        (ty.join(" "), name.clone())
    };
    parameters.map(parameter).collect()
}
