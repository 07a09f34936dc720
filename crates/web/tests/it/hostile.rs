//! Documents that are made to break their readers: each ends soon, as an error of
//! its own or as text, and never takes the program with it.

use std::time::{Duration, Instant};

use grounds_web::read::{Material, Medium, ReadBounds, ReadError, Reading, read};

fn reading(bytes: &[u8], medium: Medium) -> Result<Reading, ReadError> {
    let now = "2026-01-01T00:00:00Z".parse().expect("a moment");
    let bounds = ReadBounds {
        read_ms_max: 8_000,
        ..ReadBounds::default()
    };
    read(
        &Material {
            bytes,
            medium,
            charset: None,
            address: None,
            path: None,
            now,
        },
        &bounds,
    )
}

/// A PDF of one page with one line of text.
pub(crate) fn pdf(line: &str) -> Vec<u8> {
    pdf_of(&format!("BT /F1 12 Tf 72 720 Td ({line}) Tj ET"), "", "")
}

/// A PDF with a page's content, the filter of it, and what its information says.
fn pdf_of(content: &str, filter: &str, information: &str) -> Vec<u8> {
    pdf_of_bytes(content.as_bytes(), filter, information)
}

fn pdf_of_bytes(content: &[u8], filter: &str, information: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    let stream = [
        format!("<< /Length {} {filter} >>\nstream\n", content.len()).as_bytes(),
        content,
        b"\nendstream",
    ]
    .concat();
    let objects: [&[u8]; 6] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        &stream,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        &[b"<< ", information.as_bytes(), b" >>"].concat(),
    ];
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend_from_slice(format!("{} 0 obj\n", number + 1).as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    file.extend_from_slice(
        format!("xref\n0 {}\n0000000000 65535 f \n", places.len() + 1).as_bytes(),
    );
    places
        .iter()
        .for_each(|place| file.extend_from_slice(format!("{place:010} 00000 n \n").as_bytes()));
    file.extend_from_slice(
        format!(
            "trailer\n<< /Size {} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{start}\n%%EOF\n",
            places.len() + 1
        )
        .as_bytes(),
    );
    file
}

#[test]
fn a_pdf_tells_its_text_title_and_dates() {
    let information = "/Title (Tides of the year) /Author (Ada Quay) /CreationDate (D:20240503101500+02'00') /ModDate (D:20240601)";
    let read = reading(
        &pdf_of(
            "BT /F1 12 Tf 72 720 Td (High water came at noon.) Tj ET",
            "",
            information,
        ),
        Medium::Pdf,
    )
    .expect("a reading");
    assert!(
        read.text.contains("High water came at noon."),
        "{}",
        read.text
    );
    assert_eq!(
        (read.title.as_deref(), read.byline.as_deref()),
        (Some("Tides of the year"), Some("Ada Quay"))
    );
    let published = read.published.expect("a date");
    assert_eq!(
        (published.at.to_string().as_str(), published.is_day),
        ("2024-05-03T08:15:00Z", false)
    );
    assert!(read.modified.expect("a date").is_day);
}

#[test]
fn a_pdf_without_text_is_no_page() {
    assert!(
        matches!(reading(&pdf_of("", "", ""), Medium::Pdf), Err(ReadError::NoPage(why)) if why.contains("scanned"))
    );
}

#[test]
fn hostile_pdfs_end_soon() {
    let mut bomb = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut bomb, &b"(x) Tj ".repeat(64 << 17)).expect("memory");
    let bomb = pdf_of_bytes(&bomb.finish().expect("memory"), "/Filter /FlateDecode", "");
    let sound = pdf("The ferry was late.");
    let looping = String::from_utf8(sound.clone())
        .expect("letters")
        .replace("/Kids [3 0 R]", "/Kids [2 0 R]")
        .into_bytes();
    let own_parent = String::from_utf8(sound.clone())
        .expect("letters")
        .replace("/Parent 2 0 R", "/Parent 3 0 R")
        .into_bytes();
    let nested = pdf_of(
        &format!("{}{}", "[".repeat(200_000), "]".repeat(200_000)),
        "",
        "",
    );
    let deep = pdf_of("", "", &"<< /A ".repeat(100_000));
    let length = String::from_utf8(sound.clone())
        .expect("letters")
        .replace("/Count 1", "/Count 99999999999")
        .into_bytes();
    let mut hostile = vec![
        bomb,
        looping,
        own_parent,
        nested,
        deep,
        length,
        b"%PDF-1.4".to_vec(),
        b"%PDF-1.4\nstartxref\n-5\n%%EOF".to_vec(),
    ];
    hostile.extend(
        (0..sound.len())
            .step_by(37)
            .map(|end| sound[..end].to_vec()),
    );
    hostile.extend((0..sound.len()).step_by(23).map(|place| {
        let mut bytes = sound.clone();
        bytes[place] ^= 0x5a;
        bytes
    }));
    for bytes in hostile {
        let start = Instant::now();
        let result = reading(&bytes, Medium::Pdf);
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{:?} {result:?}",
            start.elapsed()
        );
        assert!(
            result.as_ref().map_or(0, |read| read.text.len())
                <= ReadBounds::default().text_bytes_max
        );
    }
}

#[test]
fn hostile_html_ends_soon() {
    let list = "<ul><li>".repeat(300);
    let pages = [
        "<div>".repeat(1_000_000),
        "<table>".repeat(50_000),
        "<b><i><u>".repeat(30_000),
        format!("{}text", "<a><b>".repeat(5_000)),
        "<p>x".repeat(500_000),
        list,
        "<!--".repeat(100_000),
        format!("<script>{}", "x".repeat(5_000_000)),
        format!("<p {}>text</p>", "a=b ".repeat(200_000)),
        format!(
            "{}{}",
            (0..300)
                .map(|place| format!("<b a{place}>"))
                .collect::<String>(),
            "<p>x".repeat(500_000)
        ),
        format!(
            "{}{}",
            (0..5_000)
                .map(|place| format!("<font a{place}>"))
                .collect::<String>(),
            "<p>x".repeat(100_000)
        ),
        format!(
            "<p {}>text</p>",
            (0..300_000)
                .map(|place| format!("a{place}=b "))
                .collect::<String>()
        ),
        "&amp".repeat(500_000),
        "<svg><math>".repeat(20_000),
        format!(
            "<script type='application/ld+json'>{}</script><p>text</p>",
            "[".repeat(100_000)
        ),
        format!(
            "<script type='application/ld+json'>{{\"@graph\":[{}{{}}]}}</script><p>text</p>",
            "{\"@type\":\"Article\"},".repeat(50_000)
        ),
        format!("<p>{}</p>", "word ".repeat(1_000_000)),
    ];
    for (number, page) in pages.iter().enumerate() {
        let start = Instant::now();
        let result = reading(page.as_bytes(), Medium::Html);
        assert!(
            start.elapsed() < Duration::from_secs(12),
            "page {number}: {:?}",
            start.elapsed()
        );
        assert!(
            result.map_or(0, |read| read.text.len()) <= ReadBounds::default().text_bytes_max,
            "page {number}"
        );
    }
}

#[test]
fn a_text_beyond_the_bound_is_cut_and_told() {
    let read = reading("ä word ".repeat(500_000).as_bytes(), Medium::Plain).expect("a reading");
    assert!(read.is_cut && read.text.len() <= ReadBounds::default().text_bytes_max);
    assert!(!reading(b"short", Medium::Plain).expect("a reading").is_cut);
}

#[test]
fn hostile_front_matter_decides_nothing() {
    let bombs = [
        format!(
            "---\na: &a [x]\n{}---\nwords",
            (0..40)
                .map(|place| format!("b{place}: &b{place} [*a, *a, *a, *a, *a, *a]\n"))
                .collect::<String>()
        ),
        format!("---\n{}\n---\nwords", "[".repeat(20_000)),
        format!("---\n{}\n---\nwords", "a: b\n".repeat(20_000)),
        "---\ntitle: [\n---\nwords".to_owned(),
        "---\nno end".to_owned(),
        "+++\ntitle = \n+++\nwords".to_owned(),
    ];
    for text in bombs {
        let start = Instant::now();
        let read = reading(text.as_bytes(), Medium::Markdown).expect("Markdown is never broken");
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!((read.published, read.canonical), (None, None));
    }
}
