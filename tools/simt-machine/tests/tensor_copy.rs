//! Copies of boxes by tensor maps: what comes into shared memory, and what is written back, for random
//! maps of one to five axes, swizzles and places, against a model in a few lines.

use simt_machine::isa::{
    AtomicOp, BulkDirection, Element, GroupKind, Inst, MbarrierOp, Module, Object, Param, Preload,
    Reg, Scope,
};
use simt_machine::machine::{TensorElement, TensorMap};
use simt_machine::random::SplitMix64;
use simt_machine::{Arg, Config, Kernel, Launch, Memory, Outcome, Report, Sources, Span, launch};

#[path = "tensor_copy/recorded.rs"]
mod recorded;

const BARRIER: u32 = 64 * 1024 - 16;

/// Thread 0 copies a box to shared memory, by one map, and from there to global memory, by another.
struct Case {
    from: TensorMap,
    to: TensorMap,
    /// Where the box begins in either.
    read_at: [i32; 5],
    write_at: [i32; 5],
    shared: u32,
    announced: u32,
    reduce: Option<AtomicOp>,
}

/// Registers: the maps are at 0 and 2, constants from 4 on.
fn module(case: &Case) -> Module {
    let mut preloads: Vec<(Reg, Preload)> = vec![(0, Preload::Global(0)), (2, Preload::Global(1))];
    let mut constant = |bits: u32| {
        let register = preloads.len() as Reg + 2;
        preloads.push((register, Preload::Const { bits: bits.into(), wide: false }));
        register
    };
    let (one, zero, barrier) = (constant(1), constant(0), constant(BARRIER));
    let (announced, shared) = (constant(case.announced), constant(case.shared));
    let read_at = case.read_at.map(|at| constant(at as u32));
    let write_at = case.write_at.map(|at| constant(at as u32));
    let done = preloads.len() as Reg + 2;
    let mbarrier = |op, a| Inst::Mbarrier { op, order: Some(Scope::Device), d: None, barrier, a };
    let copy = |direction, map, coordinates, rank: u32, reduce| Inst::BulkTensor {
        direction,
        map,
        shared,
        coordinates,
        rank: rank as u8,
        barrier,
        reduce,
    };
    let code = vec![
        mbarrier(MbarrierOp::Init, one),
        Inst::MbarrierInitFence,
        mbarrier(MbarrierOp::ArriveExpectTx, announced),
        copy(BulkDirection::ToShared, 0, read_at, case.from.rank, None),
        Inst::MbarrierTest { parity: true, order: Some(Scope::Device), d: done, barrier, a: zero },
        Inst::Branch { cond: done, when: false, target: 4 },
        copy(BulkDirection::ToGlobal, 2, write_at, case.to.rank, case.reduce),
        Inst::CommitGroup { kind: GroupKind::Bulk },
        Inst::WaitGroup { kind: GroupKind::Bulk, left: 0, read: false },
        Inst::Exit,
    ];
    assemble(code, preloads, done + 2)
}

/// A module of one kernel with these instructions, which takes two maps.
fn assemble(code: Vec<Inst>, preloads: Vec<(Reg, Preload)>, registers: Reg) -> Module {
    let object = |name: &str, size, constant| Object {
        name: name.to_owned(),
        element: Element { name: "char".to_owned(), size: 1 },
        scalar: false,
        size,
        offset: 0,
        dynamic: false,
        initial: Vec::new(),
        constant,
        managed: false,
        span: Span::default(),
    };
    let param = |at: u16| Param {
        name: format!("map{at}"),
        ty: "Map".to_owned(),
        offset: u32::from(at) * 128,
        size: 128,
        pointee: None,
        object: Some(at),
    };
    let kernel = Kernel {
        name: "f".to_owned(),
        params: vec![param(0), param(1)],
        param_bytes: 256,
        spans: vec![Span::default(); code.len()],
        code,
        registers,
        preloads,
        shared: vec![object("s", BARRIER + 16, false)],
        shared_bytes: BARRIER + 16,
        ..Kernel::default()
    };
    Module {
        sources: Sources::default(),
        kernels: vec![kernel],
        functions: Vec::new(),
        globals: vec![object("from", 128, true), object("to", 128, true)],
        diagnostics: Vec::new(),
    }
}

/// Runs it on two arrays, which `case` gets the addresses of; returns the second one.
fn run(input: &[u8], output: &[u8], case: impl FnOnce(u64, u64) -> Case) -> (Report, Vec<u8>) {
    let mut memory = Memory::new();
    let [from, to] = [input, output].map(|bytes| {
        let array = memory.alloc("array", "char", 1, bytes.len());
        memory.upload(array, bytes);
        array
    });
    let case = case(from.address(), to.address());
    let module = module(&case);
    let args = [case.from, case.to].map(|map| Arg::Value(map.encode().to_vec()));
    let what = Launch {
        kernel: &module.kernels[0],
        grid: 1.into(),
        block: 1.into(),
        dynamic_shared: 0,
        args: &args,
    };
    let mut config = Config { budget: 100_000, ..Config::default() };
    config.limits.shared_per_block = 64 * 1024;
    let report = launch(&module, &what, &mut memory, &config).unwrap();
    (report, memory.download(to))
}

/// The bytes of an element of an array, by its coordinates; `None` outside.
fn element(sizes: &[u64], at: &[i64], each: usize) -> Option<std::ops::Range<usize>> {
    let mut index = 0;
    for (size, at) in sizes.iter().zip(at).rev() {
        let at = u64::try_from(*at).ok().filter(|at| at < size)?;
        index = index * size + at;
    }
    Some(index as usize * each..(index as usize + 1) * each)
}

/// What the destination holds after the copy.
fn model(case: &Case, sizes: [&[u64]; 2], tile: &[u32], input: &[u8], output: &[u8]) -> Vec<u8> {
    let each = case.from.element.bytes() as usize;
    let mut out = output.to_vec();
    let count: u32 = tile.iter().product();
    for number in 0..count {
        let mut rest = number;
        let within: Vec<i64> = tile
            .iter()
            .map(|extent| {
                let at = rest % extent;
                rest /= extent;
                i64::from(at)
            })
            .collect();
        let place = |start: [i32; 5]| -> Vec<i64> {
            within.iter().zip(start).map(|(at, start)| at + i64::from(start)).collect()
        };
        let value = match element(sizes[0], &place(case.read_at), each) {
            Some(from) => input[from].to_vec(),
            None => vec![0; each],
        };
        if let Some(to) = element(sizes[1], &place(case.write_at), each) {
            out[to].copy_from_slice(&value);
        }
    }
    out
}

#[test]
fn boxes_go_there_and_back() {
    let mut random = SplitMix64(7);
    let mut below = |n: u64| random.next_u64() % n;
    let mut clipped = 0;
    for round in 0..200 {
        let rank = 1 + below(5) as usize;
        let element =
            [TensorElement::U8, TensorElement::F16, TensorElement::F32, TensorElement::I64]
                [below(4) as usize];
        let each = u64::from(element.bytes());
        let swizzle = [0, 32, 64, 128][below(4) as usize];
        // Rows of the array and of the box are multiples of 16 bytes; with a swizzle they may be shorter
        // than it spans.
        let row = 16 * (1 + below(if swizzle == 0 { 4 } else { u64::from(swizzle) / 16 }));
        let mut tile = vec![(row / each) as u32];
        let mut sizes = [vec![16 / each * (1 + below(12))], vec![16 / each * (1 + below(12))]];
        for _ in 1..rank {
            tile.push(1 + below(4) as u32);
            sizes.iter_mut().for_each(|sizes| sizes.push(1 + below(5)));
        }
        let bytes = |sizes: &[u64]| (sizes.iter().product::<u64>() * each) as usize;
        let input: Vec<u8> = (0..bytes(&sizes[0])).map(|_| below(256) as u8).collect();
        let output = vec![0xEE; bytes(&sizes[1])];
        let mut starts = [[0i32; 5]; 2];
        for (start, sizes) in starts.iter_mut().zip(&sizes) {
            for (at, size) in start.iter_mut().zip(sizes) {
                *at = below(size + 4) as i32 - 2;
            }
            // A box begins at a multiple of 16 bytes.
            let unit = 16 / each as i32;
            start[0] = start[0].div_euclid(unit) * unit;
        }
        // A copy to global memory must not begin before the array.
        starts[1].iter_mut().for_each(|at| *at = (*at).max(0));
        let shared = 1024 * below(8) as u32;
        let mut kept = None;
        let (report, found) = run(&input, &output, |from, to| {
            let map =
                |at, sizes: &[u64]| TensorMap::dense(at, element, sizes, &tile, swizzle).unwrap();
            let case = |announced| Case {
                from: map(from, &sizes[0]),
                to: map(to, &sizes[1]),
                read_at: starts[0],
                write_at: starts[1],
                shared,
                announced,
                reduce: None,
            };
            let announced = tile.iter().product::<u32>() * element.bytes();
            kept = Some(case(announced));
            case(announced)
        });
        let case = kept.unwrap();
        assert_eq!((report.outcome, report.findings.len()), (Outcome::Completed, 0), "{round}");
        let expected = model(&case, [&sizes[0], &sizes[1]], &tile, &input, &output);
        assert_eq!(found, expected, "{round}: {sizes:?} {tile:?} {starts:?} swizzle {swizzle}");
        clipped += usize::from(expected.contains(&0xEE));
    }
    assert!(clipped > 50, "only {clipped} boxes did not cover their array");
}

/// A copy of 4 x 4 words, with something changed.
fn changed(change: impl Fn(&mut Case)) -> (Report, Vec<u8>) {
    let words: Vec<u8> = (1..=64u32).flat_map(u32::to_le_bytes).collect();
    run(&words, &words, |from, to| {
        let map = |at| TensorMap::dense(at, TensorElement::U32, &[8, 8], &[4, 4], 0).unwrap();
        let mut case = Case {
            from: map(from),
            to: map(to),
            read_at: [0; 5],
            write_at: [4, 4, 0, 0, 0],
            shared: 0,
            announced: 64,
            reduce: None,
        };
        change(&mut case);
        case
    })
}

#[test]
fn a_reduction_combines() {
    let (report, found) = changed(|case| case.reduce = Some(AtomicOp::Add));
    assert_eq!(report.outcome, Outcome::Completed);
    let word = |at: usize| u32::from_le_bytes(found[at * 4..at * 4 + 4].try_into().unwrap());
    assert_eq!((word(0), word(36), word(63)), (1, 37 + 1, 64 + 28));
}

#[test]
fn a_reduction_that_there_is_not_is_named() {
    let (report, _) = changed(|case| {
        case.from.element = TensorElement::I32;
        case.to.element = TensorElement::I32;
        case.reduce = Some(AtomicOp::Inc);
    });
    assert_eq!(report.outcome, Outcome::Faulted);
    assert_eq!(
        report.findings[0].message,
        "the elements of this tensor map have no such reduction"
    );
}

#[test]
fn a_box_may_have_every_second_row() {
    let (report, found) = changed(|case| {
        case.from.tile[1] = 8;
        case.from.steps[1] = 2;
    });
    assert_eq!((report.outcome, report.findings.len()), (Outcome::Completed, 0));
    let word = |at: usize| u32::from_le_bytes(found[at * 4..at * 4 + 4].try_into().unwrap());
    for y in 0..4 {
        for x in 0..4 {
            assert_eq!(word((4 + y) * 8 + 4 + x), (2 * y * 8 + x) as u32 + 1, "{x}, {y}");
        }
    }
}

#[test]
fn what_the_copy_engine_refuses_is_named() {
    let message = |change: fn(&mut Case)| {
        let (report, _) = changed(change);
        report.findings.into_iter().find(|f| f.code.name() == "tensor-map").map(|f| f.message)
    };
    assert_eq!(
        message(|case| case.shared = 64).unwrap(),
        "byte 64 of shared memory is not a multiple of 128, as a box must begin at"
    );
    assert_eq!(
        message(|case| {
            let TensorMap { address, .. } = case.from;
            case.from = TensorMap::dense(address, TensorElement::U32, &[8, 9], &[4, 4], 0).unwrap();
            case.read_at = [0, 6, 0, 0, 0];
        })
        .unwrap(),
        "the tensor map covers more than its array"
    );
    assert_eq!(
        message(|case| case.read_at = [-3, 0, 0, 0, 0]).unwrap(),
        "element -3 of a row does not begin at a multiple of 16 bytes, as a box must"
    );
    assert_eq!(
        message(|case| case.write_at = [4, -1, 0, 0, 0]).unwrap(),
        "coordinate 1 of this copy to global memory is -1, before the array"
    );
    assert_eq!(message(|case| case.read_at = [100, -100, 0, 0, 0]), None, "a box may lie outside");
}
