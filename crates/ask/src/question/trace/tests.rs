//! Errors as people paste them.

use super::{FRAMES_MAX, Frame, parse};

/// The message, and the frames as `path:line function`.
#[track_caller]
fn check(text: &str, message: &str, frames: &[&str]) {
    let trace = parse(text).unwrap_or_else(|| panic!("no trace: {text}"));
    assert_eq!(trace.message, message, "{text}");
    let shown = |frame: &Frame| {
        let line = frame
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        let function = frame
            .function
            .as_ref()
            .map_or_else(String::new, |function| format!(" {function}"));
        format!("{}{line}{function}", frame.path)
    };
    assert_eq!(
        trace.frames.iter().map(shown).collect::<Vec<_>>(),
        frames,
        "{text}"
    );
}

#[test]
fn pythons_deepest_frame_stands_last() {
    let text = "Traceback (most recent call last):\n  File \"/srv/app/main.py\", line 3, in <module>\n    run()\n  File \"app/run.py\", line 12, in run\n    raise KeyError(name)\nKeyError: 'user_id'\n";
    check(
        text,
        "'user_id'",
        &["app/run.py:12 run", "/srv/app/main.py:3"],
    );
}

#[test]
fn rusts_panics_old_and_new() {
    let new = "thread 'main' panicked at src/main.rs:12:5:\nindex out of bounds: the len is 3 but the index is 7\nstack backtrace:\n   0: core::panicking::panic_fmt\n             at /rustc/5980/library/core/src/panicking.rs:80:14\n   1: app::run\n             at ./src/main.rs:12:5\n";
    check(
        new,
        "index out of bounds: the len is 3 but the index is 7",
        &[
            "src/main.rs:12",
            "/rustc/5980/library/core/src/panicking.rs:80 core::panicking::panic_fmt",
            "./src/main.rs:12 app::run",
        ],
    );
    check(
        "thread 'main' panicked at 'no such key', src/lib.rs:3:9",
        "no such key",
        &["src/lib.rs:3"],
    );
    check(
        "thread 'main' panicked at src/main.rs:12:5: index out of bounds",
        "index out of bounds",
        &["src/main.rs:12"],
    );
}

#[test]
fn gos_panic() {
    let text = "panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.pick(0xc000012345, 0x5)\n\t/home/u/app/pick.go:12 +0x1d\nmain.main()\n\t/home/u/app/main.go:7 +0x85\n";
    check(
        text,
        "runtime error: index out of range [5] with length 3",
        &[
            "/home/u/app/pick.go:12 main.pick",
            "/home/u/app/main.go:7 main.main",
        ],
    );
}

#[test]
fn stacks_of_java_and_javascript() {
    let java = "Exception in thread \"main\" java.lang.IllegalStateException: order 12 is closed\n\tat com.shop.Order.submit(Order.java:42)\n\tat com.shop.Main.main(Main.java:7)\n";
    check(
        java,
        "order 12 is closed",
        &[
            "Order.java:42 com.shop.Order.submit",
            "Main.java:7 com.shop.Main.main",
        ],
    );
    let script = "TypeError: Cannot read properties of undefined (reading 'map')\n    at render (/app/src/list.js:10:15)\n    at async /app/src/index.js:3:1\n";
    check(
        script,
        "Cannot read properties of undefined (reading 'map')",
        &["/app/src/list.js:10 render", "/app/src/index.js:3"],
    );
}

#[test]
fn stacks_of_gdb_and_sanitizers() {
    let asan = "==77==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020\n    #0 0x4f2a1c in decode_frame /src/codec/frame.c:88:9\n    #1 0x4f3b2d in main /src/main.c:12:3\n";
    check(
        asan,
        "heap-use-after-free on address 0x6020",
        &["/src/codec/frame.c:88 decode_frame", "/src/main.c:12 main"],
    );
    let gdb = "#0  0x00005 in parse (input=0x0) at src/parse.c:31\n#1  0x00006 in main () at src/main.c:9\n";
    check(gdb, "", &["src/parse.c:31 parse", "src/main.c:9 main"]);
}

#[test]
fn messages_of_compilers() {
    check(
        "src/a.c:10:5: error: use of undeclared identifier 'x'",
        "use of undeclared identifier 'x'",
        &["src/a.c:10"],
    );
    check(
        "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\n",
        "cannot find value `x` in this scope",
        &["src/main.rs:2"],
    );
    check(
        "src/a.ts(3,5): error TS2322: Type 'string' is not assignable",
        "Type 'string' is not assignable",
        &["src/a.ts:3"],
    );
    check(
        "./main.go:7:2: undefined: foo",
        "undefined: foo",
        &["./main.go:7"],
    );
}

#[test]
fn ruby_php_and_csharp() {
    check(
        "app/user.rb:12:in 'load': undefined method 'x' for nil (NoMethodError)\n\tfrom app/main.rb:3:in '<main>'",
        "undefined method 'x' for nil",
        &["app/user.rb:12 load", "app/main.rb:3"],
    );
    check(
        "PHP Fatal error:  Uncaught RuntimeException: no route\n#0 /app/index.php(3): App\\Router->go()\n",
        "no route",
        &["/app/index.php:3 App\\Router->go"],
    );
    check(
        "Unhandled exception. System.InvalidOperationException: it is closed\n   at Shop.Order.Submit() in /src/Order.cs:line 42\n",
        "it is closed",
        &["/src/Order.cs:42 Shop.Order.Submit"],
    );
}

#[test]
fn lines_of_a_log() {
    check(
        "2024-01-31 12:00:01,123 ERROR worker: gave up after 5 attempts",
        "worker: gave up after 5 attempts",
        &[],
    );
    check(
        "[error] no such container: web",
        "no such container: web",
        &[],
    );
}

#[test]
fn a_question_is_no_trace() {
    for text in [
        "where is Foo defined",
        "where is src/lib.rs:10",
        "who raises KeyError",
        "what does src/a.rs:10:5 do",
        "explain ConfigError",
        "x",
        "",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn what_is_hostile_is_bounded() {
    let many = format!(
        "KeyError: x y\n{}",
        "  at f (a.js:1:2)\n  at g (a.js:2:2)\n".repeat(5_000)
    );
    let trace = parse(&many).expect("a trace");
    assert!(trace.frames.len() == FRAMES_MAX && trace.is_cut);
    for odd in [
        "#",
        "#1",
        "at ",
        "at (",
        "File \"",
        "-->",
        ":in ",
        "x.c(:",
        "): ",
        "thread 'panicked at ",
        "==ERROR: ",
        "error[",
        "ä:1:1: error: ä",
        "#9 in (",
    ] {
        let _ = parse(odd);
        let _ = parse(&odd.repeat(1_000));
        let _ = parse(&format!("{odd}\n{odd}\n{odd}"));
    }
}
