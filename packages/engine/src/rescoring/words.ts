import type { Analyzer } from '../analysis/analyzer.ts'
import { codePointCount } from '../codec/code-points.ts'
import { typedLength } from '../query/beginnings.ts'
import { infixTexts } from '../query/infix-texts.ts'
import type { JoinedSpelling, QuerySlot, SearchPlan, SlotExpansion } from '../query/plan.ts'
import { stemQuality } from '../query/stem-quality.ts'
import * as guesses from '../scoring/corrections.ts'
import * as formula from '../scoring/formula.ts'
import { findCompounds, namedCompounds } from './compounds.ts'
import type { Correction, Corrections } from './corrections.ts'
import { findCorrections, NO_CORRECTIONS } from './corrections.ts'
import {
  type Explained,
  findBegunWords,
  findExplained,
  synonymQuality,
} from './explained-alternatives.ts'
import type { DocumentWords, PlacedToken } from './candidate-document.ts'
import { findPieces, type HeldPieces } from './pieces.ts'
import { type Respelt, findRespelt } from './respelt.ts'
import { type PhraseAlternative, findApart, findSplitPairs } from './splits.ts'
import { type LivingSynonym, findSynonyms } from './synonyms.ts'
import type { WordCatalog, WordSource } from './word-catalog.ts'

/** All alternatives of one query term: "Alternatives of a slot" in docs/ranking.md. */
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
  /** Stem groups of which every form stands for the word. */
  readonly groups: readonly GroupAlternative[]
  /** What the mistakes cost, by the stem of the correction. */
  readonly typoCosts: ReadonlyMap<string, number>
  /** Further matching forms, with their q; other forms of their groups do not match. */
  readonly forms: ReadonlyMap<string, number>
  /**
   * q of a form: the highest that an alternative gives it, 0 if none does. The evidence of its stem
   * group weighs such a form.
   */
  readonly qualityOf: (form: string) => number
  /** The forms of a document with a `qualityOf` that may not be 0, in order. */
  readonly formsIn: (words: DocumentWords) => readonly PlacedToken[]
  /** Words side by side that match it: split pairs, and synonyms of several words. */
  readonly phrases: readonly PhraseAlternative[]
  /** The forms that a prefix of one or two code points matches; all count the same. */
  readonly shortPrefix: { readonly forms: ReadonlySet<string>; readonly quality: number }
  /** The forms that contain the word; they count only in documents without another alternative. */
  readonly infixForms: ReadonlySet<string>
  /** Stem groups whose tokens can earn the pair bonus. */
  readonly pairBonusStems: ReadonlySet<string>
  readonly expansion: SlotExpansion
}

/** A stem group as an alternative: all of its forms match. */
export interface GroupAlternative {
  readonly stem: string
  /** q of one of its forms. */
  readonly qualityOf: (form: string) => number
  /** Minimum and maximum q of the forms of the group. */
  readonly qualityMin: number
  readonly qualityMax: number
}

/** Alternatives 1 to 4 and 7, and pieces of numbers: the word as it was typed. */
interface AsTyped {
  readonly own: number
  readonly joined: QuerySlot['joined']
  readonly pairs: readonly PhraseAlternative[]
  readonly apart: readonly PhraseAlternative[]
  /** q by form. */
  readonly compounds: ReadonlyMap<string, number>
  readonly pieces: HeldPieces
  readonly synonyms: readonly LivingSynonym[]
}

/** Alternative 5: words that begin with the typed one. */
interface Begun {
  readonly isInUse: boolean
  readonly forms: ReadonlySet<string>
  readonly quality: number
}

/** Alternative 6, and the explained words of 7: what may have been meant instead. */
interface Meant {
  readonly corrections: Corrections
  readonly respelt: Respelt
  readonly explained: readonly Explained[]
}

/** The alternatives of each word of the query. */
export function findSlots(plan: SearchPlan, source: WordSource): SlotAlternatives[] {
  const found = plan.slots.map((_, slotNumber) => findAlternatives(plan, slotNumber, source))
  // A unit has at most the weight of its number.
  return found.map((slot) => {
    const number = found.find((other) => other.slot.stem === slot.slot.unitOf && other.known)
    if (number === undefined) return slot
    return { ...slot, weight: Math.min(slot.weight, formula.unitWeightMax(number.weight)) }
  })
}

function findAlternatives(
  plan: SearchPlan,
  slotNumber: number,
  source: WordSource,
): SlotAlternatives {
  const slot = plan.slots[slotNumber]!
  const catalog = source.catalog
  const typed = findAsTyped(plan, slot, source)
  const begun = findBegun(slot, typed, source)
  const meant = findMeant(plan, slotNumber, typed, begun, source)
  const isShort = codePointCount(slot.form) <= formula.SHORT_PREFIX_LENGTH_MAX

  const isBeside = typed.own + documentsWithAny(begun.forms, catalog) > 0
  const groups = [...typedGroups(slot, typed, isBeside, source.analyzer), ...meantGroups(meant)]
  const forms = new Map(typed.compounds)
  const add = (form: string, quality: number) =>
    forms.set(form, Math.max(quality, forms.get(form) ?? 0))
  for (const [form, quality] of typed.pieces.forms) add(form, quality)
  if (!isShort) for (const form of begun.forms) add(form, begun.quality)

  const isFound = standsFor(typed) || begun.forms.size > 0 || isMeant(meant)
  const isSought = slot.infix === 'always' || (slot.infix === 'fallback' && !isFound)
  const texts = isSought ? infixTexts(slot) : []
  const infixForms =
    texts.length === 0
      ? []
      : catalog
          .formsLike({ kind: 'inside', texts })
          .filter((form) => texts.some((text) => form.includes(text)))

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
    hasNeighbours: areNeighbours || (isBeside && bareOf(typed).length > 0),
    groups,
    typoCosts: costsOf([...meant.corrections.words, ...meant.respelt.corrections]),
    forms,
    qualityOf: qualities(groups, forms, source.analyzer),
    formsIn: formsHeld(groups, forms),
    phrases: [
      ...typed.pairs,
      ...meant.respelt.pairs,
      ...typed.apart,
      ...phrasesOf(typed.synonyms, formula.WEIGHT_SYNONYM, plan),
      ...meant.explained.flatMap((word) => phrasesOf(word.synonyms, synonymQuality(word), plan)),
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
      unlikely: known ? [] : meant.corrections.unlikely,
      prefix: begun.isInUse,
      ...(typed.pieces.texts.length === 0 ? {} : { pieces: typed.pieces.texts }),
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
  const catalog = source.catalog
  const own = catalog.groupDocFreq(slot.stem)
  const isCommon = own > guesses.splitDocFreqMax(catalog.docCount)
  return {
    own,
    joined: slot.joined.filter((spelling) => catalog.groupDocFreq(spelling.stem) > 0),
    pairs: isCommon ? [] : findSplitPairs(plan, slot, slot.splits, source),
    apart: findApart(plan, slot, source),
    compounds: findCompounds(slot, source),
    pieces: findPieces(slot, catalog),
    synonyms: findSynonyms(plan, slot, catalog),
  }
}

/** Whether any of 1, 2, 4 and 7 exists, or a way to write the word apart. */
function isNamed({ own, joined, apart, compounds, synonyms }: AsTyped): boolean {
  return own + joined.length + apart.length + compounds.size + synonyms.length > 0
}

/** Whether any of 1 to 4 and 7 exists, or a number with the word as a piece. */
function standsFor(typed: AsTyped): boolean {
  return isNamed(typed) || typed.pairs.length + typed.pieces.forms.size > 0
}

/**
 * @param isBeside documents have the word itself, which makes the one without symbols a poor match
 */
function typedGroups(
  slot: QuerySlot,
  typed: AsTyped,
  isBeside: boolean,
  analyzer: Analyzer,
): GroupAlternative[] {
  const own = {
    stem: slot.stem,
    qualityOf: (form: string) => stemQuality(analyzer, slot.form, form),
    qualityMin: formula.WEIGHT_STEM_WEAK,
    qualityMax: formula.WEIGHT_EXACT,
  }
  return [
    own,
    ...typed.joined.map(({ stem, bare }) =>
      evenGroup(stem, bare === true && isBeside ? formula.WEIGHT_BARE : formula.WEIGHT_JOINED),
    ),
    ...singleStems(typed.synonyms).map((stem) => evenGroup(stem, formula.WEIGHT_SYNONYM)),
  ]
}

/** All forms have the same q. */
function evenGroup(stem: string, quality: number): GroupAlternative {
  return { stem, qualityOf: () => quality, qualityMin: quality, qualityMax: quality }
}

/** The highest q that an alternative gives to a form. */
function qualities(
  groups: readonly GroupAlternative[],
  forms: ReadonlyMap<string, number>,
  analyzer: Analyzer,
): (form: string) => number {
  const known = new Map<string, number>()
  return (form) => {
    let quality = known.get(form)
    if (quality === undefined) {
      const stem = analyzer.stem(form)
      const ofGroups = groups.filter((group) => group.stem === stem)
      quality = Math.max(0, forms.get(form) ?? 0, ...ofGroups.map((group) => group.qualityOf(form)))
      known.set(form, quality)
    }
    return quality
  }
}

/** Most documents have few matching forms of a word. */
function formsHeld(
  groups: readonly GroupAlternative[],
  forms: ReadonlyMap<string, number>,
): SlotAlternatives['formsIn'] {
  const stems = new Set(groups.map((group) => group.stem))
  return (words) => {
    const hasAny = forms.size > 0 || stems.values().some((stem) => words.impacts.has(stem))
    if (!hasAny) return []
    return words.forms.filter(({ form, stem }) => stems.has(stem) || forms.has(form))
  }
}

function findBegun(slot: QuerySlot, typed: AsTyped, { catalog, analyzer }: WordSource): Begun {
  const isInUse = slot.prefix === 'always' || (slot.prefix === 'fallback' && !standsFor(typed))
  const begins = (form: string): boolean =>
    typedLength(form, slot.form, analyzer) >= 0 && analyzer.stem(form) !== slot.stem
  return {
    isInUse,
    forms: new Set(
      isInUse ? catalog.formsLike({ kind: 'beginning', text: slot.form }).filter(begins) : [],
    ),
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
  // Synonyms of the merchant are not questioned.
  if (typed.synonyms.length > 0) {
    return { corrections: NO_CORRECTIONS, respelt, explained: [] }
  }
  const isWeighed = codePointCount(slot.form) > formula.SHORT_PREFIX_LENGTH_MAX
  const begunWords =
    begun.isInUse && isWeighed ? findBegunWords(plan, slot, begun.quality, source.catalog) : []
  const n0 = Math.max(
    typed.own,
    ...bareOf(typed).map(({ stem }) => source.catalog.groupDocFreq(stem)),
    ...typed.pairs.map((pair) => pair.docFreq),
    ...typed.apart.map((phrase) => phrase.docFreq),
    documentsWithAny(typed.compounds.keys(), source.catalog),
    documentsWithAny(typed.pieces.forms.keys(), source.catalog),
    documentsWithAny(begun.forms, source.catalog),
    ...begunWords.flatMap(({ synonyms }) => synonyms.map(({ docFreq }) => docFreq)),
  )
  const isBegun = begun.forms.size + begunWords.length > 0
  const isUnknown = !standsFor(typed) && !isBegun
  const corrections = findCorrections(plan, slotNumber, n0, !standsFor(typed) && isBegun, source)
  const misspelt = findExplained(plan, slot, isUnknown, corrections, source.catalog)
  return { corrections, respelt, explained: [...begunWords, ...misspelt] }
}

/** Spellings of the word without its symbols. */
function bareOf({ joined }: AsTyped): readonly JoinedSpelling[] {
  return joined.filter(({ bare }) => bare === true)
}

function isMeant({ corrections, respelt, explained }: Meant): boolean {
  const words = corrections.words.length + respelt.corrections.length
  return words + respelt.pairs.length + explained.length > 0
}

function meantGroups({ corrections, respelt, explained }: Meant): GroupAlternative[] {
  const corrected = [...corrections.words, ...respelt.corrections].map((word) => {
    const ofGroup = formula.WEIGHT_STEM * word.quality
    return {
      stem: word.stem,
      qualityOf: (form: string) => (form === word.form ? word.quality : ofGroup),
      qualityMin: ofGroup,
      qualityMax: word.quality,
    }
  })
  const explaining = explained.flatMap((word) =>
    singleStems(word.synonyms).map((stem) => evenGroup(stem, synonymQuality(word))),
  )
  return [...corrected, ...explaining]
}

/** Cost of the edits by stem, the cheapest if a stem has several corrections. */
function costsOf(corrections: readonly Correction[]): ReadonlyMap<string, number> {
  const byStem = Map.groupBy(corrections, ({ stem }) => stem)
  return new Map(
    byStem.entries().map(([stem, same]) => [stem, Math.min(...same.map(({ cost }) => cost))]),
  )
}

/** n of a slot: the first of these that is above 0. */
function docFreqOf(
  typed: AsTyped,
  begun: Begun,
  meant: Meant,
  infixForms: readonly string[],
  catalog: WordCatalog,
): number {
  const sizes = (sets: readonly { readonly docFreq: number }[]): number[] =>
    sets.map(({ docFreq }) => docFreq)
  const corrected = meant.corrections.words[0] ?? meant.respelt.corrections[0]
  const candidates = [
    [typed.own, ...sizes(typed.apart), ...sizes(typed.synonyms)],
    typed.joined.map((spelling) => catalog.groupDocFreq(spelling.stem)),
    sizes(typed.pairs),
    [documentsWithAny(typed.compounds.keys(), catalog)],
    [documentsWithAny(typed.pieces.forms.keys(), catalog)],
    [documentsWithAny(begun.forms, catalog)],
    corrected === undefined ? [] : [catalog.groupDocFreq(corrected.stem)],
    sizes(meant.respelt.pairs),
    meant.explained.flatMap((word) => sizes(word.synonyms)),
    [documentsWithAny(infixForms, catalog)],
  ]
  return candidates.map((counts) => Math.max(0, ...counts)).find((count) => count > 0) ?? 0
}

/** An upper bound, min(N, sum of df(form)), which the formula uses as the number itself. */
function documentsWithAny(forms: Iterable<string>, catalog: WordCatalog): number {
  let sum = 0
  for (const form of forms) sum += catalog.formDocFreq(form)
  return Math.min(catalog.docCount, sum)
}

/** The stems of synonyms of one word: their whole stem groups are alternatives. */
function singleStems(synonyms: readonly LivingSynonym[]): string[] {
  return synonyms.flatMap(({ stems }) => (stems.length === 1 ? stems : []))
}

/** Synonyms of several words, which must be side by side. */
function phrasesOf(
  synonyms: readonly LivingSynonym[],
  quality: number,
  { fieldWeights }: SearchPlan,
): PhraseAlternative[] {
  return synonyms
    .filter(({ stems }) => stems.length > 1)
    .map(({ forms, stems, docFreq }) => ({
      variant: 'synonym',
      words: forms,
      row: { stems, fieldWeights },
      quality,
      docFreq,
    }))
}
