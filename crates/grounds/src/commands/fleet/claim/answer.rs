//! The answer of a search engine as text, so that the ledger keeps it for other jobs with the same
//! query.

use grounds_web::{DateSource, PageDate, SearchResult};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct KeptAnswer {
    url: String,
    title: String,
    snippet: String,
    published: Option<KeptDate>,
}

#[derive(Serialize, Deserialize)]
struct KeptDate {
    at: String,
    is_day: bool,
}

/// Returns the text of results.
pub(super) fn write(results: &[SearchResult]) -> String {
    let kept: Vec<KeptAnswer> = results
        .iter()
        .map(|result| KeptAnswer {
            url: result.url.clone(),
            title: result.title.clone(),
            snippet: result.snippet.clone(),
            published: result.published.map(|date| KeptDate {
                at: date.at.to_string(),
                is_day: date.is_day,
            }),
        })
        .collect();
    // Strings can always be written.
    serde_json::to_string(&kept).unwrap_or_default()
}

/// Returns the results of a text; `None` if we did not write it.
pub(super) fn read(text: &str) -> Option<Vec<SearchResult>> {
    let kept: Vec<KeptAnswer> = serde_json::from_str(text).ok()?;
    kept.into_iter()
        .map(|kept| {
            Some(SearchResult {
                published: kept.published.map(date).transpose().ok()?,
                url: kept.url,
                title: kept.title,
                snippet: kept.snippet,
            })
        })
        .collect()
}

fn date(kept: KeptDate) -> Result<PageDate, jiff::Error> {
    Ok(PageDate {
        at: kept.at.parse::<Timestamp>()?,
        is_day: kept.is_day,
        source: DateSource::Engine,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_it_was_written() {
        let results = vec![SearchResult {
            url: "https://example.org/".to_owned(),
            title: "A \"title\"".to_owned(),
            snippet: String::new(),
            published: Some(PageDate {
                at: Timestamp::UNIX_EPOCH,
                is_day: true,
                source: DateSource::Engine,
            }),
        }];
        assert_eq!(read(&write(&results)), Some(results));
        assert_eq!(read(&write(&[])), Some(Vec::new()));
        assert_eq!(read("nonsense"), None);
    }
}
