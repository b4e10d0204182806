import { FNV_START, fnvEnd, fnvNext } from '../codec/fnv.ts'
import type { Token, TokenSink } from './analyzer.ts'
import { articleLength } from './arabic.ts'
import { charClass, DIGIT, EMOJI, LETTER, SEPARATOR, UNSPACED } from './char-class.ts'
import { emojiEnd } from './emoji.ts'
import { foldWithOffsets, originalEnd, originalStart } from './fold.ts'
import {
  APOSTROPHE,
  classAt,
  COMMA,
  decimalCommaEnd,
  digitsEnd,
  endOfLongMixture,
  endOfThread,
  fractionEnd,
  HYPHEN,
  isConnector,
  isKoreanBorder,
  isWordAt,
  LOWER_A,
  LOWER_S,
  LOWER_X,
  LOWER_Z,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
  thousandsEnd,
  widthAt,
} from './scan.ts'
import { FORM_LENGTH_MAX, TokenWriter } from './token-writer.ts'
import { readUnspaced, type UnspacedRules } from './unspaced.ts'
import { FOOT, INCH, unitLetter, unitMaybe, unitSpelled } from './units.ts'

/**
 * Splits text into tokens. Words are runs of letters, digits and marks; a connector (`isConnector`)
 * between two of them separates them but also gives one joined spelling of the whole run (t-shirt:
 * `t`, `shirt`, `tshirt`). Numbers keep their point or fraction bar (2.5, 1/2) and lose their
 * thousands commas. A word that begins with a digit is split where digits and letters meet (16gb:
 * `16`, `gb`, `16gb`); other words stay whole (ps4), except threads (m8x40: `m8`, `x`, `40`,
 * `m8x40`), decimals after letters (usb3.0: `usb`, `usb3`, `3.0`, `usb30`) and Korean next to
 * other letters or after digits (LG그램: `lg`, `그램`, `lg그램`). Units of measure after a number
 * get one spelling. Time is linear in the length of the text.
 *
 * @param stem the stemmer, which decides whether a possessive needs a second spelling
 * @param decimalComma whether 2,5 is a number with decimals, and 1.000 a thousand
 * @param unspaced rules of the language for texts without spaces
 */
export function tokenize(
  text: string,
  stem: (form: string) => string,
  decimalComma = false,
  unspaced?: UnspacedRules,
): Token[] {
  return readText(text, stem, decimalComma, unspaced, undefined).tokens
}

/** `tokenize` for a sink (`Analyzer.scan`). */
export function scanTokens(
  text: string,
  stem: (form: string) => string,
  decimalComma: boolean,
  unspaced: UnspacedRules | undefined,
  sink: TokenSink,
): void {
  readText(text, stem, decimalComma, unspaced, sink)
}

/** @returns the writer with all tokens, or with none if a sink received them */
function readText(
  text: string,
  stem: (form: string) => string,
  decimalComma: boolean,
  unspaced: UnspacedRules | undefined,
  sink: TokenSink | undefined,
): TokenWriter {
  const folded = foldWithOffsets(text)
  const writer = new TokenWriter(folded)
  const reader = new RunReader(folded.text, writer, stem, decimalComma)
  const chars = folded.text
  const { length } = chars
  // Inner loop: most of a catalog is ASCII words between spaces, which this loop handles alone.
  let i = 0
  while (i < length) {
    let code = chars.charCodeAt(i)
    if (code === SPACE) {
      i++
      continue
    }
    if (code >= LOWER_A && code <= LOWER_Z) {
      const from = i
      let hash = FNV_START
      do {
        hash = fnvNext(hash, code)
        code = ++i < length ? chars.charCodeAt(i) : SPACE
      } while (code >= LOWER_A && code <= LOWER_Z)
      const plain = code === SPACE || code === COMMA || endsWord(chars, i, code)
      if (plain && writer.numberEnd < 0 && i - from <= FORM_LENGTH_MAX) {
        if (sink === undefined) writer.word(from, i)
        else {
          const start = originalStart(folded, from)
          sink.word(
            chars,
            from,
            i,
            fnvEnd(hash),
            writer.skipPosition(),
            start,
            originalEnd(folded, i),
          )
        }
        continue
      }
      i = reader.read(from)
    } else {
      const kind = classAt(chars, i)
      if (kind === LETTER || kind === DIGIT) i = reader.read(i)
      else if (kind === UNSPACED) i = readUnspaced(chars, i, writer, unspaced)
      else if (kind === EMOJI) {
        const end = emojiEnd(chars, i)
        writer.word(i, end)
        i = end
      } else {
        i += widthAt(chars, i)
        continue
      }
    }
    if (sink !== undefined) writer.tell(sink)
  }
  return writer
}

/** Whether a run of letters is a whole run, as before the end of a sentence: cake! or door. */
function endsWord(text: string, at: number, code: number): boolean {
  if (code > 0x7f || code === APOSTROPHE || charClass(code) !== SEPARATOR) return false
  if (!isConnector(code) || at + 1 >= text.length) return true
  const next = text.charCodeAt(at + 1)
  return next <= 0x7f && charClass(next) === SEPARATOR
}

/** A proper fraction such as 1/2. */
function isFraction(form: string): boolean {
  const bar = form.indexOf('/')
  return bar > 0 && Number(form.slice(0, bar)) < Number(form.slice(bar + 1))
}

/** Maximum number of spaces and hyphens between a number and its unit. */
const UNIT_GAP_MAX = 3

/**
 * Reads one run: parts without a space between them.
 *
 *     run    := part (connector? part)*
 *     part   := word possessive? | number | unit
 *     number := digits (',' ddd)* ('.' digits)? | digits '/' digits
 *
 * A point or bar belongs to a number only while the run has no words before it, so that the
 * part number AB-12/3 is three parts but 1/2-inch, 2-1/2 and 8.5x11 are measures, and 2.5/3.5
 * two numbers; a point also if the number directly follows letters (usb3.0).
 */
class RunReader {
  readonly #text: string
  readonly #writer: TokenWriter
  readonly #stem: (form: string) => string
  readonly #decimalComma: boolean
  #runStart = 0
  /** The run so far has only numbers, units and the x of dimensions. */
  #measure = true
  /**
   * False once a number with a point or bar is adjacent to another: 2-1/2 is not also "21/2", nor
   * 2.5/3.5 "2.53.5".
   */
  #joinable = true
  /** The previous number has a point or bar. */
  #compoundBefore = false

  constructor(
    text: string,
    writer: TokenWriter,
    stem: (form: string) => string,
    decimalComma: boolean,
  ) {
    this.#text = text
    this.#writer = writer
    this.#stem = stem
    this.#decimalComma = decimalComma
  }

  /** Reads the run at `start`, a letter or digit; returns its end offset. */
  read(start: number): number {
    const text = this.#text
    this.#writer.beginRun()
    this.#runStart = start
    this.#measure = true
    this.#joinable = true
    this.#compoundBefore = false
    let i = start
    for (;;) {
      i = classAt(text, i) === DIGIT ? this.#digitsFirst(i) : this.#lettersFirst(i)
      i = this.#unitSymbol(i)
      if (this.#possessiveAt(i)) {
        i += 2
        this.#writer.possessive(i, this.#stem)
      }
      if (isWordAt(text, i)) continue
      if (!isConnector(text.charCodeAt(i)) || !isWordAt(text, i + 1)) break
      i++
    }
    if (this.#joinable) this.#writer.join(0)
    return i
  }

  /** A word: letters, and any digits that follow them. */
  #lettersFirst(from: number): number {
    const text = this.#text
    if (text.charCodeAt(from) === LOWER_X && this.#measure && this.#writer.partCount > 0) {
      // `4"x6"`, `8in.x10in`
      if (classAt(text, from + 1) === DIGIT) {
        this.#writer.wordPart(from, from + 1)
        return from + 1
      }
    }
    let to = from
    let firstDigit = -1
    while (to - from < FORM_LENGTH_MAX - 1) {
      const kind = classAt(text, to)
      if (kind === DIGIT && firstDigit < 0) firstDigit = to
      else if (kind !== DIGIT && kind !== LETTER) break
      if (to > from && isKoreanBorder(text, to)) break
      to += widthAt(text, to)
    }
    if (firstDigit > from) {
      if (digitsEnd(text, firstDigit) === to && fractionEnd(text, to, to, false) > to) {
        return this.#decimalBehindLetters(from, firstDigit, to)
      }
      const threadEnd = endOfThread(text, from, firstDigit, to)
      if (threadEnd > 0) {
        const firstPart = this.#writer.partCount
        this.#writer.wordPart(from, threadEnd)
        this.#measure = false
        return this.#restOfMixture(firstPart, threadEnd)
      }
    }
    const word = text.slice(from, to)
    const unit = this.#followsNumber(from)
      ? (unitSpelled(word) ?? unitLetter(word, this.#writer.partCount > 0))
      : undefined
    if (unit !== undefined) {
      this.#writer.unitPart(unit, from, to)
    } else {
      const maybe = to - from === 1 && this.#followsNumber(from) ? unitMaybe(word) : undefined
      if (maybe === undefined) this.#writer.wordPart(from, to)
      else this.#writer.unitMaybePart(maybe, from, to)
      const article = articleLength(word)
      if (article > 0) this.#writer.secondSpelling(word.slice(article))
      this.#measure = false
    }
    return to
  }

  /** usb3.0, also found as usb3: `digits` ends its letters, `to` the whole number. */
  #decimalBehindLetters(from: number, digits: number, to: number): number {
    const firstPart = this.#writer.partCount
    this.#writer.wordPart(from, digits)
    this.#writer.longerSpelling(from, to)
    this.#measure = false
    return this.#restOfMixture(firstPart, this.#number(digits, true))
  }

  /** A number, and the letters and digits attached to it. */
  #digitsFirst(from: number): number {
    const text = this.#text
    const mixtureEnd = endOfLongMixture(text, from)
    if (mixtureEnd > 0) {
      this.#writer.wordPart(from, mixtureEnd)
      this.#measure = false
      return mixtureEnd
    }
    const firstPart = this.#writer.partCount
    return this.#restOfMixture(firstPart, this.#number(from))
  }

  /**
   * Alternating letters and digits to the end of the word, joined with its parts from `firstPart`
   * on.
   */
  #restOfMixture(firstPart: number, from: number): number {
    const text = this.#text
    let i = from
    while (classAt(text, i) === LETTER) {
      i = this.#lettersBehindNumber(i)
      if (classAt(text, i) !== DIGIT) break
      i = this.#number(i, true)
    }
    this.#writer.join(firstPart)
    return i
  }

  /**
   * @param attached right after letters: there, only such a number has decimals (usb3.0, not
   * ab-12.3)
   */
  #number(from: number, attached = false): number {
    const text = this.#text
    let to = digitsEnd(text, from)
    let form = text.slice(from, to)
    let compound = false
    // 1.2.3 is a version and 1/2/3 a date: three numbers.
    const before = from > this.#runStart ? text.charCodeAt(from - 1) : SPACE
    if (this.#measure ? before !== POINT : attached) {
      const separator = this.#decimalComma ? POINT : COMMA
      const whole = from === this.#runStart ? thousandsEnd(text, from, to, separator) : to
      const point = fractionEnd(text, to, whole, this.#measure && before !== SLASH)
      const comma = this.#decimalComma && point === whole
      const end = comma ? decimalCommaEnd(text, from, whole) : point
      if (end - from <= FORM_LENGTH_MAX) {
        compound = end > whole
        form = text.slice(from, whole)
        if (whole > to) form = form.replaceAll(this.#decimalComma ? '.' : ',', '')
        form += comma ? text.slice(whole, end).replace(',', '.') : text.slice(whole, end)
        to = end
      }
    }
    const behindBar = before === SLASH && this.#writer.numberEnd === from - 1
    const besideNumber = this.#writer.partCount > 0 && (behindBar || this.#followsNumber(from))
    if (besideNumber && (compound || this.#compoundBefore)) this.#joinable = false
    const isRest = isFraction(form) && this.#followsWhole(from)
    const link = isRest ? 'rest' : behindBar ? 'bar' : undefined
    this.#compoundBefore = compound
    // AB12.3 is also ab123.
    const spelling = this.#measure ? form : form.replace('.', '')
    this.#writer.numberPart(form, spelling, from, to, link)
    return to
  }

  /** 10inches, 4x8, 12inx6in: a unit, a word, or a unit and the x of dimensions. */
  #lettersBehindNumber(from: number): number {
    const text = this.#text
    let to = from
    while (to - from < FORM_LENGTH_MAX - 1 && classAt(text, to) === LETTER) {
      if (to > from && isKoreanBorder(text, to)) break
      to += widthAt(text, to)
    }
    const letters = text.slice(from, to)
    const digitsFollow = classAt(text, to) === DIGIT
    const unit = unitSpelled(letters) ?? (digitsFollow ? undefined : unitLetter(letters, true))
    if (unit !== undefined) {
      this.#writer.unitPart(unit, from, to)
      return to
    }
    if (digitsFollow && letters.endsWith('x')) {
      const unitBeforeX = unitSpelled(letters.slice(0, -1))
      if (unitBeforeX !== undefined) this.#writer.unitPart(unitBeforeX, from, to - 1)
      if (unitBeforeX !== undefined || letters === 'x') {
        this.#writer.wordPart(to - 1, to)
        return to
      }
    }
    this.#writer.wordPart(from, to)
    this.#measure = false
    return to
  }

  /** Inch and foot as `"`, `''` and `'` right after a number. */
  #unitSymbol(at: number): number {
    const text = this.#text
    if (this.#writer.numberEnd !== at) return at
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      this.#writer.unitPart(INCH, at, at + 1)
      return at + 1
    }
    if (code !== APOSTROPHE) return at
    if (text.charCodeAt(at + 1) === APOSTROPHE) {
      this.#writer.unitPart(INCH, at, at + 2)
      return at + 2
    }
    // 90's is 90s, not 90 feet.
    if (text.charCodeAt(at + 1) === LOWER_S && !isWordAt(text, at + 2)) return at
    this.#writer.unitPart(FOOT, at, at + 1)
    return at + 1
  }

  #possessiveAt(at: number): boolean {
    const text = this.#text
    return (
      text.charCodeAt(at) === APOSTROPHE &&
      text.charCodeAt(at + 1) === LOWER_S &&
      !isWordAt(text, at + 2) &&
      this.#writer.numberEnd !== at &&
      text.charCodeAt(at - 1) !== QUOTE &&
      text.charCodeAt(at - 1) !== APOSTROPHE
    )
  }

  /** Whether the last token is a whole number right before (2-1/2, 2 1/2). */
  #followsWhole(from: number): boolean {
    const end = this.#writer.numberEnd
    return end === from - 1 && this.#followsNumber(from) && this.#writer.isWholeNumber
  }

  /** Whether the last token is a number, with at most a gap in between. */
  #followsNumber(from: number): boolean {
    const end = this.#writer.numberEnd
    if (end < 0 || from - end > UNIT_GAP_MAX) return false
    for (let i = end; i < from; i++) {
      const code = this.#text.charCodeAt(i)
      if (code !== SPACE && code !== HYPHEN) return false
    }
    return true
  }
}
