//! A share of the jobs, for machines that reach no common ledger: `2/8` is the second of eight. The
//! share of a job depends only on what it asks, so that every machine splits the same file in the
//! same way.

use std::str::FromStr;

use crate::job::Job;

/// The largest number of shares.
const SHARDS_MAX: u32 = 100_000;

/// One of several shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// The number of shares.
    pub of: u32,
}

impl Shard {
    /// Reports whether a job is in this share.
    pub fn has(self, job: &Job) -> bool {
        let digits = job.content();
        // Fifteen hexadecimal digits fit into 64 bits.
        let number = u64::from_str_radix(&digits[..15], 16).unwrap_or(0);
        number % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) && of <= SHARDS_MAX => {
                Ok(Self { number, of })
            }
            _ => Err(format!(
                "`{text}` is not a share: write 1/8 to 8/8, at most {SHARDS_MAX} shares"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::ClaimJob;

    #[test]
    fn every_job_is_in_exactly_one_share() {
        let shards: Vec<Shard> = (1..=7).map(|number| Shard { number, of: 7 }).collect();
        let mut counts = [0; 7];
        for number in 0..700 {
            let job = Job::Claim(ClaimJob {
                claim: format!("claim {number}"),
                ..ClaimJob::default()
            });
            let found: Vec<usize> = (0..7).filter(|place| shards[*place].has(&job)).collect();
            assert_eq!(found.len(), 1);
            counts[found[0]] += 1;
        }
        assert!(
            counts.iter().all(|count| (60..=140).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn a_share_is_one_of_so_many() {
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, of: 8 }));
        for wrong in ["", "0/8", "9/8", "1", "a/b", "1/0", "1/200000"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
