//! Recorded exchanges answer again, and hold nothing that they should not.

use grounds_model::exchange::Shelves;
use grounds_model::material::CitableText;
use grounds_model::{ModelClient, ModelError, ModelSettings};

use crate::protocol::{request, settings};
use crate::server::{Answer, KEY, Server};

fn answer(text: &str) -> Answer {
    let body = serde_json::json!({"choices": [{"finish_reason": "stop", "message": {"content": text}}], "usage": {"prompt_tokens": 40, "completion_tokens": 5}});
    Answer {
        status: 200,
        body: body.to_string().into_bytes(),
        ..Answer::default()
    }
}

fn files(folder: &std::path::Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    entries
        .map(|entry| std::fs::read_to_string(entry.path()).expect("a text"))
        .collect()
}

#[test]
fn what_was_recorded_answers_a_replay_and_an_unknown_request_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = Answer {
        status: 400,
        body: br#"{"error": {"message": "response_format is not supported"}}"#.to_vec(),
        ..Answer::default()
    };
    let quoting = answer(&format!("{{\"a\": 4}} and your key is {KEY}"));
    let server = Server::of("openai", vec![refused, quoting]);
    let settings = settings(&server, "openai");
    let at = |shelves: Shelves| {
        ModelClient::of(ModelSettings {
            shelves,
            ..settings.clone()
        })
    };
    let recorded = at(Shelves {
        record: Some(folder.path().to_owned()),
        ..Shelves::default()
    })
    .ask_for_value(&request(true))
    .expect("a value");
    let kept = files(folder.path());
    assert_eq!(kept.len(), 2, "the refused form is a part of the way");
    assert!(
        kept.iter().all(|text| !text.contains(KEY)),
        "a key was kept"
    );

    let replaying = at(Shelves {
        replay: Some(folder.path().to_owned()),
        ..Shelves::default()
    });
    assert_eq!(
        replaying
            .ask_for_value(&request(true))
            .expect("a value")
            .value,
        recorded.value
    );
    assert_eq!(
        (
            server.asked().len(),
            replaying.told().from_replay,
            replaying.spent().requests
        ),
        (2, 2, 0)
    );
    let other = request(true).output_tokens_max(99);
    assert!(matches!(
        replaying.ask_for_value(&other),
        Err(ModelError::UnknownExchange { .. })
    ));
}

#[test]
fn a_cache_spares_the_second_request_and_a_changed_file_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::of("openai", vec![answer("yes")]);
    let mut settings = settings(&server, "openai");
    settings.shelves.cache = Some(folder.path().to_owned());
    let client = ModelClient::of(settings);
    for _ in 0..3 {
        assert_eq!(client.ask(&request(false)).expect("an answer").text, "yes");
    }
    assert_eq!((server.asked().len(), client.told().from_cache), (1, 2));
    let file = std::fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .next()
        .expect("a file")
        .path();
    let changed = std::fs::read_to_string(&file)
        .expect("a text")
        .replace("What is a?", "What is b?");
    std::fs::write(&file, changed).expect("written");
    assert!(matches!(
        client.ask(&request(false)),
        Err(ModelError::Exchange { .. })
    ));
}

#[test]
fn secrets_and_their_files_never_leave() {
    let server = Server::of("openai", vec![answer("yes")]);
    let client = ModelClient::of(settings(&server, "openai"));
    let token = ["ghp", "_", &"a1B2c3D4e5F6".repeat(3)].concat();
    let mut request =
        request(false).with_material(CitableText::new("deploy/.env", "KEY=of-the-house"));
    request = request.with_material(CitableText::new(
        "src/a.rs",
        format!("const TOKEN: &str = \"{token}\";"),
    ));
    client.ask(&request).expect("an answer");
    let sent = server.asked()[0].body.to_string();
    assert!(
        !sent.contains(&token[4..]) && sent.contains("ghp_****") && !sent.contains("of-the-house"),
        "{sent}"
    );
    let told = client.told();
    assert_eq!(told.held_back, ["deploy/.env"]);
    assert_eq!(told.masked.values().sum::<u64>(), 1, "counted once");
}
