import { codePointCount } from '../codec/code-points.ts'
import { compareByCodePoint } from '../codec/code-point-order.ts'
import {
  isCompoundAlone,
  isCompoundPart,
  isCompoundRest,
  mayBeCompound,
} from '../query/compound-rest.ts'
import type { QuerySlot } from '../query/plan.ts'
import {
  COMPOUNDS_NAMED_MAX,
  WEIGHT_COMPOUND_ALONE,
  WEIGHT_COMPOUND_HEAD,
  WEIGHT_COMPOUND_MODIFIER,
} from '../scoring/formula.ts'
import type { WordSource } from './word-catalog.ts'

/** Alternative 4 of docs/ranking.md: compounds that contain the word of a slot, with their q. */
export function findCompounds(slot: QuerySlot, source: WordSource): Map<string, number> {
  const { catalog, analyzer } = source
  const compounds = new Map<string, number>()
  const rules = analyzer.compounds
  if (rules === undefined || !isCompoundPart(slot, analyzer)) return compounds
  const { links, wordLengthMin } = rules

  const isWord = (text: string) =>
    isCompoundRest(text, analyzer) &&
    (catalog.groupDocFreq(analyzer.stem(text)) > 0 ||
      rules.words?.has(analyzer.stem(text)) === true)
  const beginnings = [slot.form, slot.stem].filter((text) => codePointCount(text) >= wordLengthMin)
  const known = new Set([slot.stem, ...slot.joined.map((spelling) => spelling.stem)])

  const forms = catalog
    .formsLike({ kind: 'compound', beginnings, ending: slot.form, stemEnding: slot.stem })
    .filter((form) => mayBeCompound(form, analyzer))
  // Stemming may keep the ending of a short word but strip it from a long one: skor, but
  // arbetssko-r.
  const restsOf = (form: string): string[] => {
    const stem = analyzer.stem(form)
    if (known.has(stem)) return []
    return [
      ...(stem.endsWith(slot.stem) ? [stem.slice(0, -slot.stem.length)] : []),
      ...(form.endsWith(slot.form) ? [form.slice(0, -slot.form.length)] : []),
    ]
  }
  const tailDocFreqs = new Map<string, number>()
  for (const form of forms) {
    if (restsOf(form).every((rest) => rest === '')) continue
    const stem = analyzer.stem(form)
    tailDocFreqs.set(stem, (tailDocFreqs.get(stem) ?? 0) + catalog.formDocFreq(form))
  }
  for (const form of forms) {
    if (known.has(analyzer.stem(form))) continue
    const rests = restsOf(form)
    const modifiers = rests.flatMap((rest) => [
      rest,
      ...links.filter((link) => rest.endsWith(link)).map((link) => rest.slice(0, -link.length)),
    ])
    const heads = beginnings.flatMap((beginning) =>
      ['', ...links]
        .map((link) => beginning + link)
        .filter((start) => form.startsWith(start))
        .map((start) => form.slice(start.length)),
    )
    const isAlone = (rest: string) => {
      const tail = { form, rest, docFreq: catalog.formDocFreq(form) }
      const own = catalog.groupDocFreq(slot.stem)
      return isCompoundAlone(tail, slot, analyzer, own, tailDocFreqs)
    }
    if (modifiers.some(isWord)) compounds.set(form, WEIGHT_COMPOUND_HEAD)
    else if (rests.some(isAlone)) compounds.set(form, WEIGHT_COMPOUND_ALONE)
    else if (heads.some(isWord)) compounds.set(form, WEIGHT_COMPOUND_MODIFIER)
  }
  return compounds
}

/** The most frequent compounds, for the outcome. */
export function namedCompounds(forms: Iterable<string>, { catalog }: WordSource): string[] {
  return [...forms]
    .sort((a, b) => catalog.formDocFreq(b) - catalog.formDocFreq(a) || compareByCodePoint(a, b))
    .slice(0, COMPOUNDS_NAMED_MAX)
}
