use super::*;

fn forms(kind: TargetKind, target: &str, text: &str) -> Vec<OccurrenceForm> {
    let needles = Needles::of_targets(&[QuestionTarget {
        text: target.to_owned(),
        kind,
        wanted: grounds_evidence::WantedRelation::Definition,
    }]);
    let mut forms = Vec::new();
    let mut from = 0;
    while let Some(hit) = needles.find(text.as_bytes(), from) {
        forms.push(needles.classify(text.as_bytes(), hit));
        from = hit.start + 1;
    }
    forms
}

#[test]
fn a_name_in_every_convention_is_the_name() {
    let text = "EvidenceStore evidence_store evidence-store EVIDENCE_STORE evidenceStore";
    assert_eq!(
        forms(TargetKind::Identifier, "EvidenceStore", text),
        [
            OccurrenceForm::Asked,
            OccurrenceForm::Convention,
            OccurrenceForm::Convention,
            OccurrenceForm::Convention,
            OccurrenceForm::Convention
        ]
    );
}

#[test]
fn word_boundaries_count() {
    assert_eq!(
        forms(
            TargetKind::Identifier,
            "open",
            "open_all reopen open. öopen"
        ),
        [
            OccurrenceForm::Inside,
            OccurrenceForm::Inside,
            OccurrenceForm::Asked,
            OccurrenceForm::Inside
        ]
    );
}

#[test]
fn a_quoted_text_is_looked_for_to_the_letter() {
    assert_eq!(
        forms(
            TargetKind::Quoted,
            "Set a function",
            "Set a function; set a function; Set a functions"
        ),
        [OccurrenceForm::Asked, OccurrenceForm::Inside]
    );
}

#[test]
fn words_of_a_phrase_are_words_and_not_the_phrase() {
    let found = forms(TargetKind::Phrase, "evidence gating", "gating of evidence");
    assert_eq!(found, [OccurrenceForm::Word(1), OccurrenceForm::Word(0)]);
    assert_eq!(
        forms(TargetKind::Phrase, "evidence gating", "Evidence gating")[0],
        OccurrenceForm::Phrase
    );
}

#[test]
fn text_that_is_not_utf8_has_no_letters_at_its_edge() {
    let needles = Needles::of_targets(&[QuestionTarget {
        text: "open".to_owned(),
        kind: TargetKind::Identifier,
        wanted: grounds_evidence::WantedRelation::Definition,
    }]);
    let text = b"\xff\xfeopen\xff";
    let hit = needles.find(text, 0).expect("the name stands there");
    assert_eq!(needles.classify(text, hit), OccurrenceForm::Asked);
}
