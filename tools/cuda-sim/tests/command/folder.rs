//! A folder with CUDA files, and the command run in it.

use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// A program whose warps race in shared memory; the write is line 3, the read line 4.
pub(crate) const RACE: &str = "\
#include <cstdio>
__global__ void shift(int* out) {
    __shared__ int s[64]; s[threadIdx.x] = 0; __syncthreads(); s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
    int* out; cudaMalloc(&out, 256);
    shift<<<1, 64>>>(out);
    return cudaDeviceSynchronize();
}
";

/// A kernel file that keeps its promise.
pub(crate) const TWICE: &str = "\
//! Doubles every number.
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch twice(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 1, 31, 65
//@ page 100

__global__ void twice(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 2;
}

__host__ __device__ int expected(const int* in, int i) { return in[i] * 2; }
";

pub(crate) struct Folder(TempDir);

/// What the command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            std::fs::write(folder.path(name), text).unwrap();
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn says(&self, arguments: &[&str]) -> Said {
        self.says_in("", arguments)
    }

    /// What it says in a folder below.
    pub(crate) fn says_in(&self, below: &str, arguments: &[&str]) -> Said {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cuda-sim"));
        command.env("XDG_CACHE_HOME", self.path("cache"));
        let output = command.args(arguments).current_dir(self.path(below)).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}
