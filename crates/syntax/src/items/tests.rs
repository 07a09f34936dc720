use super::*;
use crate::languages;

/// The lines at which items start.
fn starts(file: &str, text: &str) -> Vec<usize> {
    let language = languages::of_name(file).expect("a language");
    let cut = cut_of(language).expect("a language that is cut");
    let starts = Scan::over(cut, text.as_bytes())
        .starts_upto(text.len())
        .expect("brackets that fit");
    starts
        .into_iter()
        .map(|start| text[..start].matches('\n').count() + 1)
        .collect()
}

#[test]
fn items_of_rust_start_after_a_body_or_a_semicolon() {
    let text = "use a;\n#[b]\nfn c() {\n}\n\n/// d\nstruct E {\n    f: G,\n}\nimpl<'a> H for I<'a> {\nconst J: char = '{';\n}\nfn k()\nwhere\n{\n}\n";
    assert_eq!(starts("a.rs", text), [1, 2, 6, 7, 10, 13]);
}

#[test]
fn nothing_starts_in_a_string_or_a_comment() {
    assert_eq!(
        starts(
            "a.rs",
            "fn a() {}\n/* x; /* y */\nfn b() {}\n*/\nconst C: &str = r#\"\n\";\nfn d() {}\n\"#;\nfn e() {}\n"
        ),
        [1, 2, 5, 9]
    );
    assert_eq!(
        starts(
            "a.c",
            "int a;\n/* x;\nint b;\n*/\nchar *c = \"}\\\nint d;\";\nint e;\n"
        ),
        [1, 2, 5, 7]
    );
    assert_eq!(
        starts(
            "a.go",
            "package a\nvar b = `\nfunc c() {}\n`\nfunc d() {}\n"
        ),
        [1, 2, 5]
    );
    assert_eq!(
        starts("a.py", "a = '''\ndef b(): pass\n'''\ndef c(): pass\n"),
        [1, 4]
    );
    assert_eq!(
        starts(
            "a.cpp",
            "auto a = R\"x(\nint b;\n)\" )x\";\nint c = 1'000;\nint d;\n"
        ),
        [1, 4, 5]
    );
}

#[test]
fn statements_of_a_script_start_after_what_ends_one() {
    let text = [
        "#!/usr/bin/env node's",
        "import {",
        "  a",
        "}",
        "from 'b'",
        "const c = `",
        "let d = ${ `}",
        "${'`'}` + {}.e }",
        "let f",
        "`",
        "const g = h ? /[/'\"`]/ : 1 / 2;",
        "function i() {",
        "}",
        "@J({",
        "})",
        "export class K {}",
        "l.m(function () {",
        "return /{/",
        "});",
        "/** n */",
        "type N =",
        "  1",
        "let o =",
        "async () => {}",
    ]
    .join("\n");
    assert_eq!(starts("a.ts", &text), [1, 2, 6, 11, 12, 14, 17, 20, 21, 23]);
}

#[test]
fn what_is_no_body_goes_on_with_a_name() {
    assert_eq!(
        starts(
            "a.c",
            "typedef struct {\n  int a;\n}\nB;\nint c(void)\n{\n}\nint d;\n"
        ),
        [1, 5, 8]
    );
}

#[test]
fn conditions_of_the_preprocessor_keep_the_depth() {
    let text = "#ifdef A\nextern \"C\" {\n#endif\nint b(void);\nint c(void)\n{\n#if D\n  if (e) {\n#else\n  if (f) {\n#endif\n  }\n}\nint g;\n#ifdef A\n}\n#endif\n";
    assert_eq!(starts("a.c", text), [1, 2, 5, 14, 15]);
}

#[test]
fn statements_of_python_hold_their_branches_and_decorators() {
    assert_eq!(
        starts(
            "a.py",
            "@a\n@b(\n  1)\ndef c():\n    pass\n# d\ntry:\n    e\nexcept F:\n    g\nh = [\ni\n]\n"
        ),
        [1, 7, 11]
    );
}

#[test]
fn parts_hold_whole_items_and_touch_no_others() {
    let language = languages::of_name("a.c").expect("C");
    let text = "int a;\nint b(void)\n{\n  c();\n}\nint d;\nint e;\nint f;\n".to_owned()
        + &"int g;\n".repeat(20);
    let at = text.find("c()").expect("a call");
    let parts = around(
        language,
        text.as_bytes(),
        std::slice::from_ref(&(at..at + 1)),
    )
    .expect("parts");
    assert_eq!(
        parts
            .iter()
            .map(|part| &text[part.clone()])
            .collect::<Vec<_>>(),
        ["int b(void)\n{\n  c();\n}\n"]
    );
    assert_eq!(
        around(
            language,
            text.as_bytes(),
            std::slice::from_ref(&(0..text.len()))
        ),
        None,
        "the whole text is no part"
    );
}

/// The parts that the parse of one name needs, where its items are longer than is parsed whole.
fn parts(file: &str, text: &str, name: &str) -> Vec<String> {
    let language = languages::of_name(file).expect("a language");
    let at = text.find(name).expect("the name");
    let parts = around(
        language,
        text.as_bytes(),
        std::slice::from_ref(&(at..at + name.len())),
    )
    .expect("parts");
    parts
        .iter()
        .map(|part| {
            text[part.clone()]
                .replace("    // long\n", "")
                .replace("    # long\n", "")
        })
        .collect()
}

#[test]
fn of_a_long_container_its_head_the_member_and_its_end_are_parsed() {
    let long = "    // long\n".repeat(800);
    let rust = format!(
        "impl A {{\n    fn b() {{\n{long}    }}\n\n    #[c]\n    fn wanted() {{\n        d();\n    }}\n\n    fn e() {{\n{long}    }}\n}}\n"
    );
    assert_eq!(
        parts("a.rs", &rust, "wanted"),
        [
            "impl A {\n",
            "    #[c]\n    fn wanted() {\n        d();\n    }\n\n",
            "}\n"
        ]
    );
    let cpp = format!(
        "namespace a {{\nclass B : C {{\npublic:\n    B() {{\n{long}    }}\n    int wanted();\n{long}}};\n}}\n"
    );
    assert_eq!(
        parts("a.cpp", &cpp, "wanted").concat(),
        "namespace a {\nclass B : C {\n    int wanted();\n};\n}\n"
    );
    assert_eq!(
        parts("a.cpp", &cpp, "B :").concat(),
        "namespace a {\nclass B : C {\n};\n}\n"
    );
    let java = format!(
        "@A(b = C.class)\npublic class D extends E {{\n\
         \x20   String f = \"\"\"\n    int g;\n    \"\"\";\
         \n\n    /** h */\n    void i() throws J {{\n{long}    }}\n\n\
         \x20   @K({{\"l\"}})\n    <M> void wanted() {{\n    }}\n    void n() {{\n{long}    }}\n}}\n"
    );
    assert_eq!(
        parts("A.java", &java, "wanted").concat(),
        "@A(b = C.class)\npublic class D extends E {\n    @K({\"l\"})\n    <M> void wanted() {\n    }\n}\n"
    );
    let script = format!(
        "export class A extends B {{\n    c = 1;\n\n    @D()\n    wanted() {{\n        return /}}/;\n    }}\n\n\
         \x20   #e() {{\n{long}    }}\n}}\n"
    );
    assert_eq!(
        parts("a.ts", &script, "wanted").concat(),
        "export class A extends B {\n    @D()\n    wanted() {\n        return /}/;\n    }\n\n}\n"
    );
    let long = long.replace("//", "#");
    let python = format!(
        "@a\nclass B(C):\n    d = 1\n\n    def e(self):\n{long}        pass\n\n    @f\n    def wanted(self):\n        pass\n\n    def g(self):\n{long}        pass\n\n\nh = 1\n"
    );
    assert_eq!(
        parts("a.py", &python, "wanted"),
        [
            "@a\nclass B(C):\n",
            "    @f\n    def wanted(self):\n        pass\n\n"
        ]
    );
}

#[test]
fn a_long_function_is_no_container() {
    let long = "    // long\n".repeat(800);
    let text = format!(
        "fn a(b: impl C) {{\n    wanted();\n{long}}}\n{}",
        "fn d() {}\n".repeat(2000)
    );
    assert_eq!(
        parts("a.rs", &text, "wanted"),
        ["fn a(b: impl C) {\n    wanted();\n}\n"]
    );
    let text = text.replace("fn a(b: impl C)", "macro_rules! mod");
    assert_eq!(parts("a.rs", &text, "wanted").len(), 1);
}
