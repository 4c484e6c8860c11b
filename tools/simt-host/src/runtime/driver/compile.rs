//! Compiles an image to kernels, and resolves the names that they have in it.
//!
//! A kernel of `extern "C"` has its own name. Another has a mangled one, which is the simulator's; a name
//! that a compiler mangled is understood where one kernel alone can be meant.

use super::image::{Compiler, Image};
use simt::isa::Module;
use simt::sema::tree::{Expr, ExprKind, Function, Host, Program, Stmt};
use simt::{CheckedProgram, Failure, HostEnvironment, Sources};
use std::rc::Rc;

/// What a text for NVRTC may use: no header and no function of the host.
const TEXT: HostEnvironment = HostEnvironment {
    macros: "#define __CUDACC_RTC__ 1\n",
    declarations: "template <typename T> inline void __nvrtc_name(T*) {}\n",
    where_named: &[],
    header: |_| None,
    both_sides: false,
    functions: crate::library::FUNCTIONS,
};
static NVRTC: HostEnvironment = TEXT;
static FOR_BOTH_SIDES: HostEnvironment = HostEnvironment { both_sides: true, ..TEXT };

/// What a unit may use.
pub(super) fn environment(compiler: Compiler) -> &'static HostEnvironment {
    match compiler {
        Compiler::Nvcc => &crate::ENVIRONMENT,
        Compiler::Nvrtc => &NVRTC,
        Compiler::NvrtcForBothSides => &FOR_BOTH_SIDES,
    }
}

/// A unit that was compiled.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) module: Module,
    /// The names of its kernels in the image.
    pub(super) names: Vec<String>,
    /// What the name expressions of its unit are in the image.
    pub(super) lowered: Vec<String>,
}

/// Compiles a unit whose `main` has `expressions` name expressions before anything else.
pub(super) fn compile(
    compiler: Compiler,
    expressions: usize,
    sources: Sources,
) -> Result<Unit, Failure> {
    let checked = simt::compile_program(sources, environment(compiler))?;
    let CheckedProgram { module, tree, .. } = checked;
    let names: Vec<String> =
        tree.kernels.iter().enumerate().map(|(at, kernel)| name_in_image(kernel, at)).collect();
    let statements = tree.main.iter().flat_map(|main| &main.body).take(expressions);
    let lowered = statements.map(|named| lowered(named, &tree, &names).unwrap_or_default());
    let lowered = lowered.collect();
    Ok(Unit { module, names, lowered })
}

impl Unit {
    /// Compiles an image behind the texts of a program.
    pub(super) fn of(image: &Image, sources: &Sources) -> Result<Unit, Failure> {
        compile(image.compiler, image.expressions, image.behind(sources))
    }
}

fn name_in_image(kernel: &Rc<Function>, number: usize) -> String {
    let name = kernel.name.to_string();
    if kernel.c_linkage {
        return name;
    }
    let (parts, _) = path(&name);
    let spelled: String = parts.iter().map(|part| format!("{}{part}", part.len())).collect();
    match parts.len() {
        1 => format!("_Z{spelled}_{number}"),
        _ => format!("_ZN{spelled}E_{number}"),
    }
}

/// The parts of a kernel's name, without template arguments, and whether it had some.
fn path(name: &str) -> (Vec<&str>, bool) {
    let plain = name.split('<').next().unwrap_or(name);
    (plain.split("::").collect(), plain.len() < name.len())
}

/// The parts of a mangled name, and whether template arguments follow them.
fn demangled(name: &str) -> Option<(Vec<&str>, bool)> {
    let rest = name.strip_prefix("_Z")?;
    let (mut rest, nested) = rest.strip_prefix('N').map_or((rest, false), |rest| (rest, true));
    let mut parts = Vec::new();
    while rest.starts_with(|c: char| c.is_ascii_digit()) && (nested || parts.is_empty()) {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let length = rest[..digits].parse().ok()?;
        let (part, after) = rest[digits..].split_at_checked(length)?;
        parts.push(part);
        rest = after;
    }
    (!parts.is_empty()).then_some((parts, rest.starts_with('I')))
}

/// Which kernel of a module is meant by a name in an image.
pub(super) fn kernel_named(wanted: &str, module: &Module, names: &[String]) -> Option<usize> {
    if let Some(found) = names.iter().position(|name| name == wanted) {
        return Some(found);
    }
    let meant = demangled(wanted)?;
    let kernels = module.kernels.iter().zip(names).enumerate();
    // That of `extern "C"` is not mangled.
    let mut found = kernels
        .filter(|(_, (kernel, name))| kernel.name != **name && path(&kernel.name) == meant)
        .map(|(at, _)| at);
    found.next().filter(|_| found.next().is_none())
}

/// What a name expression, the argument of a statement's call, is in the image.
fn lowered(named: &Stmt, tree: &Program, names: &[String]) -> Option<String> {
    let Stmt::Expr(Expr { kind: ExprKind::Call(_, None, args), .. }) = named else { return None };
    let mut argument = args.first()?;
    loop {
        argument = match &argument.kind {
            ExprKind::Cast(inner)
            | ExprKind::Bits(inner)
            | ExprKind::Address(inner)
            | ExprKind::Decay(inner) => inner,
            ExprKind::Global(id) => return Some(tree.globals.get(id.index())?.name.to_string()),
            ExprKind::Host(host) => {
                let Host::Function(function) = &**host else { return None };
                let at = tree.kernels.iter().position(|kernel| Rc::ptr_eq(kernel, function))?;
                return names.get(at).cloned();
            }
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_understood() {
        for (name, parts, template) in [
            ("_Z1fPi", vec!["f"], false),
            ("_Z6kernelIfEvPT_", vec!["kernel"], true),
            ("_ZN2ns4mineEPKfi", vec!["ns", "mine"], false),
            ("_ZN2ns4mineILi3EEEvv", vec!["ns", "mine"], true),
        ] {
            assert_eq!(demangled(name), Some((parts, template)), "{name}");
        }
        for name in ["f", "_Z", "_Zf", "_Z9f", "_ZN", "_Z99999999999999999999999f", "_Z2ä"] {
            assert_eq!(demangled(name).filter(|(parts, _)| parts != &["ä"]), None, "{name}");
        }
    }
}
