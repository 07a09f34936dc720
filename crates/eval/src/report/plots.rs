//! Plots as inline SVG, drawn from figures: whole numbers in, text out. Colours come from the page,
//! which handles light and dark.

use std::fmt::Write as _;

use super::escape::html;
use super::percent;
use crate::metrics::{Bin, Flow, Level, Share};

/// The width of every plot, in its own units.
const WIDTH: f64 = 420.0;
/// The height of one row.
const ROW: f64 = 34.0;
/// The place at which bars begin.
const LEFT: f64 = 100.0;
/// The place at which they end.
const RIGHT: f64 = 290.0;
/// The places at which the flows begin and end. Names of 20 letters fit beside them.
const FLOW_LEFT: f64 = 166.0;
const FLOW_RIGHT: f64 = 246.0;
/// The width of a node.
const NODE: f64 = 8.0;
/// Most letters of a case's name.
const NAME_LETTERS_MAX: usize = 40;

fn figure(height: f64, label: &str, body: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">{body}</svg>",
        html(label)
    )
}

fn text(x: f64, y: f64, class: &str, words: &str) -> String {
    format!(
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>",
        html(words)
    )
}

fn bar(x: f64, y: f64, width: f64, class: &str, title: &str) -> String {
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"16\" rx=\"2\" class=\"{class}\"><title>{}</title></rect>",
        width.max(0.0),
        html(title)
    )
}

/// Draws how often the answers of each level are right, with the interval and the mark of 95 %.
pub(super) fn reliability(levels: &[Level]) -> String {
    let mut body = String::new();
    let at = |rate: f64| LEFT + rate * (RIGHT - LEFT);
    for (number, level) in levels.iter().enumerate() {
        let y = row(number);
        body.push_str(&text(LEFT - 8.0, y + 12.0, "end", &level.level));
        // A level without answers has no rate, which is not the same as a rate of zero.
        let Share {
            rate: Some(rate),
            low: Some(low),
            high: Some(high),
            ..
        } = level.right
        else {
            body.push_str(&text(LEFT + 4.0, y + 12.0, "quiet", "no answers"));
            continue;
        };
        let shown = format!(
            "{} ({}/{})",
            percent(Some(rate)),
            level.right.hits,
            level.right.of
        );
        body.push_str(&bar(LEFT, y, at(rate) - LEFT, "right", &shown));
        let middle = y + 8.0;
        let (low, high, top) = (at(low), at(high), middle - 4.0);
        write!(body, "<path class=\"whisker\" d=\"M{low:.1} {middle}H{high:.1}M{low:.1} {top}v8M{high:.1} {top}v8\"/>")
            .expect("a string takes all text");
        body.push_str(&text(RIGHT + 8.0, y + 12.0, "start", &shown));
    }
    let height = row(levels.len()) + 12.0;
    write!(
        body,
        "<path class=\"mark\" d=\"M{:.1} 4V{:.1}\"/>",
        at(0.95),
        height - 18.0
    )
    .expect("a string takes all text");
    body.push_str(&text(at(0.95), height - 4.0, "middle quiet", "95 %"));
    figure(
        height,
        "How often the answers of each confidence level are right",
        &body,
    )
}

/// Draws the runs of each step of a lens: right answers, right refusals, all others.
pub(super) fn lens(name: &str, bins: &[Bin]) -> String {
    // At least 1, since the lengths of the bars are divided by it.
    let most = bins
        .iter()
        .map(|bin| bin.right + bin.rightly_refused + bin.wrong)
        .max()
        .unwrap_or(1)
        .max(1);
    let scaled = |count: usize| share_of(count, most) * (RIGHT - LEFT);
    let mut body = String::new();
    for (number, bin) in bins.iter().enumerate() {
        let y = row(number);
        body.push_str(&text(LEFT - 8.0, y + 12.0, "end", &bin.step));
        let mut x = LEFT;
        for (count, class, what) in [
            (bin.right, "right", "right"),
            (bin.rightly_refused, "refused", "rightly refused"),
            (bin.wrong, "wrong", "wrong"),
        ] {
            body.push_str(&bar(x, y, scaled(count), class, &format!("{count} {what}")));
            x += scaled(count);
        }
        let shown = format!("{} / {} / {}", bin.right, bin.rightly_refused, bin.wrong);
        body.push_str(&text(x + 8.0, y + 12.0, "start", &shown));
    }
    figure(row(bins.len()), name, &body)
}

/// Draws bands from how cases should end to how they ended.
pub(super) fn flows(flows: &[Flow]) -> String {
    let total: usize = flows.iter().map(|flow| flow.cases).sum();
    let ends = |side: fn(&Flow) -> &str| {
        let mut known: Vec<(&str, usize)> = Vec::new();
        for flow in flows {
            match known.iter_mut().find(|(name, _)| *name == side(flow)) {
                Some((_, cases)) => *cases += flow.cases,
                None => known.push((side(flow), flow.cases)),
            }
        }
        known.sort_unstable();
        known
    };
    let (left, right) = (ends(|flow| &flow.expected), ends(|flow| &flow.ended));
    // Without a case, this would be a division by zero.
    let scale = 220.0 / share_of(total.max(1), 1);
    let mut body = nodes(&left, scale, FLOW_LEFT, "end", -6.0);
    body.push_str(&nodes(&right, scale, FLOW_RIGHT, "start", 14.0));
    body.push_str(&bands(flows, &left, &right, scale));
    let height = 220.0 + 26.0 * share_of(left.len().max(right.len()), 1);
    figure(height, "How cases should end and how they ended", &body)
}

/// Draws the ends of one side, with their names beside them.
fn nodes(ends: &[(&str, usize)], scale: f64, x: f64, class: &str, shift: f64) -> String {
    let mut body = String::new();
    for ((name, cases), top) in ends.iter().zip(tops(ends, scale)) {
        let height = share_of(*cases, 1) * scale;
        // Even the node of a single case must be visible.
        write!(
            body,
            "<rect x=\"{x}\" y=\"{top:.1}\" width=\"{NODE}\" height=\"{:.1}\" class=\"node\"/>",
            height.max(1.0)
        )
        .expect("a string takes all text");
        body.push_str(&text(
            x + shift,
            top + (height / 2.0).max(6.0) + 4.0,
            class,
            &format!("{} {cases}", name.replace('_', " ")),
        ));
    }
    body
}

fn bands(flows: &[Flow], left: &[(&str, usize)], right: &[(&str, usize)], scale: f64) -> String {
    let mut body = String::new();
    let (mut from, mut to) = (tops(left, scale), tops(right, scale));
    let start = FLOW_LEFT + NODE;
    let middle = f64::midpoint(start, FLOW_RIGHT);
    for flow in flows {
        let place = |side: &[(&str, usize)], name: &str| {
            side.iter()
                .position(|(known, _)| *known == name)
                .unwrap_or(0)
        };
        let (one, other) = (place(left, &flow.expected), place(right, &flow.ended));
        // A stroke is drawn around its path, so the path is in the middle of its band.
        let half = share_of(flow.cases, 1) * scale / 2.0;
        let (y0, y1) = (from[one] + half, to[other] + half);
        from[one] += 2.0 * half;
        to[other] += 2.0 * half;
        // A band has the colour of most of its cases.
        let class = if flow.right * 2 >= flow.cases {
            "flow right"
        } else {
            "flow wrong"
        };
        let title = format!(
            "{} -> {}: {} cases, {} right",
            flow.expected, flow.ended, flow.cases, flow.right
        );
        write!(
            body,
            "<path class=\"{class}\" stroke-width=\"{:.1}\" \
             d=\"M{start} {y0:.1}C{middle} {y0:.1} {middle} {y1:.1} {FLOW_RIGHT} {y1:.1}\"><title>{}</title></path>",
            (2.0 * half).max(1.0),
            html(&title)
        )
        .expect("a string takes all text");
    }
    body
}

fn tops(ends: &[(&str, usize)], scale: f64) -> Vec<f64> {
    let place = |top: &mut f64, (_, cases): &(&str, usize)| {
        let here = *top;
        // The least height is the one that `nodes` draws.
        *top += (share_of(*cases, 1) * scale).max(1.0) + 22.0;
        Some(here)
    };
    ends.iter().scan(8.0, place).collect()
}

/// Draws the slowest cases: names and milliseconds.
pub(super) fn slowest(cases: &[(String, f64)]) -> String {
    // The fold begins at 1, since the lengths of the bars are divided by it.
    let most = cases.iter().map(|(_, ms)| *ms).fold(1.0, f64::max);
    let mut body = String::new();
    for (number, (name, ms)) in cases.iter().enumerate() {
        let y = row(number);
        let shown: String = name.chars().take(NAME_LETTERS_MAX).collect();
        body.push_str(&text(0.0, y + 6.0, "start", &shown));
        body.push_str(
            &bar(
                0.0,
                y + 10.0,
                ms / most * 340.0,
                "time",
                &format!("{name}: {ms:.1} ms"),
            )
            .replace("height=\"16\"", "height=\"8\""),
        );
        body.push_str(&text(WIDTH, y + 18.0, "end", &format!("{ms:.0} ms")));
    }
    figure(row(cases.len()), "The slowest cases", &body)
}

#[expect(clippy::cast_precision_loss, reason = "rows are few")]
fn row(number: usize) -> f64 {
    number as f64 * ROW + 8.0
}

#[expect(clippy::cast_precision_loss, reason = "counts of cases fit")]
fn share_of(count: usize, most: usize) -> f64 {
    count as f64 / most as f64
}
