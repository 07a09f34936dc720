use super::*;

fn check(text: &str, inside: &[&str]) {
    let parts = parts(text.as_bytes(), Dialect::C);
    assert_eq!(
        parts
            .inside
            .iter()
            .map(|part| &text[part.clone()])
            .collect::<Vec<_>>(),
        inside
    );
    let mut all: Vec<Range<usize>> = parts.inside.iter().chain(&parts.outside).cloned().collect();
    all.sort_by_key(|part| part.start);
    assert_eq!(
        all.iter()
            .map(|part| &text[part.clone()])
            .collect::<String>(),
        text,
        "nothing is lost"
    );
}

#[test]
fn a_body_at_the_margin_lies_inside() {
    check(
        "int f(int a,\n      int b)\n{\n\treturn a;\n}\nint g;\n",
        &["\n{\n\treturn a;"],
    );
}

#[test]
fn a_type_is_no_body() {
    check(
        "struct s\n{\n\tint a;\n};\nstruct s __attribute__((packed))\n{\n\tint a;\n};\n",
        &[],
    );
}

#[test]
fn a_macro_in_a_body_lies_outside() {
    check(
        "int f(void)\n{\n\ta();\n#define X 1\n\tb();\n}\n",
        &["\n{\n\ta();", "\n\tb();"],
    );
    check("int f(void)\n{\n#define X 1\n#define Y 1\n}\n", &["\n{"]);
}

#[test]
fn what_does_not_close_is_no_body() {
    check("int f(void)\n{\n\ta();\n", &[]);
    check("\n{", &[]);
    check("", &[]);
}
