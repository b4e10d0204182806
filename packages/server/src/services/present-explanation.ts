import type { ScoreExplanation } from '@aisle/contract'
import type { ScoreExplanation as EngineExplanation, Schema, SlotExplanation } from '@aisle/engine'

/** The tree of a score as the interface shows it: fields by name. */
export function presentExplanation(
  { tier, exactValue, slots, pairs }: EngineExplanation,
  schema: Schema,
): ScoreExplanation {
  return {
    tier,
    exact_value: exactValue,
    words: slots.map((slot) => presentSlot(slot, schema)),
    pairs: pairs.map(({ left, right, points }) => ({ words: [left, right], points })),
  }
}

function presentSlot(
  { form, docFreq, alternatives, ...slot }: SlotExplanation,
  schema: Schema,
): ScoreExplanation['words'][number] {
  return {
    word: form,
    known: slot.known,
    stopword: slot.stopword,
    documents: docFreq,
    weight: slot.weight,
    quality: slot.quality,
    evidence: slot.evidence,
    saturation: slot.saturation,
    points: slot.points,
    alternatives: alternatives.map(({ variant, forms, quality, evidence, counted, fields }) => ({
      variant,
      forms: [...forms],
      quality,
      evidence,
      counted,
      fields: fields.map((field) => ({
        field: schema.fields[field.field]!.name,
        weight: field.weight,
        term_freq: field.termFreq,
        length: field.length,
        average_length: field.averageLength,
        length_norm: field.lengthNorm,
        evidence: field.evidence,
      })),
    })),
  }
}
