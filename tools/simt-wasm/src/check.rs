//! `check`: diagnostics of a text, and the launches that it asks for, without running it.
//!
//! ```text
//! diagnostics   of the reader of directives and of the compiler, warnings included
//! kernels       name, parameters (name, type, bytes; element for a pointer), bytes of
//!               shared memory, line
//! launches      at the page's size: kernel, grid, block, line
//! point         the page's: `n`, and the first value of each variable
//! varies        the variables: name, values
//! program       whether it is a complete program, which `program` runs
//! ```

use crate::{Message, request, show};
use kernel_file::file::is_program;
use kernel_file::simulator::Program;
use kernel_file::{KernelFile, Plan, Problem, Unit};
use serde_json::{Map, Value, json};

/// Answers a request.
///
/// # Errors
/// If the request makes no sense.
pub(crate) fn answer(text: &Value) -> Result<Message, String> {
    let unit = request::unit(text)?;
    if is_program(&unit.text) {
        return Ok(Message::said(program(&unit)));
    }
    let settings = request::settings(text)?;
    let mut out = Out { diagnostics: Vec::new(), kernels: json!([]) };
    let mut planned = json!([]);
    let (mut point, mut varies) = (json!({}), json!([]));
    match KernelFile::parse(&unit.name, unit.text.clone()) {
        Err(problems) => out.misread(&problems, &unit),
        Ok(file) => {
            let (bound, n) = request::at_point(&Value::Null, &file)?;
            match Plan::new(&bound, n) {
                Ok(plan) => planned = launches(&plan),
                Err(problems) => out.problems(&problems, &unit),
            }
            point = point_of(&bound, n);
            let all = file.directives.varies.iter();
            varies = all.map(|v| json!({ "name": v.name, "values": v.values })).collect();
            match Program::compile(&bound, &unit, settings) {
                Ok(program) => {
                    let sources = &program.module.sources;
                    out.diagnostics
                        .extend(program.warnings().map(|d| show::diagnostic(d, sources)));
                    out.kernels = show::kernels(&program.module);
                }
                Err(problems) => out.refused(&problems, &unit),
            }
        }
    }
    Ok(Message::said(json!({
        "diagnostics": out.diagnostics, "kernels": out.kernels, "launches": planned,
        "point": point, "varies": varies, "program": false,
    })))
}

/// The answer for a file whose directives are not understood.
pub(crate) fn misread(problems: &[Problem], unit: &Unit) -> Vec<Value> {
    let mut out = Out { diagnostics: Vec::new(), kernels: json!([]) };
    out.misread(problems, unit);
    out.diagnostics
}

/// The answer for a file that does not compile.
pub(crate) fn refused(problems: &[Problem], unit: &Unit) -> Vec<Value> {
    let mut out = Out { diagnostics: Vec::new(), kernels: json!([]) };
    out.refused(problems, unit);
    out.diagnostics
}

/// The launches of a plan.
pub fn launches(plan: &Plan) -> Value {
    let all = plan.launches.iter().map(|launch| {
        json!({
            "kernel": launch.kernel, "grid": launch.grid, "block": launch.block,
            "line": launch.line,
        })
    });
    all.collect()
}

/// The values of the variables.
pub fn point_of(file: &KernelFile, n: u64) -> Value {
    let mut out = Map::from_iter([("n".to_owned(), json!(n))]);
    out.extend(file.point.values().iter().map(|(name, value)| (name.clone(), json!(value))));
    Value::Object(out)
}

struct Out {
    diagnostics: Vec<Value>,
    kernels: Value,
}

impl Out {
    fn problems(&mut self, problems: &[Problem], unit: &Unit) {
        self.diagnostics.extend(problems.iter().map(|p| show::problem(p, unit)));
    }

    /// Compiles the text without the code that is generated for a kernel file. Whether it compiles.
    fn compile(&mut self, unit: &Unit) -> bool {
        let compiled = simt::compile(unit.sources());
        let (all, sources) = match &compiled {
            Ok(module) => {
                self.kernels = show::kernels(module);
                (&module.diagnostics, &module.sources)
            }
            Err(failure) => (&failure.diagnostics, &failure.sources),
        };
        self.diagnostics.extend(all.iter().map(|d| show::diagnostic(d, sources)));
        compiled.is_ok()
    }

    /// Diagnostics of the directives and of the compiler.
    fn misread(&mut self, problems: &[Problem], unit: &Unit) {
        self.problems(problems, unit);
        self.compile(unit);
    }

    /// The compiler's diagnostics have more details than a problem. If there are none, the directives
    /// or the reference are wrong.
    fn refused(&mut self, problems: &[Problem], unit: &Unit) {
        if self.compile(unit) {
            self.problems(problems, unit);
        }
    }
}

fn program(unit: &Unit) -> Value {
    let compiled = simt_host::compile(unit.sources());
    let (all, sources, kernels) = match &compiled {
        Ok(program) => {
            let module = &program.module;
            (&module.diagnostics, &module.sources, show::kernels(module))
        }
        Err(failure) => (&failure.diagnostics, &failure.sources, json!([])),
    };
    let diagnostics = all.iter().map(|d| show::diagnostic(d, sources));
    json!({
        "diagnostics": diagnostics.collect::<Vec<_>>(), "kernels": kernels, "launches": [],
        "point": {}, "varies": [], "program": true,
    })
}
