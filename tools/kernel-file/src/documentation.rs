//! What each directive means: the one list of directives, with an example of each.
//!
//! [`crate::directive`] takes its words from here, the tables in `chapters/appendix/directives.md` are
//! made of it, and an editor shows it.

/// A directive as the reference documents it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Documented {
    /// An example, without `//@`; it begins with the directive's word.
    pub example: &'static str,
    /// What it means, as Markdown.
    pub meaning: &'static str,
}

impl Documented {
    /// Its word: `input`.
    pub const fn word(&self) -> &'static str {
        let bytes = self.example.as_bytes();
        let mut end = 0;
        while end < bytes.len() && bytes[end] != b' ' && bytes[end] != b':' {
            end += 1;
        }
        self.example.split_at(end).0
    }

    /// Documentation for an editor, as Markdown.
    pub fn markdown(&self) -> String {
        format!("```cuda-cpp\n//@ {}\n```\n\n{}", self.example, self.meaning)
    }
}

/// The words of a table.
pub(crate) const fn words<const N: usize>(table: &[Documented; N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = table[at].word();
        at += 1;
    }
    words
}

/// The directive of this word.
pub fn of(word: &str) -> Option<&'static Documented> {
    KERNEL.iter().chain(&EXERCISE).find(|documented| documented.word() == word)
}

/// The directives of a kernel file.
pub const KERNEL: [Documented; 22] = [
    Documented {
        example: "input data: int[n] = lcg256",
        meaning: "an array that the kernel reads: name, type, length, fill",
    },
    Documented {
        example: "output out: int[(n + 511) / 512] = poison",
        meaning: "an array that is compared with what is expected",
    },
    Documented { example: "scratch work: int[n] = poison", meaning: "an array that is neither" },
    Documented {
        example: "let blocks = (n + 511) / 512",
        meaning: "a name for the lines that follow",
    },
    Documented {
        example: "vary stride = 1, 2, 4, 8",
        meaning: "a variable that takes each of these values; at most 64 in all",
    },
    Documented {
        example: "map am: a (columns, rows) box (64, 128) swizzle 128",
        meaning: "a tensor map of an array for the Tensor Memory Accelerator: its dimensions, the size of a box, the swizzle",
    },
    Documented {
        example: "launch reduce(data, out, n) grid = blocks, block = 512, shared = 0",
        meaning: "a launch; several run in order. `grid` and `block` may have up to three axes: `(x, y)`. `shared` is dynamic shared memory in bytes, and may be left out. An argument is an array, a map, an expression, or a literal such as `0.5` or `1e-3`, without a suffix",
    },
    Documented {
        example: "test 1, 31, 32, 33, 511, 512, 513",
        meaning: "the sizes that the tests run",
    },
    Documented {
        example: "page 2^18",
        meaning: "the size whose counters the page shows; at most ten million warp-instructions",
    },
    Documented { example: "measure 2^24, 2^28", meaning: "the sizes that `record` times" },
    Documented {
        example: "bytes 4 * n",
        meaning: "the bytes that must be moved at least: what the roofline counts",
    },
    Documented { example: "flops n", meaning: "the floating-point operations that must be done" },
    Documented { example: "needs sm_80", meaning: "the lowest compute capability" },
    Documented {
        example: "tolerance abs 1e-5 rel 1e-5",
        meaning: "how far a float may differ from the expected value; integers must be equal",
    },
    Documented {
        example: "fold add",
        meaning: "how the parts of an expected value are combined: `add`, `mul`, `min`, `max`",
    },
    Documented {
        example: "catch race",
        meaning: "this file is wrong on purpose: the class of defect that the simulator finds, at a line with `//~ race`",
    },
    Documented { example: "sass", meaning: "`record` also keeps the machine code" },
    Documented {
        example: "unoptimised",
        meaning: "`record` also profiles it compiled with `-G`, without optimisation",
    },
    Documented {
        example: "skip nvrtc: why (2026-11-21)",
        meaning: "not run on this back end, with the reason and the day it was written",
    },
    Documented {
        example: "differs fewer global_load_requests, global_load_sectors: why (2026-11-21)",
        meaning: "counters of which the profiler counts `fewer` or `more` than the simulator, or more in some runs only (`noise`)",
    },
    Documented {
        example: "unordered: why (2026-11-21)",
        meaning: "the result depends on the order in which threads run",
    },
    Documented {
        example: "equivalent `<=` for `<` in `for (int k = 0; k < 8; k++) {`: why",
        meaning: "a mutant with the same behaviour: a comparison or a barrier whose change no test can detect",
    },
];

/// The directives that only an exercise has.
pub const EXERCISE: [Documented; 8] = [
    Documented {
        example: "exercise write, 20 minutes",
        meaning: "the kind and the time. `write`: the starter compiles, and its result is wrong. `mend`: the starter has a defect that the check finds. `improve`: the starter is right, but a gate fails",
    },
    Documented {
        example: "gate shared_load_conflicts = 0",
        meaning: "a bound (`=`, `<=` or `>=`) on a counter at the page's size, over `n` and the names of `let`. The page calls it a goal",
    },
    Documented {
        example: "program",
        meaning: "the file is a complete program, and the reader writes host code",
    },
    Documented {
        example: "begin",
        meaning: "a region of the code begins: what the reader writes. The solution follows",
    },
    Documented {
        example: "starter",
        meaning: "what the reader gets instead, in lines that begin with `//|`",
    },
    Documented {
        example: "wrong race: the barrier is missing",
        meaning: "a wrong answer in such lines, the kind of its rejection, and why it is wrong; at least three per file",
    },
    Documented {
        example: "right: the sum is kept in two variables",
        meaning: "another right answer in such lines, and how it differs: the check must accept it",
    },
    Documented {
        example: "end",
        meaning: "the region ends. There may be several; a `wrong` or `right` replaces its own region only",
    },
];
