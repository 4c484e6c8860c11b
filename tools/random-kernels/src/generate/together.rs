//! Cooperation of threads: shared memory and barriers, warp intrinsics, atomics, cooperative groups.
//!
//! Barriers and full masks stand only where all threads of the block arrive. Results of atomics do not
//! depend on their order: only one operation is ever done on a word, and what it returns is used only
//! where the thread has the word for itself.

use super::expression::{Expression, level};
use super::scope::Place;
use super::types::Type::{self, Bool, F16, F32, F64, I32, I64, U32, U64};
use super::{Family, Generator};

impl Generator {
    /// A statement of several threads.
    pub(crate) fn together(&mut self, depth: u32) {
        let whole = self.threads.is_multiple_of(32);
        match self.random.below(10) {
            0 | 1 => self.atomic(),
            2 => self.own_atomic(),
            _ if !self.uniform => self.atomic(),
            3 | 4 => self.exchange(),
            5 => self.exchange_structs(),
            6 if self.threads.is_power_of_two() => self.tree(),
            _ if !whole => self.exchange(),
            7 | 8 if self.family == Family::Groups => self.group(),
            7 | 8 => self.vote(),
            _ => self.shuffle(depth),
        }
    }

    /// Every thread writes an element of a shared array; after a barrier it reads another's.
    fn exchange(&mut self) {
        let (ty, array, threads) = (self.scalar(), self.name("tile"), self.threads);
        let spelled = self.spelled(ty);
        let value = self.argument(ty, 3);
        self.line(format!("__shared__ {spelled} {array}[{threads}];"));
        self.line(format!("{array}[tid] = {value};"));
        let name = self.name("v");
        match self.random.below(4) {
            0 => {
                let condition = self.condition(2);
                let how = self.random.pick(&["count", "and", "or"]);
                self.line(format!("int {name} = __syncthreads_{how}({});", condition.text));
                self.places.push(Place::variable(name.clone(), I32));
            }
            _ => self.line("__syncthreads();"),
        }
        let name = self.name("v");
        let index = match self.random.below(3) {
            0 => format!("(tid + {}) % {threads}", self.random.within(1, threads)),
            1 => format!("{} - tid", threads - 1),
            _ => {
                let any = self.integer(2);
                format!("(u32)({}) % {threads}u", any.text)
            }
        };
        self.line(format!("{spelled} {name} = {array}[{index}];"));
        self.places.push(Place::variable(name.clone(), ty));
        self.line("__syncthreads();");
        self.mark(&name);
    }

    /// The same with structs.
    fn exchange_structs(&mut self) {
        if self.structs.is_empty() {
            return self.exchange();
        }
        let at = self.random.below(self.structs.len() as u32) as usize;
        let (of, array, name) = (self.structs[at].clone(), self.name("tile"), self.name("s"));
        let (value, threads) = (self.braces(&of), self.threads);
        self.line(format!("__shared__ {} {array}[{threads}];", of.name));
        self.line(format!("{array}[tid] = {}{value};", of.name));
        self.line("__syncthreads();");
        let distance = self.random.within(1, threads);
        self.line(format!("{} {name} = {array}[(tid + {distance}) % {threads}];", of.name));
        self.line("__syncthreads();");
        self.adopt(&name, &of);
    }

    /// A reduction of the block, as a tree in shared memory.
    fn tree(&mut self) {
        let (ty, array, threads) =
            (self.random.pick(&[U32, U64, I32]), self.name("sums"), self.threads);
        let value = self.integer_of(ty, 3);
        let (mine, other) = (format!("{array}[tid]"), format!("{array}[tid + step]"));
        let result = match (ty, self.random.below(3)) {
            (_, 0) => format!("min({mine}, {other})"),
            (I32, _) | (_, 1) => format!("{mine} ^ {other}"),
            _ => format!("{mine} + {other}"),
        };
        let name = self.name("v");
        self.line(format!("__shared__ {} {array}[{threads}];", ty.name()));
        self.line(format!("{mine} = {};", value.text));
        self.line("__syncthreads();");
        self.line(format!("for (int step = {}; step > 0; step /= 2) {{", threads / 2));
        self.line(format!("    if (tid < step) {mine} = {result};"));
        self.line("    __syncthreads();");
        self.line("}");
        self.line(format!("{} {name} = {array}[0];", ty.name()));
        self.line("__syncthreads();");
        self.places.push(Place::variable(name.clone(), ty).uniform());
        let last = self.places.len() - 1;
        self.places[last].writable = false;
        self.mark(&name);
    }

    /// A shuffle by the whole warp, or by the lanes on one side of a branch.
    fn shuffle(&mut self, depth: u32) {
        let types: &[Type] = match self.family {
            Family::Halves => &[I32, U32, F32, I64, U64, F64, F16, Type::Bf16],
            _ => &[I32, U32, F32, I64, U64, F64],
        };
        let (ty, name) = (self.random.pick(types), self.name("v"));
        let value = self.value(ty, 3).text;
        if depth > 0 && self.random.chance(25) {
            // Lanes of one half only: the mask names those that come here.
            let (condition, mask) = self.random.pick(&[
                ("(tid & 31) < 16", "0x0000ffffu"),
                ("(tid & 31) >= 16", "0xffff0000u"),
                ("tid & 1", "0xaaaaaaaau"),
                ("!(tid & 1)", "0x55555555u"),
            ]);
            let distance = self.random.pick(&[2u32, 4, 8]);
            self.line(format!("{} {name} = {value};", ty.name()));
            self.line(format!(
                "if ({condition}) {name} = __shfl_xor_sync({mask}, {name}, {distance});"
            ));
        } else {
            let width = self.random.pick(&["", "", ", 16", ", 8", ", 4"]);
            let call = match self.random.below(4) {
                0 => format!(
                    "__shfl_xor_sync(0xffffffffu, {value}, {}{width})",
                    self.random.within(1, 31)
                ),
                1 => format!(
                    "__shfl_up_sync(0xffffffffu, {value}, {}{width})",
                    self.random.within(1, 9)
                ),
                2 => format!(
                    "__shfl_down_sync(0xffffffffu, {value}, {}{width})",
                    self.random.within(1, 9)
                ),
                _ => {
                    let lane = self.integer(2).at(level::BIT_AND);
                    format!("__shfl_sync(0xffffffffu, {value}, (int)({lane} & 31){width})")
                }
            };
            self.line(format!("{} {name} = {call};", ty.name()));
        }
        self.places.push(Place::variable(name.clone(), ty));
        self.mark(&name);
    }

    /// Votes, matches and reductions of a warp.
    fn vote(&mut self) {
        let name = self.name("v");
        let (ty, text) = match self.random.below(6) {
            0 => (U32, format!("__ballot_sync(0xffffffffu, {})", self.condition(3).text)),
            1 => {
                let how = self.random.pick(&["any", "all"]);
                (Bool, format!("__{how}_sync(0xffffffffu, {})", self.condition(3).text))
            }
            2 => {
                let any = self.integer(3);
                (U32, format!("__match_any_sync(0xffffffffu, (u32)({}) % 5u)", any.text))
            }
            3 => {
                let any = self.integer(3);
                (U32, format!("matched((u32)({}) % 2u)", any.text))
            }
            4 => {
                let how = self.random.pick(&["add", "min", "max", "and", "or", "xor"]);
                let value = self.integer_of(U32, 3).text;
                (U32, format!("__reduce_{how}_sync(0xffffffffu, {value})"))
            }
            _ => {
                let how = self.random.pick(&["min", "max"]);
                let value = self.integer_of(I32, 3).text;
                (I32, format!("__reduce_{how}_sync(0xffffffffu, {value})"))
            }
        };
        self.line(format!("{} {name} = {text};", ty.name()));
        self.places.push(Place::variable(name.clone(), ty));
        self.mark(&name);
    }

    /// An atomic operation of any threads on one word: the sum of all is the same in any order.
    fn atomic(&mut self) {
        let slot = self.name("");
        let slot: u32 = slot.parse::<u32>().unwrap_or(0) % 16;
        // A slot belongs to one operation.
        let any = self.integer(2);
        let text = match slot {
            0 | 1 => format!("atomicAdd(&words[{slot}], (u32)({}))", any.text),
            2 => format!("atomicSub(&words[2], (u32)({}))", any.text),
            3 => format!("atomicMin(&words[3], (u32)({}))", any.text),
            4 => format!("atomicMax((int*)&words[4], (int)({}))", any.text),
            5 => format!("atomicAnd(&words[5], (u32)({}) | 0xff00ffu)", any.text),
            6 => {
                let value = Expression::parenthesised(&any.text);
                format!("atomicOr(&words[6], (u32){value} & 0x10f00fu)")
            }
            7 => format!("atomicXor(&words[7], (u32)({}))", any.text),
            8 => "atomicInc(&words[8], 12u)".to_owned(),
            9 => format!("atomicMin((int*)&words[9], (int)({}))", any.text),
            10 => format!("atomicAdd(&wides[0], (u64)({}))", any.text),
            11 => format!("atomicMax(&wides[1], (u64)({}))", any.text),
            12 => format!("atomicMin((i64*)&wides[2], (i64)({}))", any.text),
            13 => format!("atomicXor(&wides[3], (u64)({}))", any.text),
            // Sums of small integers are exact.
            14 => format!("atomicAdd(&sums[0], (float)({} & 255))", any.at(level::BIT_AND)),
            _ => format!("add_by_cas(&words[10], (u32)({}))", any.text),
        };
        self.line(format!("{text};"));
    }

    /// An atomic operation on a word that the thread has for itself, so that its result counts.
    fn own_atomic(&mut self) {
        let value = self.integer_of(U32, 2).text;
        let name = self.name("v");
        let text = match self.random.below(6) {
            0 => format!("atomicExch(&own[gid], {value})"),
            1 => format!("atomicAdd(&own[gid], {value})"),
            2 => format!("atomicCAS(&own[gid], own[gid], {value})"),
            3 => format!("atomicMax(&own[gid], {value})"),
            4 => format!("atomicInc(&own[gid], {value})"),
            _ => format!("atomicDec(&own[gid], {value})"),
        };
        self.line(format!("u32 {name} = {text};"));
        self.places.push(Place::variable(name.clone(), U32));
        self.mark(&name);
    }

    /// Tiles of a warp, by cooperative groups.
    fn group(&mut self) {
        let (name, tile) = (self.name("v"), self.name("tile"));
        let size = self.random.pick(&[4u32, 8, 16, 32]);
        let ty = self.random.pick(&[I32, U32, F32]);
        let value = self.value(ty, 3).text;
        self.line(format!(
            "auto {tile} = cooperative_groups::tiled_partition<{size}>(cooperative_groups::this_thread_block());"
        ));
        let (ty, text) = match self.random.below(6) {
            0 => (ty, format!("{tile}.shfl_down({value}, {})", self.random.within(1, size - 1))),
            1 => (ty, format!("{tile}.shfl_xor({value}, {})", self.random.within(1, size - 1))),
            2 => (ty, format!("{tile}.shfl({value}, {})", self.random.below(size))),
            3 => (U32, format!("{tile}.ballot({})", self.condition(2).text)),
            4 => (Bool, format!("{tile}.any({})", self.condition(2).text)),
            _ => (U32, format!("{tile}.thread_rank() + {tile}.meta_group_rank() * {tile}.size()")),
        };
        self.line(format!("{} {name} = {text};", ty.name()));
        self.places.push(Place::variable(name.clone(), ty));
        if self.random.chance(30) {
            self.line("cooperative_groups::this_thread_block().sync();");
        }
        self.mark(&name);
    }
}
