//! Integer expressions. Each has the type that C++ gives it, with all its promotions, and is defined for
//! every value of its operands: shift counts are masked, divisors are not zero, and signed arithmetic
//! that could overflow is done unsigned.

use super::Generator;
use super::expression::{Expression, level};
use super::types::Type::{self, Bool, F32, F64, I32, I64, U32, U64};

/// Functions of integers that are defined for every argument: name, result, its bits, parameters.
const INTRINSICS: &[(&str, Type, u8, &[Type])] = &[
    ("__popc", I32, 6, &[U32]),
    ("__popcll", I32, 7, &[U64]),
    ("__clz", I32, 6, &[I32]),
    ("__clzll", I32, 7, &[I64]),
    ("__ffs", I32, 6, &[I32]),
    ("__ffsll", I32, 7, &[I64]),
    ("__brev", U32, 32, &[U32]),
    ("__brevll", U64, 64, &[U64]),
    ("__funnelshift_l", U32, 32, &[U32, U32, U32]),
    ("__funnelshift_r", U32, 32, &[U32, U32, U32]),
    ("__funnelshift_lc", U32, 32, &[U32, U32, U32]),
    ("__funnelshift_rc", U32, 32, &[U32, U32, U32]),
    ("__umulhi", U32, 32, &[U32, U32]),
    ("__mulhi", I32, 0, &[I32, I32]),
    ("__umul64hi", U64, 64, &[U64, U64]),
    ("__mul64hi", I64, 0, &[I64, I64]),
    ("__usad", U32, 32, &[U32, U32, U32]),
    ("__sad", U32, 32, &[I32, I32, U32]),
    ("__hadd", I32, 0, &[I32, I32]),
    ("__rhadd", I32, 0, &[I32, I32]),
    ("__uhadd", U32, 32, &[U32, U32]),
    ("__urhadd", U32, 32, &[U32, U32]),
    ("__umul24", U32, 32, &[U32, U32]),
    ("__dp4a", U32, 32, &[U32, U32, U32]),
    ("__dp4a", I32, 0, &[I32, I32, I32]),
    ("__dp2a_lo", I32, 0, &[I32, I32, I32]),
    ("__dp2a_hi", U32, 32, &[U32, U32, U32]),
    ("__vimax3_s32", I32, 0, &[I32, I32, I32]),
    ("__vimin3_u32", U32, 32, &[U32, U32, U32]),
];

/// Operations on the halves or bytes of a word.
const PARTS: &[&str] = &[
    "__vadd2",
    "__vadd4",
    "__vsub2",
    "__vsub4",
    "__vmaxu4",
    "__vmins2",
    "__vminu2",
    "__vmaxs4",
    "__vabsdiffu4",
    "__vabsdiffs2",
    "__vavgu4",
    "__vavgs2",
    "__vcmpgtu4",
    "__vcmpeq2",
    "__vcmples4",
    "__vaddus4",
    "__vaddss2",
    "__vsubus2",
    "__vsetltu4",
    "__vsads2",
    "__vsadu4",
    "__vhaddu4",
];

impl Generator {
    /// A literal of a promoted type: small, an edge, or any.
    fn literal(&mut self) -> Expression {
        let ty = self.random.pick(&Type::PROMOTED);
        let any = self.random.next();
        let mut value = match self.random.below(8) {
            0..4 => any % 20,
            4 => 1 << (any % 31),
            5 => [0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff][any as usize % 7],
            6 => any % 100_000,
            _ => any >> (any % 40),
        };
        value &= match ty {
            I32 => 0x7fff_ffff,
            U32 => 0xffff_ffff,
            I64 => i64::MAX as u64,
            _ => u64::MAX,
        };
        self.number(value, ty)
    }

    /// This number as a literal of the type.
    pub(crate) fn number(&mut self, value: u64, ty: Type) -> Expression {
        let suffix = match ty {
            I32 => "",
            U32 => "u",
            I64 => "ll",
            _ => "ull",
        };
        let text = if self.random.chance(25) {
            format!("{value:#x}{suffix}")
        } else {
            format!("{value}{suffix}")
        };
        // A hexadecimal literal is unsigned only where it does not fit; these fit.
        Expression::primary(text, ty).bounded(64 - value.leading_zeros() as u8)
    }

    /// A value without operators.
    fn leaf(&mut self, depth: u32) -> Expression {
        if self.random.chance(75)
            && let Some(place) = self.read(depth.min(1), |place| place.ty.is_integer())
        {
            return place;
        }
        self.literal()
    }

    /// An integer of whichever type comes out.
    pub(crate) fn integer(&mut self, depth: u32) -> Expression {
        if depth == 0 {
            return self.leaf(depth);
        }
        match self.random.below(100) {
            0..12 => self.leaf(depth),
            12..42 => self.arithmetic(depth),
            42..52 => self.shift(depth),
            52..60 => self.division(depth),
            60..68 => self.unary(depth),
            68..72 => self.condition(depth - 1),
            72..78 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                let ty = if a.ty == b.ty { a.ty } else { a.ty.usual(b.ty) };
                Expression::ternary(&condition, &a, &b, ty)
            }
            78..86 => {
                let ty = self.random.pick(&Type::INTEGERS);
                let any = self.integer(depth - 1);
                self.cast(any, ty)
            }
            86..94 => self.intrinsic(depth),
            94..97 => self.of_float(depth),
            _ => self.call(depth).unwrap_or_else(|| self.intrinsic(depth)),
        }
    }

    /// Exactly this integer type.
    pub(crate) fn integer_of(&mut self, ty: Type, depth: u32) -> Expression {
        if ty == Bool {
            return self.condition(depth);
        }
        if self.random.chance(30)
            && let Some(place) = self.read(depth.min(1), |place| place.ty == ty)
        {
            return place;
        }
        let any = self.integer(depth);
        if any.ty == ty { any } else { self.cast(any, ty) }
    }

    /// A conversion in one of C++'s notations.
    pub(crate) fn cast(&mut self, any: Expression, ty: Type) -> Expression {
        let known = any.clone().converted(ty);
        let mut out = match self.random.below(4) {
            0 => {
                Expression::primary(format!("static_cast<{}>({})", self.spelled(ty), any.text), ty)
            }
            1 => Expression::primary(format!("{}({})", ty.name(), any.text), ty),
            _ => {
                let operand = any.at(level::UNARY);
                Expression::new(format!("({}){operand}", self.spelled(ty)), level::UNARY, ty)
            }
        };
        (out.bits, out.negative) = (known.bits, known.negative);
        out
    }

    /// `+ - * & | ^`, in the type of the usual conversions.
    fn arithmetic(&mut self, depth: u32) -> Expression {
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        let ty = a.ty.usual(b.ty);
        let op = self.random.pick(&["+", "+", "-", "-", "*", "*", "&", "|", "^"]);
        let at = match op {
            "+" | "-" => level::SUM,
            "*" => level::PRODUCT,
            "&" => level::BIT_AND,
            "|" => level::BIT_OR,
            _ => level::BIT_XOR,
        };
        let (x, y) = (a.clone().converted(ty), b.clone().converted(ty));
        let bits = match op {
            "*" => x.bits + y.bits,
            "+" | "-" => x.bits.max(y.bits) + 1,
            "&" if !x.negative || !y.negative => {
                let of = |e: &Expression| if e.negative { 64 } else { e.bits };
                // A bound of 2^bits admits 2^bits itself, which has one bit more.
                of(&x).min(of(&y)) + 1
            }
            _ => x.bits.max(y.bits) + 1,
        };
        let negative = match op {
            "-" => true,
            "&" => x.negative && y.negative,
            _ => x.negative || y.negative,
        };
        if !ty.is_signed() {
            let mut out = Expression::binary(&a, op, &b, at, ty);
            out.bits = if negative { ty.width() } else { bits.min(ty.width()) };
            return out;
        }
        let overflows = matches!(op, "+" | "-" | "*") && bits >= ty.width() - 1;
        if !overflows {
            let mut out = Expression::binary(&a, op, &b, at, ty);
            (out.bits, out.negative) = (bits.min(ty.width() - 1), negative);
            return out;
        }
        // Signed arithmetic that wraps is unsigned arithmetic, and the conversion back.
        let (a, b) = (self.cast(a, ty.unsigned()), self.cast(b, ty.unsigned()));
        let wrapped = Expression::binary(&a, op, &b, at, ty.unsigned());
        self.cast(wrapped, ty)
    }

    /// `<<` and `>>`, with counts below the width of the promoted left operand.
    fn shift(&mut self, depth: u32) -> Expression {
        let mut a = self.integer(depth - 1);
        let ty = a.ty.promoted();
        let mask = u64::from(ty.width() - 1);
        let count = if self.random.chance(40) {
            let count = self.random.next() & mask;
            self.number(count, I32)
        } else {
            let any = self.integer(depth - 1);
            let mask = self.number(mask, I32);
            let ty = any.ty.usual(I32);
            Expression::binary(&any, "&", &mask, level::BIT_AND, ty)
        };
        if self.random.chance(50) {
            let known = a.clone().converted(ty);
            let mut out = Expression::binary(&a, ">>", &count, level::SHIFT, ty);
            (out.bits, out.negative) = (known.bits, known.negative);
            return out;
        }
        if ty.is_signed() {
            a = self.cast(a, ty.unsigned());
            let shifted = Expression::binary(&a, "<<", &count, level::SHIFT, ty.unsigned());
            return if self.random.chance(50) { self.cast(shifted, ty) } else { shifted };
        }
        Expression::binary(&a, "<<", &count, level::SHIFT, ty)
    }

    /// `/` and `%`, by what is neither 0 nor, among signed numbers, -1.
    fn division(&mut self, depth: u32) -> Expression {
        let a = self.integer(depth - 1);
        let op = self.random.pick(&["/", "%"]);
        let divisor = match self.random.below(4) {
            0 => {
                let value = u64::from(self.random.within(2, 1000));
                self.number(value, I32)
            }
            1 => {
                let value = self.random.within(2, 300);
                Expression::unary("-", &Expression::primary(value.to_string(), I32), I32)
            }
            2 if !a.ty.promoted().is_signed() => {
                let any = self.integer_of(a.ty.promoted(), depth - 1);
                let one = self.number(1, I32);
                Expression::binary(&any, "|", &one, level::BIT_OR, any.ty)
            }
            _ => {
                let any = self.integer(depth - 1);
                let mask = self.number(0x3f, I32);
                let ty = any.ty.usual(I32);
                let small = Expression::binary(&any, "&", &mask, level::BIT_AND, ty);
                let two = self.number(2, I32);
                Expression::binary(&small, "+", &two, level::SUM, ty)
            }
        };
        let ty = a.ty.usual(divisor.ty);
        let known = a.clone().converted(ty);
        let mut out = Expression::binary(&a, op, &divisor, level::PRODUCT, ty);
        (out.bits, out.negative) = (known.bits, known.negative || ty.is_signed());
        if ty.is_signed() { out } else { out.bounded(ty.width()) }
    }

    /// `~ - + !`
    fn unary(&mut self, depth: u32) -> Expression {
        let a = self.integer(depth - 1);
        let ty = a.ty.promoted();
        let known = a.clone().converted(ty);
        match self.random.below(6) {
            0 => {
                let mut out = Expression::unary("+", &a, ty);
                (out.bits, out.negative) = (known.bits, known.negative);
                out
            }
            1 => Expression::unary("!", &a, Bool),
            2 | 3 if !ty.is_signed() || known.bits < ty.width() - 1 => {
                let mut out = Expression::unary("-", &a, ty);
                out.bits = if ty.is_signed() { known.bits } else { ty.width() };
                out
            }
            _ => Expression::unary("~", &a, ty),
        }
    }

    /// A function of the hardware's integer unit.
    fn intrinsic(&mut self, depth: u32) -> Expression {
        match self.random.below(10) {
            0 | 1 => {
                let ty = self.random.pick(&Type::PROMOTED);
                let (a, b) = (self.integer_of(ty, depth - 1), self.integer_of(ty, depth - 1));
                let name = self.random.pick(&["min", "max"]);
                Expression::primary(format!("{name}({}, {})", a.text, b.text), ty)
            }
            2 => {
                let (a, b) = (self.integer_of(U32, depth - 1), self.integer_of(U32, depth - 1));
                let selector = self.integer_of(U32, depth - 1).at(level::BIT_AND);
                let text = format!("__byte_perm({}, {}, {selector} & 0x7777u)", a.text, b.text);
                Expression::primary(text, U32)
            }
            4 => {
                let (a, b) = (self.integer_of(U32, depth - 1), self.integer_of(U32, depth - 1));
                let name = self.random.pick(PARTS);
                Expression::primary(format!("{name}({}, {})", a.text, b.text), U32)
            }
            3 => {
                let any = self.integer(depth - 1);
                let small = self.cast(any, Type::I16);
                Expression::primary(format!("abs({})", small.text), I32).bounded(16)
            }
            _ => {
                let (name, ty, bits, parameters) = self.random.pick(INTRINSICS);
                let arguments: Vec<String> = parameters
                    .iter()
                    .map(|&parameter| self.integer_of(parameter, depth - 1).text)
                    .collect();
                let out = Expression::primary(format!("{name}({})", arguments.join(", ")), ty);
                if bits == 0 { out } else { out.bounded(bits) }
            }
        }
    }

    /// The bits of a float, or its value as an integer.
    fn of_float(&mut self, depth: u32) -> Expression {
        if self.family == super::Family::Halves && self.random.chance(60) {
            return self.integer_from_half(depth - 1);
        }
        let ty = self.random.pick(&[F32, F64]);
        let value = self.float(ty, depth - 1);
        match self.random.below(6) {
            0 => Expression::primary(
                format!("bits_of({})", value.text),
                if ty == F32 { U32 } else { U64 },
            ),
            1 => {
                let name = if ty == F32 { "ilogbf" } else { "ilogb" };
                Expression::primary(format!("{name}(number({}))", value.text), I32)
            }
            2 if ty == F64 => {
                let name = self.random.pick(&["__double2hiint", "__double2loint"]);
                Expression::primary(format!("{name}(number({}))", value.text), I32)
            }
            2 => {
                let name = self.random.pick(&["lrintf", "llrintf", "llroundf", "lroundf"]);
                let text = format!("(i64){name}(fminf(fmaxf({}, -1e9f), 1e9f))", value.text);
                Expression::new(text, level::UNARY, I64)
            }
            3 => {
                // The conversions with a name are defined for every value.
                let (from, to) = (if ty == F32 { "float" } else { "double" }, self.random.below(4));
                let (to, result) =
                    [("int", I32), ("uint", U32), ("ll", I64), ("ull", U64)][to as usize];
                let direction = self.random.pick(&["rn", "rz", "ru", "rd"]);
                let value = if result.width() == 64 || ty == F64 {
                    format!("number({})", value.text)
                } else {
                    value.text
                };
                Expression::primary(format!("__{from}2{to}_{direction}({value})"), result)
            }
            _ => {
                // A cast is defined where the integer can hold the value.
                let to = self.random.pick(&[I32, I64]);
                let limit = if to == I32 { "1e9" } else { "1e18" };
                let (min, max, suffix) =
                    if ty == F32 { ("fminf", "fmaxf", "f") } else { ("fmin", "fmax", "") };
                let inner =
                    format!("{min}({max}({}, -{limit}{suffix}), {limit}{suffix})", value.text);
                self.cast(Expression::primary(inner, ty), to)
            }
        }
    }
}
