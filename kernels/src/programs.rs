//! Every program that the library compiles, as a list: for what looks at their machine code, or runs
//! them elsewhere than on a device. No part of the library's promises.

use crate::matmul::{self, Shaped};
use crate::reduce::{self, Fold, Order};
use crate::{elementwise, rows, transpose};
use elementwise::Activation;

pub use crate::frame::program::{Program, Value};

/// All, each once.
pub fn all() -> Vec<Program> {
    let mut all: Vec<Program> = Vec::new();
    for program in [reductions(), moves(), general_products(), hopper_alone()].concat() {
        // The order of a fold of ints is no matter: the same program.
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
    for what in [rows::What::Softmax, rows::What::Layernorm] {
        let shares = rows::shares(what).chain(&rows::ANYWHERE);
        all.extend(shares.map(|share| rows::program(what, Some(*share))));
        all.push(rows::long_program(what));
    }
    all
}

fn hopper_alone() -> Vec<Program> {
    let shaped = |columns, stages, cluster, bulk| Shaped { columns, stages, cluster, bulk };
    let mut all = vec![rows::cluster_program()];
    for kind in ["bf16", "f16"] {
        for bulk in [true, false] {
            all.push(matmul::hopper(kind, shaped(256, 4, 2, bulk)));
            all.push(matmul::hopper(kind, shaped(256, 4, 1, bulk)));
            all.push(matmul::hopper(kind, shaped(128, 6, 1, bulk)));
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
