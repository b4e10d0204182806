import { ApiError, SYNONYMS_PER_WORD_MAX } from '@aisle/contract'
import type { ErrorDetail, SynonymItem } from '@aisle/contract'
import type { Analyzer, QuerySlot, Token } from '@aisle/engine'
import { joinedSpelling } from './joined-spelling.ts'
import { lettersOf } from './letters.ts'
import { cutsMeasure } from './measures.ts'
import { runKeys, wordRun, type WordRun } from './word-runs.ts'

type Synonym = QuerySlot['synonyms'][number]

/** A synonym set, compiled for an analyzer. */
export interface SynonymRules {
  /** Number of words of the longest text to look up. */
  readonly longest: number
  /** Groups whose texts may replace a run of words, by its key (`runKeys`). Groups are shared. */
  readonly groups: ReadonlyMap<string, readonly SynonymGroup[]>
  /** The single words among the texts to look up. */
  readonly words: readonly SetWord[]
}

/** A word of a synonym set. */
export interface SetWord {
  readonly form: string
  readonly stem: string
  /** See `lettersOf`. */
  readonly letters: number
}

type SynonymGroup = readonly { readonly keys: readonly string[]; readonly synonyms: Synonym[] }[]

/** A slot while its synonyms are collected. */
interface SynonymSlot {
  readonly stem: string
  readonly synonyms: Synonym[]
}

/**
 * Checks a set beyond the schema of the contract, in steps: the largest takes 100 ms and more.
 * @throws ApiError invalid_parameter, missing_parameter
 */
export function* checkSynonymItems(
  items: readonly SynonymItem[],
  analyzer: Analyzer,
): Generator<void, void> {
  const details: ErrorDetail[] = []
  const complain = (param: string, expected: string): void => {
    const message = `Parameter \`${param}\` must ${expected}`
    details.push({ param, code: 'invalid_parameter', message })
  }
  for (const [i, { root, synonyms }] of items.entries()) {
    if (root === undefined && synonyms.length < 2) {
      complain(`items[${i}].synonyms`, 'have at least two entries, or the item a `root`')
    }
    const texts = new Map(synonyms.map((text, j) => [`items[${i}].synonyms[${j}]`, text]))
    if (root !== undefined) texts.set(`items[${i}].root`, root)
    for (const [param, text] of texts) {
      if (analyzer.analyze(text).length === 0) complain(param, 'contain a word')
    }
    if (details.length >= DETAILS_MAX) break
    yield
  }
  const [first] = details
  if (first !== undefined)
    throw new ApiError(first.code, first.message, { param: first.param, details })
}

const DETAILS_MAX = 20

/** In steps: the largest set takes 100 ms and more. */
export function* compileSynonyms(
  items: readonly SynonymItem[],
  analyzer: Analyzer,
): Generator<void, SynonymRules> {
  const groups = new Map<string, SynonymGroup[]>()
  const words = new Map<string, SetWord>()
  let longest = 0
  for (const { root, synonyms } of items) {
    const texts = synonyms.map((text) => wordRun(analyzer.analyze(text))).filter(hasWords)
    const group = texts.map((run) => ({
      keys: runKeys(run, 0, run.words.length, analyzer),
      synonyms: synonymsOf(run, analyzer),
    }))
    const sought = root === undefined ? texts : [wordRun(analyzer.analyze(root))].filter(hasWords)
    for (const run of sought) {
      longest = Math.max(longest, run.words.length)
      const [{ form, kind }] = run.words as [Token]
      if (run.words.length === 1 && kind === 'word') {
        words.set(form, { form, stem: analyzer.stem(form), letters: lettersOf(form) })
      }
      for (const key of runKeys(run, 0, run.words.length, analyzer)) {
        const known = groups.get(key)
        if (known === undefined) groups.set(key, [group])
        else if (known.at(-1) !== group) known.push(group)
      }
    }
    yield
  }
  return { longest, groups, words: [...words.values()] }
}

/**
 * Adds synonyms to the slots of a query. From left to right, it takes the longest run of words that
 * a set knows, and all its slots get its synonyms; the next run begins after it.
 *
 * @param slotOfWord by word of the query
 * @returns false if a slot had more than allowed
 */
export function addSynonyms(
  query: WordRun,
  slotOfWord: readonly SynonymSlot[],
  sets: readonly SynonymRules[],
  analyzer: Analyzer,
): boolean {
  const longest = Math.max(0, ...sets.map((set) => set.longest))
  const { length } = query.words
  let complete = true
  for (let from = 0; from < length;) {
    let next = from + 1
    // A joined spelling is looked up with several words: bed spread, known as bedspread.
    for (let to = Math.min(length, from + Math.max(longest, 2)); to > from && longest > 0; to--) {
      // Synonyms of "gb" do not apply to "16 gb".
      if (cutsMeasure(query.joined, query.words.slice(from, to))) continue
      const keys = runKeys(query, from, to, analyzer)
      const found = keys.flatMap((key) => sets.flatMap((set) => set.groups.get(key) ?? []))
      if (found.length === 0) continue
      for (const slot of new Set(slotOfWord.slice(from, to))) {
        complete = fill(slot, found, keys) && complete
      }
      next = to
      break
    }
    from = next
  }
  return complete
}

/** Synonyms of a word from the sets. */
export function synonymsOfWord(stem: string, sets: readonly SynonymRules[]): readonly Synonym[] {
  const word: SynonymSlot = { stem, synonyms: [] }
  fill(
    word,
    sets.flatMap((set) => set.groups.get(stem) ?? []),
    [stem],
  )
  return word.synonyms
}

function fill(slot: SynonymSlot, groups: readonly SynonymGroup[], own: readonly string[]): boolean {
  for (const { keys, synonyms } of groups.flat()) {
    if (keys.some((key) => own.includes(key))) continue
    for (const synonym of synonyms) {
      const text = textOf(synonym)
      if (slot.synonyms.some((other) => textOf(other) === text)) continue
      if (synonym.words.length === 1 && synonym.words[0]!.stem === slot.stem) continue
      if (slot.synonyms.length >= SYNONYMS_PER_WORD_MAX) return false
      slot.synonyms.push(synonym)
    }
  }
  return true
}

/** A text, and its joined spelling if the analyzer has one for all of it. */
function synonymsOf({ words, joined }: WordRun, analyzer: Analyzer): Synonym[] {
  const planned = (form: string) => ({ form, stem: analyzer.stem(form) })
  const whole = joined
    .filter((token) => token.span === words.length)
    .flatMap((token) => joinedSpelling(token.form, words, analyzer) ?? [])
  return [
    { words: words.map((word) => planned(word.form)) },
    ...whole.map((word) => ({ words: [word] })),
  ]
}

function textOf({ words }: Synonym): string {
  return words.map((word) => word.form).join(' ')
}

function hasWords(run: WordRun): boolean {
  return run.words.length > 0
}
