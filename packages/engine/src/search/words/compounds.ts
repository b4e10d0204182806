import { compareByCodePoint } from '../../codec/code-point-order.ts'
import { idsWithEnding, idsWithPrefix } from '../../dictionary/term-walks.ts'
import { codePointCount } from '../../codec/code-points.ts'
import {
  isCompoundAlone,
  isCompoundPart,
  isCompoundRest,
  mayBeCompound,
  type Tail,
} from '../../query/compound-rest.ts'
import type { QuerySlot } from '../../query/plan.ts'
import {
  COMPOUNDS_NAMED_MAX,
  WEIGHT_COMPOUND_ALONE,
  WEIGHT_COMPOUND_HEAD,
  WEIGHT_COMPOUND_MODIFIER,
} from '../../scoring/formula.ts'
import type { IndexView } from '../view/index-view.ts'
import type { SearchRun } from '../view/search-run.ts'

/** A form that is a compound of a slot's word and another word. */
export interface CompoundForm {
  readonly form: number
  readonly quality: number
}

/** Strings read between two deadline checks. */
const FORMS_PER_CHECK = 4096

/**
 * Alternative 4 of docs/ranking.md: words of the catalog that consist of the slot's word and
 * another word of the catalog (Lederschuhe for Schuhe, and for Leder), or end with the slot's word
 * (`isCompoundAlone`). The catalog is the lexicon, so indexing decides nothing.
 *
 * @param ownGroups groups that already match the slot
 */
export function findCompounds(
  run: SearchRun,
  slot: QuerySlot,
  ownGroups: ReadonlySet<number>,
): CompoundForm[] {
  const { view, checkDeadline } = run
  const { terms, analyzer, trie } = view
  const { compounds } = analyzer
  if (compounds === undefined || !isCompoundPart(slot, analyzer)) return []
  const { links, wordLengthMin } = compounds

  const isWord = (text: string) => {
    if (!isCompoundRest(text, analyzer)) return false
    const stem = analyzer.stem(text)
    const group = terms.find(stem)
    return (group >= 0 && terms.groupDocFreq(group) > 0) || compounds.words?.has(stem) === true
  }
  const qualities = new Map<number, number>()
  const match = (form: number, quality: number) => {
    if (terms.formDocFreq(form) === 0 || ownGroups.has(terms.groupOf(form))) return
    if (!mayBeCompound(terms.text(form), analyzer)) return
    if (quality > (qualities.get(form) ?? 0)) qualities.set(form, quality)
  }

  const tails: (Tail & { readonly id: number })[] = []
  const tailDocFreqs = new Map<string, number>()
  const counted = new Set<number>()
  const addTail = (id: number, rest: string) => {
    const docFreq = terms.formDocFreq(id)
    if (docFreq === 0 || rest === '' || ownGroups.has(terms.groupOf(id))) return
    const form = terms.text(id)
    if (!mayBeCompound(form, analyzer)) return
    tails.push({ id, form, rest, docFreq })
    if (counted.has(id)) return
    counted.add(id)
    const stem = analyzer.stem(form)
    tailDocFreqs.set(stem, (tailDocFreqs.get(stem) ?? 0) + docFreq)
  }

  let seen = 0
  const isModifier = (rest: string) =>
    isWord(rest) || links.some((link) => rest.endsWith(link) && isWord(rest.slice(0, -link.length)))
  for (const id of idsWithEnding(terms, trie, slot.stem)) {
    if (++seen % FORMS_PER_CHECK === 0) checkDeadline()
    if (terms.groupDocFreq(id) === 0) continue
    const rest = terms.text(id).slice(0, -slot.stem.length)
    const isKnown = isModifier(rest)
    for (const form of terms.formsOf(id)) {
      if (isKnown) match(form, WEIGHT_COMPOUND_HEAD)
      addTail(form, rest)
    }
  }
  // Stemming may keep the ending of a short word but strip it from a long one: skor, but
  // arbetssko-r.
  for (const id of idsWithEnding(terms, trie, slot.form)) {
    if (++seen % FORMS_PER_CHECK === 0) checkDeadline()
    if (terms.formDocFreq(id) === 0) continue
    const rest = terms.text(id).slice(0, -slot.form.length)
    if (isModifier(rest)) match(id, WEIGHT_COMPOUND_HEAD)
    addTail(id, rest)
  }
  const ownGroup = terms.find(slot.stem)
  const ownDocFreq = ownGroup < 0 ? 0 : terms.groupDocFreq(ownGroup)
  for (const { id, ...tail } of tails) {
    if (++seen % FORMS_PER_CHECK === 0) checkDeadline()
    if (qualities.has(id)) continue
    if (isCompoundAlone(tail, slot, analyzer, ownDocFreq, tailDocFreqs)) {
      match(id, WEIGHT_COMPOUND_ALONE)
    }
  }
  for (const beginning of new Set([slot.form, slot.stem])) {
    if (codePointCount(beginning) < wordLengthMin) continue
    for (const form of idsWithPrefix(terms, trie, beginning)) {
      if (++seen % FORMS_PER_CHECK === 0) checkDeadline()
      if (terms.formDocFreq(form) === 0) continue
      const rest = terms.text(form).slice(beginning.length)
      const isCompound =
        isWord(rest) ||
        links.some((link) => rest.startsWith(link) && isWord(rest.slice(link.length)))
      if (isCompound) match(form, WEIGHT_COMPOUND_MODIFIER)
    }
  }
  return Array.from(qualities, ([form, quality]) => ({ form, quality }))
}

/** The most frequent compounds, for the outcome. */
export function namedCompounds(view: IndexView, compounds: readonly CompoundForm[]): string[] {
  const { terms } = view
  return compounds
    .map(({ form }) => ({ text: terms.text(form), docFreq: terms.formDocFreq(form) }))
    .sort((a, b) => b.docFreq - a.docFreq || compareByCodePoint(a.text, b.text))
    .slice(0, COMPOUNDS_NAMED_MAX)
    .map(({ text }) => text)
}
