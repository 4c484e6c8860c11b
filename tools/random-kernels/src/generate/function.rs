//! Device functions: overloads, templates, references, recursion; and calls.
//!
//! A call that changes something stands alone, as the initialiser of a variable: inside a larger
//! expression the order of its parts would be open.

use super::Generator;
use super::expression::Expression;
use super::scope::Place;
use super::types::Type::{self, I32, U32, U64};

/// How a parameter is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By value or by reference to `const`.
    Value,
    /// By value, to a function that changes something else.
    Changing,
    /// By reference, and changed.
    Reference,
    /// The depth of a recursion.
    Depth(u32),
}

/// Something that can be called.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<(Type, Kind)>,
    pub(crate) result: Type,
    /// Whether arguments must have exactly the parameters' types, to choose among overloads.
    pub(crate) exact: bool,
}

impl Function {
    fn recurses(&self) -> bool {
        self.parameters.iter().any(|(_, kind)| matches!(kind, Kind::Depth(_)))
    }

    fn changes(&self) -> bool {
        self.parameters.iter().any(|(_, kind)| matches!(kind, Kind::Reference | Kind::Changing))
    }
}

impl Generator {
    /// A call of a function without effects, with an integer result.
    pub(crate) fn call(&mut self, depth: u32) -> Option<Expression> {
        self.call_of(depth, |ty| ty.is_integer())
    }

    /// A call of a function without effects.
    pub(crate) fn call_of(
        &mut self,
        depth: u32,
        wanted: impl Fn(Type) -> bool,
    ) -> Option<Expression> {
        let fit: Vec<usize> = (0..self.functions.len())
            .filter(|&i| wanted(self.functions[i].result) && !self.functions[i].changes())
            // Recursion that calls recursion would take the simulator, which inlines, too far.
            .filter(|&i| self.in_kernel || !self.functions[i].recurses())
            .collect();
        if fit.is_empty() {
            return None;
        }
        let function = self.functions[self.random.pick(&fit)].clone();
        let text = self.call_text(&function, depth)?;
        Some(Expression::primary(text, function.result))
    }

    fn call_text(&mut self, function: &Function, depth: u32) -> Option<String> {
        let mut arguments = Vec::new();
        for &(ty, kind) in &function.parameters {
            arguments.push(match kind {
                Kind::Reference => self.target(|place| place.ty == ty)?.text,
                Kind::Depth(most) => {
                    let any = self.integer(depth.saturating_sub(1)).text;
                    format!("(int)((u32)({any}) % {most}u)")
                }
                _ if function.exact => self.value(ty, depth.saturating_sub(1)).text,
                _ => self.argument(ty, depth.saturating_sub(1)),
            });
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    /// A variable that is initialised by a call with effects.
    pub(crate) fn call_statement(&mut self) {
        let fit: Vec<usize> =
            (0..self.functions.len()).filter(|&i| self.functions[i].changes()).collect();
        if fit.is_empty() {
            return self.declare_scalar();
        }
        let function = self.functions[self.random.pick(&fit)].clone();
        let Some(call) = self.call_text(&function, 2) else { return self.declare_scalar() };
        let name = self.name("v");
        self.line(format!("{} {name} = {call};", function.result.name()));
        self.places.push(Place::variable(name.clone(), function.result));
        self.mark(&name);
    }

    /// Adds a device function to the items before the kernel.
    pub(crate) fn define_function(&mut self) {
        match self.random.below(10) {
            0..5 => self.define_plain(false),
            5 | 6 => self.define_plain(true),
            7 | 8 => self.define_template(),
            _ => self.define_recursive(),
        }
    }

    /// Generates the body of a function with these parameters in scope.
    fn function_body(&mut self, parameters: Vec<Place>, result: Type, statements: u32) -> String {
        let places = std::mem::replace(&mut self.places, parameters);
        let returns = self.returns.replace(result);
        let functions = self.functions.len();
        let body = self.aside(1, |generator| {
            for _ in 0..statements {
                generator.statement(1);
            }
            let value = generator.argument(result, 3);
            generator.line(format!("return {value};"));
        });
        self.returns = returns;
        self.places = places;
        self.functions.truncate(functions);
        body
    }

    fn define_plain(&mut self, overloaded: bool) {
        let name = match self.functions.iter().rfind(|f| f.exact) {
            Some(other) if overloaded && self.random.chance(60) => other.name.clone(),
            _ => self.item_name("f"),
        };
        let mut parameters = Vec::new();
        let (mut places, mut list) = (Vec::new(), Vec::new());
        for at in 0..self.random.within(1, 3) {
            let (ty, name) = (self.scalar(), format!("x{at}"));
            let spelled = self.spelled(ty);
            let place = Place::variable(name.clone(), ty);
            match self.random.below(if overloaded { 2 } else { 4 }) {
                2 => {
                    list.push(format!("const {spelled}& {name}"));
                    places.push(place.constant());
                    parameters.push((ty, Kind::Value));
                }
                3 => {
                    list.push(format!("{spelled}& {name}"));
                    places.push(place);
                    parameters.push((ty, Kind::Reference));
                }
                _ => {
                    list.push(format!("{spelled} {name}"));
                    places.push(place);
                    parameters.push((ty, Kind::Value));
                }
            }
        }
        let types =
            |parameters: &[(Type, Kind)]| parameters.iter().map(|p| p.0).collect::<Vec<_>>();
        if overloaded
            && self
                .functions
                .iter()
                .any(|f| f.name == name && types(&f.parameters) == types(&parameters))
        {
            return;
        }
        let result = self.scalar();
        let statements = self.random.within(0, 4);
        let body = self.function_body(places, result, statements);
        let inline = self.random.pick(&["", "", "__forceinline__ ", "__noinline__ ", "inline "]);
        let spelled = self.spelled(result);
        self.items +=
            &format!("__device__ {inline}{spelled} {name}({}) {{\n{body}}}\n", list.join(", "));
        self.functions.push(Function { name, parameters, result, exact: overloaded });
    }

    /// A template of a type and a number, instantiated for several types. Its operations are defined in
    /// all of them: small unsigned integers are promoted, and larger ones wrap.
    fn define_template(&mut self) {
        let name = self.item_name("t");
        let step = |generator: &mut Generator, a: &str, b: &str| {
            let op = generator.random.pick(&["+", "-", "^", "|", "&"]);
            let factor = generator.random.within(2, 9);
            match generator.random.below(4) {
                0 => format!("T({a} {op} {b})"),
                1 => format!("static_cast<T>({a} * T({factor})) {op} {b}"),
                2 => format!(
                    "{a} < {b} ? T({b} >> {}) : T({a} {op} N)",
                    generator.random.within(1, 7)
                ),
                _ => format!("T({a} % T({}))", factor + 1),
            }
        };
        let (first, second, third) =
            (step(self, "a", "b"), step(self, "b", "x"), step(self, "x", "a"));
        let default = if self.random.chance(30) { " = 3" } else { "" };
        self.items += &format!(
            "template <typename T, int N{default}>\n__device__ T {name}(T a, const T& b) {{\n    T x = {first};\n    \
             for (int i = 0; i < N; i++) {{ x = {second}; a = {third}; }}\n    \
             if constexpr (sizeof(T) > 2) return T(x + a);\n    else return T(x ^ T(a >> 1));\n}}\n"
        );
        for _ in 0..self.random.within(1, 3) {
            let ty = self.random.pick(&[Type::U8, Type::U16, U32, U64]);
            let number = if default.is_empty() || self.random.chance(50) {
                format!(", {}", self.random.within(1, 5))
            } else {
                String::new()
            };
            let name = format!("{name}<{}{number}>", self.spelled(ty));
            let parameters = vec![(ty, Kind::Value), (ty, Kind::Value)];
            self.functions.push(Function { name, parameters, result: ty, exact: false });
        }
    }

    fn define_recursive(&mut self) {
        let (name, ty) =
            (self.item_name("g"), self.random.pick(&[U32, U64, I32, Type::F32, Type::U16]));
        let other = self.scalar();
        let places = vec![
            Place::variable("n", I32).constant().bounded(4),
            Place::variable("x", ty),
            Place::variable("y", other),
        ];
        let outer = std::mem::replace(&mut self.places, places);
        let (end, x, y) = (self.argument(ty, 2), self.argument(ty, 2), self.argument(other, 1));
        let condition = self.condition(2);
        let (early, change) = (self.argument(ty, 1), self.argument(ty, 2));
        // Two calls in one text would grow as a power of two where calls are inlined.
        let call = format!("{name}(n - 1, {x}, {y})");
        let result = match ty {
            U32 | U64 => format!("{call} + (x ^ n)"),
            Type::F32 => format!("-{call}"),
            _ => format!("{call} ^ x"),
        };
        self.places = outer;
        let (ty_name, other_name) = (ty.name(), other.name());
        self.items += &format!(
            "__device__ {ty_name} {name}(int n, {ty_name} x, {other_name} y) {{\n    if (n <= 0) return {end};\n    \
             if ({}) return {early};\n    x = {change};\n    return {result};\n}}\n",
            condition.text
        );
        let parameters = vec![(I32, Kind::Depth(9)), (ty, Kind::Value), (other, Kind::Value)];
        self.functions.push(Function { name, parameters, result: ty, exact: false });
    }
}
