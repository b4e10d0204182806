import type { Analyzer } from '@aisle/engine'
import type { QueryTable } from '../history/query-table.ts'
import { readQuery } from '../text/query-text.ts'
import type { CatalogName } from './catalog-name.ts'
import { prepareQuery, preparedRecord } from './prepared-query.ts'

/** What our own spelling rules say of a text. */
export interface Spelling {
  /** Every word is one of the catalog, with no commoner one that it may be a misspelling of. */
  readonly isCertain: boolean
  /** The text that it counts for; undefined: as it is. */
  readonly meant: string | undefined
}

/** What is known of the spelling of queries and of names of the catalog. */
export interface Spellings {
  /** @param words of the text, folded @returns undefined: not found out yet */
  of(text: string, words: readonly string[]): Spelling | undefined
}

/** Words and texts of a store that are remembered; further ones are looked at when suggested. */
const WORDS_MAX = 200_000
const TEXTS_MAX = 100_000
const CERTAIN: Spelling = { isCertain: true, meant: undefined }

interface Known {
  /** Number of the round that found it out. */
  readonly round: number
  readonly spelling: Spelling
}

interface Unspelt {
  readonly shown: string
  readonly words: readonly string[]
}

/**
 * The spelling of the queries of a store, as somebody else finds it out, who is asked a few texts
 * at a time: first each word, since most are certain, then the texts of which one is not. What was
 * found out is good until the catalog has changed; then it is good until it is found out again.
 */
export class SpellingBook implements Spellings {
  readonly #analyzer: Analyzer
  readonly #words = new Map<string, Known>()
  readonly #texts = new Map<string, Known>()
  #round = 0
  #rest: Iterator<Unspelt> | undefined
  /** Their words are being asked for. */
  #waiting: Unspelt[] = []
  #askedWords = new Set<string>()
  /** There was no time to find them out: next time. */
  readonly #skipped = new Set<string>()

  constructor(analyzer: Analyzer) {
    this.#analyzer = analyzer
  }

  of(text: string, words: readonly string[]): Spelling | undefined {
    let isCertain = true
    for (const word of words) {
      const known = this.#words.get(word)
      if (known === undefined) return undefined
      isCertain &&= known.spelling.isCertain
    }
    return isCertain ? CERTAIN : this.#texts.get(text)?.spelling
  }

  /** The catalog is another one: all is found out anew. */
  renew(): void {
    this.#round++
    this.#rest = undefined
  }

  /** Begins to go through all queries and names, to find out what is not known of them. */
  begin(table: Pick<QueryTable, 'queries'>, names: readonly CatalogName[]): void {
    this.#rest = unspeltOf(table, names, this.#analyzer)
    this.#waiting = []
    this.#skipped.clear()
  }

  /**
   * The texts to be asked for next; the answer goes to `take`.
   *
   * @returns none: all is known, as far as can be
   */
  next(count: number): string[] {
    const words = new Set<string>()
    const texts = new Set<string>()
    const waiting: Unspelt[] = []
    while (words.size + texts.size < count) {
      const one = this.#waiting.shift() ?? this.#nextUnspelt()
      if (one === undefined) break
      const missing = one.words.filter((word) => !this.#isKnown(this.#words, word))
      if (missing.some((word) => this.#skipped.has(word))) continue
      if (missing.length > 0) {
        for (const word of missing) words.add(word)
        waiting.push(one)
      } else if (this.#mustAsk(one)) texts.add(one.shown)
    }
    this.#waiting.unshift(...waiting)
    this.#askedWords = words
    return [...words, ...[...texts].filter((text) => !words.has(text))]
  }

  /** @param spellings of what was asked for; undefined where it could not be found out */
  take(texts: readonly string[], spellings: readonly (Spelling | undefined)[]): void {
    for (const [i, text] of texts.entries()) {
      const spelling = spellings[i]
      if (spelling === undefined) {
        this.#skipped.add(text)
        continue
      }
      const known = { round: this.#round, spelling: shared(spelling) }
      if (this.#askedWords.has(text)) this.#keep(this.#words, text, known, WORDS_MAX)
      if (!spelling.isCertain) this.#keep(this.#texts, text, known, TEXTS_MAX)
    }
  }

  #nextUnspelt(): Unspelt | undefined {
    const next = this.#rest?.next()
    if (next === undefined) return undefined
    if (next.done !== true) return next.value
    this.#rest = undefined
    this.#forgetOlder(this.#words)
    this.#forgetOlder(this.#texts)
    return undefined
  }

  #isKnown(known: ReadonlyMap<string, Known>, text: string): boolean {
    return known.get(text)?.round === this.#round
  }

  #mustAsk({ shown, words }: Unspelt): boolean {
    if (words.every((word) => this.#words.get(word)!.spelling.isCertain)) return false
    return !this.#isKnown(this.#texts, shown) && !this.#skipped.has(shown)
  }

  #keep(all: Map<string, Known>, text: string, known: Known, max: number): void {
    if (all.size < max || all.has(text)) all.set(text, known)
    else this.#skipped.add(text)
  }

  /** Nothing of this round has them, so nobody needs them. */
  #forgetOlder(all: Map<string, Known>): void {
    if (this.#waiting.length > 0) return
    for (const [text, { round }] of all) if (round < this.#round) all.delete(text)
  }
}

/** Most are alike. */
function shared(spelling: Spelling): Spelling {
  return spelling.isCertain ? CERTAIN : spelling
}

function* unspeltOf(
  { queries }: Pick<QueryTable, 'queries'>,
  names: readonly CatalogName[],
  analyzer: Analyzer,
): Generator<Unspelt> {
  for (const record of queries.values()) yield preparedRecord(record, analyzer)
  for (const { text } of names) {
    const query = readQuery(text, analyzer)
    if (query !== undefined) yield prepareQuery(query.shown, analyzer)
  }
}
