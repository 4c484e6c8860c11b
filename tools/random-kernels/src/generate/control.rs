//! Branches and loops. Every loop ends: a counter that its body cannot change bounds it.

use super::Generator;
use super::expression::level;
use super::types::Type::{self, I32};

impl Generator {
    /// A condition; where threads must stay together it is the same for all of them, or they part.
    fn choose(&mut self) -> (String, bool) {
        if self.uniform && self.random.chance(40) {
            return (self.uniform_condition().text, true);
        }
        // The right side is evaluated, and changes its variable, only where the left side holds.
        if self.random.chance(10)
            && let Some(place) = self.target(|place| place.ty == Type::U32)
        {
            let left = self.condition(1);
            let bound = self.random.next() as u32;
            let text =
                format!("{} && ++{} > {bound}u", left.at(level::BIT_OR), place.at(level::UNARY));
            return (text, false);
        }
        (self.condition(3).text, false)
    }

    pub(crate) fn branch(&mut self, depth: u32) {
        if self.random.chance(25) {
            return self.switch(depth);
        }
        let (condition, together) = self.choose();
        let uniform = self.uniform;
        self.uniform &= together;
        self.line(format!("if ({condition}) {{"));
        let statements = self.random.within(1, 4);
        self.block(statements, depth);
        if self.random.chance(25) {
            let (other, together) = self.choose();
            self.uniform &= together;
            self.line(format!("}} else if ({other}) {{"));
            let statements = self.random.within(1, 3);
            self.block(statements, depth);
        }
        if self.random.chance(40) {
            self.line("} else {");
            let statements = self.random.within(1, 3);
            self.block(statements, depth);
        }
        self.line("}");
        self.uniform = uniform;
    }

    fn switch(&mut self, depth: u32) {
        let uniform = std::mem::replace(&mut self.uniform, false);
        let value = self.integer(2);
        let cases = self.random.within(2, 5);
        let spread = self.random.pick(&[1u32, 1, 1, 100]);
        let value = format!("({}) % {}", value.text, cases + 1);
        let value = if spread == 1 { value } else { format!("({value}) * {spread}") };
        self.line(format!("switch ({value}) {{"));
        let default = self.random.below(cases + 2);
        for case in 0..cases {
            if case == default {
                self.line("default:");
            }
            self.line(format!("case {}: {{", case * spread));
            let statements = self.random.within(1, 3);
            self.block(statements, depth);
            let end = if self.random.chance(75) { "} break;" } else { "}" };
            self.line(end);
        }
        self.line("}");
        self.uniform = uniform;
    }

    pub(crate) fn repeat(&mut self, depth: u32) {
        let scope = self.places.len();
        let stay = self.uniform && self.random.chance(60);
        let uniform = std::mem::replace(&mut self.uniform, stay);
        let outer = std::mem::replace(&mut self.loop_together, stay);
        self.loops += 1;
        // In a loop that all threads run together, the count is the same for all.
        let count = if stay || self.random.chance(60) {
            self.random.within(1, 6).to_string()
        } else {
            format!("(int)({} & 7)", self.integer(2).at(level::BIT_AND))
        };
        let statements = self.random.within(1, 4);
        match self.random.below(6) {
            0 => {
                let i = self.counter(4);
                self.line(format!("int {i} = {count};"));
                self.line(format!("while ({i} > 0) {{"));
                self.line(format!("    {i}--;"));
                self.block(statements, depth);
                self.line("}");
            }
            1 => {
                let i = self.counter(4);
                self.line(format!("int {i} = 0;"));
                self.line("do {");
                self.block(statements, depth);
                let more = if stay {
                    String::new()
                } else {
                    format!(" && {}", self.condition(1).at(level::AND))
                };
                let most = self.random.within(1, 4);
                self.line(format!("}} while (++{i} < {most}{more});"));
            }
            2 => {
                let (i, j) = (self.counter(4), self.counter(4));
                self.line(format!("for (int {i} = 0, {j} = 9; {i} < {j}; ++{i}, {j} -= 2) {{"));
                self.block(statements, depth);
                self.line("}");
            }
            3 => {
                let i = self.counter(8);
                let start = self.random.within(1, 255);
                let ty = self.random.pick(&["u32", "int", "u8", "i64"]);
                let last = self.places.len() - 1;
                self.places[last].ty = match ty {
                    "u32" => Type::U32,
                    "u8" => Type::U8,
                    "i64" => Type::I64,
                    _ => I32,
                };
                self.line(format!("for ({ty} {i} = {start}; {i} != 0; {i} >>= 1) {{"));
                self.block(statements, depth);
                self.line("}");
            }
            _ => {
                let i = self.counter(4);
                let unroll = self.random.pick(&[
                    "",
                    "",
                    "#pragma unroll",
                    "#pragma unroll 1",
                    "#pragma unroll 2",
                ]);
                if !unroll.is_empty() {
                    self.line(unroll);
                }
                let step = self.random.pick(&["++", " += 2"]);
                self.line(format!("for (int {i} = 0; {i} < {count}; {i}{step}) {{"));
                self.block(statements, depth);
                self.line("}");
            }
        }
        self.loops -= 1;
        self.loop_together = outer;
        self.uniform = uniform;
        self.places.truncate(scope);
    }
}
