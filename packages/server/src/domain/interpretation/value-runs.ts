import type { Analyzer, Token } from '@aisle/engine'
import type { QueryPart } from '../query/query-syntax.ts'
import { cutsMeasure } from '../words/measures.ts'
import type { FieldRole, InterpretedField } from './interpreted-fields.ts'
import type { PhraseWords } from './phrase-words.ts'
import { lexemesOf } from './query-lexemes.ts'

/** A word beside a run. */
export interface Neighbour {
  readonly word: QueryPart
  readonly isBefore: boolean
  /** From one to the other end. */
  readonly row: QueryPart
}

/** Words of a query in a row that equal values of a field. */
export interface ValueRun extends ChosenRun {
  /** Words that may form a name with the run: the stainless of stainless steel. */
  readonly neighbours: readonly Neighbour[]
}

interface ChosenRun extends QueryPart {
  readonly field: InterpretedField
  readonly values: readonly string[]
  /** The words themselves, without those that announce them. */
  readonly words: QueryPart
  /** Whether a word such as `size` says what they are. */
  readonly isAnnounced: boolean
}

export interface QueryWord extends QueryPart {
  readonly form: string
  readonly stem: string
  /** Says nothing alone: a stopword. */
  readonly isSmall: boolean
  /** Part of a price, in quotes, or meant as text. */
  readonly isTaken: boolean
}

/** Values of a field with a word that begins like one of the query. */
export interface FieldValues {
  readonly field: InterpretedField
  readonly values: readonly string[]
}

/** Words of a value that is looked for. */
const RUN_WORDS_MAX = 5
/** Values analysed in one step: at most 2 ms, with code that is not compiled yet. */
const VALUES_PER_STEP = 16
/** Letters of a beginning that another form of the word may lack. */
const STEM_LETTERS_MIN = 3

export function queryWords(
  tokens: readonly Token[],
  analyzer: Analyzer,
  isTaken: (part: QueryPart) => boolean,
): QueryWord[] {
  return tokens
    .filter(({ kind }) => kind !== 'joined')
    .map((token) => {
      const { form, start, end } = token
      const stem = analyzer.stem(form)
      return { form, stem, start, end, isSmall: analyzer.isStopword(form), isTaken: isTaken(token) }
    })
}

/**
 * What words of values begin with that may be words of the query: brands have them as they are,
 * other values any form of them.
 */
export function beginningsOf(words: readonly QueryWord[], role: FieldRole | undefined): string[] {
  const beginnings = words
    .filter(({ isTaken }) => !isTaken)
    .map(({ form, stem }) => (role === 'brand' ? form : commonBeginning(form, stem)))
  return [...new Set(beginnings)]
}

/** `berries` and `berry` begin with `ber`: the stem `berri`, and one letter less. */
function commonBeginning(form: string, stem: string): string {
  let length = 0
  while (length < stem.length && form[length] === stem[length]) length++
  return form.slice(0, Math.max(Math.min(STEM_LETTERS_MIN, form.length), length - 1))
}

/**
 * The runs of a query that equal values, in order, apart from each other: longer ones first, none
 * that equals values of two fields, and none with a word that another value has together with its
 * neighbour (the black of Black+Decker).
 *
 * Yields between steps of some values.
 */
export function* valueRuns(
  words: readonly QueryWord[],
  tokens: readonly Token[],
  known: readonly FieldValues[],
  announcers: Announcers,
  analyzer: Analyzer,
): Generator<void, ValueRun[]> {
  const index = new RunIndex(words)
  const found: IndexedRun[] = []
  const pairs = new Set<string>()
  for (const { field, values } of known) {
    const byRun = new Map<string, IndexedRun>()
    for (const [at, value] of values.entries()) {
      if (at % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield
      if (!index.mayHold(analyzer.fold(field.role === 'category' ? lastPart(value) : value)))
        continue
      const own = field.role === 'category' ? lastPart(value) : value
      const parts = analyzer.analyze(own).filter(({ kind }) => kind !== 'joined')
      const forms = parts.map(({ form }) => form)
      const stems = forms.map((form) => analyzer.stem(form))
      const add = (from: number, length: number): void => {
        const to = from + length
        const key = `${from} ${to}`
        const run = byRun.get(key) ?? { from, to, field, values: [] }
        run.values.push(value)
        byRun.set(key, run)
      }
      for (const from of index.equal(forms, stems, field.role === 'brand')) add(from, forms.length)
      if (field.role === 'color' && forms.length > 1) {
        const head = isHeadFirst(analyzer) ? 0 : -1
        const [form, stem] = [forms.at(head)!, stems.at(head)!]
        for (const from of index.equal([form], [stem], false)) add(from, 1)
      }
      for (const pair of index.pairsIn(stems, analyzer)) pairs.add(pair)
    }
    found.push(...byRun.values())
  }
  const runs = chosenRuns(found, words, tokens, announcers, pairs)
  const complete: ValueRun[] = []
  for (const run of runs) {
    const { values } = known.find(({ field }) => field === run.field)!
    const own = words.filter(({ start, end }) => start >= run.words.start && end <= run.words.end)
    const kin = hasKinds(run.field) ? yield* kindsOf(own, values, analyzer) : []
    const neighbours = run.field.role === 'brand' ? [] : neighboursOf(words, own)
    const all = [...new Set([...run.values, ...kin])].slice(0, RUN_VALUES_MAX)
    complete.push({ ...run, values: all, neighbours })
  }
  return complete
}

/** Red means cherry red too, and cotton organic cotton. */
function hasKinds({ role }: InterpretedField): boolean {
  return role === 'color' || role === 'material'
}

/** Values that hold words in a row, among others. */
function* kindsOf(
  words: readonly QueryWord[],
  values: readonly string[],
  analyzer: Analyzer,
): Generator<void, string[]> {
  const beginning = commonBeginning(words[0]!.form, words[0]!.stem)
  const kin: string[] = []
  for (const [at, value] of values.entries()) {
    if (at % VALUES_PER_STEP === VALUES_PER_STEP - 1) yield
    if (value.length > VALUE_MAX_CHARS || !analyzer.fold(value).includes(beginning)) continue
    const parts = analyzer.analyze(value).filter(({ kind }) => kind !== 'joined')
    const stems = parts.map(({ form }) => analyzer.stem(form))
    const isKind = stems.some((_, from) => words.every(({ stem }, i) => stems[from + i] === stem))
    if (isKind) kin.push(value)
  }
  return kin
}

/** The significant words before and after some, each with the text from one to the other. */
function neighboursOf(words: readonly QueryWord[], own: readonly QueryWord[]): Neighbour[] {
  const [first, last] = [own[0]!, own.at(-1)!]
  const left = words.findLast(({ end, isSmall }) => end <= first.start && !isSmall)
  const right = words.find(({ start, isSmall }) => start >= last.end && !isSmall)
  return [
    ...(left === undefined || left.isTaken
      ? []
      : [{ word: left, isBefore: true, row: { start: left.start, end: last.end } }]),
    ...(right === undefined || right.isTaken
      ? []
      : [{ word: right, isBefore: false, row: { start: first.start, end: right.end } }]),
  ]
}

/** Whether what a colour is comes first: bleu ciel, and not sky blue. */
function isHeadFirst({ language }: Analyzer): boolean {
  return ['fr', 'es', 'it', 'pt', 'ca', 'gl', 'ro'].includes(language.split('-', 1)[0]!)
}

/** `Tents` of `Outdoor > Tents`. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('>') + 1)
}

interface IndexedRun {
  readonly from: number
  readonly to: number
  readonly field: InterpretedField
  readonly values: string[]
}

/** The words of a query by form and stem. */
class RunIndex {
  readonly #words: readonly QueryWord[]
  readonly #at = new Map<string, number[]>()
  readonly #beginnings: readonly string[]

  constructor(words: readonly QueryWord[]) {
    this.#words = words
    this.#beginnings = words.map(({ form, stem }) => commonBeginning(form, stem))
    for (const [i, { form, stem }] of words.entries()) {
      for (const key of new Set([form, stem])) {
        this.#at.set(key, [...(this.#at.get(key) ?? []), i])
      }
    }
  }

  /** Whether a folded value may matter: a quick look before it is analysed. */
  mayHold(folded: string): boolean {
    if (folded.length > VALUE_MAX_CHARS) return false
    let length = 0
    let count = 0
    for (const beginning of this.#beginnings) {
      if (!folded.includes(beginning)) continue
      length += beginning.length
      count++
    }
    // One word of several is neither equal nor a pair.
    return count > 1 || (count === 1 && folded.length <= length + INFLECTION_MAX_CHARS)
  }

  /** Where the words of a value occur. */
  equal(forms: readonly string[], stems: readonly string[], isExact: boolean): readonly number[] {
    if (forms.length === 0 || forms.length > RUN_WORDS_MAX) return []
    const starts = this.#at.get(forms[0]!) ?? this.#at.get(stems[0]!) ?? []
    return starts.filter((from) =>
      forms.every((form, i) => {
        const word = this.#words[from + i]
        if (word === undefined || word.isTaken) return false
        return word.form === form || (!isExact && word.stem === stems[i])
      }),
    )
  }

  /** Neighbours in the query, small words aside, that a value holds both. */
  pairsIn(stems: readonly string[], analyzer: Analyzer): string[] {
    if (stems.length < 2) return []
    const held = new Set(stems)
    const pairs: string[] = []
    let before = -1
    for (const [i, { stem, isSmall }] of this.#words.entries()) {
      if (isSmall) continue
      if (before >= 0 && held.has(stem) && held.has(this.#words[before]!.stem)) {
        if (!analyzer.isStopword(stem)) pairs.push(`${before} ${i}`)
      }
      before = i
    }
    return pairs
  }
}

/** Letters that a value of one word may have beyond the beginning of the word. */
const INFLECTION_MAX_CHARS = 16
/** Values of one reading. */
const RUN_VALUES_MAX = 20
/** Longer values are not looked at. */
const VALUE_MAX_CHARS = 100

function chosenRuns(
  found: readonly IndexedRun[],
  words: readonly QueryWord[],
  tokens: readonly Token[],
  announcers: Announcers,
  pairs: ReadonlySet<string>,
): ChosenRun[] {
  const taken = words.map(() => false)
  const chosen: ChosenRun[] = []
  const sorted = found
    .map((run) => ({ ...run, around: announcers.around(words, run) }))
    .toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
  for (const { from, to } of sorted) {
    if (taken.slice(from, to).some(Boolean)) continue
    taken.fill(true, from, to)
    const same = sorted.filter((other) => other.from === from && other.to === to)
    const announced = same.filter(({ around }) => around !== undefined)
    const [run, rival] = announced.length > 0 ? announced : same
    if (run === undefined || rival !== undefined) continue
    const { field, values, around } = run
    const inner = { start: words[from]!.start, end: words[to - 1]!.end }
    const own = words.slice(from, to)
    if (own.every(({ isSmall }) => isSmall)) continue
    if (around === undefined && (own.every(isVague) || isSplit(pairs, words, from, to))) continue
    const isWord = around !== undefined && isSmallAfter(words[to], inner.end)
    if (!isWord && cutsMeasure(tokens, runTokens(tokens, inner))) continue
    const outer = around ?? inner
    chosen.push({ ...outer, field, values, words: inner, isAnnounced: around !== undefined })
    for (const [i, { start, end }] of words.entries()) {
      if (start >= outer.start && end <= outer.end) taken[i] = true
    }
  }
  return chosen.toSorted((a, b) => a.start - b.start)
}

/** The `in` of `size 42 in black`, not inches: a unit has the form of its symbol. */
function isSmallAfter(word: QueryWord | undefined, end: number): boolean {
  if (word?.isSmall !== true || word.start === end) return false
  return word.end - word.start === word.form.length
}

/**
 * Numbers and single letters are sizes, models and counts: a word must announce them. 3XL is not
 * vague.
 */
function isVague({ form }: QueryWord): boolean {
  return form.length === 1 || /^[0-9](?!x[ls]$)/.test(form)
}

/** Whether a value holds a word of the run together with a neighbour that is not in it. */
function isSplit(
  pairs: ReadonlySet<string>,
  words: readonly QueryWord[],
  from: number,
  to: number,
): boolean {
  const significant = words.flatMap(({ isSmall }, i) => (isSmall ? [] : [i]))
  return significant.some((right, n) => {
    const left = significant[n - 1]
    if (left === undefined || !pairs.has(`${left} ${right}`)) return false
    return (left >= from && left < to) !== (right >= from && right < to)
  })
}

function runTokens(tokens: readonly Token[], { start, end }: QueryPart): Token[] {
  return tokens.filter(
    (token) => token.kind !== 'joined' && token.start >= start && token.end <= end,
  )
}

/** Words that announce a value, before or after it: `size 42`, `red colour`. */
export class Announcers {
  readonly #byRole = new Map<FieldRole, readonly (readonly string[])[]>()
  readonly #fold: (text: string) => string

  constructor(languages: readonly PhraseWords[], fold: (text: string) => string) {
    this.#fold = fold
    for (const role of ['size', 'color', 'brand', 'material', 'category'] as const) {
      const texts = languages.flatMap((words) => words[role])
      const rows = texts.map((text) => lexemesOf(text, fold).map((lexeme) => lexeme.text))
      this.#byRole.set(
        role,
        rows.toSorted((a, b) => b.length - a.length),
      )
    }
  }

  /** A run with the words that announce it; undefined if none do. */
  around(words: readonly QueryWord[], { from, to, field }: IndexedRun): QueryPart | undefined {
    const named = this.#fold(field.name.slice(field.name.lastIndexOf('.') + 1))
    const rows = [...(field.role === undefined ? [] : this.#byRole.get(field.role)!), [named]]
    const isAt = (row: readonly string[], at: number) =>
      at >= 0 && row.every((form, i) => words[at + i]?.form === form && !words[at + i]!.isTaken)
    const before = rows.find((row) => isAt(row, from - row.length))
    if (before !== undefined) {
      return { start: words[from - before.length]!.start, end: words[to - 1]!.end }
    }
    const after = rows.find((row) => isAt(row, to))
    if (after === undefined) return undefined
    return { start: words[from]!.start, end: words[to + after.length - 1]!.end }
  }
}
