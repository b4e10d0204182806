import type { Analyzer } from '@aisle/engine'
import { restOf, type Reading } from '../../domain/interpretation/interpretation.ts'
import { PHRASE_WORDS } from '../../domain/interpretation/phrase-words.ts'
import { PricePhrases } from '../../domain/interpretation/price-phrases.ts'

/** A product of the twin: only its title is searched. */
export interface NaiveProduct {
  readonly title: string
  readonly brand: string
  readonly color: string
  readonly sizes: readonly string[]
  readonly price: number
}

type Role = 'brand' | 'color' | 'size'
const FIELDS: readonly (readonly [keyof NaiveProduct, Role])[] = [
  ['brand', 'brand'],
  ['color', 'color'],
  ['sizes', 'size'],
]

interface Word {
  readonly stem: string
  readonly form: string
  readonly start: number
  readonly end: number
}

interface Candidate {
  readonly reading: Reading
  readonly from: number
  readonly to: number
  readonly meets: (product: NaiveProduct) => boolean
  readonly isAnnounced: boolean
  readonly role: Role | 'price'
}

/**
 * The definition of docs/interpretation.md in the plainest code, for English: it reads every
 * product for every question.
 */
export function naiveInterpretation(
  q: string,
  products: readonly NaiveProduct[],
  analyzer: Analyzer,
): { readonly readings: readonly Reading[]; readonly rest: string } {
  const wordsOf = (text: string): Word[] =>
    analyzer
      .analyze(text)
      .filter(({ kind }) => kind !== 'joined')
      .map(({ form, start, end }) => ({ form, stem: analyzer.stem(form), start, end }))
  const stemsOf = (text: string) => wordsOf(text).map(({ stem }) => stem)
  const isSmall = (text: string) => analyzer.isStopword(analyzer.fold(text))
  const words = wordsOf(q)
  const titles = products.map((product) => ({ product, stems: stemsOf(product.title) }))
  const hasRow = (stems: readonly string[], row: readonly string[]) =>
    stems.some((_, at) => row.every((stem, i) => stems[at + i] === stem))

  // Prices first.
  const measures = analyzer.analyze(q).filter(({ measure }) => measure === true)
  const isMeasured = (part: { start: number; end: number }): boolean =>
    measures.some((measure) => measure.start < part.end && part.start < measure.end)
  const fold = (text: string) => analyzer.fold(text)
  const phrases = new PricePhrases([PHRASE_WORDS['en']!], fold).read(q, isMeasured, isSmall)
  const candidates: Candidate[] = phrases.map((phrase) => {
    const { start, end, values, operator } = phrase
    const [low = 0, high = 0] = values
    const meets = ({ price }: NaiveProduct): boolean =>
      operator === 'between'
        ? price >= low && price <= high
        : operator === '<'
          ? price < low
          : price > low
    const reading = { ...phrase, field: 'price', text: q.slice(start, end) }
    return { reading, from: -1, to: -1, meets, isAnnounced: false, role: 'price' }
  })
  const taken = words.map(({ start, end }) =>
    phrases.some((phrase) => phrase.start < end && start < phrase.end),
  )

  // Every run of words that is a value, the longest first.
  const found: { from: number; to: number; role: Role; field: string; values: string[] }[] = []
  for (const [field, role] of FIELDS) {
    const values = [...new Set(products.flatMap((product) => product[field] as string | string[]))]
    for (let from = 0; from < words.length; from++) {
      for (let to = from + 1; to <= words.length; to++) {
        const run = words.slice(from, to)
        const equal = values.filter((value) => {
          const parts = wordsOf(value)
          const isEqual =
            parts.length === run.length &&
            parts.every(({ form, stem }, i) =>
              role === 'brand' ? form === run[i]!.form : stem === run[i]!.stem,
            )
          return (
            isEqual || (role === 'color' && run.length === 1 && parts.at(-1)!.stem === run[0]!.stem)
          )
        })
        if (equal.length > 0) found.push({ from, to, role, field, values: equal })
      }
    }
  }
  const significant = words.flatMap(({ form }, i) => (analyzer.isStopword(form) ? [] : [i]))
  const isPair = (a: number, b: number): boolean =>
    FIELDS.some(([field]) =>
      products.some((product) =>
        ([product[field]].flat() as string[]).some((value) => {
          const stems = stemsOf(value)
          const isBoth = stems.includes(words[a]!.stem) && stems.includes(words[b]!.stem)
          return stems.length > 1 && isBoth
        }),
      ),
    )
  for (let length = words.length; length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const to = from + length
      const same = found.filter((run) => run.from === from && run.to === to)
      if (same.length === 0 || taken.slice(from, to).some(Boolean)) continue
      taken.fill(true, from, to)
      const isAnnounced = (role: Role): boolean =>
        [words[from - 1], words[to]].some(
          (word) => word !== undefined && ANNOUNCERS[role].includes(word.form),
        )
      const announced = same.filter(({ role }) => isAnnounced(role))
      const rivals = announced.length > 0 ? announced : same
      if (rivals.length > 1) continue
      const { role, field, values } = rivals[0]!
      const run = words.slice(from, to)
      const isVague = run.every(({ form }) => form.length === 1 || '0123456789'.includes(form[0]!))
      const isSplit = significant.some((right, n) => {
        const left = significant[n - 1]
        const isInside = (at: number): boolean => at >= from && at < to
        return left !== undefined && isInside(left) !== isInside(right) && isPair(left, right)
      })
      if (announced.length === 0 && (isVague || isSplit)) continue
      const isFor = ['for', 'with'].includes(words[from - 1]?.form ?? '')
      if (role === 'brand' && announced.length === 0 && isFor) continue
      const row = run.map(({ stem }) => stem)
      const all = [...new Set(products.flatMap((product) => product[field as 'brand']))]
      const kinds = role === 'color' ? all.filter((value) => hasRow(stemsOf(value), row)) : []
      const meant = new Set([...values, ...kinds])
      const isBefore =
        announced.length > 0 && ANNOUNCERS[role].includes(words[from - 1]?.form ?? '')
      const first = isBefore ? from - 1 : from
      const last = announced.length > 0 && !isBefore ? to : to - 1
      taken.fill(true, first, last + 1)
      const [start, end] = [words[first]!.start, words[last]!.end]
      candidates.push({
        reading: {
          kind: 'value',
          field,
          operator: '=',
          values: [...meant],
          start,
          end,
          text: q.slice(start, end),
        },
        from,
        to,
        isAnnounced: announced.length > 0,
        role,
        meets: (product) => [product[field as 'sizes']].flat().some((value) => meant.has(value)),
      })
    }
  }

  const restWithout = (kept: readonly Candidate[]): string => {
    const parts = kept.map(({ reading }) => reading).toSorted((a, b) => a.start - b.start)
    return restOf(q, parts, isSmall)
  }
  /** Titles with some words in a row, and all, any or none of the others. */
  const withWords = (row: readonly string[], rest: string, strictness: string) => {
    const others = wordsOf(rest).filter(({ form }) => !analyzer.isStopword(form))
    return titles.filter(({ stems }) => {
      if (!hasRow(stems, row)) return false
      if (strictness === 'none') return true
      const has = ({ stem }: Word) => stems.includes(stem)
      return others.length > 0 && (strictness === 'all' ? others.every(has) : others.some(has))
    })
  }
  const isMeant = (candidate: Candidate, rest: string): boolean => {
    const { role, from, to, isAnnounced, meets, reading } = candidate
    if (role === 'price') {
      const isAlone = wordsOf(rest).every(({ form }) => analyzer.isStopword(form))
      return withWords(stemsOf(reading.text), rest, isAlone ? 'none' : 'any').length === 0
    }
    if (isAnnounced) return true
    const row = words.slice(from, to).map(({ stem }) => stem)
    if (role !== 'brand') {
      const left = significant.findLast((at) => at < from)
      const right = significant.find((at) => at >= to)
      for (const at of [left, right]) {
        if (at === undefined || isInPrice(words[at]!, phrases)) continue
        const neighbour = words[at]!.stem
        const short = at < from ? [neighbour, ...row] : [...row, neighbour]
        const between = words.slice(Math.min(at, from), Math.max(at + 1, to))
        const whole = between.map(({ stem }) => stem)
        const named = (stems: readonly string[]) => withWords(stems, '', 'none').length
        const count = named([neighbour])
        const isSame = whole.join(' ') === short.join(' ')
        const rows = named(short) + (isSame ? 0 : named(whole))
        if (count > 0 && rows >= count / 2) return false
      }
    }
    for (const strictness of ['all', 'any', 'none']) {
      const all = withWords(row, rest, strictness)
      if (all.length === 0) continue
      const hasOthers = wordsOf(rest).some(({ form }) => !analyzer.isStopword(form))
      if (role === 'brand' && strictness === 'none' && hasOthers) return false
      return all.filter(({ product }) => meets(product)).length >= 0.9 * all.length
    }
    return true
  }
  let kept = candidates
  for (let before = -1; before !== kept.length;) {
    before = kept.length
    const rest = restWithout(kept)
    kept = kept.filter((candidate) => isMeant(candidate, rest))
  }
  for (const read of [kept, kept.filter(({ role }) => role === 'price')]) {
    const rest = restWithout(read)
    const isSomething = titles.some(
      ({ product, stems }) =>
        wordsOf(rest).every(({ stem }) => stems.includes(stem)) && meetsAll(read, product),
    )
    if (read.length === 0 || !isSomething) continue
    const readings = read.map(({ reading }) => reading).toSorted((a, b) => a.start - b.start)
    return { readings, rest }
  }
  return { readings: [], rest: q }
}

const ANNOUNCERS: Readonly<Record<Role, readonly string[]>> = {
  brand: ['brand'],
  color: ['color', 'colour', 'colored', 'coloured'],
  size: ['size', 'sizes', 'sz'],
}

/** Of one field, any reading; of others, each. */
function meetsAll(kept: readonly Candidate[], product: NaiveProduct): boolean {
  return kept.every(({ meets, role }) =>
    role === 'price'
      ? meets(product)
      : kept.some((other) => other.role === role && other.meets(product)),
  )
}

function isInPrice(
  { start, end }: Word,
  phrases: readonly { start: number; end: number }[],
): boolean {
  return phrases.some((phrase) => phrase.start < end && start < phrase.end)
}
