//! The program `grounds`.

use std::process::ExitCode;

fn main() -> ExitCode {
    grounds::commands::run(std::env::args_os())
}
