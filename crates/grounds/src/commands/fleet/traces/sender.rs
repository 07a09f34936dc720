//! Sends finished spans in batches, from a thread of its own. The queue has a bound
//! (`OTEL_BSP_MAX_QUEUE_SIZE`); spans that do not fit are counted and dropped.

use std::sync::Arc;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{
    BatchSpanProcessor, SpanData, SpanExporter as Exports, SpanProcessor as _,
};

use super::answer::Tally;
use super::client::CollectorClient;
use super::settings::TraceSettings;
use super::variable;

/// Milliseconds that a worker that ends waits for the last spans to be sent.
const END_MS_MAX: u64 = 5_000;
/// The name of the service, unless the environment has another.
const SERVICE: &str = "grounds-fleet";

/// Sends spans to one collector.
#[derive(Debug)]
pub(super) struct Sender {
    processor: BatchSpanProcessor,
    tally: Arc<Tally>,
}

impl Sender {
    /// Starts the thread that sends.
    ///
    /// # Errors
    /// Words for settings that cannot be used.
    pub(super) fn start(settings: &TraceSettings, worker: &str) -> Result<Self, String> {
        let tally = Arc::<Tally>::default();
        let client = CollectorClient::new(settings, Arc::clone(&tally))?;
        let mut exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .build()
            // Its words may repeat the address, with a password.
            .map_err(|_| "the variables `OTEL_EXPORTER_OTLP_…` cannot be used")?;
        exporter.set_resource(&resource(worker));
        let counted = Counted {
            exporter,
            tally: Arc::clone(&tally),
        };
        Ok(Self {
            processor: BatchSpanProcessor::builder(counted).build(),
            tally,
        })
    }

    /// Puts a span into the queue; never waits.
    pub(super) fn send(&self, span: SpanData) {
        // It is counted before the queue, which drops what does not fit without an error.
        self.tally.ended();
        self.processor.on_end(span);
    }

    /// Waits for the last spans, within a bound. Returns what did not arrive, in words.
    pub(super) fn end(self) -> Option<String> {
        let within = Duration::from_millis(END_MS_MAX);
        if self.processor.shutdown_with_timeout(within).is_err() {
            self.tally.failed(&format!(
                "it did not take them within the {END_MS_MAX} ms of the end"
            ));
        }
        self.tally.missing()
    }
}

/// Returns the description of this process that every span has: no name of a user, no path.
fn resource(worker: &str) -> Resource {
    let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let instance = KeyValue::new("service.instance.id", worker.to_owned());
    // The builder reads these variables, and a name that is set later would replace theirs.
    let is_named = variable("OTEL_SERVICE_NAME").is_some()
        || variable("OTEL_RESOURCE_ATTRIBUTES").is_some_and(|all| all.contains("service.name="));
    let resource = Resource::builder().with_attributes([version, instance]);
    if is_named {
        resource.build()
    } else {
        resource.with_service_name(SERVICE).build()
    }
}

/// An exporter whose batches are counted.
#[derive(Debug)]
struct Counted {
    exporter: SpanExporter,
    tally: Arc<Tally>,
}

impl Exports for Counted {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len() as u64;
        let exported = self.exporter.export(batch).await;
        if exported.is_ok() {
            self.tally.exported(spans);
        }
        exported
    }
}
