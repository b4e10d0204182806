import type { Analyzer } from '@aisle/engine'
import type { QueryTable } from '../history/query-table.ts'
import { readQuery } from '../text/query-text.ts'
import type { CatalogName } from './catalog-name.ts'
import { prepareQuery, preparedRecord } from './prepared-query.ts'

/** The judgment of the spelling rules on a text. */
export interface Spelling {
  /** Every word is in the catalog, and no commoner word may be meant. */
  readonly isCertain: boolean
  /** The correction; undefined: as it is. */
  readonly meant: string | undefined
}

/** The known spellings of queries and catalog names. */
export interface Spellings {
  /** @param words of the text, folded @returns undefined: unknown */
  of(text: string, words: readonly string[]): Spelling | undefined
}

/** Maximum of cached words and texts per store; further ones are checked when suggested. */
const WORDS_MAX = 200_000
const TEXTS_MAX = 100_000
const CERTAIN: Spelling = { isCertain: true, meant: undefined }

interface Known {
  /** Number of the round of the check. */
  readonly round: number
  readonly spelling: Spelling
}

interface Unspelt {
  readonly shown: string
  readonly words: readonly string[]
}

/**
 * Caches the spelling of a store's queries. A caller checks a few texts at a time: first each word,
 * since most are certain, then the texts with an uncertain word. After a change of the catalog,
 * results stay valid until they are checked again.
 */
export class SpellingBook implements Spellings {
  readonly #analyzer: Analyzer
  readonly #words = new Map<string, Known>()
  readonly #texts = new Map<string, Known>()
  #round = 0
  #rest: Iterator<Unspelt> | undefined
  /** Entries in the phase that checks their words. */
  #waiting: Unspelt[] = []
  #askedWords = new Set<string>()
  /** Entries that timed out; the next round checks them. */
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

  /** The catalog has changed: everything is to be checked again. */
  renew(): void {
    this.#round++
    this.#rest = undefined
  }

  /** Starts a round over all queries and names, to check the unknown ones. */
  begin(table: Pick<QueryTable, 'queries'>, names: readonly CatalogName[]): void {
    this.#rest = unspeltOf(table, names, this.#analyzer)
    this.#waiting = []
    this.#skipped.clear()
  }

  /**
   * The texts to check next; `take` receives the results.
   *
   * @returns none: everything is known, as far as possible
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

  /** @param spellings of the requested texts; undefined where the check failed */
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

  /** Drops spellings that this round did not need. */
  #forgetOlder(all: Map<string, Known>): void {
    if (this.#waiting.length > 0) return
    for (const [text, { round }] of all) if (round < this.#round) all.delete(text)
  }
}

/** Shares one object, since most are equal. */
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
