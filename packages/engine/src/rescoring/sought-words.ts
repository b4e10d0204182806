import type { SearchPlan } from '../query/plan.ts'
import type { SlotAlternatives } from './words.ts'

/**
 * The words that a plan needs from a document. Its tokens with one of these stem groups or forms
 * suffice for its score, its place and its conditions, together with the lengths of its fields
 * (`RestOfWords`). Explanations need all tokens.
 */
export interface SoughtWords {
  readonly stems: ReadonlySet<string>
  readonly forms: ReadonlySet<string>
}

/** @param slots of `findSlots`, for this plan */
export function soughtWords(plan: SearchPlan, slots: readonly SlotAlternatives[]): SoughtWords {
  const stems = new Set<string>()
  const forms = new Set<string>()
  const add = (to: Set<string>, words: Iterable<string>): void => {
    for (const word of words) to.add(word)
  }
  for (const slot of slots) {
    stems.add(slot.slot.stem)
    for (const { stem } of slot.groups) stems.add(stem)
    for (const { row } of slot.phrases) {
      add(stems, row.stems)
      if (row.without !== undefined) stems.add(row.without)
    }
    add(stems, slot.pairBonusStems)
    add(forms, slot.forms.keys())
    add(forms, slot.shortPrefix.forms)
    add(forms, slot.infixForms)
  }
  for (const { spellings, inflected } of [...plan.phrases, ...plan.exclusions]) {
    for (const { form, stem } of spellings.flat()) {
      if (inflected) stems.add(stem)
      else forms.add(form)
    }
  }
  add(forms, plan.exactValue)
  add(forms, plan.accessoryMarks ?? [])
  return { stems, forms }
}
