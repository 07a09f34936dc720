//! Whatever ends a call ends all of it: nothing that the server started outlives it.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use super::session::{Session, endless_git, parent, until};
use crate::support::Tree;

/// A session with a call that never ends, and the processes that work on it.
fn with_endless_call() -> (Session, u64, Vec<u32>, Tree, tempfile::TempDir) {
    let tree = Tree::of(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (
            ".git/refs/heads/main",
            "4f1c0e8a2d9b7356a1e0c4d2f8b697304f1c0e8a\n",
        ),
        (".git/objects/x", ""),
        ("a.rs", "fn total() {}\n"),
    ]);
    let (git, path) = endless_git();
    let mut session = Session::start_with(tree.root(), &[], |command| {
        command.env("PATH", &path);
    });
    session.begin(&json!({}));
    let id = session.ask(
        "tools/call",
        json!({"name": "ask", "arguments": {"question": "when was total introduced?"}}),
    );
    until("the call of git", || session.children().len() >= 3);
    let children = session.children();
    (session, id, children, tree, git)
}

#[track_caller]
fn are_gone(children: &[u32]) {
    until(&format!("the end of {children:?}"), || {
        children.iter().all(|pid| parent(*pid).is_none())
    });
}

#[test]
fn a_cancelled_call_leaves_nothing_and_gets_no_answer() {
    let (mut session, id, children, _tree, _git) = with_endless_call();
    session.send(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id, "reason": "no need"}}).to_string(),
    );
    are_gone(&children);
    assert!(session.request("ping", json!({}))["error"].is_null());
    assert!(session.others.is_empty(), "{:#?}", session.others);
    assert!(session.children().is_empty());
    assert_eq!(session.end(), (Some(0), Vec::new()));
}

#[test]
fn a_client_that_closes_its_side_ends_server_and_calls() {
    let (session, _id, children, _tree, _git) = with_endless_call();
    let (code, rest) = session.end();
    assert_eq!(code, Some(0));
    are_gone(&children);
    // What was asked for is answered all the same: as not answered.
    assert!(
        rest.iter()
            .all(|message| message["result"]["isError"] == true),
        "{rest:#?}"
    );
}

/// The client is killed: the pipes close on both sides at once.
#[test]
fn a_client_that_dies_ends_server_and_calls() {
    let (mut session, _id, children, _tree, _git) = with_endless_call();
    drop(session.input.take());
    session.forget_output();
    assert_eq!(session.wait(Duration::from_secs(10)), Some(0));
    are_gone(&children);
}

#[test]
fn a_signal_ends_server_and_calls() {
    let (mut session, _id, children, _tree, _git) = with_endless_call();
    kill(Signal::TERM, session.child.id());
    assert_eq!(session.wait(Duration::from_secs(10)), Some(0));
    are_gone(&children);
}

/// Nothing can be done any more in a server that is killed; the system ends what it started.
#[cfg(target_os = "linux")]
#[test]
fn a_server_that_is_killed_takes_its_calls_with_it() {
    let (mut session, _id, children, _tree, _git) = with_endless_call();
    let own = children
        .iter()
        .copied()
        .find(|pid| parent(*pid) == Some(session.child.id()))
        .expect("a call");
    kill(Signal::KILL, session.child.id());
    session.wait(Duration::from_secs(10));
    are_gone(&[own]);
    children.iter().for_each(|pid| kill(Signal::KILL, *pid));
}

#[test]
fn a_call_that_is_killed_has_failed_and_harms_no_other() {
    let (mut session, id, children, _tree, _git) = with_endless_call();
    let own = children
        .iter()
        .copied()
        .find(|pid| parent(*pid) == Some(session.child.id()))
        .expect("a call");
    kill(Signal::KILL, own);
    let called = super::session::Called(session.answer(&json!(id)));
    called.is(
        "failed",
        1,
        "FAILED, nothing was shown either way: the call was ended by a signal",
    );
    assert!(session.request("tools/list", json!({}))["error"].is_null());
    are_gone(&children);
}

/// Sends a signal; a process that is gone already is no fault.
fn kill(signal: Signal, pid: u32) {
    let _ = crate::support::send(signal, pid);
}

#[test]
fn calls_under_way_are_answered_where_a_client_only_closes_its_side() {
    let tree = Tree::of(&[("a.rs", "fn total() {}\n")]);
    let mut session = Session::begun(tree.root(), &[]);
    let id = session.ask(
        "tools/call",
        json!({"name": "ask", "arguments": {"question": "where is total defined?"}}),
    );
    let (code, rest) = session.end();
    assert_eq!(code, Some(0));
    let answer = rest
        .iter()
        .find(|message| message["id"] == id)
        .expect("an answer");
    assert_eq!(
        answer["result"]["structuredContent"]["outcome"], "answered",
        "{answer:#}"
    );
}
