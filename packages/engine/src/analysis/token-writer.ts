import type { Token, TokenSink } from './analyzer.ts'
import { fold, originalEnd, originalStart, type FoldedText } from './fold.ts'
import type { Unit } from './units.ts'

/** Maximum length of a form in UTF-16 code units. Longer words become several tokens. */
export const FORM_LENGTH_MAX = 256

/** A run of more parts (a web address, a sentence with hyphens) has no joined spelling. */
export const JOINED_PARTS_MAX = 6

/** The link between a number and the previous one, if both are sizes of one unit. */
type Link = 'rest' | 'bar' | undefined

interface PartSize {
  readonly form: string
  readonly link: Link
}

interface MeasuredNumber {
  readonly form: string
  readonly position: number
  readonly start: number
  readonly hasWhole: boolean
}

type OwnToken = { -readonly [Key in keyof Token]: Token[Key] }

/**
 * Collects the tokens of one text. Keeps the parts of the current run (text without spaces:
 * AB-12/3, 16gb, t-shirt) to add their joined spellings.
 *
 * Invariant: positions of plain tokens are 0, 1, 2 …; tokens are in order of position, and at one
 * position the plain token comes first, then joined ones in order of span.
 */
export class TokenWriter {
  readonly tokens: OwnToken[] = []
  readonly #folded: FoldedText
  #position = 0
  /** Folded end offset of the last plain token if it is a number, otherwise -1. */
  #numberEnd = -1
  /** The last number: form, position and original offset. */
  #number: MeasuredNumber = { form: '', position: 0, start: 0, hasWhole: false }
  /**
   * For each of the `#partCount` parts of the run: index of its token in `tokens`, and its part of
   * a joined spelling.
   */
  #partCount = 0
  readonly #partIndexes: number[] = []
  readonly #partSpellings: string[] = []
  /** Sizes of the parts that are numbers, as used before a unit; undefined for others. */
  readonly #partSizes: (PartSize | undefined)[] = []
  /** Number of parts, starting at the first, that are joined. */
  #joinedParts = 0

  constructor(folded: FoldedText) {
    this.#folded = folded
  }

  /** Folded end offset of the last token if it is a number, otherwise -1. */
  get numberEnd(): number {
    return this.#numberEnd
  }

  /** Whether the last number has neither decimals nor a fraction. */
  get isWholeNumber(): boolean {
    const { form } = this.#number
    return !form.includes('.') && !form.includes('/')
  }

  /**
   * Takes the position of a one-part word that the caller passes to the sink.
   * @returns its position
   */
  skipPosition(): number {
    return this.#position++
  }

  /** Passes the tokens so far, which end with a run, to the sink and forgets them. */
  tell(sink: TokenSink): void {
    const { tokens } = this
    for (let i = 0; i < tokens.length; i++) {
      const { form, position, span, kind, start, end } = tokens[i]!
      sink.token(form, position, span, kind === 'joined', start, end)
    }
    if (tokens.length > 0) tokens.length = 0
  }

  get partCount(): number {
    return this.#partCount
  }

  beginRun(): void {
    this.#joinedParts = 0
    this.#partCount = 0
  }

  /** A one-part word outside of any run. */
  word(from: number, to: number): void {
    this.#push(this.#form(from, to), from, to, 'word')
    this.#numberEnd = -1
  }

  wordPart(from: number, to: number): void {
    this.#part('')
    this.word(from, to)
    this.#partSpellings[this.#partCount - 1] = this.tokens[this.tokens.length - 1]!.form
  }

  /**
   * @param spelling its part of joined spellings
   * @param link `rest`: it is the fraction of the previous number (2-1/2); `bar`: it follows
   *   another number and a bar (2.5/3.5)
   */
  numberPart(form: string, spelling: string, from: number, to: number, link: Link): void {
    const measured = link === 'rest' ? `${this.#number.form}-${form}` : form
    this.#part(spelling)
    this.#partSizes[this.#partCount - 1] = { form: measured, link }
    this.#push(form, from, to, 'word')
    this.#numberEnd = to
    const { position, start } = this.tokens.at(-1)!
    this.#number = { form: measured, position, start, hasWhole: link === 'rest' }
  }

  unitPart(unit: Unit, from: number, to: number): void {
    this.#part(unit.symbol)
    this.#push(unit.form, from, to, 'unit')
    this.#numberEnd = -1
    this.#measure(unit)
  }

  /** A letter after a number that is also a unit. */
  unitMaybePart(unit: Unit, from: number, to: number): void {
    this.wordPart(from, to)
    this.#measure(unit)
    this.secondSpelling(unit.form)
  }

  /**
   * The last token is a unit after a number: adds both as one token. A search thus distinguishes
   * "16 GB" from 16 and GB that are apart, regardless of what is between the two. Attached numbers
   * before it share the unit (2.5/3.5mm, 4x8ft).
   */
  #measure({ symbol }: Unit): void {
    const { form, position, start, hasWhole } = this.#number
    const unit = this.tokens.at(-1)!
    this.#insertMeasure(this.tokens.length - 1, this.#partCount - 1, {
      form: sizeOf(form) + symbol,
      position,
      span: unit.position + 1 - position,
      start,
      end: unit.end,
      ...(hasWhole ? { hasWhole } : {}),
    })
    for (let part = this.#sharing(this.#partCount - 2); part >= 0; part = this.#sharing(part)) {
      const index = this.#partIndexes[part]!
      const { position, start, end } = this.tokens[index]!
      const shared = sizeOf(this.#partSizes[part]!.form) + symbol
      this.#insertMeasure(index + 1, part + 1, { form: shared, position, span: 1, start, end })
    }
  }

  /** @returns the previous number with the same unit, -1 if there is none */
  #sharing(part: number): number {
    const size = part < 1 ? undefined : this.#partSizes[part]
    if (size === undefined) return -1
    const isBesideX = part > 1 && this.#partSpellings[part - 1] === 'x'
    const before = size.link === 'bar' ? part - 1 : isBesideX ? part - 2 : -1
    return before >= 0 && this.#partSizes[before] !== undefined ? before : -1
  }

  /** @param part the first part of the run whose token index shifts */
  #insertMeasure(index: number, part: number, token: Omit<OwnToken, 'kind'>): void {
    if (token.form.length > FORM_LENGTH_MAX) return
    this.tokens.splice(index, 0, { ...token, kind: 'joined', measure: true })
    for (let next = part; next < this.#partCount; next++) {
      this.#partIndexes[next] = this.#partIndexes[next]! + 1
    }
  }

  /**
   * The last word has a possessive 's, which ends at `to` and becomes part of the token. Adds the
   * spelling without the apostrophe if stemming does not restore the word.
   */
  possessive(to: number, stem: (form: string) => string): void {
    const token = this.tokens.at(-1)!
    token.end = originalEnd(this.#folded, to)
    const form = `${token.form}s`
    if (form.length <= FORM_LENGTH_MAX && stem(form) !== stem(token.form)) this.secondSpelling(form)
  }

  /** A further form of the last token at the same position. */
  secondSpelling(form: string): void {
    this.tokens.push({ ...this.tokens.at(-1)!, form, kind: 'joined' })
  }

  /** A further form of the last token that includes the text up to `to`; its position stays. */
  longerSpelling(from: number, to: number): void {
    const last = this.tokens.at(-1)!
    const end = originalEnd(this.#folded, to)
    this.tokens.push({ ...last, form: this.#form(from, to), end, kind: 'joined' })
  }

  /** Two adjacent characters of a script without spaces, the first of them in the last word. */
  bigram(from: number, to: number, span: number): void {
    this.together(from, to, span)
    this.tokens.at(-1)!.bigram = true
  }

  /** The last word and the adjacent text up to `to`, as one token over `span` positions. */
  together(from: number, to: number, span: number): void {
    this.tokens.push({
      form: this.#form(from, to),
      position: this.#position - 1,
      span,
      start: originalStart(this.#folded, from),
      end: originalEnd(this.#folded, to),
      kind: 'joined',
    })
  }

  /**
   * Adds the joined spelling of the run's parts from `firstPart` to the last. Keeps what is joined
   * already (a mixture such as 16gb that turns out to be the whole run).
   */
  join(firstPart: number): void {
    const count = this.#partCount - firstPart
    if (count < 2 || count > JOINED_PARTS_MAX) return
    if (firstPart === 0 && count === this.#joinedParts) return
    if (firstPart === 0) this.#joinedParts = count
    let form = ''
    for (let part = firstPart; part < this.#partCount; part++) form += this.#partSpellings[part]!
    // Separate parts may compose or be cut differently once joined.
    if (!this.#folded.ascii) form = fold(form)
    if (form.length > FORM_LENGTH_MAX) return
    const first = this.tokens[this.#partIndexes[firstPart]!]!
    // The next part is the first token of the next position.
    const index = this.#partIndexes[firstPart + 1]!
    const before = this.tokens[index - 1]!
    // A number and its unit are joined already.
    if (before.measure === true && before.position === first.position && count === 2) return
    this.tokens.splice(index, 0, {
      form,
      position: first.position,
      span: count,
      start: first.start,
      end: this.tokens.at(-1)!.end,
      kind: 'joined',
    })
    for (let part = firstPart + 1; part < this.#partCount; part++) {
      this.#partIndexes[part] = this.#partIndexes[part]! + 1
    }
  }

  #part(spelling: string): void {
    this.#partIndexes[this.#partCount] = this.tokens.length
    this.#partSizes[this.#partCount] = undefined
    this.#partSpellings[this.#partCount++] = spelling
  }

  #form(from: number, to: number): string {
    const form = this.#folded.text.slice(from, to)
    return this.#folded.ascii ? form : fold(form)
  }

  #push(form: string, from: number, to: number, kind: 'word' | 'unit'): void {
    this.tokens.push({
      form,
      position: this.#position++,
      span: 1,
      start: originalStart(this.#folded, from),
      end: originalEnd(this.#folded, to),
      kind,
    })
  }
}

/** Numbers with more digits than a double can hold stay as written. */
const EXACT_DIGITS_MAX = 15
/** Parts of a fraction that is written as decimals: sixteenths have four. */
const DECIMAL_PARTS = 10_000

/**
 * The single spelling of a number before a unit: 2-1/2 and 2.50 are 2.5, 3/4 is 0.75. A number
 * without short decimals stays a fraction.
 */
function sizeOf(number: string): string {
  if (number.length > EXACT_DIGITS_MAX) return number
  const bar = number.indexOf('/')
  if (bar < 0) return `${Number(number)}`
  const from = number.indexOf('-') + 1
  const whole = from === 0 ? 0 : Number(number.slice(0, from - 1))
  const parts = (Number(number.slice(from, bar)) * DECIMAL_PARTS) / Number(number.slice(bar + 1))
  return Number.isInteger(parts) ? `${whole + parts / DECIMAL_PARTS}` : number
}
