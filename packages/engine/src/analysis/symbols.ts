import { scanText, type Analyzer, type Token, type TokenSink } from './analyzer.ts'
import { analysisName } from './analysis-name.ts'
import { charClass, isExtender, SEPARATOR } from './char-class.ts'
import { fold } from './fold.ts'
import { FORM_LENGTH_MAX, JOINED_PARTS_MAX } from './token-writer.ts'

/**
 * Adds symbols that are part of words, and separators treated as spaces (docs/symbols.md). A
 * **literal run** is a sequence of letters, digits and symbols, with at least one symbol: `c++`,
 * `.net`, `ac/dc`. The tokens of a text are those without symbols, plus each literal run as
 * written:
 *
 * - over one word, it replaces the word, which without its symbols becomes a joined token at the
 *   same position (`c` of `c++`);
 * - over several, it is a joined token next to their joined spelling (`acdc` and `ac/dc`);
 * - over none (` & `), it is a word.
 *
 * A run ends before `.,;:` at the end of a part of a sentence.
 *
 * @param base the analyzer of the language
 * @param symbols, separators as `characterList` makes them; not both empty
 */
export function withSymbols(base: Analyzer, symbols: string, separators: string): Analyzer {
  const kinds = new CharacterKinds(symbols, separators)
  const analyze = (text: string): Token[] => {
    const apart = kinds.withoutSeparators(text)
    const runs = literalRuns(apart, kinds)
    const tokens = base.analyze(apart)
    return runs.length === 0 ? tokens : withLiterals(apart, tokens, runs)
  }
  return {
    language: base.language,
    name: analysisName({ language: base.language, symbols, separators }),
    plain: base,
    symbols,
    separators,
    compounds: base.compounds,
    isPlural: base.isPlural,
    firstLetters: base.firstLetters,
    stemsBegin: base.stemsBegin,
    secondLetters: base.secondLetters,
    thirdLetters: base.thirdLetters,
    pieces: base.pieces,
    stem: (form) => base.stem(form),
    isStopword: (form) => base.isStopword(form) || kinds.isSymbols(form),
    fold: (text) => base.fold(text),
    analyze,
    scan(text: string, sink: TokenSink): void {
      if (!kinds.isIn(text)) scanText(base, text, sink)
      else {
        for (const { form, position, span, kind, start, end } of analyze(text)) {
          sink.token(form, position, span, kind === 'joined', start, end)
        }
      }
    },
  }
}

/**
 * A character in the form of symbols and separators: folded. Undefined for texts of several
 * characters, for letters, digits and emoji, which are words already, and for spaces.
 */
export function asSymbol(character: string): string | undefined {
  if (!character.isWellFormed()) return undefined
  const folded = fold(character)
  const codePoint = folded.codePointAt(0)
  if (codePoint === undefined || folded.length > (codePoint > 0xffff ? 2 : 1)) return undefined
  const isWord = charClass(codePoint) !== SEPARATOR || isExtender(codePoint)
  return isWord || /[\p{C}\p{Z}]/u.test(folded) ? undefined : folded
}

const OTHER = 1
const WORD = 2
const SYMBOL = 3
const SPACE = 4

/** The kind of each character, equal for all that fold to the same one (+ and ＋). */
class CharacterKinds {
  readonly #symbols: ReadonlySet<string>
  readonly #separators: ReadonlySet<string>
  /** By code point: an array for the first ones, a map for others. Bounded by Unicode. */
  readonly #first = new Uint8Array(128)
  readonly #others = new Map<number, number>()

  constructor(symbols: string, separators: string) {
    this.#symbols = new Set(symbols)
    this.#separators = new Set(separators)
  }

  of(codePoint: number): number {
    const known = codePoint < 128 ? this.#first[codePoint] : this.#others.get(codePoint)
    if (known !== undefined && known > 0) return known
    const kind = this.#look(codePoint)
    if (codePoint < 128) this.#first[codePoint] = kind
    else this.#others.set(codePoint, kind)
    return kind
  }

  #look(codePoint: number): number {
    const isWord = charClass(codePoint) !== SEPARATOR || isExtender(codePoint)
    if (isWord) return WORD
    const folded = fold(String.fromCodePoint(codePoint))
    if (this.#symbols.has(folded)) return SYMBOL
    return this.#separators.has(folded) ? SPACE : OTHER
  }

  /** Whether a text has symbols or separators. */
  isIn(text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const codePoint = text.codePointAt(at)!
      if (this.of(codePoint) >= SYMBOL) return true
      if (codePoint > 0xffff) at++
    }
    return false
  }

  isSymbols(form: string): boolean {
    for (const char of form) if (!this.#symbols.has(char)) return false
    return true
  }

  /** The text with spaces instead of separators, with the same length. */
  withoutSeparators(text: string): string {
    if (this.#separators.size === 0) return text
    let apart = ''
    for (const char of text) {
      apart += this.of(char.codePointAt(0)!) === SPACE ? ' '.repeat(char.length) : char
    }
    return apart
  }
}

/** UTF-16 offsets into the text. */
interface Run {
  readonly from: number
  readonly to: number
}

/** At the end of a run, these end a part of a sentence. */
const SENTENCE_MARKS = '.,;:'

function literalRuns(text: string, kinds: CharacterKinds): Run[] {
  const runs: Run[] = []
  let from = 0
  let symbolCount = 0
  for (let at = 0; at <= text.length;) {
    const codePoint = at < text.length ? text.codePointAt(at)! : -1
    const kind = codePoint < 0 ? OTHER : kinds.of(codePoint)
    const next = at + (codePoint > 0xffff ? 2 : 1)
    if (kind === SYMBOL) symbolCount++
    else if (kind !== WORD) {
      let to = at
      for (; symbolCount > 0 && SENTENCE_MARKS.includes(text.charAt(to - 1)); to--) symbolCount--
      if (symbolCount > 0) runs.push({ from, to })
      symbolCount = 0
      from = next
    }
    at = next
  }
  return runs
}

function withLiterals(text: string, tokens: readonly Token[], runs: readonly Run[]): Token[] {
  const result: Token[] = []
  /** Words of only symbols so far: they shift the positions of later words. */
  let added = 0
  let next = 0
  const take = (token: Token): void => {
    result.push(added === 0 ? token : { ...token, position: token.position + added })
  }
  for (const run of runs) {
    while (next < tokens.length && tokens[next]!.end <= run.from) take(tokens[next++]!)
    let behind = next
    while (behind < tokens.length && tokens[behind]!.start < run.to) behind++
    const held = tokens.slice(next, behind)
    const words = held.filter(({ kind }) => kind !== 'joined')
    next = behind
    const [first] = words
    const last = words.at(-1)
    // A number with decimals begins before its last digits: 3.5+.
    const start = Math.min(run.from, first?.start ?? run.from)
    const end = Math.max(run.to, last?.end ?? run.to)
    const form = fold(text.slice(start, end))
    if (form.length > FORM_LENGTH_MAX || words.length > JOINED_PARTS_MAX) held.forEach(take)
    else if (first === undefined || last === undefined) {
      const position = (result.findLast(({ kind }) => kind !== 'joined')?.position ?? -1) + 1
      result.push({ form, position, span: 1, start, end, kind: 'word' })
      added++
    } else if (first === last && first.kind === 'word') {
      take({ ...first, form, start, end })
      if (form !== first.form) take({ ...first, kind: 'joined', bare: true })
      for (const token of held) if (token !== first) take(token)
    } else {
      const span = last.position + 1 - first.position
      const literal: Token = { form, position: first.position, span, start, end, kind: 'joined' }
      held.forEach(take)
      const isThere = held.some(
        (token) => token.form === form && token.position === first.position && token.span === span,
      )
      if (!isThere) take(literal)
    }
  }
  for (; next < tokens.length; next++) take(tokens[next]!)
  return result.sort(
    (a, b) => a.position - b.position || isJoined(a) - isJoined(b) || a.span - b.span,
  )
}

function isJoined({ kind }: Token): number {
  return kind === 'joined' ? 1 : 0
}
