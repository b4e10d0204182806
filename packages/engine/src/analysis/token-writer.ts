import type { Token, TokenSink } from './analyzer.ts'
import { fold, originalEnd, originalStart } from './fold.ts'
import type { FoldedText } from './fold.ts'
import type { Unit } from './units.ts'

/** Longest form, UTF-16 code units. A longer word becomes several tokens. */
export const FORM_LENGTH_MAX = 256

/** A run of more parts (an address on the web, a sentence of hyphens) has no joined spelling. */
export const JOINED_PARTS_MAX = 6

type OwnToken = { -readonly [Key in keyof Token]: Token[Key] }

/**
 * Collects the tokens of one text. Knows the parts of the run that is being read (a run is what
 * stands together without a space: AB-12/3, 16gb, t-shirt), to add their joined spellings.
 *
 * Invariant: positions of plain tokens are 0, 1, 2 …; tokens are in order of position, and at one
 * position the plain token comes first, then joined ones in order of span.
 */
export class TokenWriter {
  readonly tokens: OwnToken[] = []
  readonly #folded: FoldedText
  #position = 0
  /** Folded offset behind the last plain token if that is a number, else -1. */
  #numberEnd = -1
  /**
   * Of each of the `#partCount` parts of the run: index of its token in `tokens`, and its part of a
   * joined spelling.
   */
  #partCount = 0
  readonly #partIndexes: number[] = []
  readonly #partSpellings: string[] = []
  /** Number of parts, from the first one on, that are joined. */
  #joinedParts = 0

  constructor(folded: FoldedText) {
    this.#folded = folded
  }

  /** Folded offset behind the number that was written last, -1 when something else was. */
  get numberEnd(): number {
    return this.#numberEnd
  }

  /** A word of one part that its reader tells of itself. @returns its position */
  skipPosition(): number {
    return this.#position++
  }

  /** Tells of the tokens so far, which end with a run, and forgets them. */
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

  /** A word of one part, outside of any run. */
  word(from: number, to: number): void {
    this.#push(this.#form(from, to), from, to, 'word')
    this.#numberEnd = -1
  }

  wordPart(from: number, to: number): void {
    this.#part('')
    this.word(from, to)
    this.#partSpellings[this.#partCount - 1] = this.tokens[this.tokens.length - 1]!.form
  }

  /** @param spelling its part of joined spellings */
  numberPart(form: string, spelling: string, from: number, to: number): void {
    this.#part(spelling)
    this.#push(form, from, to, 'word')
    this.#numberEnd = to
  }

  unitPart(unit: Unit, from: number, to: number): void {
    this.#part(unit.symbol)
    this.#push(unit.form, from, to, 'unit')
    this.#numberEnd = -1
  }

  /**
   * The last word has a possessive 's, which ends at `to`: it belongs to the token. The spelling
   * without the apostrophe is added when stemming does not bring it back to the word.
   */
  possessive(to: number, stem: (form: string) => string): void {
    const token = this.tokens.at(-1)!
    token.end = originalEnd(this.#folded, to)
    const form = `${token.form}s`
    if (form.length <= FORM_LENGTH_MAX && stem(form) !== stem(token.form)) this.secondSpelling(form)
  }

  /** One more form of the last token, in the same place. */
  secondSpelling(form: string): void {
    this.tokens.push({ ...this.tokens.at(-1)!, form, kind: 'joined' })
  }

  /**
   * One more form of the last token that takes in what follows it, up to `to`; its place stays the
   * same.
   */
  longerSpelling(from: number, to: number): void {
    const last = this.tokens.at(-1)!
    const end = originalEnd(this.#folded, to)
    this.tokens.push({ ...last, form: this.#form(from, to), end, kind: 'joined' })
  }

  /** Two neighbouring characters of a script without spaces, the first of them in the last word. */
  bigram(from: number, to: number, span: number): void {
    this.together(from, to, span)
    this.tokens.at(-1)!.bigram = true
  }

  /** The last word and what follows it without a space, as one; `span` positions. */
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
   * Adds the joined spelling of the run's parts from `firstPart` to the last. What is joined
   * already (a mixture such as 16gb that turns out to be the whole run) stays as it is.
   */
  join(firstPart: number): void {
    const count = this.#partCount - firstPart
    if (count < 2 || count > JOINED_PARTS_MAX) return
    if (firstPart === 0 && count === this.#joinedParts) return
    if (firstPart === 0) this.#joinedParts = count
    let form = ''
    for (let part = firstPart; part < this.#partCount; part++) form += this.#partSpellings[part]!
    // What was apart may compose or be cut differently when it stands together.
    if (!this.#folded.ascii) form = fold(form)
    if (form.length > FORM_LENGTH_MAX) return
    const first = this.tokens[this.#partIndexes[firstPart]!]!
    // The next part is the first token of the next position.
    const index = this.#partIndexes[firstPart + 1]!
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
