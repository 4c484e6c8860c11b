//! Every program that the library compiles, as a list: for tests of their machine code and for the
//! simulator. Not part of the public API.

use crate::matmul::{self, HopperTiling};
use crate::reduce::{self, Fold, Order};
use crate::{elementwise, rows, transpose};
use elementwise::Activation;

pub use crate::handle::program::{Program, Value};

/// All programs, without duplicates.
pub fn all() -> Vec<Program> {
    let mut all: Vec<Program> = Vec::new();
    for program in [reductions(), moves(), general_products(), hopper_alone()].concat() {
        // Integer reductions do not depend on the order: both orders give one program.
        if !all.contains(&program) {
            all.push(program);
        }
    }
    all
}

pub(crate) fn reductions() -> Vec<Program> {
    let mut all = Vec::new();
    for fold in [Fold::Sum, Fold::Product, Fold::Min, Fold::Max] {
        for order in [Order::Fixed, Order::Any] {
            all.push(reduce::program::<i32>(fold, order));
            all.push(reduce::program::<u32>(fold, order));
            all.push(reduce::program::<i64>(fold, order));
            all.push(reduce::program::<f32>(fold, order));
            all.push(reduce::program::<f64>(fold, order));
        }
    }
    all
}

pub(crate) fn moves() -> Vec<Program> {
    let copies = [("float", 4), ("float", 1), ("unsigned char", 16), ("unsigned char", 1)];
    let copies =
        copies.map(|(kind, lanes)| elementwise::program("COPY", kind, lanes, Activation::Identity));
    let mut all = copies.to_vec();
    for activation in [Activation::Identity, Activation::Relu, Activation::Gelu] {
        for what in ["MAP", "BIAS"] {
            all.extend([4, 1].map(|lanes| elementwise::program(what, "float", lanes, activation)));
        }
    }
    for size in [1, 2, 4, 8] {
        all.extend(
            [true, false].iter().filter_map(|whole| transpose::program(size, *whole)).map(|p| p.0),
        );
    }
    for what in [rows::RowOp::Softmax, rows::RowOp::Layernorm] {
        let layouts = rows::layouts(what).chain(&rows::UNALIGNED);
        all.extend(layouts.map(|layout| rows::program(what, Some(*layout))));
        all.push(rows::long_program(what));
    }
    all
}

fn hopper_alone() -> Vec<Program> {
    let tiling = |columns, stages, cluster, bulk| HopperTiling { columns, stages, cluster, bulk };
    let mut all = vec![rows::cluster_program()];
    for kind in ["bf16", "f16"] {
        for bulk in [true, false] {
            all.push(matmul::hopper(kind, tiling(256, 4, 2, bulk)));
            all.push(matmul::hopper(kind, tiling(256, 4, 1, bulk)));
            all.push(matmul::hopper(kind, tiling(128, 6, 1, bulk)));
        }
    }
    all
}

pub(crate) fn general_products() -> Vec<Program> {
    let mut all = matmul::single_programs();
    all.extend(matmul::ampere_programs());
    all.push(matmul::pad());
    all
}
