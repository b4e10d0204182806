import type { ScoreExplanation } from '@aisle/contract'
import { shownForm } from '@aisle/engine'
import type {
  BoostExplanation,
  ScoreExplanation as EngineExplanation,
  Schema,
  SearchPlan,
  SlotExplanation,
} from '@aisle/engine'
import type { RuleEffects } from '../../domain/rules/rule-effects.ts'

/**
 * The tree of a score in the form of the API: fields by name.
 *
 * @param plan with the boosts of rules, in its order
 */
export function presentExplanation(
  explanation: EngineExplanation,
  schema: Schema,
  {
    boosts,
    meaning: planned,
  }: Pick<RuleEffects, 'boosts'> & { readonly meaning: SearchPlan['meaning'] | undefined },
): ScoreExplanation {
  const { tier, exactValue, slots, pairs, leading } = explanation
  const { purpose, boost, personal, popularity, numeric, learning, meaning } = explanation
  return {
    tier,
    exact_value: exactValue,
    words: slots.map((slot) => presentSlot(slot, schema)),
    pairs: pairs.map(({ left, right, points }) => ({ words: [left, right], points })),
    ...(leading === undefined
      ? {}
      : { leading: leading.map(({ form, points }) => ({ word: form, points })) }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(boost === undefined ? {} : { boost: presentBoost(boost, boosts) }),
    ...(personal === undefined
      ? {}
      : { personal: { factor: personal.factor, lifts: [...personal.lifts] } }),
    ...(popularity === undefined ? {} : { popularity }),
    ...(numeric === undefined ? {} : { numeric }),
    ...(learning === undefined ? {} : { learning }),
    ...(meaning === undefined ? {} : { meaning: { ...meaning, weight: planned?.weight ?? 0 } }),
  }
}

function presentBoost(
  { factor, boosts: met }: BoostExplanation,
  boosts: RuleEffects['boosts'],
): NonNullable<ScoreExplanation['boost']> {
  const rules = met.map((i) => {
    const { factor: weight, source } = boosts[i]!
    return { id: source.rule, filter_by: source.filterBy, weight }
  })
  return { factor, rules }
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
    alternatives: alternatives.map(
      ({ variant, forms, quality, evidence, cost, counted, fields }) => ({
        // A stem in the field's own language is indexed as a second spelling.
        variant: forms.some((form) => shownForm(form) !== form) ? ('stem' as const) : variant,
        forms: forms.map(shownForm),
        quality,
        evidence,
        ...(cost === undefined ? {} : { typo_cost: Math.round(cost * 10) / 10 }),
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
      }),
    ),
  }
}
