//! Prints the tables of the rules as Markdown, for `docs/evidence.md`:
//! `cargo run -p grounds-evidence --features measure --example tables`.

#[expect(clippy::print_stdout, reason = "printing is what this example is for")]
fn main() {
    let tables = [
        grounds_evidence::table::markdown(),
        grounds_evidence::table::relation_markdown(),
        grounds_evidence::requirement::markdown(),
    ];
    print!("{}", tables.join("\n"));
}
