import { codePointCount } from '../../codec/code-points.ts'
import { idsWithPrefix } from '../../dictionary/term-walks.ts'
import { infixTexts } from '../../query/infix-texts.ts'
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
  WEIGHT_COUNTED_MIN,
  WEIGHT_EXACT,
  WEIGHT_JOINED,
  WEIGHT_PREFIX_KNOWN,
  WEIGHT_PREFIX_UNKNOWN,
  WEIGHT_STEM,
  WEIGHT_SYNONYM,
} from '../../scoring/formula.ts'
import { findApartWords } from './apart-words.ts'
import { findCompounds, namedCompounds } from './compounds.ts'
import { findCorrections, NO_CORRECTIONS } from './corrections.ts'
import { findExplained } from './explained-words.ts'
import { findInfixForms } from './infix-forms.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'
import type { GroupAlternative, ResolvedSlot } from './resolved-slot.ts'
import { findRespelt } from './respelt.ts'
import { findSplitPairs } from './split-pairs.ts'
import { findSynonyms } from './synonyms.ts'

/** Expansions collected between two deadline checks. */
const EXPANSIONS_PER_CHECK = 4096

/** Finds all alternatives of one word of the query: "Alternatives of a slot" in docs/ranking.md. */
export function resolveSlot(run: SearchRun, slotNumber: number): ResolvedSlot {
  const { view, plan, checkDeadline } = run
  const slot = plan.slots[slotNumber]!
  const { terms, docCount } = view
  const qualities = new QualityMap(view)

  // 1. The word itself and its inflections.
  const ownGroup = terms.find(slot.stem)
  let ownDocFreq = ownGroup < 0 ? 0 : terms.groupDocFreq(ownGroup)
  const typedForm = terms.find(slot.form)
  if (ownDocFreq > 0) {
    for (const form of terms.formsOf(ownGroup)) {
      qualities.match(form, stemQuality(view.analyzer, slot.form, terms.text(form)))
    }
  }

  const ownGroups = new Set([ownGroup])
  // If its stem group had no form number left (FORMS_PER_GROUP_MAX), the form is a group of its
  // own.
  const formGroup = typedForm < 0 ? -1 : terms.groupOf(typedForm)
  if (formGroup >= 0 && formGroup !== ownGroup) {
    qualities.match(typedForm, WEIGHT_EXACT)
    ownGroups.add(formGroup)
    ownDocFreq = Math.min(docCount, ownDocFreq + terms.formDocFreq(typedForm))
  }

  // 2. Joined spellings and their inflections.
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

  // 7. Synonyms: single words with their inflections, or several words.
  const synonyms = findSynonyms(run, slot.synonyms, ownGroup)
  for (const group of synonyms.groups) {
    for (const form of terms.formsOf(group)) qualities.match(form, WEIGHT_SYNONYM)
  }

  // 3. Split pairs, for a word that is not common in one piece.
  const pairs =
    ownDocFreq <= splitDocFreqMax(docCount) ? findSplitPairs(run, slot.splits, ownGroup) : []
  let pairDocFreq = 0
  for (const pair of pairs) pairDocFreq = Math.max(pairDocFreq, pair.docFreq)

  const apart = findApartWords(run, slot, ownGroup)

  // 4. Compounds with the word as a part.
  const compounds = findCompounds(run, slot, ownGroups)
  let compoundDocFreq = 0
  for (const { form, quality } of compounds) {
    qualities.match(form, quality)
    compoundDocFreq += terms.formDocFreq(form)
  }
  compoundDocFreq = Math.min(docCount, compoundDocFreq)

  // 5. Words that start with the typed one.
  const isNamed =
    Math.max(ownDocFreq, apart.docFreq, synonyms.docFreq) > 0 ||
    joined.length > 0 ||
    compounds.length > 0
  const nothingElse = !isNamed && pairs.length === 0
  const prefixInUse = slot.prefix === 'always' || (slot.prefix === 'fallback' && nothingElse)
  const prefixQuality = ownDocFreq === 0 ? WEIGHT_PREFIX_UNKNOWN : WEIGHT_PREFIX_KNOWN
  const length = codePointCount(slot.form)
  const isShort = length <= SHORT_PREFIX_LENGTH_MAX
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

  // 6. Corrections, for a rare or missing word. The whole stem group of each is an alternative.
  const unCorrected = Math.max(
    ownDocFreq,
    pairDocFreq,
    apart.docFreq,
    compoundDocFreq,
    prefixDocFreq,
  )
  const corrections =
    synonyms.docFreq > 0
      ? NO_CORRECTIONS
      : findCorrections(run, slotNumber, unCorrected, ownGroups, nothingElse && prefixDocFreq > 0)
  const respelt = findRespelt(run, slot, ownGroup, ownGroups)
  for (const correction of [...corrections.words, ...respelt.corrections]) {
    for (const form of terms.formsOf(correction.group)) {
      const q = correction.quality
      qualities.match(form, form === correction.form ? q : WEIGHT_STEM * q)
    }
  }
  const named = corrections.words
    .filter((correction) => correction.quality >= WEIGHT_COUNTED_MIN)
    .slice(0, CORRECTIONS_NAMED_MAX)
  const isUnknown = nothingElse && prefixDocFreq === 0
  const explained =
    synonyms.docFreq > 0 ? [] : findExplained(run, slotNumber, ownGroup, isUnknown, corrections)
  for (const word of explained) {
    for (const group of word.synonyms.groups) {
      for (const form of terms.formsOf(group)) {
        qualities.match(form, WEIGHT_SYNONYM * word.quality)
      }
    }
  }

  // 8. Words that hold the typed one inside.
  const corrected = corrections.words[0] ?? respelt.corrections[0]
  const isCorrected = corrected !== undefined || respelt.pairs.length > 0 || explained.length > 0
  const isFound = !nothingElse || prefixDocFreq > 0 || isCorrected
  const mayBeInside = slot.infix === 'always' || (slot.infix === 'fallback' && !isFound)
  const texts = mayBeInside ? infixTexts(slot) : []
  const infixInUse = texts.length > 0
  const infix = infixInUse ? findInfixForms(run, texts) : undefined
  const infixDocFreq = infix?.docFreq ?? 0

  const known = isFound || infixDocFreq > 0
  const docFreq =
    Math.max(ownDocFreq, apart.docFreq, synonyms.docFreq) ||
    joinedDocFreq ||
    pairDocFreq ||
    compoundDocFreq ||
    prefixDocFreq ||
    (corrected === undefined ? 0 : terms.groupDocFreq(corrected.group)) ||
    respelt.docFreq ||
    Math.max(0, ...explained.map((word) => word.synonyms.docFreq)) ||
    infixDocFreq
  return {
    slot,
    known,
    docFreq,
    weight: known ? slotWeight(slot.weight, docFreq, docCount) : 0,
    hasNeighbours: corrections.areNeighbours,
    groups: qualities.alternatives(),
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
      isShort && prefixDocFreq > 0 ? { prefix: slot.form, quality: prefixQuality } : undefined,
    infix: infixDocFreq > 0 ? infix : undefined,
    bonusGroups: [
      ...new Set([
        ownGroup,
        ...synonyms.groups.slice(0, BONUS_SYNONYMS_MAX),
        ...(corrections.areNeighbours ? [] : named.map((correction) => correction.group)),
      ]),
    ].filter((group) => group >= 0),
    expansion: {
      known: isNamed,
      corrections: namedCorrections(named, explained),
      prefix: prefixInUse,
      splits: pairs.map(({ left, right }) => ({ left, right })),
      apart: apart.phrases.map(({ words }) => words),
      respelt: respelt.named,
      joined,
      compounds: namedCompounds(view, compounds),
      infix: infixInUse,
      synonyms: synonyms.forms,
      explained: explained.flatMap((word) => word.synonyms.forms),
    },
  }
}

/** Collects qualities by form and returns them by stem group. */
class QualityMap {
  readonly #view: IndexView
  readonly #byGroup = new Map<number, { quality: Float64Array; forms: number }>()

  constructor(view: IndexView) {
    this.#view = view
  }

  /** A form of two alternatives gets the larger quality. */
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
