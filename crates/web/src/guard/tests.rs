use std::net::IpAddr;

use proptest::prelude::*;

use super::{AddressError, Reach, WebAddress, refused};

#[test]
fn numbers_that_lead_inwards_are_refused_in_every_clothing() {
    let inwards = [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.1.2.3",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.1",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:8.8.8.8",
        "::127.0.0.1",
        "::ffff:0:10.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fdff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "4000::1",
    ];
    for text in inwards {
        let number: IpAddr = text.parse().expect(text);
        assert!(
            refused(number, Reach::Public).is_some(),
            "{text} can be reached"
        );
    }
}

#[test]
fn numbers_of_the_public_internet_are_reached() {
    let public = [
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.1",
        "100.63.255.255",
        "100.128.0.1",
        "126.1.1.1",
        "128.0.0.1",
        "172.15.255.255",
        "172.32.0.1",
        "192.167.1.1",
        "192.169.0.1",
        "198.17.1.1",
        "198.20.0.1",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450::1",
        "2001:4860:4860::8888",
        "2001:200::1",
    ];
    for text in public {
        let number: IpAddr = text.parse().expect(text);
        assert_eq!(refused(number, Reach::Public), None, "{text}");
    }
}

#[test]
fn loopback_is_opened_for_tests_and_nothing_else_is() {
    for (text, is_open) in [
        ("127.0.0.1", true),
        ("::1", true),
        ("10.0.0.1", false),
        ("::ffff:127.0.0.1", false),
        ("169.254.169.254", false),
    ] {
        let number: IpAddr = text.parse().expect(text);
        assert_eq!(
            refused(number, Reach::Loopback).is_none(),
            is_open,
            "{text}"
        );
    }
}

#[test]
fn addresses_are_checked_and_written_in_one_way() {
    let same = [
        ("https://Example.ORG", "https://example.org/"),
        (
            "  http://example.org:80/a/../b?q=1#part ",
            "http://example.org/b?q=1",
        ),
        (
            "https://b\u{fc}cher.example.org/",
            "https://xn--bcher-kva.example.org/",
        ),
        ("http://example.org:8080/", "http://example.org:8080/"),
        ("https://ex\u{ad}ample.org/", "https://example.org/"),
    ];
    for (given, written) in same {
        assert_eq!(
            WebAddress::parse(given, Reach::Public)
                .expect(given)
                .as_str(),
            written
        );
    }
}

#[test]
fn addresses_that_lead_inwards_or_elsewhere_are_refused() {
    let refused = [
        "",
        "example.org",
        "//example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,x",
        "http://",
        "http://user@example.org/",
        "http://user:pass@example.org/",
        "http://:pass@example.org/",
        "http://example.org:22/",
        "http://example.org:6379/",
        "http://example.org:0/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://printer.local/",
        "http://metadata.google.internal/",
        "http://intranet/",
        "http://router/",
        "http://router./",
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://[::1]/",
        "http://[::ffff:7f00:1]/",
        "http://[fe80::1]/",
        "http://169.254.169.254/latest/",
        "http://\u{ff11}27.0.0.1/",
        "http://10.0.0.1:80/",
        "http://exa mple.org/",
        "http://example.org\\@10.0.0.1/x:y@",
        "gopher://example.org/",
        "http://example.onion.onion/",
    ];
    for text in refused {
        match WebAddress::parse(text, Reach::Public) {
            // A backslash is a slash here as in browsers: the host is what stands before it.
            Ok(address) => {
                assert!(
                    text.contains('\\') && address.host() == "example.org",
                    "{text} was let through as {}",
                    address.as_str()
                )
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert_eq!(
        WebAddress::parse(
            &format!("http://example.org/{}", "a".repeat(3000)),
            Reach::Public
        ),
        Err(AddressError::Long)
    );
}

proptest! {
    #[test]
    fn whatever_is_let_through_is_http_without_secrets_and_not_inwards(text in "(https?://)?[a-z0-9.:@\\[\\]/\\\\%-]{0,40}") {
        if let Ok(address) = WebAddress::parse(&text, Reach::Public) {
            let url = address.url();
            prop_assert!(matches!(url.scheme(), "http" | "https"));
            prop_assert!(url.username().is_empty() && url.password().is_none() && url.fragment().is_none());
            let number = url.host_str().and_then(|host| host.trim_matches(['[', ']']).parse::<IpAddr>().ok());
            prop_assert!(number.is_none_or(|number| refused(number, Reach::Public).is_none()));
            prop_assert_eq!(WebAddress::parse(address.as_str(), Reach::Public), Ok(address.clone()));
        }
    }

    #[test]
    fn a_mapped_number_is_never_reached(number in any::<[u8; 4]>()) {
        let mapped = std::net::Ipv4Addr::from(number).to_ipv6_mapped();
        prop_assert!(refused(IpAddr::V6(mapped), Reach::Public).is_some());
    }
}
