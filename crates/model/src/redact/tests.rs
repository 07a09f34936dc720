use super::*;

fn masked(text: &str) -> (String, Vec<&'static str>) {
    let mut counts = Masked::new();
    let shown = mask(text, &mut counts);
    assert_eq!(shown.len(), text.len(), "the length stays");
    assert_eq!(
        shown.lines().count(),
        text.lines().count(),
        "the lines stay"
    );
    (shown, counts.into_keys().collect())
}

/// Shapes are put together here, so that this file holds none that a scanner of secrets would find.
fn made(head: &str, letters: usize) -> String {
    let body = "a8Kd03ZqLm5Xv9Rt2WcYb7NfHs4Pj6Ge1";
    format!(
        "{head}{}",
        body.chars().cycle().take(letters).collect::<String>()
    )
}

#[test]
fn every_line_of_the_rules_is_a_rule() {
    let lines = RULES
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let names: Vec<&str> = lines
        .map(|line| line.split(" | ").next().unwrap_or_default())
        .collect();
    let read: Vec<&str> = ALL.iter().map(|rule| rule.name).collect();
    assert_eq!(read, names);
    ALL.iter()
        .for_each(|rule| assert!(rule.shape().is_some(), "{}", rule.name));
}

#[test]
fn a_secret_is_sure_only_where_its_shape_is_its_own() {
    let rules = |text: &str| {
        find_sure(text)
            .into_iter()
            .map(|secret| secret.rule)
            .collect::<Vec<_>>()
    };
    let token = made("ghp_", 36);
    assert_eq!(rules(&format!("a\ntoken: {token}\n")), ["github-token"]);
    assert_eq!(find_sure(&token)[0].range, 0..token.len());
    assert_eq!(rules("password = \"hunter2-Zq9!x\""), [""; 0], "a guess");
    assert_eq!(
        rules(&format!("{}{}", "AKIA", "IOSFODNN7EXAMPLE")),
        [""; 0],
        "the example of the documentation"
    );
    assert_eq!(
        rules("postgres://user:password@localhost/db"),
        [""; 0],
        "a placeholder"
    );
    let url = |host: &str| format!("https://ci:{}@{host}/x", made("", 20));
    assert_eq!(rules(&url("git.internal")), ["url-password"]);
    assert_eq!(
        rules(&url("www.example.com")),
        [""; 0],
        "a host of examples"
    );
    assert_eq!(rules(&url("a.test")), [""; 0], "a host of tests");
    let latin_1 = "Authorization: Basic dXNlcjpwYXNz6Q==";
    assert_eq!(rules(latin_1), [""; 0], "a word in latin 1");
    for made_up in [
        format!("ghp_{}{}", "1234567890abcdef", "ghij1234567890abcdef"),
        format!("ghp_{}", "abc123".repeat(6)),
        format!("sk-{}", "x1".repeat(24)),
        "Authorization: Basic aGVsbG86d29ybGQ=".to_owned(),
        "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----".to_owned(),
    ] {
        assert_eq!(rules(&made_up), [""; 0], "{made_up} was typed");
        assert!(
            made_up.starts_with("---") || masked(&made_up).0 != made_up,
            "{made_up} is masked all the same"
        );
    }
}

#[test]
fn known_tokens_are_masked_and_their_head_stays() {
    for (rule, head, letters) in [
        ("github-token", "ghp_", 36),
        ("anthropic-key", "sk-ant-", 60),
        ("openai-key", "sk-", 48),
        ("gitlab-token", "glpat-", 20),
        ("groq-key", "gsk_", 52),
        ("npm-token", "npm_", 36),
        ("google-key", "AIza", 35),
        ("slack-token", "xoxb-", 40),
        ("hugging-face-token", "hf_", 34),
        ("stripe-key", "sk_live_", 24),
        ("vault-token", "hvs.", 90),
    ] {
        let token = made(head, letters);
        let (shown, rules) = masked(&format!("let token = \"{token}\"; // é"));
        assert!(rules.contains(&rule), "{rule}: {rules:?}");
        assert!(
            !shown.contains(&token[head.len()..])
                && shown.contains(&head[..3])
                && shown.contains("é"),
            "{shown}"
        );
    }
    let (shown, rules) = masked(&format!("key = {}", "AKIA".to_owned() + "QWERTYUIOPASDFG2"));
    assert_eq!(
        (shown.as_str(), rules),
        ("key = AKIA****************", vec!["aws-access-key"])
    );
}

#[test]
fn values_are_masked_wherever_they_stand() {
    let (shown, rules) = masked("password = \"hunter2-Zq9!x\"\n\nconnect(\"hunter2-Zq9!x\")\n");
    assert_eq!(rules, ["assigned-secret"]);
    assert_eq!(
        shown,
        "password = \"*************\"\n\nconnect(\"*************\")\n"
    );
    assert_eq!(
        masked("postgres://me:w0rd@db.example.org/x").0,
        "postgres://me:****@db.example.org/x"
    );
    assert_eq!(
        masked("Authorization: Bearer abcdef123456789").0,
        "Authorization: Bearer ***************"
    );
    let header = ["-----BEGIN RSA PRIVATE", " KEY-----"].concat();
    let (shown, rules) = masked(&format!(
        "{header}\nMIIEpAIBAAKCAQEA7\nabcdEFGH\n-----END RSA"
    ));
    assert!(
        shown.contains("\n*****************\n********\n-----END") && rules == ["private-key"],
        "{shown}"
    );
}

#[test]
fn words_and_code_are_not_secrets() {
    for text in [
        "password = \"changeme\"",
        "let token = tokens.next().ok_or(Error::Eof)?;",
        "api_key = os.environ[\"API_KEY\"]",
        "secret: ${{ secrets.DEPLOY }}",
        "password: <your-password-here>",
        "fn token_count(text: &str) -> usize {",
        "https://example.org:8080/a@b",
        "let sk = \"task-management-of-the-team\";",
        "token: CancellationToken,",
    ] {
        assert_eq!(masked(text), (text.to_owned(), vec![]), "{text}");
    }
}

#[test]
fn hostile_text_takes_no_time() {
    let start = std::time::Instant::now();
    for text in [
        "password=".repeat(20_000),
        "eyJ".repeat(50_000),
        "-----BEGIN PRIVATE KEY-----\n".repeat(2_000),
        "a://b:".repeat(20_000),
    ] {
        let _ = mask(&text, &mut Masked::new());
    }
    assert!(
        start.elapsed().as_secs() < 60,
        "{} s",
        start.elapsed().as_secs()
    );
}
