import { ELEMENT_STRIDE, textsOf } from '../analysis/analyze-document.ts'
import { scanText, type Analyzer, type TokenSink } from '../analysis/analyzer.ts'
import { PART_LENGTH, textParts } from '../analysis/text-parts.ts'
import { BatchForms } from '../dictionary/batch-forms.ts'
import type { FieldValue } from '../schema/schema.ts'

const LENGTH_MIN = 4_096
/** Occurrences logged in one step. */
export const STEP_OCCURRENCES = 4_096

/**
 * Every token of a batch, as parallel arrays in order of document, field, position: `forms` (a
 * number of `batch`), `docs`, `textFields`, `positions`, and `ends`, which is 1 at the end of a
 * value.
 */
export class OccurrenceLog implements TokenSink {
  readonly batch = new BatchForms()
  length = 0
  forms = new Uint32Array(LENGTH_MIN)
  docs = new Uint32Array(LENGTH_MIN)
  textFields = new Uint16Array(LENGTH_MIN)
  positions = new Uint32Array(LENGTH_MIN)
  ends = new Uint8Array(LENGTH_MIN)
  /** Scratch of the sort by group. */
  order = new Uint32Array(LENGTH_MIN)
  #docOrd = 0
  #textField = 0
  /** Current element: position of its first token, and number of positions of its tokens. */
  #start = 0
  #covered = 0
  /** Tokens of the field without the joined ones. */
  #fieldLength = 0

  clear(): void {
    this.length = 0
    this.batch.clear()
  }

  /**
   * Logs the tokens of a field of a document. Documents and their fields come in ascending order.
   *
   * @returns the length of the field in tokens, without joined ones
   */
  add(docOrd: number, textField: number, text: string, analyzer: Analyzer): number {
    this.#begin(docOrd, textField)
    this.#addElement(text, analyzer)
    return this.#fieldLength
  }

  /** The same in steps, for a list or a long text. */
  *addInSteps(
    docOrd: number,
    textField: number,
    value: FieldValue,
    analyzer: Analyzer,
  ): Generator<void, number> {
    this.#begin(docOrd, textField)
    let stepEnd = this.length + STEP_OCCURRENCES
    for (const text of textsOf(value)) {
      if (text.length > PART_LENGTH) yield* this.#addLongElement(text, analyzer)
      else this.#addElement(text, analyzer)
      if (this.length < stepEnd) continue
      stepEnd = this.length + STEP_OCCURRENCES
      yield
    }
    return this.#fieldLength
  }

  #begin(docOrd: number, textField: number): void {
    this.#docOrd = docOrd
    this.#textField = textField
    this.#fieldLength = 0
    this.#start = 0
  }

  word(text: string, from: number, to: number, hash: number, position: number): void {
    this.#push(this.batch.internUnits(text, from, to, hash), position)
    this.#covered = position + 1
    this.#fieldLength++
  }

  token(form: string, position: number, span: number, isJoined: boolean): void {
    this.#push(this.batch.intern(form), position)
    if (position + span > this.#covered) this.#covered = position + span
    if (!isJoined) this.#fieldLength++
  }

  #addElement(text: string, analyzer: Analyzer): void {
    const first = this.length
    this.#covered = 0
    scanText(analyzer, text, this)
    this.#endElement(first)
  }

  *#addLongElement(text: string, analyzer: Analyzer): Generator<void, void> {
    const first = this.length
    const start = this.#start
    for (const part of textParts(text)) {
      this.#covered = 0
      scanText(analyzer, part, this)
      this.#start += this.#covered
      yield
    }
    this.#covered = this.#start - start
    this.#start = start
    this.#endElement(first)
  }

  /** Marks the last tokens of an element, those from `first` on. */
  #endElement(first: number): void {
    const { positions, ends } = this
    const last = this.#start + this.#covered - 1
    for (let i = this.length - 1; i >= first && positions[i]! >= last; i--) ends[i] = 1
    this.#start += ELEMENT_STRIDE * (Math.floor(this.#covered / ELEMENT_STRIDE) + 1)
  }

  #push(form: number, position: number): void {
    const at = this.length
    if (at === this.forms.length) this.#grow()
    this.forms[at] = form
    this.docs[at] = this.#docOrd
    this.textFields[at] = this.#textField
    this.positions[at] = this.#start + position
    this.ends[at] = 0
    this.length = at + 1
  }

  #grow(): void {
    const { forms, docs, textFields, positions, ends } = this
    const capacity = forms.length * 2
    this.forms = new Uint32Array(capacity)
    this.docs = new Uint32Array(capacity)
    this.textFields = new Uint16Array(capacity)
    this.positions = new Uint32Array(capacity)
    this.ends = new Uint8Array(capacity)
    this.order = new Uint32Array(capacity)
    this.forms.set(forms)
    this.docs.set(docs)
    this.textFields.set(textFields)
    this.positions.set(positions)
    this.ends.set(ends)
  }
}
