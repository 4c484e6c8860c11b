//! Declarations: variables, arrays, structs, unions, vectors, references, pointers, lambdas.
//!
//! Everything is initialised where it is declared.

use super::Generator;
use super::expression::level;
use super::function::{Function, Kind};
use super::scope::Place;
use super::types::Type::{self, F32, F64, I16, I32, I64, U8, U16, U32, U64};

/// A struct of the kernel's.
#[derive(Debug, Clone)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// The paths of its scalars, nested ones too; `@` stands for an index under the mask.
    pub(crate) fields: Vec<(String, Option<u32>, Type)>,
    /// The members as they are initialised: a scalar, an array, or a struct.
    members: Vec<Member>,
    /// Its method and the method's parameter and result.
    method: Option<(String, Type, Type)>,
}

#[derive(Debug, Clone)]
enum Member {
    Scalar(Type),
    Array(Type, u32),
    Nested(Struct),
}

/// CUDA's vector types: name, element, length.
const VECTORS: &[(&str, Type, usize)] = &[
    ("int2", I32, 2),
    ("int3", I32, 3),
    ("int4", I32, 4),
    ("uint2", U32, 2),
    ("uint4", U32, 4),
    ("short2", I16, 2),
    ("ushort4", U16, 4),
    ("uchar4", U8, 4),
    ("float2", F32, 2),
    ("float3", F32, 3),
    ("float4", F32, 4),
    ("double2", F64, 2),
    ("longlong2", I64, 2),
    ("ulonglong2", U64, 2),
];

impl Generator {
    /// One declaration.
    pub(crate) fn declaration(&mut self) {
        match self.random.below(100) {
            0..45 => self.declare_scalar(),
            45..58 => self.declare_array(),
            58..68 => self.declare_struct(),
            68..73 => self.declare_union(),
            73..80 => self.declare_vector(),
            80..86 => self.declare_reference(),
            86..90 => self.declare_pointer(),
            90..93 => self.declare_load(),
            93..96 => self.declare_object(),
            _ => self.declare_lambda(),
        }
    }

    pub(crate) fn declare_scalar(&mut self) {
        let (ty, name) = (self.scalar(), self.name("v"));
        let spelled = self.spelled(ty);
        let mut place = Place::variable(name.clone(), ty);
        match self.random.below(6) {
            0 => {
                let value = self.value(ty, 3);
                self.line(format!("auto {name} = {};", value.text));
            }
            1 => {
                let value = self.value(ty, 3);
                self.line(format!("{spelled} {name}{{{}}};", value.text));
            }
            2 => {
                let value = self.value(ty, 3);
                self.line(format!("const {spelled} {name} = {};", value.text));
                place = place.constant();
            }
            _ => {
                let value = self.argument(ty, 3);
                self.line(format!("{spelled} {name} = {value};"));
            }
        }
        self.places.push(place);
        self.mark(&name);
    }

    fn declare_array(&mut self) {
        let (ty, name) = (self.scalar(), self.name("a"));
        let length = self.random.pick(&[2u32, 4, 8]);
        let spelled = self.spelled(ty);
        let rows = if self.random.chance(20) { Some(2) } else { None };
        let dimensions = rows.map_or(String::new(), |rows| format!("[{rows}]"));
        if self.random.chance(50) && rows.is_none() {
            // What the list leaves out is zero.
            let given = self.random.within(0, length);
            let values: Vec<String> =
                (0..given).map(|_| self.value(ty, 2).at(level::TERNARY)).collect();
            self.line(format!("{spelled} {name}[{length}] = {{{}}};", values.join(", ")));
        } else {
            self.line(format!("{spelled} {name}{dimensions}[{length}];"));
            let (row, cell) = (self.name("j"), self.name("j"));
            let value = self.argument(ty, 2);
            match rows {
                Some(rows) => {
                    self.line(format!("for (int {row} = 0; {row} < {rows}; {row}++)"));
                    self.line(format!("    for (int {cell} = 0; {cell} < {length}; {cell}++) {name}[{row}][{cell}] = {value};"));
                }
                None => self.line(format!(
                    "for (int {cell} = 0; {cell} < {length}; ++{cell}) {name}[{cell}] = {value};"
                )),
            }
        }
        let row = rows.map_or(String::new(), |rows| format!("[{}]", self.random.below(rows)));
        self.places.push(Place::variable(format!("{name}{row}[@]"), ty).indexed(length - 1));
    }

    /// Adds a struct to the items before the kernel.
    pub(crate) fn define_struct(&mut self) {
        let name = self.item_name("S");
        let aligned =
            self.random.pick(&["", "", "", "alignas(8) ", "alignas(16) ", "__align__(8) "]);
        let (mut fields, mut members, mut text) = (Vec::new(), Vec::new(), String::new());
        for at in 0..self.random.within(2, 5) {
            let field = format!("m{at}");
            let ty = self.scalar();
            if self.random.chance(20) && !self.structs.is_empty() {
                let at = self.random.below(self.structs.len() as u32) as usize;
                let nested = self.structs[at].clone();
                text += &format!("    {} {field};\n", nested.name);
                fields.extend(
                    nested
                        .fields
                        .iter()
                        .map(|(path, mask, ty)| (format!("{field}.{path}"), *mask, *ty)),
                );
                members.push(Member::Nested(nested));
            } else if self.random.chance(20) {
                let length = self.random.pick(&[2u32, 4]);
                text += &format!("    {} {field}[{length}];\n", self.spelled(ty));
                fields.push((format!("{field}[@]"), Some(length - 1), ty));
                members.push(Member::Array(ty, length));
            } else {
                text += &format!("    {} {field};\n", self.spelled(ty));
                fields.push((field, None, ty));
                members.push(Member::Scalar(ty));
            }
        }
        let method = self.random.chance(50).then(|| {
            let (parameter, result) = (self.scalar(), self.scalar());
            let outer = std::mem::take(&mut self.places);
            self.places = places_of("", &fields);
            for place in &mut self.places {
                place.text = place.text.trim_start_matches('.').to_owned();
                place.writable = false;
            }
            self.places.push(Place::variable("x", parameter));
            let value = self.argument(result, 3);
            self.places = outer;
            text += &format!(
                "    __device__ {} method({} x) const {{ return {value}; }}\n",
                result.name(),
                parameter.name()
            );
            ("method".to_owned(), parameter, result)
        });
        self.items += &format!("struct {aligned}{name} {{\n{text}}};\n");
        self.structs.push(Struct { name, fields, members, method });
    }

    /// An initialiser of a struct, in braces.
    pub(crate) fn braces(&mut self, of: &Struct) -> String {
        let parts: Vec<String> = of
            .members
            .iter()
            .map(|member| match member {
                Member::Scalar(ty) => self.value(*ty, 2).at(level::TERNARY),
                Member::Array(ty, length) => {
                    let values: Vec<String> =
                        (0..*length).map(|_| self.value(*ty, 1).at(level::TERNARY)).collect();
                    format!("{{{}}}", values.join(", "))
                }
                Member::Nested(inner) => self.braces(inner),
            })
            .collect();
        format!("{{{}}}", parts.join(", "))
    }

    fn declare_struct(&mut self) {
        if self.structs.is_empty() {
            return self.declare_scalar();
        }
        let at = self.random.below(self.structs.len() as u32) as usize;
        let (of, name) = (self.structs[at].clone(), self.name("s"));
        let value = if self.random.chance(20) { "{}".to_owned() } else { self.braces(&of) };
        let equals = self.random.pick(&[" = ", ""]);
        self.line(format!("{} {name}{equals}{value};", of.name));
        self.adopt(&name, &of);
        if self.random.chance(30) {
            let copy = self.name("s");
            self.line(format!("{} {copy} = {name};", of.name));
            self.adopt(&copy, &of);
        }
    }

    /// Brings a variable of a struct into scope.
    pub(crate) fn adopt(&mut self, name: &str, of: &Struct) {
        self.places.extend(places_of(name, &of.fields));
        if let Some((method, parameter, result)) = &of.method {
            let name = format!("{name}.{method}");
            let parameters = vec![(*parameter, Kind::Value)];
            self.functions.push(Function { name, parameters, result: *result, exact: false });
        }
    }

    /// A union of integers: each part of it is bits of the others.
    fn declare_union(&mut self) {
        let (ty, name) = (self.name("U"), self.name("w"));
        self.line(format!("union {ty} {{ u32 word; i32 number; u16 halves[2]; u8 bytes[4]; }};"));
        let value = self.integer_of(U32, 2);
        self.line(format!("{ty} {name} = {{{}}};", value.text));
        self.places.push(Place::variable(format!("{name}.word"), U32));
        self.places.push(Place::variable(format!("{name}.number"), I32));
        self.places.push(Place::variable(format!("{name}.halves[@]"), U16).indexed(1));
        self.places.push(Place::variable(format!("{name}.bytes[@]"), U8).indexed(3));
    }

    fn declare_vector(&mut self) {
        let (ty, element, length) = self.random.pick(VECTORS);
        let name = self.name("v");
        let values: Vec<String> = (0..length).map(|_| self.argument(element, 2)).collect();
        self.line(format!("{ty} {name} = make_{ty}({});", values.join(", ")));
        for member in ["x", "y", "z", "w"].iter().take(length) {
            self.places.push(Place::variable(format!("{name}.{member}"), element));
        }
    }

    fn declare_reference(&mut self) {
        let Some(to) = self.target(|_| true) else { return self.declare_scalar() };
        let (name, spelled) = (self.name("r"), self.spelled(to.ty));
        let mut place = Place::variable(name.clone(), to.ty);
        let constant = self.random.pick(&["", "", "const "]);
        if !constant.is_empty() {
            place = place.constant();
        }
        self.line(format!("{constant}{spelled}& {name} = {};", to.text));
        self.places.push(place);
    }

    fn declare_pointer(&mut self) {
        let Some(to) = self.target(|place| place.mask.is_none_or(|mask| mask < 16)) else {
            return self.declare_scalar();
        };
        let (name, spelled) = (self.name("p"), self.spelled(to.ty));
        self.line(format!("{spelled}* {name} = &{};", to.at(level::PRIMARY)));
        let mut place = Place::variable(format!("*{name}"), to.ty);
        place.level = level::UNARY;
        if self.random.chance(30) {
            place = Place::variable(format!("{name}[0]"), to.ty);
        }
        self.places.push(place);
    }

    fn declare_lambda(&mut self) {
        let (name, result) = (self.name("f"), self.scalar());
        let parameters: Vec<Type> = (0..self.random.within(1, 2)).map(|_| self.scalar()).collect();
        let names: Vec<String> = parameters.iter().map(|_| self.name("x")).collect();
        let scope = self.places.len();
        let list: Vec<String> = parameters
            .iter()
            .zip(&names)
            .map(|(&ty, name)| format!("{} {name}", self.spelled(ty)))
            .collect();
        let capture = self.random.pick(&["[=]", "[&]"]);
        // A lambda that changes what it captured is called on its own; see `call_statement`.
        let changed =
            if capture == "[&]" && self.random.chance(40) { self.target(|_| true) } else { None };
        for (&ty, name) in parameters.iter().zip(&names) {
            self.places.push(Place::variable(name.clone(), ty));
        }
        let change = changed.as_ref().map_or(String::new(), |place| {
            format!("{} = {}; ", place.text, self.argument(place.ty, 2))
        });
        let value = self.argument(result, 2);
        self.places.truncate(scope);
        self.line(format!(
            "auto {name} = {capture}({}) -> {} {{ {change}return {value}; }};",
            list.join(", "),
            result.name()
        ));
        let kind = if changed.is_some() { Kind::Changing } else { Kind::Value };
        let parameters = parameters.into_iter().map(|ty| (ty, kind)).collect();
        self.functions.push(Function { name, parameters, result, exact: false });
    }
}

/// The places that a variable of a struct brings.
fn places_of(name: &str, fields: &[(String, Option<u32>, Type)]) -> Vec<Place> {
    fields
        .iter()
        .map(|(path, mask, ty)| {
            let place = Place::variable(format!("{name}.{path}"), *ty);
            mask.map_or(place.clone(), |mask| place.indexed(mask))
        })
        .collect()
}
