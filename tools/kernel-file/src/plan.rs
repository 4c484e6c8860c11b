//! A kernel file at one size: arrays with their bytes, launches with their extents and arguments.
//!
//! Nothing runs here, and nothing depends on a back end: all of them execute the same plan.

use crate::directive::{Argument, Array, Launch, Role};
use crate::expression::{Expression, Scope};
use crate::file::KernelFile;
use crate::fill::{ElementType, Fill};
use crate::map::{Map, PlannedMap};
use crate::verdict::Problem;

/// An array may take this many bytes.
const ARRAY_BYTES: i64 = 1 << 36;

/// Everything that a back end needs to run a file at one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The size.
    pub n: u64,
    /// The values of all names.
    pub scope: Scope,
    /// The arrays, in order of declaration.
    pub arrays: Vec<PlannedArray>,
    /// The tensor maps, in order of declaration.
    pub maps: Vec<PlannedMap>,
    /// The launches, in order.
    pub launches: Vec<PlannedLaunch>,
    /// Bytes that must move.
    pub bytes: Option<u64>,
    /// Floating-point operations that must be done.
    pub flops: Option<u64>,
}

/// An array with its length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedArray {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// The type of its elements.
    pub element: ElementType,
    /// The number of elements.
    pub count: usize,
    /// Its content before the first launch.
    pub fill: Fill,
    /// The seed of the fill; 0 for the recorded one.
    pub seed: u64,
}

impl PlannedArray {
    /// Its bytes before the first launch.
    pub fn initial(&self) -> Vec<u8> {
        self.fill.seeded(self.element, self.count, self.seed)
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> usize {
        self.count * self.element.bytes()
    }
}

/// A launch with its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedLaunch {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks: x, y, z.
    pub grid: [u32; 3],
    /// Threads per block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// The arguments in order.
    pub args: Vec<PlannedArgument>,
    /// The directive's line.
    pub line: u32,
}

/// An argument with its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlannedArgument {
    /// Index into [`Plan::arrays`].
    Array(usize),
    /// Index into [`Plan::maps`].
    Map(usize),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
}

impl PlannedArgument {
    /// A scalar's bytes for a parameter of type `ty` as C++ spells it; `None` for an array, a map
    /// or a type that is not a scalar.
    pub fn scalar_bytes(self, ty: &str) -> Option<Vec<u8>> {
        let element = scalar(ty)?;
        let mut bytes = Vec::new();
        match self {
            PlannedArgument::Array(_) | PlannedArgument::Map(_) => return None,
            PlannedArgument::Integer(v) => element.from_integer(v, &mut bytes),
            PlannedArgument::Float(v) => element.from_float(v, &mut bytes),
        }
        Some(bytes)
    }

    /// Whether a parameter of type `ty` would lose the digits behind the point.
    pub(crate) fn is_cut_by(self, ty: &str) -> bool {
        let PlannedArgument::Float(value) = self else { return false };
        value.fract() != 0.0 && scalar(ty).is_some_and(|element| !element.is_float())
    }
}

/// The element that has the bytes of a scalar parameter.
fn scalar(ty: &str) -> Option<ElementType> {
    match ty.trim_start_matches("const ").trim() {
        "bool" => Some(ElementType::U8),
        "size_t" | "unsigned long" | "uint64_t" => Some(ElementType::U64),
        "long" | "int64_t" | "ptrdiff_t" => Some(ElementType::I64),
        "uint32_t" => Some(ElementType::U32),
        "int32_t" => Some(ElementType::I32),
        ty => ElementType::parse(ty),
    }
}

impl Plan {
    /// The file at size `n`.
    ///
    /// # Errors
    /// If an expression cannot be evaluated, or its value is out of range for an array or a launch.
    pub fn new(file: &KernelFile, n: u64) -> Result<Plan, Vec<Problem>> {
        Plan::compute(file, n).map_err(|(line, message)| {
            vec![file.problem((line, 0), "directive", format!("at n = {n}: {message}"))]
        })
    }

    /// The same with other pseudo-random numbers in the arrays.
    #[must_use]
    pub fn seeded(mut self, seed: u64) -> Plan {
        self.arrays.iter_mut().for_each(|array| array.seed = seed);
        self
    }

    /// The plan, or the line and what is wrong with it.
    fn compute(file: &KernelFile, n: u64) -> Result<Plan, (u32, String)> {
        let directives = &file.directives;
        let problem = |line: u32, message: String| (line, message);
        let scope = directives.scope(n).map_err(|e| problem(0, e.to_string()))?;
        let value = |expression: &Expression, line: u32| {
            expression.evaluate(&scope).map_err(|e| problem(line, e.to_string()))
        };
        let array = |array: &Array| {
            let count = value(&array.count, array.line)?;
            let bytes = count.checked_mul(array.element.bytes() as i64);
            match (bytes, usize::try_from(count)) {
                (Some(0..=ARRAY_BYTES), Ok(count)) => Ok(PlannedArray {
                    name: array.name.clone(),
                    role: array.role,
                    element: array.element,
                    count,
                    fill: array.fill,
                    seed: 0,
                }),
                _ => Err(problem(
                    array.line,
                    format!("`{}` cannot have {count} elements", array.name),
                )),
            }
        };
        let unsigned = |expression: &Expression, line: u32| {
            let v = value(expression, line)?;
            u32::try_from(v).map_err(|_| {
                problem(
                    line,
                    format!("`{}` is {v}, which is out of range for a launch", expression.text()),
                )
            })
        };
        let extent = |axes: &[Expression], line: u32| -> Result<[u32; 3], (u32, String)> {
            let mut out = [1; 3];
            for (slot, axis) in out.iter_mut().zip(axes) {
                *slot = unsigned(axis, line)?;
            }
            Ok(out)
        };
        let launch = |launch: &Launch| {
            let args = launch.args.iter().map(|argument| {
                Ok(match argument {
                    Argument::Array(name) => {
                        let index = directives.arrays.iter().position(|a| a.name == *name);
                        PlannedArgument::Array(index.unwrap_or(0))
                    }
                    Argument::Map(name) => {
                        let index = directives.maps.iter().position(|m| m.name == *name);
                        PlannedArgument::Map(index.unwrap_or(0))
                    }
                    Argument::Integer(e) => PlannedArgument::Integer(value(e, launch.line)?),
                    Argument::Float(v) => PlannedArgument::Float(*v),
                })
            });
            Ok(PlannedLaunch {
                kernel: launch.kernel.clone(),
                grid: extent(&launch.grid, launch.line)?,
                block: extent(&launch.block, launch.line)?,
                shared: launch.shared.as_ref().map_or(Ok(0), |e| unsigned(e, launch.line))?,
                args: args.collect::<Result<_, (u32, String)>>()?,
                line: launch.line,
            })
        };
        let total = |expression: &Option<Expression>| match expression {
            Some(e) => value(e, 0).map(|v| u64::try_from(v).ok()),
            None => Ok(None),
        };
        let bytes = total(&directives.bytes)?;
        let flops = total(&directives.flops)?;
        let arrays: Vec<PlannedArray> =
            directives.arrays.iter().map(array).collect::<Result<_, _>>()?;
        let map = |map: &Map| {
            let of = directives.arrays.iter().zip(&arrays).enumerate();
            let mut of = of.map(|(index, (array, planned))| (index, array, planned.count));
            let Some(array) = of.find(|(_, array, _)| array.name == map.array) else {
                return Err(problem(map.line, format!("there is no array `{}`", map.array)));
            };
            map.plan(&scope, array).map_err(|message| problem(map.line, message))
        };
        let maps = directives.maps.iter().map(map).collect::<Result<_, _>>()?;
        let launches = directives.launches.iter().map(launch).collect::<Result<_, _>>()?;
        Ok(Plan { n, arrays, maps, launches, bytes, flops, scope })
    }
}
