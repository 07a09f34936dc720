//! A real browser without a window, asked over its own protocol: what a page looks
//! like to a person, to a keyboard and to a screen reader.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Seconds that the browser may take for one thing.
const ANSWER_S_MAX: u64 = 60;
/// Presses of the tabulator after which a page counts as a trap.
const TABS_MAX: usize = 400;

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    calls: File,
    answers: BufReader<File>,
    session: String,
    number: u64,
    /// What the page complained about.
    pub(crate) faults: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts it.
    pub(crate) fn start() -> Self {
        let profile = tempfile::tempdir().expect("a folder");
        let (calls, answers) = (profile.path().join("calls"), profile.path().join("answers"));
        assert!(
            Command::new("mkfifo")
                .args([&calls, &answers])
                .status()
                .expect("mkfifo")
                .success()
        );
        // The browser reads from descriptor 3 and writes to 4; a shell is the plain way to give it both.
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg("calls=$1 answers=$2; shift 2; exec chromium \"$@\" 3<\"$calls\" 4>\"$answers\"")
            .arg("sh")
            .args([&calls, &answers]);
        command.args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            "--hide-scrollbars",
        ]);
        command.arg("--force-renderer-accessibility").arg(format!(
            "--user-data-dir={}",
            profile.path().join("profile").display()
        ));
        let child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let calls = File::options()
            .write(true)
            .open(&calls)
            .expect("the browser listens");
        let answers = BufReader::new(File::open(&answers).expect("the browser speaks"));
        let mut browser = Self {
            child,
            calls,
            answers,
            session: String::new(),
            number: 0,
            faults: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"]
            .as_str()
            .expect("a session")
            .to_owned();
        for domain in ["Page", "Runtime", "Log", "Accessibility", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method and gives its result.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let told = self.said(method, params);
        assert!(told["error"].is_null(), "{method}: {told}");
        told["result"].clone()
    }

    /// What it says to a call, an error included.
    fn said(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut call = json!({"id": self.number, "method": method, "params": params});
        if !self.session.is_empty() {
            call["sessionId"] = Value::from(self.session.clone());
        }
        self.calls
            .write_all(format!("{call}\0").as_bytes())
            .expect("sent");
        loop {
            let told = self.next();
            if told["id"] == self.number {
                return told;
            }
        }
    }

    /// The next message; complaints of the page are written down.
    fn next(&mut self) -> Value {
        let mut message = Vec::new();
        self.answers
            .read_until(0, &mut message)
            .expect("the browser answers");
        assert!(message.pop() == Some(0), "the browser has ended");
        let told: Value = serde_json::from_slice(&message).unwrap_or(Value::Null);
        match told["method"].as_str() {
            Some("Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded") => {
                self.faults.push(told["params"].to_string())
            }
            Some("Network.requestWillBeSent") => {
                let url = told["params"]["request"]["url"]
                    .as_str()
                    .unwrap_or_default();
                if told["params"]["type"] != "Document" && !url.starts_with("data:") {
                    self.faults.push(format!("it asked for {url}"));
                }
            }
            _ => {}
        }
        told
    }

    /// Opens an address in a window of this width, light or dark.
    pub(crate) fn open(&mut self, url: &str, width: u32, scheme: &str) {
        let size =
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", size);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
        self.call("Page.navigate", json!({"url": url}));
        let start = Instant::now();
        while self.value("document.readyState + (location.href === 'about:blank')")
            != "completefalse"
        {
            assert!(
                start.elapsed() < Duration::from_secs(ANSWER_S_MAX),
                "`{url}` does not load"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression in the page.
    #[track_caller]
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let told = self.call(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true}),
        );
        assert!(told["exceptionDetails"].is_null(), "{expression}: {told}");
        told["result"]["value"].clone()
    }

    /// The same of a page that may be left meanwhile: null where it was.
    pub(crate) fn value_while_leaving(&mut self, expression: &str) -> Value {
        let told = self.said(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true}),
        );
        told["result"]["result"]["value"].clone()
    }

    /// Everything that the tabulator reaches, in its order; each must show that it has the focus.
    pub(crate) fn reached_by_keyboard(&mut self) -> usize {
        self.value("document.activeElement.blur(); window.reached = new Set(); 0");
        for _ in 0..TABS_MAX {
            for kind in ["rawKeyDown", "keyUp"] {
                self.call(
                    "Input.dispatchKeyEvent",
                    json!({"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}),
                );
            }
            let seen = self.value(
                "(() => { const here = document.activeElement; if (here === document.body || reached.has(here)) return 'end'; \
                 reached.add(here); const style = getComputedStyle(here); \
                 return style.outlineStyle === 'none' || style.outlineWidth === '0px' ? here.outerHTML.slice(0, 200) : ''; })()",
            );
            match seen.as_str() {
                Some("end") => break,
                Some("") => {}
                _ => panic!("the focus does not show: {seen}"),
            }
        }
        let reached = self.value("reached.size");
        usize::try_from(reached.as_u64().expect("a number")).expect("a size")
    }

    /// The roles with names of the tree that a screen reader sees, in its order; headings as `heading 2`.
    pub(crate) fn roles(&mut self) -> Vec<(String, String)> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().expect("nodes").clone();
        let role = |node: &Value| {
            let role = node["role"]["value"].as_str()?.to_owned();
            let properties = node["properties"].as_array().cloned().unwrap_or_default();
            let level = properties
                .iter()
                .find(|property| property["name"] == "level")
                .map(|property| property["value"]["value"].clone());
            let name = node["name"]["value"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let role = if role == "heading" {
                format!("heading {}", level.unwrap_or(Value::Null))
            } else {
                role
            };
            (node["ignored"] != true).then_some((role, name))
        };
        nodes.iter().filter_map(role).collect()
    }

    /// What the rules of axe-core say of the page: nothing.
    pub(crate) fn is_accessible(&mut self, page: &str) {
        let Some(script) = axe() else {
            return;
        };
        self.value(&format!("{script};0"));
        let told = self.call(
            "Runtime.evaluate",
            json!({
                "expression": "axe.run().then((run) => run.violations.map((rule) => \
                    [rule.id, rule.help, ...rule.nodes.slice(0, 3).map((node) => node.html)].join(': ')))",
                "awaitPromise": true,
                "returnByValue": true,
            }),
        );
        assert_eq!(told["result"]["value"], json!([]), "{page}: {told}");
    }

    /// The whole page as a picture, where the environment names a folder for pictures.
    pub(crate) fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("GROUNDS_SCREENSHOTS") else {
            return;
        };
        let told = self.call(
            "Page.captureScreenshot",
            json!({"format": "png", "captureBeyondViewport": false}),
        );
        let bytes = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            told["data"].as_str().expect("a picture"),
        );
        std::fs::write(
            Path::new(&folder).join(format!("{name}.png")),
            bytes.expect("base64"),
        )
        .expect("the picture is written");
    }
}

/// The script of axe-core, installed globally by npm.
/// Without it the rest of a test goes on and says so; under CI it fails.
fn axe() -> Option<&'static str> {
    static SCRIPT: OnceLock<Option<String>> = OnceLock::new();
    SCRIPT.get_or_init(installed_axe).as_deref()
}

fn installed_axe() -> Option<String> {
    let root = Command::new("npm").args(["root", "--global"]).output().ok();
    let root = root.map(|said| String::from_utf8_lossy(&said.stdout).trim().to_owned());
    let script = root.and_then(|root| {
        std::fs::read_to_string(Path::new(&root).join("axe-core/axe.min.js")).ok()
    });
    assert!(
        script.is_some() || std::env::var_os("CI").is_none(),
        "axe-core is needed here: npm install --global axe-core"
    );
    if script.is_none() {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: the rules of axe-core, which npm has not installed globally");
        }
    }
    script
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
