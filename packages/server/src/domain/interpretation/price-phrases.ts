import type { QueryPart } from '../query/query-syntax.ts'
import type { Reading } from './interpretation.ts'
import { CURRENCY_CODES, type PhraseWords } from './phrase-words.ts'
import { lexemesOf, type Lexeme } from './query-lexemes.ts'

/** A price in a query, or a word for a low one. */
export interface PricePhrase extends QueryPart {
  readonly kind: 'price' | 'cheap'
  readonly operator: Exclude<Reading['operator'], '='>
  readonly values: readonly number[]
}

/** Amounts from which two numbers with a dash may be years. */
const YEAR_MIN = 1_900
const YEAR_MAX = 2_100
const AMOUNT_MAX = 1e9

type Meaning =
  | {
      readonly kind: 'before'
      readonly operator: '<' | '>' | '<=' | '>='
      readonly isBare: boolean
    }
  | { readonly kind: 'after'; readonly operator: '<=' | '>=' }
  | { readonly kind: 'between'; readonly middle: readonly string[]; readonly isBare: boolean }
  | { readonly kind: 'cheap' }

interface Phrase {
  readonly words: readonly string[]
  readonly meaning: Meaning
}

interface Amount {
  readonly value: number
  readonly hasCurrency: boolean
  /** Index of the lexeme after it. */
  readonly next: number
}

/** Reads prices in the words of some languages. */
export class PricePhrases {
  readonly #byFirst = new Map<string, Phrase[]>()
  /** Texts between two amounts, as words. */
  readonly #middles: readonly (readonly string[])[]
  readonly #currencies: ReadonlySet<string>
  readonly #fold: (text: string) => string

  constructor(languages: readonly PhraseWords[], fold: (text: string) => string) {
    this.#fold = fold
    const wordsOf = (text: string) => lexemesOf(text, fold).map((lexeme) => lexeme.text)
    const add = (texts: readonly string[], meaning: Meaning): void => {
      for (const text of texts) {
        const words = wordsOf(text)
        const known = this.#byFirst.get(words[0]!) ?? []
        this.#byFirst.set(words[0]!, [...known, { words, meaning }].toSorted(longestFirst))
      }
    }
    for (const words of languages) {
      // Before `from 20`: it is longer.
      for (const [first, middle] of words.between) {
        add([first], { kind: 'between', middle: wordsOf(middle), isBare: true })
      }
      for (const [first, middle] of words.fromTo) {
        add([first], { kind: 'between', middle: wordsOf(middle), isBare: false })
      }
      add(words.below, { kind: 'before', operator: '<', isBare: true })
      add(words.above, { kind: 'before', operator: '>', isBare: true })
      add(words.atMost, { kind: 'before', operator: '<=', isBare: false })
      add(words.atLeast, { kind: 'before', operator: '>=', isBare: false })
      add(words.orLess, { kind: 'after', operator: '<=' })
      add(words.orMore, { kind: 'after', operator: '>=' })
      add(words.cheap, { kind: 'cheap' })
    }
    this.#middles = languages.flatMap(({ fromTo }) => fromTo.map(([, middle]) => wordsOf(middle)))
    this.#currencies = new Set([
      ...CURRENCY_CODES,
      ...languages.flatMap(({ currency }) => currency.map(fold)),
    ])
  }

  /**
   * The prices of a query, in order, none in another.
   *
   * @param isOther whether a part must not be read: it is in quotes, or a size
   * @param mayFollow whether a word may follow an amount without a currency
   */
  read(
    q: string,
    isOther: (part: QueryPart) => boolean,
    mayFollow: (word: string) => boolean,
  ): PricePhrase[] {
    const lexemes = lexemesOf(q, this.#fold)
    const phrases: PricePhrase[] = []
    for (let at = 0; at < lexemes.length;) {
      const read = this.#readAt(lexemes, at, mayFollow)
      const start = lexemes[at]!.start
      const end = read === undefined ? 0 : lexemes[read.next - 1]!.end
      if (read === undefined || isOther({ start, end })) at++
      else {
        phrases.push({ ...read.phrase, start, end })
        at = read.next
      }
    }
    return phrases
  }

  #readAt(lexemes: readonly Lexeme[], at: number, mayFollow: (word: string) => boolean) {
    const isEnd = (amount: Amount): boolean =>
      amount.hasCurrency || endsPhrase(lexemes[amount.next], mayFollow)
    for (const { words, meaning } of this.#byFirst.get(lexemes[at]!.text) ?? []) {
      if (!holds(lexemes, at, words) || !lexemes[at]!.isSpaced) continue
      const from = at + words.length
      if (meaning.kind === 'cheap') {
        if (lexemes[from]?.isSpaced === false && lexemes[from].kind !== 'other') continue
        return { phrase: { kind: 'cheap', operator: '<', values: [] } as const, next: from }
      }
      if (meaning.kind === 'after') continue
      const low = this.#amountAt(lexemes, from)
      if (low === undefined) continue
      if (meaning.kind === 'before') {
        if (!isEnd(low) || !(meaning.isBare || low.hasCurrency)) continue
        const values = [low.value]
        return {
          phrase: { kind: 'price', operator: meaning.operator, values } as const,
          next: low.next,
        }
      }
      if (!holds(lexemes, low.next, meaning.middle)) continue
      const high = this.#amountAt(lexemes, low.next + meaning.middle.length)
      if (high !== undefined && isEnd(high)) {
        const between = betweenOf(low, high, meaning.isBare)
        if (between !== undefined) return between
      }
    }
    return this.#amountsAt(lexemes, at, isEnd)
  }

  /** Two amounts with a dash or a word between them, or one with words after it. */
  #amountsAt(lexemes: readonly Lexeme[], at: number, isEnd: (amount: Amount) => boolean) {
    const low = this.#amountAt(lexemes, at, 'low')
    if (low === undefined) return undefined
    const isDash = lexemes[low.next]?.kind === 'dash'
    const middle = isDash
      ? 1
      : (this.#middles.find((words) => holds(lexemes, low.next, words))?.length ?? 0)
    if (middle > 0) {
      const high = this.#amountAt(lexemes, low.next + middle, 'high')
      if (high === undefined || !isEnd(high)) return undefined
      const hasCurrency = low.hasCurrency || high.hasCurrency
      // Other numbers than prices have dashes too: it must end the query, and not begin it.
      const isLast = high.next === lexemes.length && at > 0 && !mayBeYears(low, high)
      return hasCurrency || (isDash && isLast) ? betweenOf(low, high, isDash) : undefined
    }
    if (!low.hasCurrency) return undefined
    for (const { words, meaning } of this.#byFirst.get(lexemes[low.next]?.text ?? '') ?? []) {
      if (meaning.kind !== 'after' || !holds(lexemes, low.next, words)) continue
      const { operator } = meaning
      const next = low.next + words.length
      return { phrase: { kind: 'price', operator, values: [low.value] } as const, next }
    }
    return undefined
  }

  /** @param end of a range, at whose inner side a dash may touch it */
  #amountAt(lexemes: readonly Lexeme[], at: number, end?: 'low' | 'high'): Amount | undefined {
    const isCurrency = (lexeme: Lexeme | undefined): boolean =>
      lexeme !== undefined &&
      (lexeme.kind === 'currency' || (lexeme.kind === 'word' && this.#currencies.has(lexeme.text)))
    const hasBefore = isCurrency(lexemes[at])
    const first = lexemes[at]
    const number = lexemes[hasBefore ? at + 1 : at]
    if (first === undefined || number?.kind !== 'number') return undefined
    if (!first.isSpaced && !(end === 'high' && lexemes[at - 1]?.kind === 'dash')) return undefined
    if (!(number.value > 0 && number.value <= AMOUNT_MAX)) return undefined
    let next = at + (hasBefore ? 2 : 1)
    const hasAfter = isCurrency(lexemes[next])
    if (hasAfter) next++
    // `kr.`
    if (hasAfter && lexemes[next]?.text === '.' && !lexemes[next]!.isSpaced) next++
    const behind = lexemes[next]
    const isCut = behind?.isSpaced === false && !(end === 'low' && behind.kind === 'dash')
    if (isCut && !isPause(behind, lexemes[next + 1])) return undefined
    return { value: number.value, hasCurrency: hasBefore || hasAfter, next }
  }
}

/** Whether an amount without a currency may end before it. */
function endsPhrase(lexeme: Lexeme | undefined, mayFollow: (word: string) => boolean): boolean {
  if (lexeme === undefined) return true
  return lexeme.kind === 'word' ? mayFollow(lexeme.text) : ',;!?)'.includes(lexeme.text)
}

/** A sign that ends a clause, not the 3 of 3/8. */
function isPause({ text }: Lexeme, next: Lexeme | undefined): boolean {
  return ',;.!?)'.includes(text) && next?.isSpaced !== false
}

function betweenOf(low: Amount, high: Amount, isBare: boolean) {
  if (!(isBare || low.hasCurrency || high.hasCurrency) || low.value >= high.value) return undefined
  const values = [low.value, high.value]
  return { phrase: { kind: 'price', operator: 'between', values } as const, next: high.next }
}

function mayBeYears(low: Amount, high: Amount): boolean {
  return [low, high].every(({ value }) => value >= YEAR_MIN && value <= YEAR_MAX)
}

function holds(lexemes: readonly Lexeme[], at: number, words: readonly string[]): boolean {
  return words.every((word, i) => lexemes[at + i]?.text === word)
}

function longestFirst(a: Phrase, b: Phrase): number {
  return b.words.length - a.words.length
}
