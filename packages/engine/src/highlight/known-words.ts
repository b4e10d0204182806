import type { Analyzer } from '../analysis/analyzer.ts'
import type { MatchTable, SequencePlace } from './match-words.ts'

/** What a single word matches, regardless of its neighbours. */
export interface WordMatch {
  /** Hash of the bytes of its form, and the form in lower case. */
  readonly hash: number
  readonly form: string
  /** Mask of the matched terms; 0: none. */
  readonly terms: number
  /** Number of letters to mark. */
  readonly marked: number
  /** Its places in sequences. */
  readonly places: readonly SequencePlace[] | undefined
}

/**
 * A page has some ten distinct words that begin like one of its query; at this number all are
 * forgotten.
 */
const WORDS_MAX = 128
const SLOTS = WORDS_MAX * 2
const LOWER_CASE = 0x20
const FNV_PRIME = 0x0100_0193

/**
 * Caches what words match, for the texts of one search: the words that begin like a query term are
 * the same few in all of its documents. Makes no string of a known word.
 */
export class KnownWords {
  /** The table that the words were looked up in. */
  #table: MatchTable | undefined
  /** Numbers of words by hash, plus 1; open addressing. */
  readonly #slots = new Uint8Array(SLOTS)
  readonly #words: WordMatch[] = []

  /**
   * @param json contains the word, a run of ASCII letters
   * @param table to look the word up in; a different one than before forgets all words
   */
  match(
    json: Buffer,
    from: number,
    to: number,
    table: MatchTable,
    analyzer: Pick<Analyzer, 'stem'>,
  ): WordMatch {
    if (this.#table !== table) this.#forget(table)
    let hash = 0
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ (json[i]! | LOWER_CASE), FNV_PRIME)
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1)
    for (;;) {
      const number = this.#slots[slot]!
      if (number === 0) break
      const word = this.#words[number - 1]!
      if (word.hash === hash && isWord(word.form, json, from, to)) return word
      slot = (slot + 1) & (SLOTS - 1)
    }
    const word = matchOf(json.toString('latin1', from, to).toLowerCase(), hash, table, analyzer)
    // Not stored: its slot was found before all words were forgotten.
    if (this.#words.length === WORDS_MAX) this.#forget(table)
    else this.#slots[slot] = this.#words.push(word)
    return word
  }

  #forget(table: MatchTable): void {
    this.#table = table
    this.#slots.fill(0)
    this.#words.length = 0
  }
}

function isWord(form: string, json: Buffer, from: number, to: number): boolean {
  const { length } = form
  if (length !== to - from) return false
  for (let i = 0; i < length; i++) {
    if (form.charCodeAt(i) !== (json[from + i]! | LOWER_CASE)) return false
  }
  return true
}

function matchOf(
  form: string,
  hash: number,
  { stems, places, prefixes }: MatchTable,
  analyzer: Pick<Analyzer, 'stem'>,
): WordMatch {
  const stem = analyzer.stem(form)
  let terms = stems.get(stem) ?? 0
  let marked = terms === 0 ? 0 : form.length
  for (const { text, terms: begun } of prefixes) {
    if (!form.startsWith(text)) continue
    terms |= begun
    marked = Math.max(marked, text.length)
  }
  return { hash, form, terms, marked, places: places.size === 0 ? undefined : places.get(stem) }
}
