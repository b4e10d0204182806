import { codePointCount } from '../codec/code-points.ts'
import { idsWithPrefix } from '../dictionary/term-walks.ts'
import type { SearchPlan } from '../query/plan.ts'
import {
  CORRECTIONS_NAMED_MAX,
  SHORT_PREFIX_LENGTH_MAX,
  slotWeight,
  splitDocFreqMax,
  WEIGHT_COUNTED_MIN,
  WEIGHT_EXACT,
  WEIGHT_JOINED,
  WEIGHT_PREFIX_KNOWN,
  WEIGHT_PREFIX_UNKNOWN,
  WEIGHT_STEM,
} from '../scoring/formula.ts'
import { findCompounds, namedCompounds } from './compounds.ts'
import { findCorrections } from './corrections.ts'
import type { EvidenceTables } from './evidence-tables.ts'
import type { IndexView } from './index-view.ts'
import type { GroupAlternative, ResolvedSlot } from './resolved-slot.ts'
import { findSplitPairs } from './split-pairs.ts'

/** How many expansions are collected between two looks at the clock. */
const EXPANSIONS_PER_CHECK = 4096

/** Finds everything that may stand for one word of the query: "Alternatives of a slot" in docs/ranking.md. */
export function resolveSlot(
  view: IndexView,
  plan: SearchPlan,
  slotNumber: number,
  tables: EvidenceTables,
  checkDeadline: () => void,
): ResolvedSlot {
  const slot = plan.slots[slotNumber]!
  const { terms, docCount } = view
  const qualities = new QualityMap(view)

  // 1. The word itself, and its inflections.
  const ownGroup = terms.find(slot.stem)
  let ownDocFreq = ownGroup < 0 ? 0 : terms.groupDocFreq(ownGroup)
  const typedForm = terms.find(slot.form)
  if (ownDocFreq > 0) {
    for (const form of terms.formsOf(ownGroup)) {
      qualities.match(form, form === typedForm ? WEIGHT_EXACT : WEIGHT_STEM)
    }
  }

  const ownGroups = new Set([ownGroup])
  // A form that its stem group had no number left for (FORMS_PER_GROUP_MAX) is a group of its own.
  const formGroup = typedForm < 0 ? -1 : terms.groupOf(typedForm)
  if (formGroup >= 0 && formGroup !== ownGroup) {
    qualities.match(typedForm, WEIGHT_EXACT)
    ownGroups.add(formGroup)
    ownDocFreq = Math.min(docCount, ownDocFreq + terms.formDocFreq(typedForm))
  }

  // 2. Joined spellings, and their inflections.
  let joinedDocFreq = 0
  const joined: string[] = []
  for (const spelling of slot.joined) {
    const group = terms.find(spelling.stem)
    if (group < 0) continue
    ownGroups.add(group)
    const docFreq = terms.groupDocFreq(group)
    if (docFreq === 0) continue
    joinedDocFreq = Math.max(joinedDocFreq, docFreq)
    joined.push(spelling.form)
    for (const form of terms.formsOf(group)) qualities.match(form, WEIGHT_JOINED)
  }

  // 3. Split pairs, for a word that is not common as one.
  const pairs =
    ownDocFreq <= splitDocFreqMax(docCount)
      ? findSplitPairs(view, plan, slot.splits, ownGroup, tables, checkDeadline)
      : []
  let pairDocFreq = 0
  for (const pair of pairs) pairDocFreq = Math.max(pairDocFreq, pair.docFreq)

  // 4. Compounds that the word is a part of.
  const compounds = findCompounds(view, slot, ownGroups, checkDeadline)
  let compoundDocFreq = 0
  for (const { form, quality } of compounds) {
    qualities.match(form, quality)
    compoundDocFreq += terms.formDocFreq(form)
  }
  compoundDocFreq = Math.min(docCount, compoundDocFreq)

  // 5. Words that start with the typed one.
  const nothingElse =
    ownDocFreq === 0 && joined.length === 0 && pairs.length === 0 && compounds.length === 0
  const prefixInUse = slot.prefix === 'always' || (slot.prefix === 'fallback' && nothingElse)
  const prefixQuality = ownDocFreq === 0 ? WEIGHT_PREFIX_UNKNOWN : WEIGHT_PREFIX_KNOWN
  const isShort = codePointCount(slot.form) <= SHORT_PREFIX_LENGTH_MAX
  let prefixDocFreq = 0
  if (prefixInUse) {
    let seen = 0
    for (const form of idsWithPrefix(terms, view.trie, slot.form)) {
      if (++seen % EXPANSIONS_PER_CHECK === 0) checkDeadline()
      const docFreq = terms.formDocFreq(form)
      if (docFreq === 0 || terms.groupOf(form) === ownGroup) continue
      prefixDocFreq += docFreq
      if (!isShort) qualities.match(form, prefixQuality)
    }
    prefixDocFreq = Math.min(docCount, prefixDocFreq)
  }

  // 6. Corrections, for a word that is rare or missing. The whole stem group of each stands in.
  const unCorrected = Math.max(
    ownDocFreq,
    joinedDocFreq,
    pairDocFreq,
    compoundDocFreq,
    prefixDocFreq,
  )
  const corrections = findCorrections(view, plan, slotNumber, unCorrected, ownGroups, checkDeadline)
  for (const correction of corrections) {
    for (const form of terms.formsOf(correction.group)) {
      const q = correction.quality
      qualities.match(form, form === correction.form ? q : WEIGHT_STEM * q)
    }
  }
  const named = corrections
    .filter((correction) => correction.quality >= WEIGHT_COUNTED_MIN)
    .slice(0, CORRECTIONS_NAMED_MAX)

  const known = !nothingElse || prefixDocFreq > 0 || corrections.length > 0
  const docFreq =
    ownDocFreq ||
    joinedDocFreq ||
    pairDocFreq ||
    compoundDocFreq ||
    prefixDocFreq ||
    (corrections.length > 0 ? terms.groupDocFreq(corrections[0]!.group) : 0)
  return {
    slot,
    known,
    docFreq,
    weight: known ? slotWeight(slot.weight, docFreq, docCount) : 0,
    groups: qualities.alternatives(),
    pairs: pairs.map((pair) => pair.documents),
    shortPrefix:
      isShort && prefixDocFreq > 0 ? { prefix: slot.form, quality: prefixQuality } : undefined,
    bonusGroups: [...new Set([ownGroup, ...named.map((correction) => correction.group)])].filter(
      (group) => group >= 0,
    ),
    expansion: {
      known: ownDocFreq > 0 || joined.length > 0 || compounds.length > 0,
      corrections: named.map((correction) => correction.text),
      prefix: prefixInUse,
      splits: pairs.map(({ left, right }) => ({ left, right })),
      joined,
      compounds: namedCompounds(view, compounds),
      infix: false,
      synonyms: [],
    },
  }
}

/** Gathers qualities form by form and hands them out group by group. */
class QualityMap {
  readonly #view: IndexView
  readonly #byGroup = new Map<number, { quality: Float64Array; forms: number }>()

  constructor(view: IndexView) {
    this.#view = view
  }

  /** A form that two alternatives lead to takes the larger quality. */
  match(form: number, q: number): void {
    const { terms } = this.#view
    if (terms.formDocFreq(form) === 0) return
    const group = terms.groupOf(form)
    const number = terms.numberOf(form)
    let entry = this.#byGroup.get(group)
    if (entry === undefined) {
      entry = { quality: new Float64Array(32), forms: 0 }
      this.#byGroup.set(group, entry)
    }
    if (entry.quality[number] === 0) entry.forms++
    if (q > entry.quality[number]!) entry.quality[number] = q
  }

  alternatives(): GroupAlternative[] {
    const { terms } = this.#view
    return Array.from(this.#byGroup, ([group, { quality, forms }]) => {
      let q = 0
      let isUniform = true
      for (let number = 0; number < quality.length; number++) {
        const other = quality[number]!
        if (other === 0) continue
        if (q !== 0 && other !== q) isUniform = false
        q = other
      }
      if (isUniform && forms > 0) {
        const liveForms = terms.formsOf(group).filter((form) => terms.formDocFreq(form) > 0)
        isUniform = liveForms.length === forms
      }
      return { group, quality: isUniform ? q : quality }
    })
  }
}
