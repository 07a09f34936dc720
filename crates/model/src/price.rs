//! The prices of tokens, by a dated table that the user writes. The program ships no prices: they
//! change, and a wrong one would make a cap on spending worthless.

/// Nano-dollars in a dollar.
pub const NANO: u64 = 1_000_000_000;
/// The highest accepted price of a million tokens, in dollars.
const DOLLARS_MAX: f64 = 1_000_000.0;

/// The price of one model, in billionths of a dollar a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The model; `*` at the end matches any letters.
    pub model: String,
    /// A token of the prompt.
    pub prompt_nano: u64,
    /// A token of the answer.
    pub output_nano: u64,
    /// The day that the price was looked up.
    pub as_of: String,
}

impl Price {
    /// Creates a price from dollars for a million tokens, as in price lists.
    ///
    /// # Errors
    /// What is wrong with the numbers or the day.
    pub fn of_million(model: &str, prompt: f64, output: f64, as_of: &str) -> Result<Self, String> {
        let is_day = as_of.len() == 10
            && as_of.bytes().enumerate().all(|(at, byte)| {
                if [4, 7].contains(&at) {
                    byte == b'-'
                } else {
                    byte.is_ascii_digit()
                }
            });
        if !is_day {
            return Err(format!(
                "`as_of` of the price of `{model}` must be a day such as 2026-11-21"
            ));
        }
        let nano = |dollars: f64| {
            let is_price = dollars.is_finite() && (0.0..=DOLLARS_MAX).contains(&dollars);
            is_price
                .then(|| nano_of(dollars))
                .ok_or_else(|| format!("the price of `{model}` must be from 0 to {DOLLARS_MAX} dollars a million tokens"))
        };
        Ok(Self {
            model: model.to_owned(),
            prompt_nano: nano(prompt)?,
            output_nano: nano(output)?,
            as_of: as_of.to_owned(),
        })
    }

    /// Returns the cost of so many tokens, in billionths of a dollar.
    pub const fn cost_nano(&self, prompt_tokens: u64, output_tokens: u64) -> u64 {
        prompt_tokens
            .saturating_mul(self.prompt_nano)
            .saturating_add(output_tokens.saturating_mul(self.output_nano))
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be from 0 to a million dollars"
)]
fn nano_of(dollars: f64) -> u64 {
    // Rounded up, so that a cap on cost is never passed by rounding.
    (dollars * 1_000.0).ceil() as u64
}

/// Returns the price of a model in a table; the longest name that fits counts.
pub fn find<'p>(prices: &'p [Price], model: &str) -> Option<&'p Price> {
    let fits = |price: &&Price| match price.model.strip_suffix('*') {
        Some(start) => model.starts_with(start),
        None => model == price.model,
    };
    prices
        .iter()
        .filter(fits)
        .max_by_key(|price| price.model.len())
}

/// Formats billionths of a dollar as dollars, rounded up to a hundredth of a cent.
pub fn dollars(nano: u64) -> String {
    let units = nano.div_ceil(NANO / 10_000);
    format!("${}.{:04}", units / 10_000, units % 10_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_whole_numbers_rounded_up() {
        let price = Price::of_million("m*", 3.0, 0.075, "2026-11-21").expect("a price");
        assert_eq!((price.prompt_nano, price.output_nano), (3_000, 75));
        assert_eq!(dollars(price.cost_nano(1_000_000, 1)), "$3.0001");
        assert_eq!(
            find(std::slice::from_ref(&price), "model").map(|price| price.prompt_nano),
            Some(3_000)
        );
        assert_eq!(find(&[price], "other"), None);
        for (dollars, day) in [
            (-1.0, "2026-11-21"),
            (f64::NAN, "2026-11-21"),
            (1.0, "yesterday"),
        ] {
            assert!(Price::of_million("m", dollars, 1.0, day).is_err());
        }
    }
}
