//! A worker whose network breaks: a proxy between it and the server holds every byte for a while,
//! or cuts the connection.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::engine::Engine;
use crate::kills::{ended_well, ends_well, submit};
use crate::process::Worker;
use crate::server::{PASSWORD, Server};
use crate::support::Ground;

const PASS: u8 = 0;
const HOLD: u8 = 1;

/// A proxy that does what a test says.
struct Proxy {
    port: u16,
    mode: Arc<AtomicU8>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (mode, open) = (
            Arc::new(AtomicU8::new(PASS)),
            Arc::new(Mutex::new(Vec::new())),
        );
        let proxy = Self {
            port,
            mode: Arc::clone(&mode),
            open: Arc::clone(&open),
        };
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                let twin = |stream: &TcpStream| stream.try_clone().expect("a handle");
                open.lock()
                    .expect("no panic")
                    .extend([twin(&client), twin(&server)]);
                for (from, to) in [(twin(&client), twin(&server)), (server, client)] {
                    let mode = Arc::clone(&mode);
                    std::thread::spawn(move || pass(from, to, &mode));
                }
            }
        });
        proxy
    }

    fn set(&self, mode: u8) {
        self.mode.store(mode, Ordering::SeqCst);
    }

    fn cut(&self) {
        for stream in self.open.lock().expect("no panic").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, mode: &AtomicU8) {
    let mut bytes = [0; 4096];
    while let Ok(count) = from.read(&mut bytes) {
        while mode.load(Ordering::SeqCst) == HOLD {
            std::thread::sleep(Duration::from_millis(5));
        }
        if count == 0 || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[test]
fn a_worker_behind_a_broken_network_changes_nothing_afterwards() {
    let Some(server) = Server::shared() else {
        return;
    };
    let ground = Ground::of(&server);
    let database = ground.address.rsplit('/').next().expect("a name");
    let proxy = Proxy::to(server.port);
    let engine = Engine::start();
    submit(&ground, 600);
    let apart = Worker::new(
        &server.address_as("owner", PASSWORD, proxy.port, database),
        engine.port,
    );
    let near = Worker::new(&ground.address, engine.port);
    let mut workers = [apart.start(), apart.start(), near.start()];
    for _ in 0..3 {
        std::thread::sleep(Duration::from_millis(400));
        proxy.set(HOLD);
        // Longer than a lease: others take its jobs, and what it sends afterwards is late.
        std::thread::sleep(Duration::from_millis(1_500));
        proxy.set(PASS);
        std::thread::sleep(Duration::from_millis(200));
        proxy.cut();
    }
    workers.iter_mut().for_each(ended_well);
    ends_well(&ground, &engine, 600);
}
