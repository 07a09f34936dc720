//! The roots of a client: the folders that its person works in. An older client is asked while the
//! call waits; a newer one gets a list of what is needed and calls again.

#![expect(
    deprecated,
    reason = "roots are to leave the protocol some day; as long as clients have them, they bound what may be asked"
)]

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    InputRequest, InputRequiredResult, InputResponses, ListRootsRequest, ListRootsResult,
    ProtocolVersion,
};
use rmcp::service::RequestContext;

use super::arguments::Wrong;

/// The name of the one question that a call may come back with.
const QUESTION: &str = "roots";

/// The reason why the roots are not known.
pub(super) enum NoRoots {
    /// The client has to answer first.
    Asked(Box<InputRequiredResult>),
    /// The client has roots and does not name them: nothing is allowed then.
    Wrong(Wrong),
}

/// Returns the addresses of the client's roots; an empty list if it has no roots.
pub(super) async fn of_client(
    answers: Option<&InputResponses>,
    context: &RequestContext<RoleServer>,
    time: Duration,
) -> Result<Vec<String>, NoRoots> {
    // A client without roots leaves the choice to the folders that the server was started with.
    if context
        .client_capabilities()
        .is_none_or(|capabilities| capabilities.roots.is_none())
    {
        return Ok(Vec::new());
    }
    let is_asked_later = context
        .protocol_version()
        // From this version on a call comes back with the question, and the client calls again.
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
    let listed = if is_asked_later {
        answered(answers)?
    } else {
        asked(context, time).await?
    };
    Ok(listed.roots.into_iter().map(|root| root.uri).collect())
}

/// Returns the client's answer from its second call.
fn answered(answers: Option<&InputResponses>) -> Result<ListRootsResult, NoRoots> {
    let Some(answer) = answers.and_then(|answers| answers.get(QUESTION)) else {
        let question = InputRequest::ListRoots(ListRootsRequest::default());
        return Err(NoRoots::Asked(Box::new(
            InputRequiredResult::from_input_requests([(QUESTION.to_owned(), question)].into()),
        )));
    };
    serde_json::from_value(answer.clone()).map_err(|error| unusable(&error.to_string()))
}

async fn asked(
    context: &RequestContext<RoleServer>,
    time: Duration,
) -> Result<ListRootsResult, NoRoots> {
    match tokio::time::timeout(time, context.peer.list_roots()).await {
        Ok(Ok(listed)) => Ok(listed),
        Ok(Err(error)) => Err(unusable(&error.to_string())),
        Err(_) => Err(unusable(&format!(
            "no answer within {} ms",
            time.as_millis()
        ))),
    }
}

fn unusable(why: &str) -> NoRoots {
    NoRoots::Wrong(Wrong::new(
        format!(
            "cannot tell which folders may be asked about: the client says that it has roots and does not name them: {why}"
        ),
        "name the roots, or connect without the capability `roots`; then the folders of the server hold",
    ))
}
