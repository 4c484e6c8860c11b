//! Folds of every type and kind, by few blocks and many, twice over one scratch memory.

use super::run::{Bench, Grid, Plain, Random, compile, number, programs, word};
use kernels::programs::Program;
use simt::Module;

/// What a type is folded of, and into what.
trait Number: Plain {
    /// Numbers of which every fold is exact, in whatever order.
    fn some(op: &str, length: usize) -> Vec<Self>;
    fn fold(op: &str, data: &[Self]) -> Self;
    fn same(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn some(op: &str, length: usize) -> Vec<Self> {
                let mut random = Random(length as u64);
                let odd = u64::from(op == "MUL"); // else all products are soon zero
                (0..length).map(|_| (random.bits() | odd) as $type).collect()
            }
            fn fold(op: &str, data: &[Self]) -> Self {
                let all = data.iter().copied();
                match op {
                    "ADD" => all.fold(0, <$type>::wrapping_add),
                    "MUL" => all.fold(1, <$type>::wrapping_mul),
                    "MIN" => all.min().unwrap(),
                    _ => all.max().unwrap(),
                }
            }
            fn same(self, other: Self) -> bool { self == other }
        }
    )*};
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn some(op: &str, length: usize) -> Vec<Self> {
                let mut random = Random(length as u64);
                let factor = |i: usize| if i % 2000 == 7 { 4.0 } else if i % 2000 == 8 { 0.5 } else { 1.0 };
                let sign = |bits: u64| if bits & 64 == 0 { 1.0 } else { -1.0 };
                let one = |i| match op {
                    "MUL" => factor(i) * sign(random.bits()),
                    "ADD" => (random.bits() % 64) as $type - 20.0,
                    _ => random.float() as $type,
                };
                (0..length).map(one).collect()
            }
            fn fold(op: &str, data: &[Self]) -> Self {
                let all = data.iter().map(|x| f64::from(*x));
                let folded: f64 = match op {
                    "ADD" => all.sum(),
                    "MUL" => all.product(),
                    "MIN" => all.fold(f64::NAN, f64::min),
                    _ => all.fold(f64::NAN, f64::max),
                };
                folded as $type
            }
            fn same(self, other: Self) -> bool { self == other || self.is_nan() && other.is_nan() }
        }
    )*};
}

integers! { i32 u32 i64 }
floats! { f32 f64 }

fn check<T: Number>(program: &Program, module: &Module, data: &[T], blocks: u32) {
    let want = T::fold(word(program, "OP"), data);
    let mut bench = Bench::default();
    bench.input("data", data);
    bench.value(data.len() as u64);
    let out = bench.output::<T>("out", 1);
    let scratch = bench.input("scratch", &vec![0u64; 2 + blocks as usize]);
    for _ in 0..2 {
        let threads = number(program, "THREADS");
        bench.launch(module, program, Grid { blocks, threads, shared: 0 });
        let got = bench.read::<T>(out)[0];
        let n = data.len();
        assert!(got.same(want), "{got:?} and not {want:?}: {n} in {blocks} blocks, {program:?}");
        assert_eq!(
            bench.read::<u64>(scratch)[..1],
            [0],
            "the counter is not left zero: {program:?}"
        );
        let poison: Vec<u8> = vec![0xa5; size_of::<T>()];
        bench.upload(out, &poison);
    }
}

fn sizes<T: Number>(program: &Program) {
    let module = compile(program, program.source()).expect("it is understood");
    let op = word(program, "OP");
    for length in [1, 2, 31, 32, 33, 1009, 4099] {
        for blocks in [1, 3] {
            check(program, &module, &T::some(op, length), blocks);
        }
    }
    // Full tiles, and what no tile covers.
    check(program, &module, &T::some(op, 70_001), 3);
}

#[test]
fn folds_of_every_type() {
    for program in programs("kernels_reduce") {
        match word(&program, "T") {
            "int" => sizes::<i32>(&program),
            "unsigned int" => sizes::<u32>(&program),
            "long long" => sizes::<i64>(&program),
            "float" => sizes::<f32>(&program),
            "double" => sizes::<f64>(&program),
            other => panic!("no numbers of `{other}`"),
        }
    }
}

/// Arrays begin at multiples of 16 bytes here; so the kernel is told to begin some elements further on.
#[test]
fn an_array_may_begin_anywhere() {
    for program in programs("kernels_reduce") {
        match word(&program, "T") {
            "int" => further_on::<i32>(&program),
            "long long" => further_on::<i64>(&program),
            "float" => further_on::<f32>(&program),
            "double" => further_on::<f64>(&program),
            _ => {}
        }
    }
}

fn further_on<T: Number>(program: &Program) {
    let begin = "kernels_reduce(const T* data, u64 n, T* out, u64* scratch) {";
    let source = program.source();
    assert!(source.contains(begin), "`{begin}` is not in {program:?}");
    for skipped in 1..16 / size_of::<T>() {
        let text = source.replace(begin, &format!("{begin} data += {skipped}; n -= {skipped};"));
        let module = compile(program, text).expect("it is understood");
        let op = word(program, "OP");
        for length in [1, 2, 3, 4, 33, 70_001] {
            let data = T::some(op, length + skipped);
            let want = T::fold(op, &data[skipped..]);
            let mut bench = Bench::default();
            bench.input("data", &data);
            bench.value(data.len() as u64);
            let out = bench.output::<T>("out", 1);
            bench.input("scratch", &[0u64; 8]);
            let threads = number(program, "THREADS");
            bench.launch(&module, program, Grid { blocks: 3, threads, shared: 0 });
            let got = bench.read::<T>(out)[0];
            assert!(
                got.same(want),
                "{got:?} and not {want:?}: {length} from {skipped}, {program:?}"
            );
        }
    }
}

/// NaN stays in sums and products, and is passed over by the smallest and the largest.
#[test]
fn nan_and_infinities() {
    for program in programs("kernels_reduce") {
        match word(&program, "T") {
            "float" => specials(&program, f32::NAN, f32::INFINITY),
            "double" => specials(&program, f64::NAN, f64::INFINITY),
            _ => {}
        }
    }
}

fn specials<T: Number + std::ops::Neg<Output = T>>(program: &Program, nan: T, infinity: T) {
    let module = compile(program, program.source()).expect("it is understood");
    let ordinary = T::some(word(program, "OP"), 1009);
    let cases = [
        vec![nan],
        vec![infinity],
        vec![-infinity],
        vec![-infinity, infinity],
        vec![nan, infinity],
    ];
    for case in cases {
        let mut data = ordinary.clone();
        data[500..500 + case.len()].copy_from_slice(&case);
        check(program, &module, &data, 3);
        check(program, &module, &case, 1);
    }
    check(program, &module, &[nan; 33], 3);
}
