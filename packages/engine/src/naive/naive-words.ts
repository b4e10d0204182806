import { infixTexts } from '../query/infix-texts.ts'
import type { QuerySlot, SearchPlan, SlotExpansion } from '../query/plan.ts'
import { stemQuality } from '../query/stem-quality.ts'
import {
  BONUS_SYNONYMS_MAX,
  CORRECTIONS_NAMED_MAX,
  namedCorrections,
  splitDocFreqMax,
} from '../scoring/corrections.ts'
import {
  SHORT_PREFIX_LENGTH_MAX,
  slotWeight,
  WEIGHT_COUNTED_MIN,
  WEIGHT_JOINED,
  WEIGHT_PREFIX_KNOWN,
  WEIGHT_PREFIX_UNKNOWN,
  WEIGHT_STEM,
  WEIGHT_SYNONYM,
} from '../scoring/formula.ts'
import { codePointCount } from '../codec/code-points.ts'
import { findCompounds, namedCompounds } from './naive-compounds.ts'
import { findCorrections } from './naive-corrections.ts'
import { findApart, findSplitPairs, type PhraseAlternative } from './naive-splits.ts'
import { findRespelt } from './naive-respelt.ts'
import { findExplained, synonymQuality } from './naive-explained.ts'
import { findSynonyms, type LivingSynonym } from './naive-synonyms.ts'
import type { WordSource } from './naive-statistics.ts'

/** All alternatives of one word of the query: "Alternatives of a slot" in docs/ranking.md. */
export interface SlotAlternatives {
  readonly slot: QuerySlot
  /** Some alternative exists. A slot without any is unknown and ignored. */
  readonly known: boolean
  /** n: how many documents have the word or an alternative. */
  readonly docFreq: number
  /** `slotWeight(W, n, N)`, before a unit is bounded by its number; 0 when unknown. */
  readonly weight: number
  /** Its corrections are neighbours (see `countedMin`). */
  readonly hasNeighbours: boolean
  /** q by form, for the forms that are weighed by the evidence of their stem groups. */
  readonly quality: ReadonlyMap<string, number>
  /** Words side by side that stand for one: split pairs, and synonyms of several words. */
  readonly phrases: readonly PhraseAlternative[]
  /** The forms that a prefix of one or two code points matches; all count the same. */
  readonly shortPrefix: { readonly forms: ReadonlySet<string>; readonly quality: number }
  /**
   * The forms that hold the word inside; they count only in documents without another alternative.
   */
  readonly infixForms: ReadonlySet<string>
  /** Stem groups whose tokens can earn the pair bonus. */
  readonly pairBonusStems: ReadonlySet<string>
  readonly expansion: SlotExpansion
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
  // A form of two alternatives gets the larger quality.
  const match = (form: string, q: number) => {
    quality.set(form, Math.max(q, quality.get(form) ?? 0))
  }

  // 1. The word itself and its inflections.
  const ownDocFreq = statistics.groupDocFreq(slot.stem)
  for (const form of statistics.formsOfGroup(slot.stem)) {
    match(form, stemQuality(source.analyzer, slot.form, form))
  }

  // 2. Joined spellings and their inflections.
  const joined = slot.joined.filter((spelling) => statistics.groupDocFreq(spelling.stem) > 0)
  const joinedDocFreq = largest(joined.map((spelling) => statistics.groupDocFreq(spelling.stem)))
  for (const spelling of joined) {
    for (const form of statistics.formsOfGroup(spelling.stem)) match(form, WEIGHT_JOINED)
  }

  // 7. Synonyms: single words with their inflections; several words as phrases, see below.
  const synonyms = findSynonyms(plan, slot, source)
  const synonymDocFreq = largest(synonyms.map((synonym) => synonym.docKeys.size))
  const synonymStems = synonyms.flatMap(({ stems }) => (stems.length === 1 ? stems : []))
  for (const stem of synonymStems) {
    for (const form of statistics.formsOfGroup(stem)) match(form, WEIGHT_SYNONYM)
  }

  // 3. Split pairs, for a word that is not common in one piece.
  const pairs =
    ownDocFreq <= splitDocFreqMax(docCount) ? findSplitPairs(plan, slot, slot.splits, source) : []
  const pairDocFreq = largest(pairs.map((pair) => pair.docKeys.size))

  // ... and a word of letters and digits written apart.
  const apart = findApart(plan, slot, source)
  const apartDocFreq = largest(apart.map((phrase) => phrase.docKeys.size))

  // 4. Compounds with the word as a part.
  const compounds = findCompounds(slot, source)
  let compoundDocFreq = 0
  for (const [form, q] of compounds) {
    match(form, q)
    compoundDocFreq += statistics.formDocFreq(form)
  }
  compoundDocFreq = Math.min(docCount, compoundDocFreq)

  // 5. Words that start with the typed one.
  const isNamed =
    ownDocFreq > 0 ||
    joined.length > 0 ||
    apart.length > 0 ||
    synonyms.length > 0 ||
    compounds.size > 0
  const nothingElse = !isNamed && pairs.length === 0
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

  // 6. Corrections, for a rare or missing word. The whole stem group of each is an alternative.
  const unCorrected = largest([
    ownDocFreq,
    pairDocFreq,
    apartDocFreq,
    compoundDocFreq,
    prefixDocFreq,
  ])
  const corrections =
    synonyms.length > 0
      ? { words: [], areNeighbours: false }
      : findCorrections(
          plan,
          slotNumber,
          unCorrected,
          nothingElse && prefixForms.length > 0,
          source,
        )
  const respelt = findRespelt(plan, slot, source)
  for (const correction of [...corrections.words, ...respelt.corrections]) {
    match(correction.form, correction.quality)
    for (const form of statistics.formsOfGroup(correction.stem)) {
      if (form !== correction.form) match(form, WEIGHT_STEM * correction.quality)
    }
  }
  const named = corrections.words
    .filter((correction) => correction.quality >= WEIGHT_COUNTED_MIN)
    .slice(0, CORRECTIONS_NAMED_MAX)
  const isUnknown = nothingElse && prefixForms.length === 0
  const explained =
    synonyms.length > 0 ? [] : findExplained(plan, slot, isUnknown, corrections, source)
  for (const word of explained) {
    for (const { stems } of word.synonyms.filter(({ stems }) => stems.length === 1)) {
      for (const form of statistics.formsOfGroup(stems[0]!)) match(form, synonymQuality(word))
    }
  }

  // 8. Words that hold the typed one inside.
  const corrected = corrections.words[0] ?? respelt.corrections[0]
  const isCorrected = corrected !== undefined || respelt.pairs.length > 0 || explained.length > 0
  const isFound = !nothingElse || prefixForms.length > 0 || isCorrected
  const texts = infixTexts(slot)
  const infixInUse =
    texts.length > 0 && (slot.infix === 'always' || (slot.infix === 'fallback' && !isFound))
  const infixForms = infixInUse
    ? statistics.forms.filter((form) => texts.some((text) => form.includes(text)))
    : []

  const known = isFound || infixForms.length > 0
  const docFreq =
    Math.max(ownDocFreq, apartDocFreq, synonymDocFreq) ||
    joinedDocFreq ||
    pairDocFreq ||
    compoundDocFreq ||
    prefixDocFreq ||
    (corrected === undefined ? 0 : statistics.groupDocFreq(corrected.stem)) ||
    largest(respelt.pairs.map((pair) => pair.docKeys.size)) ||
    largest(explained.flatMap((word) => word.synonyms.map(({ docKeys }) => docKeys.size))) ||
    Math.min(
      docCount,
      infixForms.reduce((sum, form) => sum + statistics.formDocFreq(form), 0),
    )

  return {
    slot,
    known,
    docFreq,
    weight: known ? slotWeight(slot.weight, docFreq, docCount) : 0,
    hasNeighbours: corrections.areNeighbours,
    quality,
    phrases: [
      ...pairs,
      ...respelt.pairs,
      ...apart,
      ...phrasesOf(synonyms, WEIGHT_SYNONYM),
      ...explained.flatMap((word) => phrasesOf(word.synonyms, synonymQuality(word))),
    ],
    shortPrefix: { forms: new Set(isShort ? prefixForms : []), quality: prefixQuality },
    infixForms: new Set(infixForms),
    pairBonusStems: new Set([
      slot.stem,
      ...synonymStems.slice(0, BONUS_SYNONYMS_MAX),
      ...(corrections.areNeighbours ? [] : named.map((correction) => correction.stem)),
    ]),
    expansion: {
      known: isNamed,
      corrections: namedCorrections(
        named.map(({ form: text, quality }) => ({ text, quality })),
        explained,
      ),
      prefix: prefixInUse,
      splits: pairs.map(({ words: [left, right] }) => ({ left: left!, right: right! })),
      apart: apart.map(({ words }) => words),
      respelt: respelt.named,
      joined: joined.map((spelling) => spelling.form),
      compounds: namedCompounds(compounds.keys(), source),
      infix: infixInUse,
      synonyms: synonyms.map((synonym) => synonym.forms),
      explained: explained.flatMap((word) => word.synonyms.map(({ forms }) => forms)),
    },
  }
}

/** Synonyms of several words. */
function phrasesOf(synonyms: readonly LivingSynonym[], quality: number): PhraseAlternative[] {
  return synonyms
    .filter(({ stems }) => stems.length > 1)
    .map(({ forms, stems, docKeys }) => ({
      variant: 'synonym',
      words: forms,
      stems,
      quality,
      docKeys,
    }))
}

function largest(counts: readonly number[]): number {
  return Math.max(0, ...counts)
}
