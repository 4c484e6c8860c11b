//! `cuda-sim nvcc` as a command of one word, for builds that want a compiler to be one: CMake's
//! `CMAKE_CUDA_COMPILER`, a variable that is quoted. It starts `cuda-sim`, which lies beside it.

#![forbid(unsafe_code)]

use std::io::ErrorKind;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let beside = std::env::current_exe().and_then(|itself| itself.canonicalize());
    let command = match beside {
        Ok(itself) => {
            itself.with_file_name("cuda-sim").with_extension(std::env::consts::EXE_EXTENSION)
        }
        Err(_) => "cuda-sim".into(),
    };
    let status = Command::new(&command).arg("nvcc").args(std::env::args_os().skip(1)).status();
    match status {
        Ok(status) => ExitCode::from(status.code().map_or(1, |code| code as u8)),
        Err(error) => {
            let command = command.display();
            if error.kind() == ErrorKind::NotFound {
                cuda_sim::tell!("error: there is no `{command}`, which `cuda-sim-nvcc` starts");
            } else {
                cuda_sim::tell!("error: `{command}` does not start: {error}");
            }
            cuda_sim::tell!("help: {}", cuda_sim::driver::BOTH);
            ExitCode::from(127)
        }
    }
}
