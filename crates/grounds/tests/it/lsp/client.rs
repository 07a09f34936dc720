//! An editor that speaks to a real server: whatever comes on standard output must be a message of
//! the protocol.

use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Seconds after which a message counts as missing.
const MESSAGE_S_MAX: u64 = 100;

/// A session with a server.
pub(crate) struct Editor {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next_id: i32,
    /// Notifications that came while something else was waited for.
    pub(crate) told: Vec<Value>,
    folder: PathBuf,
    _state: tempfile::TempDir,
}

impl Editor {
    /// A server to which nothing was said yet.
    pub(crate) fn start(folder: &Path, prepare: impl FnOnce(&mut Command)) -> Self {
        let state = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_grounds"));
        command
            .args(["lsp", "--stdio"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env("XDG_STATE_HOME", state.path())
            .env_remove("GROUNDS_MODEL");
        prepare(&mut command);
        let mut child = command.spawn().expect("the server starts");
        let (sender, messages) = channel();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        std::thread::spawn(move || {
            while let Some(message) = read(&mut out) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            messages,
            next_id: 0,
            told: Vec::new(),
            folder: folder.canonicalize().expect("a folder"),
            _state: state,
        }
    }

    /// A server that was initialized for its folder.
    pub(crate) fn begun(folder: &Path) -> Self {
        Self::begun_with(folder, |_| {})
    }

    /// The same, with more in its surroundings.
    pub(crate) fn begun_with(folder: &Path, prepare: impl FnOnce(&mut Command)) -> Self {
        let mut editor = Self::start(folder, prepare);
        let root = json!({"uri": editor.uri(""), "name": "root"});
        let parameters = json!({"processId": null, "capabilities": {}, "workspaceFolders": [root]});
        let begun = editor.ask("initialize", parameters);
        assert!(begun["result"]["capabilities"].is_object(), "{begun:#}");
        editor.tell("initialized", json!({}));
        editor
    }

    /// The address of a file below the folder.
    pub(crate) fn uri(&self, path: &str) -> String {
        format!("file://{}", self.folder.join(path).display())
    }

    /// Sends bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open session");
        // A server that has ended does not read; what it said before is looked at elsewhere.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// Sends a text with the header of a message.
    pub(crate) fn text(&mut self, text: &str) {
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.text(&json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string());
    }

    /// Sends a request, and returns its name.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> i32 {
        self.next_id += 1;
        let id = self.next_id;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.text(&request.to_string());
        id
    }

    /// Sends a request and waits for its response.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.response(&json!(id))
    }

    /// Waits for a response; null is the name of a request that could not be read.
    #[track_caller]
    pub(crate) fn response(&mut self, id: &Value) -> Value {
        loop {
            let message = self.message();
            if message["method"].is_null() && message["id"] == *id {
                return message;
            }
            self.told.push(message);
        }
    }

    /// Waits for a notification that is as wanted; others before it are kept.
    #[track_caller]
    pub(crate) fn until(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.message();
            if is_wanted(&message) {
                return message;
            }
            self.told.push(message);
        }
    }

    /// The next findings at a document.
    #[track_caller]
    pub(crate) fn findings(&mut self, path: &str) -> Vec<Value> {
        let uri = self.uri(path);
        let found = self.until(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        });
        let found = found["params"]["diagnostics"].as_array();
        found.expect("a list").clone()
    }

    /// The next message that is shown to the person.
    #[track_caller]
    pub(crate) fn shown(&mut self) -> String {
        let shown = self.until(|message| message["method"] == "window/showMessage");
        shown["params"]["message"]
            .as_str()
            .expect("a text")
            .to_owned()
    }

    #[track_caller]
    fn message(&mut self) -> Value {
        let time = Duration::from_secs(MESSAGE_S_MAX);
        let message = self.messages.recv_timeout(time);
        message.unwrap_or_else(|_| panic!("nothing more comes; before: {:#?}", self.told))
    }

    pub(crate) fn open(&mut self, path: &str, language: &str, text: &str) {
        let uri = self.uri(path);
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub(crate) fn change(&mut self, path: &str, version: i32, text: &str) {
        let document = json!({"uri": self.uri(path), "version": version});
        let changes = json!([{"text": text}]);
        let parameters = json!({"textDocument": document, "contentChanges": changes});
        self.tell("textDocument/didChange", parameters);
    }

    /// Writes a text to disk, as an editor does before it says so.
    pub(crate) fn save(&mut self, path: &str, text: &str) {
        std::fs::write(self.folder.join(path), text).expect("a file is written");
        let document = json!({"uri": self.uri(path)});
        self.tell(
            "textDocument/didSave",
            json!({"textDocument": document, "text": text}),
        );
    }

    /// Ends the session in order, and returns the exit code.
    #[track_caller]
    pub(crate) fn end(mut self) -> Option<i32> {
        let answer = self.ask("shutdown", Value::Null);
        assert!(
            answer["error"].is_null() && answer["result"].is_null(),
            "{answer}"
        );
        self.tell("exit", Value::Null);
        self.wait()
    }

    /// Closes the server's input.
    pub(crate) fn close(&mut self) {
        drop(self.input.take());
    }

    /// Waits for the server's end.
    #[track_caller]
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let start = Instant::now();
        loop {
            match self.child.try_wait().expect("a status") {
                Some(status) => return status.code(),
                None if start.elapsed() < Duration::from_secs(20) => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                None => panic!("the server still runs"),
            }
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A message; `None` at the end. Anything else on standard output fails the test.
fn read(out: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    if out.read_line(&mut header).ok()? == 0 {
        return None;
    }
    let length = header.strip_prefix("Content-Length: ");
    let length = length.unwrap_or_else(|| panic!("not the protocol: {header}"));
    let mut blank = String::new();
    out.read_line(&mut blank).ok()?;
    assert_eq!(blank, "\r\n", "the header ends");
    let mut text = vec![0; length.trim().parse().expect("a length")];
    out.read_exact(&mut text).ok()?;
    let message: Value = serde_json::from_slice(&text).expect("JSON");
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    Some(message)
}
