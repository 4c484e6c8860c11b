//! Tensor copies and reductions against what an H100 did.
//!
//! `recorded.txt` has memories (`memory NAME WORD...`), copies (`copy NAME ...`, see [`Copied::parse`]) and sums
//! (`element`). A copy's result is a hash of the memory that it went to, or `illegal` where the H100 stopped
//! with an illegal instruction.

use super::{BARRIER, assemble};
use simt_machine::isa::{
    AtomicOp, BulkDirection, GroupKind, Inst, MbarrierOp, Preload, Reg, Scope,
};
use simt_machine::machine::{TensorElement, TensorMap};
use simt_machine::{Arg, Config, Launch, Memory, Outcome, launch};
use std::collections::HashMap;

const RECORDED: &str = include_str!("recorded.txt");

/// Words of the memories that the test makes itself.
const WORDS: u32 = 2048;

struct Copied<'t> {
    map: TensorMap,
    /// A load, a store, or a reduction.
    op: &'t str,
    at: [i32; 5],
    /// Names of what the memories hold before.
    memories: [&'t str; 2],
    result: &'t str,
}

impl<'t> Copied<'t> {
    /// `TYPE RANK sizes strides box steps INTERLEAVE SWIZZLE FILL OP coordinates GLOBAL SHARED RESULT`; what
    /// has several numbers has commas between them.
    fn parse(text: &'t str) -> Copied<'t> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let numbers = |at: usize| words[at].split(',').map(|n| n.parse::<i64>().unwrap());
        let number = |at: usize| numbers(at).next().unwrap();
        fn filled<T: Copy, const N: usize>(given: impl Iterator<Item = T>, fill: T) -> [T; N] {
            let mut out = [fill; N];
            out.iter_mut().zip(given).for_each(|(out, given)| *out = given);
            out
        }
        let rank = number(1) as usize;
        let strides = if rank > 1 { numbers(3).collect() } else { Vec::new() };
        let map = TensorMap {
            address: 0,
            element: TensorElement::numbered(number(0) as usize).unwrap(),
            rank: rank as u32,
            sizes: filled(numbers(2).map(|n| n as u64), 1),
            strides: filled(strides.into_iter().map(|n| n as u64), 0),
            tile: filled(numbers(4).map(|n| n as u32), 1),
            steps: filled(numbers(5).map(|n| n as u32), 1),
            swizzle: [0, 32, 64, 128][number(7) as usize],
            nan_fill: number(8) == 1,
            interleave: number(6) as u32 * 16,
        };
        Copied {
            map,
            op: words[9],
            at: filled(numbers(10).map(|n| n as i32), 0),
            memories: [words[11], words[12]],
            result: words[13],
        }
    }

    fn reduction(&self) -> Option<AtomicOp> {
        Some(match self.op {
            "add" => AtomicOp::Add,
            "min" => AtomicOp::Min,
            "max" => AtomicOp::Max,
            "and" => AtomicOp::And,
            "or" => AtomicOp::Or,
            "xor" => AtomicOp::Xor,
            "inc" => AtomicOp::Inc,
            "dec" => AtomicOp::Dec,
            _ => return None,
        })
    }

    /// Fills shared memory, copies, and returns what global and shared memory hold; `None` if the copy ends
    /// with an error.
    fn run(&self, global: &[u32], shared: &[u32]) -> Option<[Vec<u32>; 2]> {
        let mut memory = Memory::new();
        let arrays = [global, shared].map(|words| {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            let array = memory.alloc("array", "unsigned", 4, bytes.len());
            memory.upload(array, &bytes);
            array
        });
        let map = TensorMap { address: arrays[0].address(), ..self.map };
        map.check().unwrap();
        let module = self.module(arrays[1].address(), shared.len() as u32 * 4, &map);
        let map = Arg::Value(map.encode().to_vec());
        let what = Launch {
            kernel: &module.kernels[0],
            grid: 1.into(),
            block: 1.into(),
            dynamic_shared: 0,
            args: &[map.clone(), map],
        };
        let mut config = Config { budget: 100_000, ..Config::default() };
        config.limits.shared_per_block = 64 * 1024;
        let report = launch(&module, &what, &mut memory, &config).unwrap();
        let words = arrays.map(|array| {
            let bytes = memory.download(array);
            bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
        });
        (report.outcome == Outcome::Completed).then_some(words)
    }

    fn module(&self, image: u64, bytes: u32, map: &TensorMap) -> simt_machine::isa::Module {
        let mut preloads: Vec<(Reg, Preload)> = vec![(0, Preload::Global(0))];
        let mut next = 2;
        let mut constant = |bits: u64, wide: bool| {
            let register = next;
            preloads.push((register, Preload::Const { bits, wide }));
            next += if wide { 2 } else { 1 };
            register
        };
        let image = constant(image, true);
        let (one, zero) = (constant(1, false), constant(0, false));
        let barrier = constant(BARRIER.into(), false);
        let size = constant(bytes.into(), false);
        let unit = if map.interleave == 0 { map.element.bytes() } else { map.interleave };
        let extent = |axis: usize| match map.interleave {
            0 if axis == 0 => map.tile[0],
            16 | 32 if axis + 2 == map.rank as usize => 1,
            _ => map.tile[axis].div_ceil(map.steps[axis]),
        };
        let announced = (0..5).map(extent).product::<u32>() * unit;
        let announced = constant(announced.into(), false);
        let coordinates = self.at.map(|at| constant((at as u32).into(), false));
        let done = next;
        let order = Some(Scope::Device);
        let mbarrier = |op, a| Inst::Mbarrier { op, order, d: None, barrier, a };
        let tensor = |direction| Inst::BulkTensor {
            direction,
            map: 0,
            shared: zero,
            coordinates,
            rank: map.rank as u8,
            barrier,
            reduce: self.reduction(),
        };
        let bulk =
            |direction, to, from| Inst::BulkCopy { direction, to, from, bytes: size, barrier };
        let mut code = vec![mbarrier(MbarrierOp::Init, one), Inst::MbarrierInitFence];
        let wait = |code: &mut Vec<Inst>, phase| {
            let target = code.len() as u32;
            code.push(Inst::MbarrierTest { parity: true, order, d: done, barrier, a: phase });
            code.push(Inst::Branch { cond: done, when: false, target });
        };
        let written = |code: &mut Vec<Inst>| {
            code.push(Inst::CommitGroup { kind: GroupKind::Bulk });
            code.push(Inst::WaitGroup { kind: GroupKind::Bulk, left: 0, read: false });
        };
        code.push(mbarrier(MbarrierOp::ArriveExpectTx, size));
        code.push(bulk(BulkDirection::ToShared, zero, image));
        wait(&mut code, zero);
        if self.op == "load" {
            code.push(mbarrier(MbarrierOp::ArriveExpectTx, announced));
            code.push(tensor(BulkDirection::ToShared));
            wait(&mut code, one);
        } else {
            code.push(tensor(BulkDirection::ToGlobal));
            written(&mut code);
        }
        code.push(bulk(BulkDirection::ToGlobal, image, zero));
        written(&mut code);
        code.push(Inst::Exit);
        assemble(code, preloads, done + 2)
    }
}

fn hash(words: &[u32]) -> String {
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, word| {
        (hash ^ u64::from(*word)).wrapping_mul(0x100_0000_01b3)
    });
    format!("{hash:016x}")
}

fn memories() -> HashMap<&'static str, Vec<u32>> {
    let made = |f: fn(u32) -> u32| (0..WORDS).map(f).collect::<Vec<u32>>();
    let mut out = HashMap::from([
        ("index", made(|i| 0x0101_0000 + i)),
        ("poison", made(|i| 0xC0DE_0000 ^ i.wrapping_mul(2_654_435_761) & 0x3FFF_FFFF)),
        ("zero", made(|_| 0)),
    ]);
    for line in RECORDED.lines().filter_map(|line| line.strip_prefix("memory ")) {
        let (name, words) = line.split_once(' ').unwrap();
        let words = words.split(' ').map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
        out.insert(name, words);
    }
    out
}

#[test]
fn copies_are_those_of_an_h100() {
    let memories = memories();
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in RECORDED.lines().filter_map(|line| line.strip_prefix("copy ")) {
        let (name, rest) = line.split_once(' ').unwrap();
        let copied = Copied::parse(rest);
        let [global, shared] = copied.memories.map(|name| &memories[name][..]);
        let found = match copied.run(global, shared) {
            Some([global, shared]) => hash(if copied.op == "load" { &shared } else { &global }),
            None => "illegal".to_owned(),
        };
        count += 1;
        if found != copied.result {
            wrong.push(format!("{name}: {found}, not {}", copied.result));
        }
    }
    assert!(wrong.is_empty() && count > 100, "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
}

/// A float of a type with special values, and what the copy makes of it.
#[test]
fn elements_are_those_of_an_h100() {
    for line in RECORDED.lines().filter_map(|line| line.strip_prefix("element ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let word = |at: usize| u32::from_str_radix(words[at], 16).unwrap();
        let element = TensorElement::numbered(words[0].parse().unwrap()).unwrap();
        let map = TensorMap::dense(
            0,
            element,
            &[16 / u64::from(element.bytes())],
            &[16 / element.bytes()],
            0,
        );
        let copied =
            Copied { map: map.unwrap(), op: words[1], at: [0; 5], memories: [""; 2], result: "" };
        let [global, shared] = copied.run(&[word(2); 4], &[word(3); 4]).unwrap();
        let found = if copied.op == "load" { shared[0] } else { global[0] };
        assert_eq!(found, word(4), "{line}, not {found:08x}");
    }
}
