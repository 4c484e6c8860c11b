//! Names the simulator by its sources, so that a verdict of an older one is never believed.
//!
//! The kernel file's reader and this crate count too: they decide what is compared with what.

use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    for folder in [
        "../simt-machine/src",
        "../simt-ptx/src",
        "../simt/src",
        "../simt-host/src",
        "../kernel-file/src",
        "src",
    ] {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files);
    }
    files.sort();
    let mut hash = Fnv(0xCBF2_9CE4_8422_2325);
    for file in files {
        hash.add(file.to_string_lossy().as_bytes());
        hash.add(&std::fs::read(&file).unwrap_or_default());
    }
    println!("cargo::rustc-env=SIMULATOR_SOURCES={:016x}", hash.0);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// FNV-1a over 64 bits: enough to tell one tree from another, without a dependency.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&[0]) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}
