//! Local value numbering: which multiplications of a basic block have the same factors.
//!
//! The device's compiler removes common subexpressions before it contracts, so that `a * b` written
//! twice is one product with two uses. Numbers are given to the results of pure instructions and of
//! loads; a load is as another one only if nothing is written between them.

use crate::isa::operands::{Role, visit};
use crate::isa::{BinOp, Category, Inst, Reg};
use std::collections::HashMap;

/// The value of a register in a block.
type Number = u32;

/// The multiplications of floats of a block, as positions in it, in groups of equal ones.
pub(super) fn equal_products(block: &[Inst]) -> Vec<Vec<usize>> {
    let mut numbers = Numbers::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut group_of: HashMap<Number, usize> = HashMap::new();
    for (at, inst) in block.iter().enumerate() {
        numbers.step(inst);
        if let Inst::Binary { op: BinOp::Mul, ty, d, .. } = inst
            && ty.is_float()
        {
            let value = numbers.of(*d);
            let group = *group_of.entry(value).or_insert_with(|| {
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(at);
        }
    }
    groups
}

#[derive(Default)]
struct Numbers {
    /// The value in each register.
    current: HashMap<Reg, Number>,
    /// The value of each expression, by the values in its registers: the instruction without them, and
    /// its value.
    known: HashMap<Vec<Number>, Vec<(Inst, Number)>>,
    next: Number,
    /// How many instructions have written to memory.
    writes: Number,
}

impl Numbers {
    fn fresh(&mut self) -> Number {
        self.next += 1;
        self.next
    }

    fn of(&mut self, reg: Reg) -> Number {
        if let Some(number) = self.current.get(&reg) {
            return *number;
        }
        let number = self.fresh();
        self.current.insert(reg, number);
        number
    }

    fn step(&mut self, inst: &Inst) {
        if let Inst::Mov { wide, d, a } = inst {
            for i in 0..if *wide { 2 } else { 1 } {
                let value = self.of(a + i);
                self.current.insert(d + i, value);
            }
            return;
        }
        let (mut shape, mut operands, mut written) = (*inst, Vec::new(), Vec::new());
        visit(&mut shape, &mut |reg, slots, role| {
            match role {
                Role::Read => operands.extend((*reg..*reg + slots).map(|r| self.of(r))),
                Role::Write => written.extend(*reg..*reg + slots),
            }
            *reg = 0;
        });
        let known = match inst.category() {
            Category::Arithmetic | Category::Address => true,
            Category::Load => {
                operands.push(self.writes);
                !matches!(inst, Inst::Load { volatile: true, .. })
            }
            Category::Definedness | Category::WarpState => false,
            _ => {
                self.writes += 1;
                false
            }
        };
        if matches!(inst, Inst::Binary { op: BinOp::Mul | BinOp::Add, .. }) {
            let half = operands.len() / 2;
            if operands[half..] < operands[..half] {
                operands.rotate_left(half);
            }
        }
        let first = self.fresh();
        self.next += written.len() as Number;
        let value = match known {
            true => {
                let alike = self.known.entry(operands).or_default();
                let same = alike.iter().find(|(known, _)| *known == shape);
                same.map(|(_, number)| *number).unwrap_or_else(|| {
                    alike.push((shape, first));
                    first
                })
            }
            false => first,
        };
        for (i, reg) in written.into_iter().enumerate() {
            self.current.insert(reg, value + i as Number);
        }
    }
}
