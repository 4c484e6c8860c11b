//! Programs that run each PTX instruction on random operands and edges, and print a hash of its results.
//!
//! `instructions.txt` lists the instructions: the constraints of the result and of the operands, and
//! the text. The oracle tests of `simt` run the same list, and fail if one of theirs is not there.
//! Not here: what reads or writes memory, what waits, and the approximations (`sin`, `ex2`, ...), whose
//! last bits the PTX ISA leaves open.

use super::random::Random;
use std::fmt::Write as _;

/// Instructions per program.
const PER_FILE: usize = 50;

/// The instructions of a program: each with its number in the list.
fn listed(file: usize) -> impl Iterator<Item = (usize, &'static str, &'static str)> {
    let lines = include_str!("instructions.txt").lines().enumerate();
    lines.skip(file * PER_FILE).take(PER_FILE).filter_map(|(number, line)| {
        line.split_once(' ').map(|(classes, text)| (number, classes, text))
    })
}

/// How many programs hold all instructions.
pub(super) fn files() -> usize {
    include_str!("instructions.txt").lines().count().div_ceil(PER_FILE)
}

/// The program that runs its instructions on so many rows of operands.
pub(super) fn program(seed: u64, rows: usize, file: usize) -> String {
    let mut text = format!(
        "{}#define TRACED (1u << 14)\n{}",
        include_str!("program/prelude.cu"),
        include_str!("operands.cu")
    );
    let mut main = String::from("int main() {\n");
    for (number, classes, instruction) in listed(file) {
        let seed = Random::of(&[seed, number as u64]).next();
        text += &kernel(number, classes, instruction, seed);
        let name = name(number, instruction);
        let _ = writeln!(main, "    report(\"{name}\", n{number}, {rows}, 128, 1);");
    }
    text + include_str!("report.cu") + &main + "    return 0;\n}\n"
}

/// A name without spaces: the instruction, or its number in the list and its first word.
fn name(number: usize, instruction: &str) -> String {
    match instruction.contains('%') {
        false => instruction.to_owned(),
        true => {
            let mut words = instruction.split([' ', ';', '{', '}']);
            let word = words.find(|word| word.contains('.') && !word.starts_with('.'));
            format!("{}#{number}", word.unwrap_or("text"))
        }
    }
}

/// The type of a constraint, and how it is made of 64 bits and turned back.
fn cpp(class: char) -> (&'static str, &'static str, &'static str) {
    match class {
        'h' => ("u16", "(u16)", "(u16)"),
        'f' => ("float", "__uint_as_float", "__float_as_uint"),
        'd' => ("double", "__longlong_as_double", "(u64)__double_as_longlong"),
        'l' => ("u64", "(u64)", ""),
        _ => ("u32", "(u32)", ""),
    }
}

/// The text of the `asm` statement.
fn assembly(classes: &str, text: &str) -> String {
    if text.contains('%') {
        return text.to_owned();
    }
    let operands: Vec<String> = (1..classes.len()).map(|i| format!("%{i}")).collect();
    let operands = operands.join(", ");
    if classes.starts_with('p') {
        return format!("{{ .reg .pred p; {text} p, {operands}; selp.u32 %0, 1, 0, p; }}");
    }
    format!("{text} %0, {operands};")
}

fn kernel(number: usize, classes: &str, instruction: &str, seed: u64) -> String {
    let mut each = classes.chars();
    let result = each.next().filter(|class| *class != 'p').unwrap_or('r');
    // Whether a quotient is defined.
    let integer = result != 'f' && result != 'd';
    let divides = integer && (instruction.starts_with("div.") || instruction.starts_with("rem."));
    let (mut declared, mut operands) = (String::new(), Vec::new());
    for (i, class) in each.enumerate() {
        let (ty, make, _) = cpp(class);
        let _ = writeln!(declared, "        {ty} x{i} = {make}(operand(from, '{class}'));");
        operands.push(format!("\"{class}\"(x{i})"));
    }
    if divides {
        declared += "        if (x1 == 0) x1 = 1;\n";
    }
    // The first bit and the length of a field are at most 255.
    if instruction.starts_with("bfe.") || instruction.starts_with("bfi.") {
        let count = classes.len() - 1;
        let _ = writeln!(declared, "        x{} &= 255; x{} &= 255;", count - 2, count - 1);
    }
    let (ty, _, bits) = cpp(result);
    format!(
        "__global__ void n{number}(u64* hash, u32 rows) {{
    u64 sum = 0;
    for (u32 row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {{
        Row from({seed:#x}ull, row);
{declared}        {ty} d;
        asm volatile(\"{}\" : \"={result}\"(d) : {});
        sum += term(row, {bits}(d));
    }}
    atomicAdd(hash, sum);
}}
",
        assembly(classes, instruction),
        operands.join(", ")
    )
}
