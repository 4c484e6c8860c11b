//! What a kernel may read and write at a place: variables, elements, fields, what pointers point at.

use super::Generator;
use super::expression::{Expression, level};
use super::types::Type;

/// Something that has a value.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Its text; `@` stands for an index.
    pub(crate) text: String,
    /// The index is any number, reduced with this mask.
    pub(crate) mask: Option<u32>,
    pub(crate) ty: Type,
    pub(crate) writable: bool,
    /// At most 2^bits and not negative, if that is known.
    pub(crate) bits: Option<u8>,
    /// Whether all threads of a block have the same value.
    pub(crate) uniform: bool,
    /// How tightly the text binds: `*p` less than `p[0]`.
    pub(crate) level: u8,
}

impl Place {
    /// A variable.
    pub(crate) fn variable(text: impl Into<String>, ty: Type) -> Place {
        let (mask, bits, level) = (None, None, level::PRIMARY);
        Place { text: text.into(), mask, ty, writable: true, bits, uniform: false, level }
    }

    /// The same, to be read only.
    pub(crate) fn constant(mut self) -> Place {
        self.writable = false;
        self
    }

    /// The same, not negative and at most 2^bits.
    pub(crate) fn bounded(mut self, bits: u8) -> Place {
        self.bits = Some(bits);
        self
    }

    /// The same, with an index under the mask.
    pub(crate) fn indexed(mut self, mask: u32) -> Place {
        self.mask = Some(mask);
        self
    }

    /// The same value in all threads of a block.
    pub(crate) fn uniform(mut self) -> Place {
        self.uniform = true;
        self
    }
}

impl Generator {
    /// An expression for a place, with its index filled in.
    fn reference(&mut self, place: &Place, depth: u32) -> Expression {
        let text = match place.mask {
            Some(mask) => {
                let index = self.index(mask, depth);
                place.text.replace('@', &index)
            }
            None => place.text.clone(),
        };
        let out = Expression::new(text, place.level, place.ty);
        match place.bits {
            Some(bits) => out.bounded(bits),
            None => out,
        }
    }

    /// An index from 0 to `mask`.
    pub(crate) fn index(&mut self, mask: u32, depth: u32) -> String {
        if depth == 0 || self.random.chance(50) {
            return self.random.below(mask + 1).to_string();
        }
        let any = self.integer(depth - 1);
        format!("{} & {mask}", any.at(level::BIT_AND))
    }

    /// Reads a place that satisfies the condition, if there is one.
    pub(crate) fn read(
        &mut self,
        depth: u32,
        wanted: impl Fn(&Place) -> bool,
    ) -> Option<Expression> {
        let fit: Vec<usize> = (0..self.places.len()).filter(|&i| wanted(&self.places[i])).collect();
        if fit.is_empty() {
            return None;
        }
        // Newer ones first: what was computed last is to be used.
        let at = self.random.below(fit.len() as u32).max(self.random.below(fit.len() as u32));
        let place = self.places[fit[at as usize]].clone();
        Some(self.reference(&place, depth))
    }

    /// A place to assign to, with its index a literal: so that reading it again reads the same.
    pub(crate) fn target(&mut self, wanted: impl Fn(&Place) -> bool) -> Option<Expression> {
        let fit: Vec<usize> = (0..self.places.len())
            .filter(|&i| self.places[i].writable && wanted(&self.places[i]))
            .collect();
        if fit.is_empty() {
            return None;
        }
        let place = self.places[self.random.pick(&fit)].clone();
        Some(self.reference(&place, 1))
    }
}
