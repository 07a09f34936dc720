//! A text that is checked: its name, its format and its lines.

/// Most bytes of a text that are read; a longer one is checked up to there, and the report says so.
pub const TEXT_BYTES_MAX: usize = 16 << 20;

/// The markup of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// Markdown, as GitHub reads it.
    Markdown,
    /// reStructuredText.
    Rst,
    /// Anything else.
    Plain,
}

impl DocumentFormat {
    /// Returns the format of a file by its name; a text without a name is Markdown, which agents
    /// write.
    pub fn of_name(name: &str) -> Self {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdx" | "mdc" => Self::Markdown,
            "rst" | "rest" => Self::Rst,
            "txt" | "adoc" | "yml" | "yaml" | "json" | "toml" => Self::Plain,
            _ if name == "-" || !name.contains('.') => Self::Markdown,
            _ => Self::Plain,
        }
    }
}

/// A text that is checked.
#[derive(Clone, Debug)]
pub struct CheckedDocument {
    /// Its path in the tree with forward slashes, or `-` for a text from elsewhere.
    pub name: String,
    /// Its text.
    pub text: String,
    /// How it is marked up.
    pub format: DocumentFormat,
    /// Whether it was longer than [`TEXT_BYTES_MAX`].
    pub is_cut: bool,
    /// Whether it describes the change between a base and the tree.
    pub is_description: bool,
    starts: Vec<usize>,
}

impl CheckedDocument {
    /// Returns a document of a text; the format follows from the name.
    pub fn new(name: &str, text: &str) -> Self {
        let is_cut = text.len() > TEXT_BYTES_MAX;
        let end = text.floor_char_boundary(TEXT_BYTES_MAX.min(text.len()));
        let text = text[..end].to_owned();
        let starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Self {
            name: name.to_owned(),
            format: DocumentFormat::of_name(name),
            is_cut,
            is_description: false,
            starts,
            text,
        }
    }

    /// Returns the document, marked as the start of a longer text if it was truncated on reading.
    #[must_use]
    pub fn cut(mut self, is_cut: bool) -> Self {
        self.is_cut |= is_cut;
        self
    }

    /// Returns the document, marked as the description of a change.
    #[must_use]
    pub const fn description(mut self) -> Self {
        self.is_description = true;
        self
    }

    /// Returns the line of a byte, 1-based.
    pub fn line_of(&self, at: usize) -> u32 {
        let line = self.starts.partition_point(|start| *start <= at);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// Returns the column of a byte on its line, 1-based, in bytes.
    pub fn column_of(&self, at: usize) -> u32 {
        let start = self.starts[self.starts.partition_point(|start| *start <= at) - 1];
        u32::try_from(at - start + 1).unwrap_or(u32::MAX)
    }

    /// Returns the text of a line, 1-based; empty past the end.
    pub fn line(&self, line: u32) -> &str {
        let at = line as usize;
        let Some(start) = at.checked_sub(1).and_then(|at| self.starts.get(at)) else {
            return "";
        };
        let end = self.starts.get(at).map_or(self.text.len(), |next| next - 1);
        self.text[*start..end].trim_end_matches('\r')
    }

    /// Returns the folder of the document in the tree; empty at the top or for a text from
    /// elsewhere.
    pub fn folder(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}
