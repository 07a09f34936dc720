//! Statements such as "`P` 1.2 has `X`", decided by the sources of the locked version on this disk.

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::Code;
use crate::packages::{locked, sources};
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) const PACKAGED: Predicate = Predicate {
    name: "packaged",
    frames: &[
        r"(?:the )?(?:package |crate |module |library )?{a} (?:version )?{n} (?:{not})(?:still |already |also )?(?:has|have|defines|provides|exports|exposes|offers|ships|includes)(?: an?| the)?(?: (?:function|method|class|type|struct|trait|constant))?(?: called| named)? {b}",
        r"^(?:the )?(?:locked|installed|pinned)(?: version of)? {a} (?:{not})(?:still |already |also )?(?:has|have|defines|provides|exports|exposes|offers|ships|includes)(?: an?| the)?(?: (?:function|method|class|type|struct|trait|constant))?(?: called| named)? {b}",
        r"{b} (?:exists|is (?:defined|available|provided|part)) (?:in|by|of) (?:the )?(?:package |crate |module |library )?{a} {n}",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let name = said.get("a");
    let Some((owner, symbol)) = said.symbol("b") else {
        return unknown("what the package has is no name");
    };
    let Some(package) = locked(name, code.facts) else {
        return unknown(format!("no lock file here has `{name}` at one version"));
    };
    let stated = said.get("n").trim_start_matches('v').trim_end_matches('.');
    let known = package.version.trim_start_matches('v');
    // "`P` 1.2" includes the release 1.2.5.
    let is_this = stated.is_empty() || known == stated || known.starts_with(&format!("{stated}."));
    if !is_this {
        return unknown(format!(
            "{name} is locked at {known}; {stated} is not on this disk"
        ));
    }
    let found = match sources(&package, code.facts.checkout().root()) {
        Ok(found) => found,
        Err(reason) => return unknown(reason),
    };
    // `P.name` gives the package itself as the owner.
    let owner = owner.filter(|owner| !owner.eq_ignore_ascii_case(name));
    if let Some((path, line, text)) = found.definition(owner, symbol) {
        return ClaimVerdict::Holds(Evidence::Place {
            path,
            line: Some(line),
            text,
        });
    }
    if found.is_whole && !found.has(symbol) {
        let lock = Evidence::Place {
            path: package.file.to_owned(),
            line: None,
            text: format!("{} {}", package.name, package.version),
        };
        return contradicted(
            format!("the sources of {name} {known} have no `{symbol}`"),
            [lock],
        );
    }
    unknown(format!(
        "the sources of {name} {known} name `{symbol}` without a definition that is read"
    ))
}
