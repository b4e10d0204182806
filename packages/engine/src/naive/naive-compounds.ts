import { codePointCount } from '../codec/code-points.ts'
import { compareByCodePoint } from '../codec/code-point-order.ts'
import type { QuerySlot } from '../query/plan.ts'
import {
  COMPOUND_REST_LENGTH_MIN,
  COMPOUND_WORD_LENGTH_MIN,
  COMPOUNDS_NAMED_MAX,
  WEIGHT_COMPOUND_HEAD,
  WEIGHT_COMPOUND_MODIFIER,
} from '../scoring/formula.ts'
import type { WordSource } from './word-catalog.ts'

const LETTERS = /^[\p{L}\p{M}]+$/u

/** Alternative 4 of docs/ranking.md: compounds that contain the word of a slot, with their q. */
export function findCompounds(slot: QuerySlot, source: WordSource): Map<string, number> {
  const { catalog, analyzer } = source
  const compounds = new Map<string, number>()
  const links = analyzer.compoundLinks
  if (links === undefined || slot.stopword || !LETTERS.test(slot.form)) return compounds
  if (codePointCount(slot.form) < COMPOUND_WORD_LENGTH_MIN) return compounds

  const isWord = (text: string) =>
    codePointCount(text) >= COMPOUND_REST_LENGTH_MIN &&
    LETTERS.test(text) &&
    !analyzer.isStopword(text) &&
    catalog.groupDocFreq(analyzer.stem(text)) > 0
  const beginnings = [slot.form, slot.stem].filter(
    (text) => codePointCount(text) >= COMPOUND_WORD_LENGTH_MIN,
  )
  const known = new Set([slot.stem, ...slot.joined.map((spelling) => spelling.stem)])

  const forms = catalog.formsLike({
    kind: 'compound',
    beginnings,
    ending: slot.form,
    stemEnding: slot.stem,
  })
  for (const form of forms) {
    const stem = analyzer.stem(form)
    if (known.has(stem)) continue
    // Stemming may keep the ending of a short word but not of a long one: skor, but arbetssko-r.
    const modifiers = [
      ...(stem.endsWith(slot.stem) ? [stem.slice(0, -slot.stem.length)] : []),
      ...(form.endsWith(slot.form) ? [form.slice(0, -slot.form.length)] : []),
    ].flatMap((rest) => [
      rest,
      ...links.filter((link) => rest.endsWith(link)).map((link) => rest.slice(0, -link.length)),
    ])
    const heads = beginnings.flatMap((beginning) =>
      ['', ...links]
        .map((link) => beginning + link)
        .filter((start) => form.startsWith(start))
        .map((start) => form.slice(start.length)),
    )
    if (modifiers.some(isWord)) compounds.set(form, WEIGHT_COMPOUND_HEAD)
    else if (heads.some(isWord)) compounds.set(form, WEIGHT_COMPOUND_MODIFIER)
  }
  return compounds
}

/** The most frequent compounds, to name in the outcome. */
export function namedCompounds(forms: Iterable<string>, { catalog }: WordSource): string[] {
  return [...forms]
    .sort((a, b) => catalog.formDocFreq(b) - catalog.formDocFreq(a) || compareByCodePoint(a, b))
    .slice(0, COMPOUNDS_NAMED_MAX)
}
