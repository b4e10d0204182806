import { codePointCount } from '../../codec/code-points.ts'
import { idsBegunBy } from '../../dictionary/term-walks.ts'
import { infixTexts } from '../../query/infix-texts.ts'
import type { QuerySlot } from '../../query/plan.ts'
import { ranksBy } from '../../query/ranking-parts.ts'
import { stemQuality } from '../../query/stem-quality.ts'
import {
  BONUS_SYNONYMS_MAX,
  CORRECTIONS_NAMED_MAX,
  namedCorrections,
  splitDocFreqMax,
} from '../../scoring/corrections.ts'
import {
  SHORT_PREFIX_LENGTH_MAX,
  slotWeight,
  WEIGHT_BARE,
  WEIGHT_COUNTED_MIN,
  WEIGHT_EXACT,
  WEIGHT_JOINED,
  WEIGHT_PREFIX_KNOWN,
  WEIGHT_PREFIX_UNKNOWN,
  WEIGHT_STEM,
  WEIGHT_SYNONYM,
} from '../../scoring/formula.ts'
import { findApartWords } from './apart-words.ts'
import { findCompounds, namedCompounds, type CompoundForm } from './compounds.ts'
import { findCorrections, NO_CORRECTIONS, otherGroups, type Correction } from './corrections.ts'
import { findBegunWords, findExplained, type Explained } from './explained-words.ts'
import { findInfixForms } from './infix-forms.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import { QualitiesByGroup } from './qualities-by-group.ts'
import type { InfixForms, ResolvedSlot } from './resolved-slot.ts'
import { findPieces } from './pieces.ts'
import { findRespelt } from './respelt.ts'
import { keptSlot, keptSlots, slotKey } from './slot-cache.ts'
import { findSplitPairs } from './split-pairs.ts'
import { findSynonyms, type LivingSynonyms } from './synonyms.ts'

/** Expansions collected between two deadline checks. */
const EXPANSIONS_PER_CHECK = 4096

/**
 * Finds all alternatives of one query term: "Alternatives of a slot" in docs/ranking.md. One
 * function per alternative adds the forms that it finds to `qualities`. Their order here follows
 * their dependencies, not the page.
 */
export function resolveSlot(run: SearchRun, slotNumber: number): ResolvedSlot {
  const key = slotKey(run, run.plan.slots[slotNumber]!)
  if (key === undefined) return resolveUncached(run, slotNumber).resolved
  const slots = keptSlots(run.view)
  const keyWithOthers = () => `${key} & ${otherGroups(run, slotNumber).join(' ')}`
  const kept = slots.get(key) ?? slots.get(keyWithOthers())
  if (kept !== undefined) return kept.resolved
  const { resolved, dependsOnOthers, isInfix } = resolveUncached(run, slotNumber)
  if (isInfix) return resolved
  const keyOfIt = dependsOnOthers ? keyWithOthers() : key
  slots.set(keyOfIt, keptSlot(run.view, resolved))
  return resolved
}

/**
 * @returns the slot, whether other words of the query affected its corrections, and whether infixes
 * were searched
 */
function resolveUncached(
  run: SearchRun,
  slotNumber: number,
): {
  readonly resolved: ResolvedSlot
  readonly dependsOnOthers: boolean
  readonly isInfix: boolean
} {
  const { view, plan } = run
  const slot = plan.slots[slotNumber]!
  const { docCount } = view
  const qualities = new QualitiesByGroup(view)

  const own = ownWord(run, slot, qualities)
  const joined = joinedSpellings(view, slot, own, qualities)
  const synonyms = synonymsOf(run, slot, own, qualities)
  // A word that is common as typed is not split.
  const isCommon = own.docFreq > splitDocFreqMax(docCount)
  const pairs = isCommon ? [] : findSplitPairs(run, slot.splits, own.group)
  const pairDocFreq = largestDocFreq(pairs)
  const apart = findApartWords(run, slot, own.group)
  const compounds = compoundsOf(run, slot, own, qualities)

  const isNamed =
    Math.max(own.docFreq, apart.docFreq, synonyms.docFreq) > 0 ||
    joined.forms.length > 0 ||
    compounds.forms.length > 0
  const pieces = findPieces(run, slot)
  for (const [form, quality] of pieces.forms) qualities.match(form, quality)
  const nothingElse = !isNamed && pairs.length === 0 && pieces.docFreq === 0
  const prefix = beginningsOf(run, slot, own, nothingElse, qualities)
  const isBareBeside = joined.bare.length > 0 && own.docFreq + prefix.docFreq > 0
  matchBare(view, joined.bare, isBareBeside, qualities)

  const uncorrected = [own, apart, compounds, pieces]
  const mayBeMeant = synonyms.docFreq === 0
  const begun =
    mayBeMeant && prefix.inUse && !prefix.isShort
      ? findBegunWords(run, slot, own.group, prefix.quality)
      : []
  const begunDocFreq = Math.max(prefix.docFreq, largestDocFreq(begun.map((word) => word.synonyms)))
  const corrections = mayBeMeant
    ? findCorrections(
        run,
        slotNumber,
        Math.max(pairDocFreq, joined.bareDocFreq, begunDocFreq, largestDocFreq(uncorrected)),
        own.groups,
        nothingElse && begunDocFreq > 0,
      )
    : NO_CORRECTIONS
  const respelt = findRespelt(run, slot, own.group, own.groups)
  matchCorrections(view, [...corrections.words, ...respelt.corrections], qualities)
  const isUnknown = nothingElse && begunDocFreq === 0
  const explained = mayBeMeant
    ? [...begun, ...findExplained(run, slotNumber, own.group, isUnknown, corrections)]
    : []
  matchExplained(view, explained, qualities)

  const corrected = corrections.words[0] ?? respelt.corrections[0]
  const isCorrected = corrected !== undefined || respelt.pairs.length > 0 || explained.length > 0
  const isFound = !isUnknown || isCorrected
  const infix = insidesOf(run, slot, isFound)

  const known = isFound || infix.docFreq > 0
  const docFreq =
    Math.max(own.docFreq, apart.docFreq, synonyms.docFreq) ||
    joined.docFreq ||
    pairDocFreq ||
    compounds.docFreq ||
    pieces.docFreq ||
    prefix.docFreq ||
    (corrected === undefined ? 0 : view.terms.groupDocFreq(corrected.group)) ||
    respelt.docFreq ||
    largestDocFreq(explained.map((word) => word.synonyms)) ||
    infix.docFreq
  const named = corrections.words
    .filter((correction) => correction.quality >= WEIGHT_COUNTED_MIN)
    .slice(0, CORRECTIONS_NAMED_MAX)
  const resolved: ResolvedSlot = {
    slot,
    known,
    docFreq,
    weight: known ? slotWeight(slot.weight, docFreq, docCount) : 0,
    hasNeighbours: corrections.areNeighbours || isBareBeside,
    groups: qualities.alternatives(),
    typoCosts: costsOf([...corrections.words, ...respelt.corrections]),
    phrases: [
      ...[...pairs, ...respelt.pairs].map(({ left, right, documents }) => ({
        variant: 'split' as const,
        words: [left, right],
        documents,
      })),
      ...apart.phrases,
      ...synonyms.phrases,
      ...explained.flatMap((word) => word.synonyms.phrases),
    ],
    shortPrefix:
      prefix.isShort && prefix.docFreq > 0
        ? { prefix: slot.form, quality: prefix.quality }
        : undefined,
    infix: infix.docFreq > 0 ? infix.forms : undefined,
    bonusGroups: [
      ...new Set([
        own.group,
        ...synonyms.groups.slice(0, BONUS_SYNONYMS_MAX),
        ...(corrections.areNeighbours ? [] : named.map((correction) => correction.group)),
      ]),
    ].filter((group) => group >= 0),
    expansion: {
      known: isNamed,
      corrections: namedCorrections(named, explained),
      unlikely: known ? [] : corrections.unlikely,
      prefix: prefix.inUse,
      ...(pieces.texts.length === 0 ? {} : { pieces: pieces.texts }),
      splits: pairs.map(({ left, right }) => ({ left, right })),
      apart: apart.phrases.map(({ words }) => words),
      respelt: respelt.named,
      joined: joined.forms,
      compounds: namedCompounds(view, compounds.forms),
      infix: infix.inUse,
      synonyms: synonyms.forms,
      explained: explained.flatMap((word) => word.synonyms.forms),
    },
  }
  return { resolved, dependsOnOthers: corrections.dependOnOthers, isInfix: infix.inUse }
}

function largestDocFreq(alternatives: readonly { readonly docFreq: number }[]): number {
  return alternatives.reduce((most, { docFreq }) => Math.max(most, docFreq), 0)
}

/** The word itself. */
interface OwnWord {
  /** Its stem group, -1 if it has none. */
  readonly group: number
  /** This group, the group of the form if different, and later those of joined spellings. */
  readonly groups: Set<number>
  readonly docFreq: number
}

/** Alternative 1: the word itself and its inflections. */
function ownWord(
  { view: { terms, analyzer, docCount }, plan }: SearchRun,
  slot: QuerySlot,
  qualities: QualitiesByGroup,
): OwnWord {
  const group = terms.find(slot.stem)
  const docFreq = group < 0 ? 0 : terms.groupDocFreq(group)
  if (docFreq > 0) {
    const plurals = ranksBy(plan, 'weakStems') ? analyzer : { isPlural: undefined }
    for (const form of terms.formsOf(group)) {
      qualities.match(form, stemQuality(plurals, slot.form, terms.text(form)))
    }
  }
  const groups = new Set([group])
  // If its stem group was full (FORMS_PER_GROUP_MAX), the form is a separate group.
  const typed = terms.find(slot.form)
  const formGroup = typed < 0 ? -1 : terms.groupOf(typed)
  if (formGroup < 0 || formGroup === group) return { group, groups, docFreq }
  qualities.match(typed, WEIGHT_EXACT)
  groups.add(formGroup)
  return { group, groups, docFreq: Math.min(docCount, docFreq + terms.formDocFreq(typed)) }
}

/** Alternative 2: joined spellings and their inflections. */
function joinedSpellings(
  { terms }: IndexView,
  slot: QuerySlot,
  { groups }: OwnWord,
  qualities: QualitiesByGroup,
): {
  readonly forms: string[]
  readonly docFreq: number
  /** Groups of the word without its symbols, and the documents of the largest. */
  readonly bare: readonly number[]
  readonly bareDocFreq: number
} {
  let docFreq = 0
  const forms: string[] = []
  let bareDocFreq = 0
  const bare: number[] = []
  for (const spelling of slot.joined) {
    const group = terms.find(spelling.stem)
    if (group < 0) continue
    groups.add(group)
    if (terms.groupDocFreq(group) === 0) continue
    docFreq = Math.max(docFreq, terms.groupDocFreq(group))
    forms.push(spelling.form)
    if (spelling.bare === true) {
      bare.push(group)
      bareDocFreq = Math.max(bareDocFreq, terms.groupDocFreq(group))
      continue
    }
    for (const form of terms.formsOf(group)) qualities.match(form, WEIGHT_JOINED)
  }
  return { forms, docFreq, bare, bareDocFreq }
}

/** Alternative 2, words without their symbols: a poor match where the word itself exists. */
function matchBare(
  { terms }: IndexView,
  bare: readonly number[],
  isBeside: boolean,
  qualities: QualitiesByGroup,
): void {
  for (const group of bare) {
    const quality = isBeside ? WEIGHT_BARE : WEIGHT_JOINED
    for (const form of terms.formsOf(group)) qualities.match(form, quality)
  }
}

/** Alternative 7: synonyms of one word with their inflections, or of several words. */
function synonymsOf(
  run: SearchRun,
  slot: QuerySlot,
  own: OwnWord,
  qualities: QualitiesByGroup,
): LivingSynonyms {
  const synonyms = findSynonyms(run, slot.synonyms, own.group)
  for (const group of synonyms.groups) {
    for (const form of run.view.terms.formsOf(group)) qualities.match(form, WEIGHT_SYNONYM)
  }
  return synonyms
}

/** Alternative 4: compounds with the word as a part. */
function compoundsOf(
  run: SearchRun,
  slot: QuerySlot,
  own: OwnWord,
  qualities: QualitiesByGroup,
): { readonly forms: readonly CompoundForm[]; readonly docFreq: number } {
  const { terms, docCount } = run.view
  const forms = findCompounds(run, slot, own.groups)
  let docFreq = 0
  for (const { form, quality } of forms) {
    qualities.match(form, quality)
    docFreq += terms.formDocFreq(form)
  }
  return { forms, docFreq: Math.min(docCount, docFreq) }
}

/**
 * Alternative 5: words that start with the typed one. A short one matches without being weighed.
 */
function beginningsOf(
  { view, checkDeadline }: SearchRun,
  slot: QuerySlot,
  own: OwnWord,
  nothingElse: boolean,
  qualities: QualitiesByGroup,
): {
  readonly inUse: boolean
  readonly isShort: boolean
  readonly quality: number
  readonly docFreq: number
} {
  const { terms, docCount } = view
  const inUse = slot.prefix === 'always' || (slot.prefix === 'fallback' && nothingElse)
  const isShort = codePointCount(slot.form) <= SHORT_PREFIX_LENGTH_MAX
  const quality = own.docFreq === 0 ? WEIGHT_PREFIX_UNKNOWN : WEIGHT_PREFIX_KNOWN
  let docFreq = 0
  let seen = 0
  for (const form of inUse ? idsBegunBy(view, slot.form) : []) {
    if (++seen % EXPANSIONS_PER_CHECK === 0) checkDeadline()
    const formDocFreq = terms.formDocFreq(form)
    if (formDocFreq === 0 || terms.groupOf(form) === own.group) continue
    docFreq += formDocFreq
    if (!isShort) qualities.match(form, quality)
  }
  return { inUse, isShort, quality, docFreq: Math.min(docCount, docFreq) }
}

/** Alternative 6, and those of 3: the whole stem group of each. */
function matchCorrections(
  { terms }: IndexView,
  corrections: readonly Correction[],
  qualities: QualitiesByGroup,
): void {
  for (const correction of corrections) {
    for (const form of terms.formsOf(correction.group)) {
      const q = correction.quality
      qualities.match(form, form === correction.form ? q : WEIGHT_STEM * q)
    }
  }
}

/** Cost of the edits by group, the cheapest if a group has several corrections. */
function costsOf(corrections: readonly Correction[]): ReadonlyMap<number, number> {
  const costs = new Map<number, number>()
  for (const { group, cost } of corrections) {
    costs.set(group, Math.min(cost, costs.get(group) ?? Infinity))
  }
  return costs
}

/** Alternative 7, explained words. */
function matchExplained(
  { terms }: IndexView,
  explained: readonly Explained[],
  qualities: QualitiesByGroup,
): void {
  for (const { synonyms, quality } of explained) {
    for (const group of synonyms.groups) {
      for (const form of terms.formsOf(group)) qualities.match(form, WEIGHT_SYNONYM * quality)
    }
  }
}

/** Alternative 8: words that contain the typed one. */
function insidesOf(
  run: SearchRun,
  slot: QuerySlot,
  isFound: boolean,
): { readonly inUse: boolean; readonly forms: InfixForms | undefined; readonly docFreq: number } {
  const mayBeInside = slot.infix === 'always' || (slot.infix === 'fallback' && !isFound)
  const texts = mayBeInside ? infixTexts(slot) : []
  if (texts.length === 0) return { inUse: false, forms: undefined, docFreq: 0 }
  const forms = findInfixForms(run, texts)
  return { inUse: true, forms, docFreq: forms.docFreq }
}
