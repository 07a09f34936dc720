//! Compares the time of a hit with the time of the claim, in whole seconds. The moment of the
//! decision is given, never read from a clock.

use grounds_web::PageDate;
use jiff::Timestamp;

use crate::decision::ClaimSide;
use crate::history::HitManner;
use crate::task::Timeframe;
use crate::trace::WhyNot;

const HOUR_SECONDS: i64 = 3_600;
/// Seconds from the first to the last second of a day.
const DAY_SECONDS: i64 = 86_399;

/// The times with which those of a hit are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// The moment for which the decision is made.
    pub(crate) as_of: Timestamp,
    /// The time of the claim, open on both sides if it has none.
    pub(crate) window: Timeframe,
    /// Hours by which a date may lie outside the window.
    pub(crate) tolerance_hours: u32,
}

/// The times of a hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HitTimes {
    pub(crate) published: Option<PageDate>,
    pub(crate) modified: Option<PageDate>,
    pub(crate) happened: Option<Timeframe>,
}

impl Moment {
    const fn has_window(&self) -> bool {
        self.window.start.is_some() || self.window.end.is_some()
    }

    /// Reports whether the time of the claim is still running or has not begun.
    pub(crate) fn is_before_end(&self) -> bool {
        self.window.end.is_some_and(|end| self.as_of < end)
    }

    fn tolerance_seconds(&self) -> i64 {
        i64::from(self.tolerance_hours) * HOUR_SECONDS
    }

    /// Returns the first second that still fits.
    fn first(&self) -> i64 {
        self.window.start.map_or(i64::MIN, |start| {
            start.as_second().saturating_sub(self.tolerance_seconds())
        })
    }

    /// Returns the last second that still fits.
    fn last(&self) -> i64 {
        self.window.end.map_or(i64::MAX, |end| {
            end.as_second().saturating_add(self.tolerance_seconds())
        })
    }
}

fn earliest(date: PageDate) -> i64 {
    date.at.as_second()
}

fn latest(date: PageDate) -> i64 {
    if date.is_day {
        earliest(date).saturating_add(DAY_SECONDS)
    } else {
        earliest(date)
    }
}

/// Returns why the time of a hit does not fit, or `None` if it does.
pub(crate) fn misaligned(
    side: ClaimSide,
    manner: HitManner,
    times: HitTimes,
    moment: &Moment,
) -> Option<WhyNot> {
    // This holds without a window, too: a decision for an earlier day must not use later pages.
    if times
        .published
        .is_some_and(|date| earliest(date) > moment.as_of.as_second())
    {
        return Some(WhyNot::AfterAsOf);
    }
    if !moment.has_window() {
        return None;
    }
    let Some(published) = times.published else {
        return Some(WhyNot::Undated);
    };
    // "It has not happened" needs a date after the end, which the check of the window would refuse.
    if let (HitManner::Absence, Some(end)) = (manner, moment.window.end) {
        return (earliest(published) <= end.as_second()).then_some(WhyNot::AbsenceBeforeEnd);
    }
    outside(published, moment)
        .or_else(|| not_matured(side, manner, moment))
        .or_else(|| event_outside(side, times.happened, moment))
        .or_else(|| changed_after(times, moment))
}

fn outside(published: PageDate, moment: &Moment) -> Option<WhyNot> {
    // A date without a time of day fits if any second of its day does.
    if latest(published) < moment.first() {
        Some(WhyNot::BeforeWindow)
    } else if earliest(published) > moment.last() {
        Some(WhyNot::AfterWindow)
    } else {
        None
    }
}

/// Rejects a refuting hit before the end, unless it says that the event can no longer happen.
fn not_matured(side: ClaimSide, manner: HitManner, moment: &Moment) -> Option<WhyNot> {
    (side == ClaimSide::Refute && manner != HitManner::Foreclosed && moment.is_before_end())
        .then_some(WhyNot::NotMatured)
}

/// Rejects a supporting event that may lie outside the window. There is no tolerance: where only a
/// part of its time lies inside, the event itself may not.
fn event_outside(side: ClaimSide, happened: Option<Timeframe>, moment: &Moment) -> Option<WhyNot> {
    let is_outside = happened.is_some_and(|span| !is_within(span, moment.window));
    (side == ClaimSide::Support && is_outside).then_some(WhyNot::EventOutside)
}

fn is_within(span: Timeframe, window: Timeframe) -> bool {
    // Without a known start or end, the event may reach beyond the window.
    let begins_inside = window
        .start
        .is_none_or(|start| span.start.is_some_and(|first| first >= start));
    let ends_inside = window
        .end
        .is_none_or(|end| span.end.is_some_and(|last| last <= end));
    begins_inside && ends_inside
}

/// Rejects a page that was changed after the end, since its words may be from then, unless they
/// name a time inside.
fn changed_after(times: HitTimes, moment: &Moment) -> Option<WhyNot> {
    let is_changed = times
        .modified
        .is_some_and(|date| earliest(date) > moment.last());
    let names_time_inside = times
        .happened
        .is_some_and(|span| is_within(span, moment.window));
    (is_changed && !names_time_inside).then_some(WhyNot::ChangedAfterWindow)
}
