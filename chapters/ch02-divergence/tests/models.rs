//! One kernel under two sets of rules: a program counter for each lane, as since Volta, and one for
//! the whole warp, as on Pascal and before.

use simt::{Arg, Class, Config, Launch, Memory, Model, Outcome, Report, Sources};

/// `13_handshake.cu`, one warp, under the rules of `model`.
fn handshake(model: Model) -> (Report, Vec<u8>) {
    let text = include_str!("../kernels/13_handshake.cu");
    let sources = Sources::single("13_handshake.cu".to_owned(), text.to_owned());
    let module = simt::compile(sources).unwrap_or_else(|_| panic!("the kernel does not compile"));
    let mut memory = Memory::new();
    let flag = memory.alloc("flag", "int", 4, 4);
    let out = memory.alloc("out", "int", 4, 4);
    memory.upload(flag, &[0; 4]);
    let launch = Launch {
        kernel: module.kernel("handshake").expect("the kernel of this file"),
        grid: 1.into(),
        block: 32.into(),
        dynamic_shared: 0,
        args: &[Arg::Buffer(flag), Arg::Buffer(out)],
    };
    let config = Config { model, ..Config::default() };
    let report = simt::launch(&module, &launch, &mut memory, &config).unwrap();
    (report, memory.download(out))
}

// ANCHOR: models
#[test]
fn a_lane_can_wait_for_its_neighbour_since_volta() {
    let (report, out) = handshake(Model::Volta);
    assert_eq!(report.outcome, Outcome::Completed);
    assert_eq!(out, 1i32.to_le_bytes());
}

#[test]
fn on_pascal_it_waits_for_ever() {
    let (report, _) = handshake(Model::Pascal);
    assert_ne!(report.outcome, Outcome::Completed);
    assert!(report.findings.iter().any(|f| f.class() == Class::Deadlock));
}
// ANCHOR_END: models
