import { codePointCount } from '../codec/code-points.ts'
import { infixTexts } from '../query/infix-texts.ts'
import type { QuerySlot, SearchPlan, SlotExpansion } from '../query/plan.ts'
import { stemQuality } from '../query/stem-quality.ts'
import * as guesses from '../scoring/corrections.ts'
import * as formula from '../scoring/formula.ts'
import { findCompounds, namedCompounds } from './naive-compounds.ts'
import type { Corrections } from './naive-corrections.ts'
import { findCorrections } from './naive-corrections.ts'
import type { Explained } from './naive-explained.ts'
import { findExplained, synonymQuality } from './naive-explained.ts'
import type { Respelt } from './naive-respelt.ts'
import { findRespelt } from './naive-respelt.ts'
import type { PhraseAlternative } from './naive-splits.ts'
import { findApart, findSplitPairs } from './naive-splits.ts'
import type { NaiveStatistics, WordSource } from './naive-statistics.ts'
import type { LivingSynonym } from './naive-synonyms.ts'
import { findSynonyms } from './naive-synonyms.ts'

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

/** q that an alternative gives to a form of the catalog; 0: it does not match that form. */
type Quality = (form: string) => number

/** 1 to 4 and 7 of the page: what stands for the word as it was typed. */
interface AsTyped {
  readonly own: number
  readonly joined: QuerySlot['joined']
  readonly pairs: readonly PhraseAlternative[]
  readonly apart: readonly PhraseAlternative[]
  /** q by form. */
  readonly compounds: ReadonlyMap<string, number>
  readonly synonyms: readonly LivingSynonym[]
}

/** 5: words that begin with the typed one. */
interface Begun {
  readonly isInUse: boolean
  readonly forms: ReadonlySet<string>
  readonly quality: number
}

/** 6, and 7's explained words: what may have been meant instead. */
interface Meant {
  readonly corrections: Corrections
  readonly respelt: Respelt
  readonly explained: readonly Explained[]
}

/**
 * The fast engine walks from the word to its alternatives; this asks each form of the catalog which
 * alternatives it is.
 */
export function findAlternatives(
  plan: SearchPlan,
  slotNumber: number,
  source: WordSource,
): SlotAlternatives {
  const slot = plan.slots[slotNumber]!
  const catalog = source.statistics
  const typed = findAsTyped(plan, slot, source)
  const begun = findBegun(slot, typed, catalog)
  const meant = findMeant(plan, slotNumber, typed, begun, source)
  const isShort = codePointCount(slot.form) <= formula.SHORT_PREFIX_LENGTH_MAX

  const alternatives = [
    ...typedQualities(slot, typed, source),
    (form: string) => (!isShort && begun.forms.has(form) ? begun.quality : 0),
    ...meantQualities(meant, catalog),
  ]
  const quality = new Map<string, number>()
  for (const form of catalog.forms) {
    const best = Math.max(...alternatives.map((qualityOf) => qualityOf(form)))
    if (best > 0) quality.set(form, best)
  }

  const isFound = standsFor(typed) || begun.forms.size > 0 || isMeant(meant)
  const isSought = slot.infix === 'always' || (slot.infix === 'fallback' && !isFound)
  const texts = isSought ? infixTexts(slot) : []
  const infixForms = catalog.forms.filter((form) => texts.some((text) => form.includes(text)))

  const known = isFound || infixForms.length > 0
  const docFreq = docFreqOf(typed, begun, meant, infixForms, catalog)
  const counted = meant.corrections.words
    .filter((word) => word.quality >= formula.WEIGHT_COUNTED_MIN)
    .slice(0, guesses.CORRECTIONS_NAMED_MAX)
  const { areNeighbours } = meant.corrections
  return {
    slot,
    known,
    docFreq,
    weight: known ? formula.slotWeight(slot.weight, docFreq, catalog.docCount) : 0,
    hasNeighbours: areNeighbours,
    quality,
    phrases: [
      ...typed.pairs,
      ...meant.respelt.pairs,
      ...typed.apart,
      ...phrasesOf(typed.synonyms, formula.WEIGHT_SYNONYM),
      ...meant.explained.flatMap((word) => phrasesOf(word.synonyms, synonymQuality(word))),
    ],
    shortPrefix: { forms: isShort ? begun.forms : new Set(), quality: begun.quality },
    infixForms: new Set(infixForms),
    pairBonusStems: new Set([
      slot.stem,
      ...singleStems(typed.synonyms).slice(0, guesses.BONUS_SYNONYMS_MAX),
      ...(areNeighbours ? [] : counted.map((word) => word.stem)),
    ]),
    expansion: {
      known: isNamed(typed),
      corrections: guesses.namedCorrections(
        counted.map((word) => ({ text: word.form, quality: word.quality })),
        meant.explained,
      ),
      prefix: begun.isInUse,
      splits: typed.pairs.map((pair) => ({ left: pair.words[0]!, right: pair.words[1]! })),
      apart: typed.apart.map((phrase) => phrase.words),
      respelt: meant.respelt.named,
      joined: typed.joined.map((spelling) => spelling.form),
      compounds: namedCompounds(typed.compounds.keys(), source),
      infix: texts.length > 0,
      synonyms: typed.synonyms.map((synonym) => synonym.forms),
      explained: meant.explained.flatMap((word) => word.synonyms.map((synonym) => synonym.forms)),
    },
  }
}

function findAsTyped(plan: SearchPlan, slot: QuerySlot, source: WordSource): AsTyped {
  const catalog = source.statistics
  const own = catalog.groupDocFreq(slot.stem)
  const isCommon = own > guesses.splitDocFreqMax(catalog.docCount)
  return {
    own,
    joined: slot.joined.filter((spelling) => catalog.groupDocFreq(spelling.stem) > 0),
    pairs: isCommon ? [] : findSplitPairs(plan, slot, slot.splits, source),
    apart: findApart(plan, slot, source),
    compounds: findCompounds(slot, source),
    synonyms: findSynonyms(plan, slot, source),
  }
}

/** Something of 1, 2, 4 and 7 exists, or a way to write the word apart. */
function isNamed({ own, joined, apart, compounds, synonyms }: AsTyped): boolean {
  return own + joined.length + apart.length + compounds.size + synonyms.length > 0
}

/** Something of 1 to 4 and 7 exists. */
function standsFor(typed: AsTyped): boolean {
  return isNamed(typed) || typed.pairs.length > 0
}

function typedQualities(slot: QuerySlot, typed: AsTyped, source: WordSource): Quality[] {
  const catalog = source.statistics
  const joined = new Set(typed.joined.map((spelling) => spelling.stem))
  const synonyms = new Set(singleStems(typed.synonyms))
  return [
    (form) =>
      catalog.stemOf(form) === slot.stem ? stemQuality(source.analyzer, slot.form, form) : 0,
    (form) => (joined.has(catalog.stemOf(form)) ? formula.WEIGHT_JOINED : 0),
    (form) => typed.compounds.get(form) ?? 0,
    (form) => (synonyms.has(catalog.stemOf(form)) ? formula.WEIGHT_SYNONYM : 0),
  ]
}

function findBegun(slot: QuerySlot, typed: AsTyped, catalog: NaiveStatistics): Begun {
  const isInUse = slot.prefix === 'always' || (slot.prefix === 'fallback' && !standsFor(typed))
  const begins = (form: string): boolean =>
    form.startsWith(slot.form) && catalog.stemOf(form) !== slot.stem
  return {
    isInUse,
    forms: new Set(isInUse ? catalog.forms.filter(begins) : []),
    quality: typed.own > 0 ? formula.WEIGHT_PREFIX_KNOWN : formula.WEIGHT_PREFIX_UNKNOWN,
  }
}

function findMeant(
  plan: SearchPlan,
  slotNumber: number,
  typed: AsTyped,
  begun: Begun,
  source: WordSource,
): Meant {
  const slot = plan.slots[slotNumber]!
  const respelt = findRespelt(plan, slot, source)
  // What the merchant set down is not doubted.
  if (typed.synonyms.length > 0) {
    return { corrections: { words: [], areNeighbours: false }, respelt, explained: [] }
  }
  const n0 = Math.max(
    typed.own,
    ...typed.pairs.map((pair) => pair.docKeys.size),
    ...typed.apart.map((phrase) => phrase.docKeys.size),
    documentsWithAny(typed.compounds.keys(), source.statistics),
    documentsWithAny(begun.forms, source.statistics),
  )
  const isOnlyBegun = !standsFor(typed) && begun.forms.size > 0
  const isUnknown = !standsFor(typed) && begun.forms.size === 0
  const corrections = findCorrections(plan, slotNumber, n0, isOnlyBegun, source)
  const explained = findExplained(plan, slot, isUnknown, corrections, source)
  return { corrections, respelt, explained }
}

function isMeant({ corrections, respelt, explained }: Meant): boolean {
  const words = corrections.words.length + respelt.corrections.length
  return words + respelt.pairs.length + explained.length > 0
}

function meantQualities(
  { corrections, respelt, explained }: Meant,
  catalog: NaiveStatistics,
): Quality[] {
  const corrected = [...corrections.words, ...respelt.corrections].map((word): Quality => {
    const ofGroup = formula.WEIGHT_STEM * word.quality
    return (form) => {
      if (form === word.form) return word.quality
      return catalog.stemOf(form) === word.stem ? ofGroup : 0
    }
  })
  const explaining = explained.map((word): Quality => {
    const stems = new Set(singleStems(word.synonyms))
    return (form) => (stems.has(catalog.stemOf(form)) ? synonymQuality(word) : 0)
  })
  return [...corrected, ...explaining]
}

/** n of a slot: the first of these that is above 0. */
function docFreqOf(
  typed: AsTyped,
  begun: Begun,
  meant: Meant,
  infixForms: readonly string[],
  catalog: NaiveStatistics,
): number {
  const sizes = (sets: readonly { readonly docKeys: ReadonlySet<number> }[]): number[] =>
    sets.map(({ docKeys }) => docKeys.size)
  const corrected = meant.corrections.words[0] ?? meant.respelt.corrections[0]
  const candidates = [
    [typed.own, ...sizes(typed.apart), ...sizes(typed.synonyms)],
    typed.joined.map((spelling) => catalog.groupDocFreq(spelling.stem)),
    sizes(typed.pairs),
    [documentsWithAny(typed.compounds.keys(), catalog)],
    [documentsWithAny(begun.forms, catalog)],
    corrected === undefined ? [] : [catalog.groupDocFreq(corrected.stem)],
    sizes(meant.respelt.pairs),
    meant.explained.flatMap((word) => sizes(word.synonyms)),
    [documentsWithAny(infixForms, catalog)],
  ]
  return candidates.map((counts) => Math.max(0, ...counts)).find((count) => count > 0) ?? 0
}

/** An upper bound, min(N, sum of df(form)), which the formula takes for the number itself. */
function documentsWithAny(forms: Iterable<string>, catalog: NaiveStatistics): number {
  let sum = 0
  for (const form of forms) sum += catalog.formDocFreq(form)
  return Math.min(catalog.docCount, sum)
}

/** The stems of synonyms of one word: their whole stem groups are alternatives. */
function singleStems(synonyms: readonly LivingSynonym[]): string[] {
  return synonyms.flatMap(({ stems }) => (stems.length === 1 ? stems : []))
}

/** Synonyms of several words, which must stand side by side. */
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
