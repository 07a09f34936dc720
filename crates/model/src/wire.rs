//! A request and a response as bytes. A rendered request is complete except for the key, of which
//! only the place is known. So nothing that is kept, hashed or shown can contain the key.

/// The place of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyPlace {
    /// `authorization: Bearer KEY`.
    Bearer,
    /// A header of this name.
    Header(&'static str),
}

/// A request without its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpRequest {
    /// The address.
    pub url: String,
    /// Headers in lower case.
    pub headers: Vec<(&'static str, String)>,
    /// The place of the key.
    pub key_place: KeyPlace,
    /// The body, in JSON.
    pub body: Vec<u8>,
}

impl HttpRequest {
    /// Creates a request with a body of JSON.
    pub fn json(url: String, key_place: KeyPlace, body: &serde_json::Value) -> Self {
        let headers = vec![
            ("content-type", "application/json".to_owned()),
            ("accept", "application/json".to_owned()),
        ];
        Self {
            url,
            headers,
            key_place,
            body: body.to_string().into_bytes(),
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }
}

/// A response, unpacked and within bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The headers that are kept, in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}
