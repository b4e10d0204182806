import type { QuerySlot, SearchPlan, SlotExpansion } from '../query/plan.ts'
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
import { codePointCount } from '../codec/code-points.ts'
import { findCompounds, namedCompounds } from './naive-compounds.ts'
import { findCorrections } from './naive-corrections.ts'
import { standSideBySide } from './naive-document.ts'
import type { WordSource } from './naive-statistics.ts'

/** Everything that may stand for one word of the query: "Alternatives of a slot" in docs/ranking.md. */
export interface SlotAlternatives {
  readonly slot: QuerySlot
  /** Some alternative exists. A slot without any is unknown and left out. */
  readonly known: boolean
  /** n: how many documents have the word, or what stands for it. */
  readonly docFreq: number
  /** `slotWeight(W, n, N)`; 0 when unknown. */
  readonly weight: number
  /** q by form, for the forms that are weighed by the evidence of their stem groups. */
  readonly quality: ReadonlyMap<string, number>
  /** Two words side by side that stand for one. */
  readonly pairs: readonly SplitPair[]
  /** The forms that a prefix of one or two code points matches: all of them are worth the same. */
  readonly shortPrefix: { readonly forms: ReadonlySet<string>; readonly quality: number }
  /** Stem groups whose tokens can earn the pair bonus. */
  readonly pairBonusStems: ReadonlySet<string>
  readonly expansion: SlotExpansion
}

export interface SplitPair {
  readonly left: string
  readonly right: string
  readonly leftStem: string
  readonly rightStem: string
  /** Documents with both halves side by side in a searched field. Never empty. */
  readonly docKeys: ReadonlySet<number>
}

export function findAlternatives(
  plan: SearchPlan,
  slotNumber: number,
  source: WordSource,
): SlotAlternatives {
  const slot = plan.slots[slotNumber]!
  const { statistics } = source
  const docCount = statistics.docCount
  const quality = new Map<string, number>()
  // A form that two alternatives lead to takes the larger quality.
  const match = (form: string, q: number) => {
    quality.set(form, Math.max(q, quality.get(form) ?? 0))
  }

  // 1. The word itself, and its inflections.
  const ownDocFreq = statistics.groupDocFreq(slot.stem)
  for (const form of statistics.formsOfGroup(slot.stem)) {
    match(form, form === slot.form ? WEIGHT_EXACT : WEIGHT_STEM)
  }

  // 2. Joined spellings, and their inflections.
  const joined = slot.joined.filter((spelling) => statistics.groupDocFreq(spelling.stem) > 0)
  const joinedDocFreq = largest(joined.map((spelling) => statistics.groupDocFreq(spelling.stem)))
  for (const spelling of joined) {
    for (const form of statistics.formsOfGroup(spelling.stem)) match(form, WEIGHT_JOINED)
  }

  // 3. Split pairs, for a word that is not common as one.
  const pairs = ownDocFreq <= splitDocFreqMax(docCount) ? findSplitPairs(plan, slot, source) : []
  const pairDocFreq = largest(pairs.map((pair) => pair.docKeys.size))

  // 4. Compounds that the word is a part of.
  const compounds = findCompounds(slot, source)
  let compoundDocFreq = 0
  for (const [form, q] of compounds) {
    match(form, q)
    compoundDocFreq += statistics.formDocFreq(form)
  }
  compoundDocFreq = Math.min(docCount, compoundDocFreq)

  // 5. Words that start with the typed one.
  const nothingElse =
    ownDocFreq === 0 && joined.length === 0 && pairs.length === 0 && compounds.size === 0
  const prefixInUse = slot.prefix === 'always' || (slot.prefix === 'fallback' && nothingElse)
  const prefixForms = prefixInUse
    ? statistics.forms.filter(
        (form) => form.startsWith(slot.form) && statistics.stemOf(form) !== slot.stem,
      )
    : []
  const prefixQuality = ownDocFreq === 0 ? WEIGHT_PREFIX_UNKNOWN : WEIGHT_PREFIX_KNOWN
  const prefixDocFreq = Math.min(
    docCount,
    prefixForms.reduce((sum, form) => sum + statistics.formDocFreq(form), 0),
  )
  const isShort = codePointCount(slot.form) <= SHORT_PREFIX_LENGTH_MAX
  if (!isShort) for (const form of prefixForms) match(form, prefixQuality)

  // 6. Corrections, for a word that is rare or missing. The whole stem group of each stands in.
  const corrections = findCorrections(
    plan,
    slotNumber,
    largest([ownDocFreq, joinedDocFreq, pairDocFreq, compoundDocFreq, prefixDocFreq]),
    source,
  )
  for (const correction of corrections) {
    match(correction.form, correction.quality)
    for (const form of statistics.formsOfGroup(correction.stem)) {
      if (form !== correction.form) match(form, WEIGHT_STEM * correction.quality)
    }
  }
  const named = corrections
    .filter((correction) => correction.quality >= WEIGHT_COUNTED_MIN)
    .slice(0, CORRECTIONS_NAMED_MAX)

  const known = !nothingElse || prefixForms.length > 0 || corrections.length > 0
  const docFreq =
    ownDocFreq ||
    joinedDocFreq ||
    pairDocFreq ||
    compoundDocFreq ||
    prefixDocFreq ||
    (corrections.length > 0 ? statistics.groupDocFreq(corrections[0]!.stem) : 0)

  return {
    slot,
    known,
    docFreq,
    weight: known ? slotWeight(slot.weight, docFreq, docCount) : 0,
    quality,
    pairs,
    shortPrefix: { forms: new Set(isShort ? prefixForms : []), quality: prefixQuality },
    pairBonusStems: new Set([slot.stem, ...named.map((correction) => correction.stem)]),
    expansion: {
      known: ownDocFreq > 0 || joined.length > 0 || compounds.size > 0,
      corrections: named.map((correction) => correction.form),
      prefix: prefixInUse,
      splits: pairs.map(({ left, right }) => ({ left, right })),
      joined: joined.map((spelling) => spelling.form),
      compounds: namedCompounds(compounds.keys(), source),
      infix: false,
      synonyms: [],
    },
  }
}

/** The cuts of a word whose halves are side by side somewhere, where the word itself is not. */
function findSplitPairs(plan: SearchPlan, slot: QuerySlot, source: WordSource): SplitPair[] {
  const { documents, statistics, analyzer } = source
  const pairs: SplitPair[] = []
  for (const { left, right } of slot.splits) {
    const leftStem = analyzer.stem(left)
    const rightStem = analyzer.stem(right)
    if (statistics.formDocFreq(left) === 0 || statistics.groupDocFreq(rightStem) === 0) continue
    const docKeys = new Set<number>()
    const ownDocKeys = statistics.docKeysOfGroup(slot.stem)
    for (const document of documents) {
      if (ownDocKeys.has(document.docKey)) continue
      plan.fieldWeights.forEach((weight, field) => {
        if (weight === 0) return
        if (standSideBySide(document, field, new Set([leftStem]), new Set([rightStem]))) {
          docKeys.add(document.docKey)
        }
      })
    }
    if (docKeys.size > 0) pairs.push({ left, right, leftStem, rightStem, docKeys })
  }
  return pairs
}

function largest(counts: readonly number[]): number {
  return Math.max(0, ...counts)
}
