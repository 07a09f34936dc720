//! The section `store`: whether runs are kept on this machine, and how many. A file of
//! the checkout may switch it off; how much is kept is the person's own to say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::from_one_to;

/// Whether runs are kept, and the bounds of what is kept. The oldest go first.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StoreConfig {
    /// Whether runs are kept for `grounds history`. A file of the checkout can only say false.
    pub enabled: Option<bool>,
    /// Runs that are kept. This and the following: in the person's own configuration only.
    #[schemars(range(min = 1, max = 100_000))]
    #[serde(deserialize_with = "from_one_to::<_, _, 100_000>")]
    pub runs_max: Option<u64>,
    /// Bytes of the reports that are kept.
    #[schemars(range(min = 1, max = 1_099_511_627_776_u64))]
    #[serde(deserialize_with = "from_one_to::<_, _, 1_099_511_627_776>")]
    pub bytes_max: Option<u64>,
    /// Days after which a run is dropped.
    #[schemars(range(min = 1, max = 36_500))]
    #[serde(deserialize_with = "from_one_to::<_, _, 36_500>")]
    pub age_days_max: Option<u64>,
}

impl StoreConfig {
    /// Returns a key that is set although only the person may set it.
    pub(super) fn key_of_person(&self) -> Option<&'static str> {
        let keys = [
            ("enabled: true", self.enabled == Some(true)),
            ("runs_max", self.runs_max.is_some()),
            ("bytes_max", self.bytes_max.is_some()),
            ("age_days_max", self.age_days_max.is_some()),
        ];
        keys.into_iter()
            .find(|(_, is_set)| *is_set)
            .map(|(key, _)| key)
    }

    /// Fills unset fields from another configuration. Runs are kept only if neither forbids it.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        // A repository may keep its runs out of a person's store, and a person may keep all out.
        let is_off = [self.enabled, other.enabled].contains(&Some(false));
        Self {
            enabled: if is_off {
                Some(false)
            } else {
                self.enabled.or(other.enabled)
            },
            runs_max: self.runs_max.or(other.runs_max),
            bytes_max: self.bytes_max.or(other.bytes_max),
            age_days_max: self.age_days_max.or(other.age_days_max),
        }
    }

    /// Reports whether runs are kept.
    pub fn is_on(&self) -> bool {
        self.enabled != Some(false)
    }
}
