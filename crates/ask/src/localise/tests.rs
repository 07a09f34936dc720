use grounds_repo::checkout::Checkout;
use grounds_repo::limits::Limits;

use super::rank;

fn checkout(files: &[(&str, &str)]) -> (tempfile::TempDir, Checkout) {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }
    let checkout = Checkout::open(folder.path()).expect("a checkout");
    (folder, checkout)
}

const TREE: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "class Cart:\n    def total(self):\n        raise ValueError('the cart is empty now')\n",
    ),
    (
        "shop/mail.py",
        "def send_mail(to):\n    return connect(to)\n",
    ),
    (
        "tests/test_cart.py",
        "from shop.cart import Cart\n\ndef test_total():\n    Cart().total()\n",
    ),
    (
        "README.md",
        "The cart has a total. send_mail sends the cart.\n",
    ),
];

fn order(text: &str) -> Vec<String> {
    let (_folder, checkout) = checkout(TREE);
    let ranking = rank(&checkout, text, &Limits::default());
    ranking
        .files
        .iter()
        .map(|file| file.path.as_str().to_owned())
        .collect()
}

#[test]
fn names_traces_and_messages_point_at_files() {
    assert_eq!(order("send_mail")[0], "shop/mail.py");
    assert_eq!(
        order("Crash\n\nFile \"/srv/shop/cart.py\", line 3, in total\n")[0],
        "shop/cart.py"
    );
    assert_eq!(
        order("Strange\n\nValueError: the cart is empty now\n")[0],
        "shop/cart.py"
    );
    assert_eq!(
        order("Problem with shop.mail\n\nsee above")[0],
        "shop/mail.py"
    );
}

#[test]
fn tests_and_documents_come_last() {
    assert_eq!(order("cart total")[0], "shop/cart.py");
}

#[test]
fn spans_are_functions() {
    let (_folder, checkout) = checkout(TREE);
    let ranking = rank(
        &checkout,
        "Crash\n\nFile \"/srv/shop/cart.py\", line 3, in total\n",
        &Limits::default(),
    );
    let span = &ranking.files[0].spans[0];
    assert_eq!(
        (span.name.as_str(), span.line_start, span.line_end),
        ("Cart::total", 2, 3)
    );
}

#[test]
fn hostile_texts_point_at_nothing() {
    assert!(order("").is_empty());
    assert!(order("\u{1b}[31m ../../../../etc/passwd /etc/shadow").is_empty());
}

#[test]
fn documents_lead_to_what_they_name() {
    let (_folder, checkout) = checkout(&[
        (
            "src/wash.py",
            "def neutral(terminal):\n    return terminal\n",
        ),
        ("src/load.py", "def load(terminal):\n    return terminal\n"),
        ("src/keep.py", "def keep(terminal):\n    return terminal\n"),
        (
            "docs/guide.md",
            "Bells in hostile names would ring the terminal: `neutral` guards it.\n",
        ),
    ]);
    let ranking = rank(
        &checkout,
        "what guards the terminal against bells in hostile names?",
        &Limits::default(),
    );
    let files: Vec<&str> = ranking
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let place = |path: &str| files.iter().position(|file| *file == path);
    assert!(
        place("src/wash.py").is_some() && place("src/wash.py") < place("src/keep.py"),
        "{files:?}"
    );
}

#[test]
fn a_question_about_another_tree_is_not_likely() {
    let (_folder, checkout) = checkout(TREE);
    let share = |text: &str| rank(&checkout, text, &Limits::default()).right_share;
    let other = share("how does the compiler schedule vector instructions of the loop?");
    assert!(other.is_none_or(|share| share < 0.75), "{other:?}");
    assert_eq!(share("Crash\n\nsee the trace below"), None);
}
