//! Statements: assignments of all kinds, and the choice among all statements.

use super::expression::level;
use super::scope::Place;
use super::types::Type::{self, Bool, I32, I64, U8, U16, U32, U64};
use super::{Generator, Rounding};

impl Generator {
    /// One statement. `depth` says how many more blocks may nest.
    pub(crate) fn statement(&mut self, depth: u32) {
        self.left -= 1;
        match self.random.below(100) {
            0..22 => self.declaration(),
            22..40 => self.assignment(),
            40..55 => self.compound(),
            55..60 => self.step(),
            60..64 => self.call_statement(),
            64..79 if depth > 0 => self.branch(depth - 1),
            79..86 if depth > 0 && self.loops < 2 => self.repeat(depth - 1),
            86..97 if self.in_kernel => self.together(depth),
            97.. => self.leave(),
            _ => self.assignment(),
        }
    }

    /// `{ ... }`: statements, and what became of the variables that end with it.
    pub(crate) fn block(&mut self, statements: u32, depth: u32) {
        let (places, functions) = (self.places.len(), self.functions.len());
        self.indent += 1;
        for _ in 0..statements {
            if self.left > 0 {
                self.statement(depth);
            }
        }
        if self.in_kernel {
            self.fold(places);
        }
        self.indent -= 1;
        self.places.truncate(places);
        self.functions.truncate(functions);
    }

    /// Adds places from this one on to the thread's hash: some of them, and at least the last.
    pub(crate) fn fold(&mut self, from: usize) {
        let places: Vec<Place> = self.places[from..].to_vec();
        for (at, place) in places.iter().enumerate() {
            if place.text.contains("threadIdx") || (at + 1 < places.len() && self.random.chance(40))
            {
                continue;
            }
            let index = self.random.below(place.mask.unwrap_or(0) + 1).to_string();
            self.line(format!("fold(h, {});", place.text.replace('@', &index)));
        }
        if !places.is_empty() {
            self.mark("h");
        }
    }

    fn assignment(&mut self) {
        let Some(place) = self.target(|_| true) else { return self.declare_scalar() };
        let value = self.argument(place.ty, 4);
        self.line(format!("{} = {value};", place.text));
        self.mark(&place.text);
    }

    /// `+=` and its kin, with operands for which they are defined.
    fn compound(&mut self) {
        let Some(place) = self.target(|place| !place.ty.is_half()) else {
            return self.assignment();
        };
        let ty = place.ty;
        let text = if ty == Bool {
            let value = self.condition(2);
            let op = self.random.pick(&["&=", "|=", "^="]);
            format!("{op} {}", value.at(level::TERNARY))
        } else if ty.is_float() {
            let (op, value) = match self.rounding {
                Rounding::Named => ("=", self.float(ty, 3).text),
                Rounding::PlainSums => (self.random.pick(&["+=", "-="]), self.float(ty, 3).text),
                Rounding::PlainProducts => ("*=", self.float(ty, 3).text),
                Rounding::Contracted => {
                    let a = self.float(ty, 3);
                    let product = self.contracted(&a).unwrap_or(a);
                    (self.random.pick(&["+=", "-="]), product.text)
                }
            };
            format!("{op} {value}")
        } else {
            self.integer_compound(ty)
        };
        self.line(format!("{} {text};", place.text));
        self.mark(&place.text);
    }

    fn integer_compound(&mut self, ty: Type) -> String {
        match self.random.below(10) {
            // Unsigned operands make it wrap, whatever the left side is.
            0..4 => {
                let wide = if ty.width() == 64 { U64 } else { U32 };
                let op = self.random.pick(&["+=", "-=", "*="]);
                let value = self.integer_of(wide, 3);
                format!("{op} {}", value.at(level::TERNARY))
            }
            4 | 5 => {
                let op = self.random.pick(&["&=", "|=", "^="]);
                let value = self.integer(3);
                format!("{op} {}", value.at(level::TERNARY))
            }
            6 if matches!(ty, U8 | U16 | U32 | U64) => {
                let mask = if ty.width() < 32 { 15 } else { ty.width() - 1 };
                let value = self.integer(2);
                format!("<<= {} & {mask}", value.at(level::BIT_AND))
            }
            6 | 7 => {
                let mask = ty.promoted().width() - 1;
                let value = self.integer(2);
                format!(">>= {} & {mask}", value.at(level::BIT_AND))
            }
            _ => {
                let op = self.random.pick(&["/=", "%="]);
                format!("{op} {}", self.random.within(2, 100))
            }
        }
    }

    /// `++` and `--` of what wraps.
    fn step(&mut self) {
        let wraps = |place: &Place| place.ty.is_integer() && !matches!(place.ty, Bool | I32 | I64);
        let Some(place) = self.target(wraps) else { return self.assignment() };
        let op = self.random.pick(&["++", "--"]);
        let target = place.at(level::PRIMARY);
        match self.random.below(4) {
            0 => self.line(format!("{op}{};", place.at(level::UNARY))),
            1 => self.line(format!("{target}{op};")),
            _ => {
                let (name, ty) = (self.name("v"), self.random.pick(&Type::INTEGERS));
                let spelled = self.spelled(ty);
                let text = if self.random.chance(50) {
                    format!("{target}{op}")
                } else {
                    format!("{op}{target}")
                };
                self.line(format!("{spelled} {name} = {text};"));
                self.places.push(Place::variable(name, ty));
            }
        }
        self.mark(&place.text);
    }

    /// Leaves the loop or the function, if a condition holds.
    fn leave(&mut self) {
        if let Some(ty) = self.returns {
            let (condition, value) = (self.condition(2), self.argument(ty, 2));
            return self.line(format!("if ({}) return {value};", condition.text));
        }
        // A thread that leaves a loop alone is missing at the loop's barriers.
        if self.loops == 0 || (self.loop_together && !self.uniform) {
            return self.assignment();
        }
        let condition = if self.uniform { self.uniform_condition() } else { self.condition(2) };
        let how = self.random.pick(&["break", "continue"]);
        self.line(format!("if ({}) {how};", condition.text));
    }

    /// A counter that a loop may not change.
    pub(crate) fn counter(&mut self, bits: u8) -> String {
        let name = self.name("j");
        self.places.push(Place::variable(name.clone(), I32).constant().bounded(bits));
        name
    }
}
