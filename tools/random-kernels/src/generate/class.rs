//! Classes: constructors, operators, inheritance, virtual functions; functions through pointers.
//!
//! They compute in `u32` and `u64`, which wrap.

use super::Generator;
use super::expression::{Expression, level};
use super::function::{Function, Kind};
use super::scope::Place;
use super::types::Type::{self, U32, U64};

/// What a kernel may make objects of.
#[derive(Debug, Clone)]
pub(crate) enum Class {
    /// A number with operators: its qualified name, and the number's type.
    Number(String, Type),
    /// A base, and two classes derived from it.
    Family(String, [String; 2]),
    /// Two functions from `u32` to `u32`.
    Functions([String; 2]),
}

impl Generator {
    /// Adds classes to the items before the kernel.
    pub(crate) fn define_class(&mut self) {
        let class = match self.random.below(4) {
            0 | 1 => self.define_number(),
            2 => self.define_family(),
            _ => self.define_functions(),
        };
        self.classes.push(class);
    }

    /// An expression over these variables.
    fn over(&mut self, variables: &[(&str, Type)], result: Type, depth: u32) -> String {
        let places = variables.iter().map(|(name, ty)| Place::variable(*name, *ty).constant());
        let outer = std::mem::replace(&mut self.places, places.collect());
        let value = self.integer_of(result, depth).at(level::TERNARY);
        self.places = outer;
        value
    }

    fn define_number(&mut self) -> Class {
        let (space, ty) = (self.item_name("space"), self.random.pick(&[U32, U64]));
        let t = ty.name();
        let (a, b) = (("v", ty), ("other.v", ty));
        let sum = self.over(&[a, b], ty, 2);
        let changed = self.over(&[a, ("x", ty)], ty, 2);
        let called = self.over(&[a, ("x", ty)], ty, 2);
        let less = self.over(&[a, b], Type::Bool, 2);
        let (shift, second) = (self.random.within(1, 20), self.random.within(2, 200));
        self.items += &format!(
            "namespace {space} {{
enum class Kind : u8 {{ First, Second = {second}, Third }};
template <typename T>
struct Number {{
    static constexpr int SHIFT = {shift};
    T v;
    __device__ explicit Number(T x, Kind kind = Kind::Third) : v(x + (T)kind) {{}}
    __device__ Number operator+(const Number& other) const {{ return Number({sum}, Kind::First); }}
    __device__ Number& operator^=(T x) {{ v = {changed}; return *this; }}
    __device__ Number& operator++() {{ v += 1; return *this; }}
    __device__ Number operator++(int) {{ Number old = *this; ++*this; return old; }}
    __device__ T operator()(T x) const {{ return ({called}) >> SHIFT; }}
    __device__ bool operator<(const Number& other) const {{ return {less}; }}
    __device__ explicit operator {t}() const {{ return v; }}
}};
}}
"
        );
        Class::Number(format!("{space}::Number<{t}>"), ty)
    }

    fn define_family(&mut self) -> Class {
        let base = self.item_name("Base");
        let derived = [self.item_name("D"), self.item_name("D")];
        let own = self.over(&[("v", U32), ("x", U32)], U32, 2);
        self.items += &format!(
            "struct {base} {{
    u32 v;
    __device__ {base}(u32 x) : v(x) {{}}
    __device__ virtual u32 act(u32 x) const {{ return {own}; }}
    __device__ u32 twice(u32 x) const {{ return act(act(x)); }}
}};
"
        );
        // The host's compiler reads what initialises members, and knows no function of the device's.
        for (at, name) in derived.iter().enumerate() {
            let own = self.over(&[("v", U32), ("x", U32), ("w", U64)], U32, 2);
            let start = self.over(&[("x", U32)], U64, 1);
            let inherited = if at == 1 {
                format!("{} + {base}::act(x)", Expression::parenthesised(&own))
            } else {
                own
            };
            self.items += &format!(
                "struct {name} : {base} {{
    u64 w;
    __device__ {name}(u32 x) : {base}(x * 3u), w(x) {{ w = {start}; }}
    __device__ u32 act(u32 x) const override {{ return {inherited}; }}
}};
"
            );
        }
        Class::Family(base, derived)
    }

    fn define_functions(&mut self) -> Class {
        let names = [self.item_name("h"), self.item_name("h")];
        for name in &names {
            let value = self.over(&[("x", U32)], U32, 3);
            self.items += &format!("__device__ u32 {name}(u32 x) {{ return {value}; }}\n");
        }
        Class::Functions(names)
    }

    /// Makes objects and uses them. Braces, because `C x(u32(*p))` declares a function.
    pub(crate) fn declare_object(&mut self) {
        if self.classes.is_empty() || !self.in_kernel {
            return self.declare_scalar();
        }
        let at = self.random.below(self.classes.len() as u32) as usize;
        match self.classes[at].clone() {
            Class::Number(class, ty) => self.declare_number(&class, ty),
            Class::Family(base, derived) => {
                let (one, two, pointer) = (self.name("one"), self.name("two"), self.name("base"));
                let (first, second) = (self.integer_of(U32, 2).text, self.integer_of(U32, 2).text);
                let condition = self.condition(2);
                self.line(format!("{} {one}{{{first}}};", derived[0]));
                self.line(format!("{} {two}{{{second}}};", derived[1]));
                self.line(format!(
                    "{base}* {pointer} = {} ? ({base}*)&{one} : ({base}*)&{two};",
                    condition.at(level::TERNARY + 1)
                ));
                self.places.push(Place::variable(format!("{one}.v"), U32));
                self.places.push(Place::variable(format!("{two}.w"), U64));
                let act = self.random.pick(&["act", "twice"]);
                self.callable(format!("{pointer}->{act}"), U32);
            }
            Class::Functions(names) => {
                let pointer = self.name("pointer");
                let condition = self.condition(2);
                self.line(format!(
                    "u32 (*{pointer})(u32) = {} ? {} : {};",
                    condition.at(level::TERNARY + 1),
                    names[0],
                    names[1]
                ));
                self.callable(pointer, U32);
            }
        }
    }

    fn declare_number(&mut self, class: &str, ty: Type) {
        let (name, other) = (self.name("q"), self.name("q"));
        let (value, second) = (self.integer_of(ty, 2).text, self.integer_of(ty, 2).text);
        self.line(format!("{class} {name}{{{value}}};"));
        self.line(format!("auto {other} = {name} + {class}({second});"));
        let text = match self.random.below(4) {
            0 => format!("{name} ^= {};", self.integer_of(ty, 2).text),
            1 => format!("{other} = {name}++;"),
            2 => format!("if ({name} < {other}) ++{name};"),
            _ => format!("{other}.v = ({}){name};", ty.name()),
        };
        self.line(text);
        self.mark(&format!("{name}.v"));
        self.mark(&format!("{other}.v"));
        self.places.push(Place::variable(format!("{name}.v"), ty));
        self.places.push(Place::variable(format!("{other}.v"), ty));
        self.callable(name, ty);
    }

    /// Brings a function of one parameter into scope.
    fn callable(&mut self, name: String, ty: Type) {
        let parameters = vec![(ty, Kind::Value)];
        self.functions.push(Function { name, parameters, result: ty, exact: false });
    }

    /// A vector that is loaded as a whole from an input of its elements.
    pub(crate) fn declare_load(&mut self) {
        let vectors = [
            (Type::I32, "int4", 4u32),
            (U32, "uint2", 2),
            (Type::F32, "float4", 4),
            (U64, "ulonglong2", 2),
        ];
        let fit: Vec<(Type, &str, u32, String)> = self
            .places
            .iter()
            .filter(|place| place.text.starts_with("in"))
            .filter_map(|place| {
                let input = place.text.strip_suffix("[@]")?.to_owned();
                vectors.iter().find(|v| v.0 == place.ty).map(|v| (v.0, v.1, v.2, input))
            })
            .collect();
        if fit.is_empty() {
            return self.declare_scalar();
        }
        let (element, vector, length, input) =
            fit[self.random.below(fit.len() as u32) as usize].clone();
        let name = self.name("v");
        let index = self.index(64 / length - 1, 2);
        let constant = self.random.pick(&["const ", ""]);
        self.line(format!(
            "{constant}{vector} {name} = reinterpret_cast<const {vector}*>({input})[{index}];"
        ));
        for member in ["x", "y", "z", "w"].iter().take(length as usize) {
            let place = Place::variable(format!("{name}.{member}"), element);
            self.places.push(if constant.is_empty() { place } else { place.constant() });
        }
        let text = format!("{name}.x");
        self.mark(&text);
    }
}
