//! What directives declare, as data: arrays, launches, requirements and tolerances.
//! [`crate::directive`] parses them.

use crate::expression::Expression;
use crate::fill::{ElementType, Fill};
use simt::Class;

/// A variable and the values that it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vary {
    /// Its name.
    pub name: String,
    /// Its values, in the order in which they are shown.
    pub values: Vec<i64>,
}

/// The defect that a file teaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// A class of findings of the simulator.
    Class(Class),
    /// No finding, but a result other than the expected one.
    WrongResult,
}

impl Defect {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Defect> + Clone {
        Class::ALL.iter().copied().map(Defect::Class).chain([Defect::WrongResult])
    }

    /// As directives, marks and problems spell it.
    pub fn name(self) -> &'static str {
        match self {
            Defect::Class(class) => class.name(),
            Defect::WrongResult => "wrong-result",
        }
    }
}

/// The role of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Read by the kernels.
    Input,
    /// Compared with the expected values after the launches.
    Output,
    /// Neither an input nor an output.
    Scratch,
}

/// A declared array.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Its role.
    pub role: Role,
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub element: ElementType,
    /// The number of elements.
    pub count: Expression,
    /// Its content before the first launch.
    pub fill: Fill,
    /// The line of the directive.
    pub line: u32,
}

/// A kernel launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// The kernel's name.
    pub kernel: String,
    /// Its arguments.
    pub args: Vec<Argument>,
    /// Blocks, one to three axes.
    pub grid: Vec<Expression>,
    /// Threads per block, one to three axes.
    pub block: Vec<Expression>,
    /// Bytes of dynamic shared memory.
    pub shared: Option<Expression>,
    /// The line of the directive.
    pub line: u32,
}

/// An argument of a launch.
#[derive(Debug, Clone, PartialEq)]
pub enum Argument {
    /// The array of this name.
    Array(String),
    /// The tensor map of this name.
    Map(String),
    /// An integer, converted to the parameter's type.
    Integer(Expression),
    /// A literal with a decimal point or an exponent.
    Float(f64),
}

impl Argument {
    /// As it was written.
    pub fn text(&self) -> String {
        match self {
            Argument::Array(name) | Argument::Map(name) => name.clone(),
            Argument::Integer(expression) => expression.text().to_owned(),
            Argument::Float(value) => value.to_string(),
        }
    }
}

/// The compute capabilities that CUDA's toolkits have had since C++11.
pub const CAPABILITIES: [u32; 27] = [
    20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101,
    103, 110, 120, 121,
];

/// What a file needs of a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// At least this compute capability, as `sm_80` has it: 80.
    ComputeCapability(u32),
}

/// How far a float may lie from the expected value: `|got - expected| <= abs + rel * |expected|`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// Absolute.
    pub abs: f64,
    /// Relative to the expected value.
    pub rel: f64,
}

/// How two parts of an expected value are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the operations")]
pub enum Fold {
    Add,
    Mul,
    Min,
    Max,
}
