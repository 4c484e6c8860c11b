//! Hacks: answers that get round an exercise instead of solving it. Its check must reject each of them.
//!
//! They are made from the exercise alone: its directives, its kernel's parameters, its solution, its
//! reference and its gates ([`texts`]). A kind that has no sense for an exercise says why, as does one
//! whose text does not compile: it shows nothing about the check.

mod answers;
mod program;
mod site;

use kernel_file::exercise::Checker;
use kernel_file::{Exercise, Header, Problem};
use site::Site;

/// The way around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Nothing is written.
    Nothing,
    /// Every thread returns at once, so the poison stays.
    Return,
    /// Constants are stored.
    Constants,
    /// The outputs for the inputs of the file are a table.
    Table,
    /// The solution runs for the sizes of the file only.
    Sizes,
    /// The second launch leaves what the first one stored.
    Stale,
    /// Inputs are overwritten.
    Input,
    /// The reference is called, also under a name that is put together.
    Reference,
    /// One thread does all.
    OneThread,
    /// One warp does all.
    OneWarp,
    /// Barriers are left out, and atomics are plain accesses.
    Race,
    /// Every thread stores to the first output, and the right one may be last.
    Lucky,
    /// A write beyond the end of an output.
    Bounds,
    /// Outputs are taken for zero before the launch.
    Zeros,
    /// Floats that compare with nothing.
    NotANumber,
    /// The result is computed on the host.
    Host,
    /// A kernel is launched once more, by a directive or from the kernel.
    Launch,
    /// Directives in the answer.
    Directives,
    /// The fixed lines are edited.
    Frame,
    /// The fixed lines behind the answer are hidden from the compiler.
    Hidden,
    /// Global memory is read through atomics, `volatile` or `asm`, past a gate.
    Disguised,
    /// Each thread computes from global memory what the gates want shared.
    Moved,
    /// A trap after everything is stored.
    Trap,
    /// An endless loop after everything is stored.
    Endless,
    /// The clock decides.
    Clock,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 25] = [
        Kind::Nothing,
        Kind::Return,
        Kind::Constants,
        Kind::Table,
        Kind::Sizes,
        Kind::Stale,
        Kind::Input,
        Kind::Reference,
        Kind::OneThread,
        Kind::OneWarp,
        Kind::Race,
        Kind::Lucky,
        Kind::Bounds,
        Kind::Zeros,
        Kind::NotANumber,
        Kind::Host,
        Kind::Launch,
        Kind::Directives,
        Kind::Frame,
        Kind::Hidden,
        Kind::Disguised,
        Kind::Moved,
        Kind::Trap,
        Kind::Endless,
        Kind::Clock,
    ];
}

/// What became of a hack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Rejected: the code and the message.
    Rejected(String, String),
    /// Accepted: the check has a hole.
    Accepted,
    /// It makes no sense here: why.
    Unfit(String),
}

/// A hack of one exercise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hack {
    /// The kind.
    pub kind: Kind,
    /// The reader's text; empty if it is unfit.
    pub text: String,
    /// What became of it.
    pub fate: Fate,
}

/// Tries every kind of hack on an exercise.
///
/// # Errors
/// If the exercise cannot be checked.
pub fn survey(exercise: &Exercise, headers: &[Header], seed: u64) -> Result<Vec<Hack>, String> {
    let all =
        |problems: Vec<Problem>| problems.iter().map(|p| p.rendered.as_str()).collect::<String>();
    let checker = Checker::new(exercise, headers.to_vec()).map_err(all)?;
    let site = Site::of(exercise);
    let mut hacks = Vec::new();
    for kind in Kind::ALL {
        match answers::texts(kind, &site, headers) {
            Err(why) => {
                let fate = Fate::Unfit(why.to_owned());
                hacks.push(Hack { kind, text: String::new(), fate });
            }
            Ok(texts) => hacks.extend(texts.into_iter().map(|text| {
                let fate = match checker.check(exercise.relative(), &text, seed).failure {
                    None => Fate::Accepted,
                    // What hides the rest of the file from the compiler fails there.
                    Some(failure) if failure.code == "compile" && kind != Kind::Hidden => {
                        Fate::Unfit(format!("it does not compile: {}", failure.message))
                    }
                    Some(failure) => Fate::Rejected(failure.code, failure.message),
                };
                Hack { kind, text, fate }
            })),
        }
    }
    Ok(hacks)
}
