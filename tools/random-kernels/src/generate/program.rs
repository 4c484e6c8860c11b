//! A file: the helpers, some kernels, and `main`, which prints a line per kernel.

use super::kernel::kernel;
use super::random::Random;
use super::{instructions, tiles};
use std::fmt::Write as _;

/// What the kernels of a file may use; it decides which headers the file needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The language and CUDA's functions.
    Plain,
    /// The 16-bit floats, too.
    Halves,
    /// Cooperative groups, too.
    Groups,
}

/// What programs try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Kind {
    /// The language: random kernels.
    #[default]
    Kernels,
    /// PTX instructions, on random operands.
    Instructions,
    /// Tensor cores, on random tiles.
    Tiles,
}

impl Kind {
    /// Its name in the command line and in recordings.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Kernels => "kernels",
            Kind::Instructions => "instructions",
            Kind::Tiles => "tiles",
        }
    }

    /// How many files there are, if not any number.
    pub fn files(self) -> Option<usize> {
        match self {
            Kind::Kernels => None,
            Kind::Instructions => Some(instructions::files()),
            Kind::Tiles => Some(tiles::files()),
        }
    }
}

/// A sequence of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch {
    /// What the programs try.
    pub kind: Kind,
    /// What it is generated from.
    pub seed: u64,
    /// Kernels per file; or rows of operands per instruction, or tiles per shape and type.
    pub kernels: usize,
}

impl Batch {
    /// The program of a file, or that with one of its kernels only.
    pub fn program(&self, file: usize, only: Option<usize>) -> String {
        match self.kind {
            Kind::Kernels => self.kernels(file, only),
            Kind::Instructions => instructions::program(self.seed, self.kernels, file),
            Kind::Tiles => tiles::program(self.seed, self.kernels, file),
        }
    }

    fn kernels(&self, file: usize, only: Option<usize>) -> String {
        let family = match file % 10 {
            3 | 6 | 8 => Family::Halves,
            9 => Family::Groups,
            _ => Family::Plain,
        };
        let mut text = include_str!("program/prelude.cu").to_owned();
        match family {
            Family::Plain => {}
            Family::Halves => text += include_str!("program/halves.cu"),
            Family::Groups => text += "#include <cooperative_groups.h>\n",
        }
        text += include_str!("program/helpers.cu");
        let mut main = String::from(
            // Recursion needs more stack than a launch has by default.
            "int main() {\n    cudaDeviceSetLimit(cudaLimitStackSize, 16384);\n",
        );
        for number in (0..self.kernels).filter(|number| only.is_none_or(|only| only == *number)) {
            let random = Random::of(&[self.seed, file as u64, number as u64]);
            let kernel = kernel(random, family, number);
            text += &kernel.text;
            let _ = writeln!(main, "    run_{}();", kernel.name);
        }
        text + &main + "    return 0;\n}\n"
    }
}
