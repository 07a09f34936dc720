use proptest::prelude::*;

use super::*;

const TIERS: [SourceTier; 4] = [
    SourceTier::Other,
    SourceTier::Trade,
    SourceTier::Wire,
    SourceTier::Primary,
];

fn family(side: ClaimSide, tier: SourceTier) -> FamilyTrace {
    FamilyTrace {
        head: 0,
        hit_count: 1,
        side: FamilySide::One(side),
        tier,
        weight_milli: 0,
        is_dated: true,
        ties: Default::default(),
    }
}

fn families() -> impl Strategy<Value = Vec<FamilyTrace>> {
    let one = (any::<bool>(), 0..TIERS.len()).prop_map(|(is_support, tier)| {
        let side = if is_support {
            ClaimSide::Support
        } else {
            ClaimSide::Refute
        };
        family(side, TIERS[tier])
    });
    proptest::collection::vec(one, 0..60)
}

proptest! {
    #[test]
    fn one_family_more_never_tells_less_for_its_side(families in families(), tier in 0..TIERS.len()) {
        let calibration = Calibration::default();
        let before = calibration.evidence_milli(&families);
        for (side, sign) in [(ClaimSide::Support, 1), (ClaimSide::Refute, -1)] {
            let mut more = families.clone();
            more.push(family(side, TIERS[tier]));
            prop_assert!(calibration.evidence_milli(&more) * sign >= before * sign);
        }
    }

    #[test]
    fn a_better_tier_never_tells_less_for_its_side(families in families(), at in any::<proptest::sample::Index>(), better in 0..TIERS.len()) {
        prop_assume!(!families.is_empty());
        let calibration = Calibration::default();
        let at = at.index(families.len());
        let rank = |tier: SourceTier| TIERS.iter().position(|known| *known == tier);
        prop_assume!(rank(TIERS[better]) >= rank(families[at].tier));
        let sign = if families[at].side == FamilySide::One(ClaimSide::Support) { 1 } else { -1 };
        let mut raised = families.clone();
        raised[at].tier = TIERS[better];
        prop_assert!(calibration.evidence_milli(&raised) * sign >= calibration.evidence_milli(&families) * sign);
    }
}

#[test]
fn nothing_is_known_beforehand_of_kinds_that_were_not_fitted() {
    let calibration = Calibration::default();
    for (kind, name) in ClaimKind::ALL {
        let is_fitted = matches!(kind, ClaimKind::Cure | ClaimKind::Harm | ClaimKind::Benefit);
        assert_eq!(calibration.prior(kind) != 0, is_fitted, "{name}");
        assert_eq!(
            calibration.log_odds_milli(kind, &[]),
            calibration.prior(kind)
        );
    }
}

#[test]
fn fewer_wrong_verdicts_never_have_a_lower_bar() {
    assert!(
        BARS.windows(2)
            .all(|pair| pair[0].0 > pair[1].0 && pair[0].1 <= pair[1].1 && pair[0].2 <= pair[1].2)
    );
}
