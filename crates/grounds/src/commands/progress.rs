//! Progress on standard error: a line for people after the first second, or one JSON object per
//! line with `--progress`.

use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use grounds_ask::AskEvent;
use grounds_repo::survey::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::cli::Global;
use crate::safe;

/// Milliseconds of silence at the start.
const SILENT_MS: u64 = 1_000;
/// Milliseconds between two updates.
const TICK_MS: u64 = 100;

/// Shows how far a run is, until it is dropped.
pub(super) struct ProgressMeter {
    json: bool,
    doing: Arc<Mutex<String>>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressMeter {
    pub(super) fn start(global: &Global, progress: &Arc<Progress>) -> Self {
        let doing = Arc::new(Mutex::new("searching".to_owned()));
        let done = Arc::new(AtomicBool::new(false));
        let wants_line = !global.quiet && !global.progress && std::io::stderr().is_terminal();
        let (progress, shown, ended) =
            (Arc::clone(progress), Arc::clone(&doing), Arc::clone(&done));
        let thread =
            wants_line.then(|| std::thread::spawn(move || draw(&progress, &shown, &ended)));
        Self {
            json: global.progress,
            doing,
            done,
            thread,
        }
    }

    pub(super) fn tell(&self, event: &AskEvent) {
        let (kind, target) = match event {
            AskEvent::Step { tool, target } => (*tool, target.as_str()),
            AskEvent::SecondPass => ("second pass: hidden and ignored files", ""),
            AskEvent::Hypotheses => ("asking the model for names", ""),
            AskEvent::NearNames => ("looking for close names", ""),
            AskEvent::Checking => ("reading what is cited once more", ""),
        };
        // Another thread draws the line and reads this at its next update.
        if let Ok(mut doing) = self.doing.lock() {
            *doing = safe::for_line(&format!("{kind} {target}"));
        }
        if self.json {
            let object = match event {
                AskEvent::Step { tool, target } => {
                    serde_json::json!({"type": "step", "tool": tool, "target": target})
                }
                AskEvent::SecondPass => serde_json::json!({"type": "second_pass"}),
                AskEvent::Hypotheses => serde_json::json!({"type": "hypotheses"}),
                AskEvent::NearNames => serde_json::json!({"type": "near_names"}),
                AskEvent::Checking => serde_json::json!({"type": "checking"}),
            };
            let _ = writeln!(
                std::io::stderr().lock(),
                "{}",
                safe::for_json(&object.to_string())
            );
        }
    }
}

impl Drop for ProgressMeter {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It sleeps between two updates; a short run must not wait for that.
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

fn draw(progress: &Progress, doing: &Mutex<String>, done: &AtomicBool) {
    let start = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    while !done.load(Ordering::Relaxed) {
        std::thread::park_timeout(Duration::from_millis(TICK_MS));
        // Most questions are answered before; a line that flashes would only distract.
        if start.elapsed() < Duration::from_millis(SILENT_MS) {
            continue;
        }
        let bar = bar.get_or_insert_with(|| {
            ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
        });
        let doing = doing.lock().map(|doing| doing.clone()).unwrap_or_default();
        bar.set_message(format!(
            "{doing}: {} files",
            progress.files.load(Ordering::Relaxed)
        ));
        bar.tick();
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}
