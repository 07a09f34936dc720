//! Turns a conversation into tokens: each family of models has its own marks. The marks are known
//! here by name and looked up in the file's own vocabulary. Texts are put between them and split as
//! plain text, whatever they contain.

/// A part of a prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PromptPart {
    /// A token of the vocabulary that structures the conversation.
    Mark(&'static str),
    /// Text, in which nothing is a mark.
    Text(String),
}

/// The marks of a family of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialogue {
    /// `<|im_start|>ROLE … <|im_end|>`: Qwen, SmolLM and many others.
    ChatMl,
    /// `<|start_header_id|>ROLE<|end_header_id|> … <|eot_id|>`: Llama 3.
    Llama3,
}

impl Dialogue {
    /// Returns the family whose marks the template of a file has; `None` if it is not known here.
    pub(super) fn of_template(template: &str) -> Option<Self> {
        let families = [
            (Self::ChatMl, "<|im_start|>"),
            (Self::Llama3, "<|start_header_id|>"),
        ];
        families
            .into_iter()
            .find(|(_, mark)| template.contains(mark))
            .map(|(family, _)| family)
    }

    /// Returns the mark that ends a turn.
    pub(super) const fn end(self) -> &'static str {
        match self {
            Self::ChatMl => "<|im_end|>",
            Self::Llama3 => "<|eot_id|>",
        }
    }

    /// Returns the parts of a conversation, with the answer begun.
    pub(super) fn parts(self, turns: &[(String, String)]) -> Vec<PromptPart> {
        let mut parts = match self {
            Self::ChatMl => Vec::new(),
            Self::Llama3 => vec![PromptPart::Mark("<|begin_of_text|>")],
        };
        for (role, text) in turns {
            parts.extend(self.head(role));
            parts.extend([
                PromptPart::Text(text.trim().to_owned()),
                PromptPart::Mark(self.end()),
            ]);
            // In the templates of ChatML a line feed follows each turn.
            parts.extend((self == Self::ChatMl).then(|| PromptPart::Text("\n".to_owned())));
        }
        parts.extend(self.head("assistant"));
        parts
    }

    fn head(self, role: &str) -> Vec<PromptPart> {
        match self {
            Self::ChatMl => vec![
                PromptPart::Mark("<|im_start|>"),
                PromptPart::Text(format!("{role}\n")),
            ],
            Self::Llama3 => vec![
                PromptPart::Mark("<|start_header_id|>"),
                PromptPart::Text(role.to_owned()),
                PromptPart::Mark("<|end_header_id|>"),
                PromptPart::Text("\n\n".to_owned()),
            ],
        }
    }
}
