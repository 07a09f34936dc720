//! What a build lacked on this machine: a header, a library, a program. That is no fault of the
//! code, so it is never reported as a failed build.

use crate::survey;

use super::{ToolchainSite, place};

/// The exit code of a shell that did not find a program.
const NOT_FOUND: i32 = 127;

/// Returns what the compiler or linker did not find, if the checkout does not have it either.
pub(super) fn of_compiler(site: &ToolchainSite<'_>, said: &str, code: i32) -> Option<String> {
    let header = place::errors(said).find_map(|(_, _, message)| {
        let name = message
            // GCC writes the first form, clang the second one.
            .strip_suffix(": No such file or directory")
            .or_else(|| message.strip_suffix(" file not found"))?;
        Some(
            name.rsplit(": ")
                .next()
                .unwrap_or(name)
                .trim_matches('\'')
                .to_owned(),
        )
    });
    // A header of the checkout that is not found is a fault of the code.
    if let Some(header) = header.filter(|header| !has_file(site, header)) {
        return Some(format!(
            "the header `{header}` is neither on this machine nor in the checkout"
        ));
    }
    let library = said
        .lines()
        .find_map(|line| line.split_once("cannot find -l"))
        .map(|(_, name)| name);
    if let Some(name) = library.and_then(|name| name.split([':', ' ']).next()) {
        return Some(format!("the library `{name}` is not on this machine"));
    }
    let program = said
        .lines()
        .find(|line| line.ends_with(": not found") || line.ends_with(": command not found"));
    program
        // make itself ends with 2 and writes `Error 127` for the step.
        .filter(|_| code == NOT_FOUND || said.contains("Error 127"))
        .map(|line| format!("a program is not on this machine: {}", line.trim()))
}

/// Reports whether a file of the checkout has this path or ends with it.
fn has_file(site: &ToolchainSite<'_>, name: &str) -> bool {
    survey::walker(site.checkout, site.limits)
        .build()
        .flatten()
        .any(|entry| entry.path().ends_with(name))
}
