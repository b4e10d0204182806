import { analyzeDocument } from '@aisle/engine'
import type { Analyzer, FieldTokens, IndexDocument, Schema } from '@aisle/engine'
import { KnownWords, type Stem, type Word } from './known-words.ts'

/**
 * Packs the words of a document into bytes, so that ranking the best matches of a search need not
 * analyse their texts. docs/cluster-index.md describes the format. Numbers have 7 bits per byte,
 * lowest first; texts are UTF-8 after their length.
 */
export const PACKED_VERSION = 3

/** Maximum bytes; words of longer documents are not stored, but analysed when needed. */
const PACKED_MAX_BYTES = 32_000

/** A group begins with the length of its stem times four, plus one of these. */
export const ONE_PLACE = 0
const ONE_FORM = 1
export const SEVERAL_FORMS = 2
export const KINDS = 4

/** Parts of a gathered place: field ordinal, position, and whether the token is joined. */
const PLACE_NUMBERS = 3
const NO_PLACES: number[] = []
const NO_WORDS: Word[] = []

/** Gathers the tokens of one document after the other. */
export class WordPacker {
  readonly #bytes = new PackedBytes()
  #document = 0
  #stems: Stem[] = []
  /** Index of the field by field ordinal. */
  readonly #numberOf: number[] = []

  /** @param document number of `KnownWords.begin` */
  begin(document: number): void {
    this.#document = document
    this.#stems = []
  }

  /** A token of a searchable field, at its position in the field. */
  add(word: Word, field: number, position: number, isJoined: boolean): void {
    const document = this.#document
    if (word.packed !== document) {
      const { stem } = word
      word.packed = document
      word.places = []
      if (stem.packed !== document) {
        stem.packed = document
        stem.words = []
        this.#stems.push(stem)
      }
      stem.words.push(word)
    }
    word.places.push(field, position, isJoined ? 1 : 0)
  }

  /**
   * @param fields searchable ones
   * @returns Base64; undefined if there are too many
   */
  pack(id: string, fields: readonly FieldTokens[]): string | undefined {
    const bytes = this.#write(id, fields)
    return bytes.length > PACKED_MAX_BYTES ? undefined : bytes.encoded('base64')
  }

  /** Packs any number of words; returns a character for each byte. */
  packHere(id: string, fields: readonly FieldTokens[]): string {
    return this.#write(id, fields).encoded('latin1')
  }

  #write(id: string, fields: readonly FieldTokens[]): PackedBytes {
    const bytes = this.#bytes
    bytes.clear()
    bytes.number(PACKED_VERSION)
    bytes.text(id)
    bytes.number(fields.length)
    for (const { field, length } of fields) {
      bytes.number(field)
      bytes.number(length)
    }
    const elements = bytes.begin()
    for (const { elements } of fields) {
      bytes.number(elements.length)
      for (const { covered } of elements) bytes.number(covered)
    }
    bytes.end(elements)
    this.#numberOf.length = 0
    fields.forEach(({ field }, number) => (this.#numberOf[field] = number))
    for (const stem of this.#stems) this.#packStem(stem, fields.length)
    return bytes
  }

  #packStem(stem: Stem, fieldCount: number): void {
    const { text, words } = stem
    const bytes = this.#bytes
    const [first] = words
    if (words.length > 1 || !first!.isStem) {
      bytes.text(text, SEVERAL_FORMS)
      bytes.number(words.length)
      for (const { form, places } of words) {
        const shared = commonStart(text, form)
        bytes.number(Buffer.byteLength(form.slice(0, shared)))
        bytes.text(form.slice(shared))
        this.#packPlaces(places, fieldCount, true)
      }
    } else {
      const isOnce = first!.places.length === PLACE_NUMBERS
      bytes.text(text, isOnce ? ONE_PLACE : ONE_FORM)
      this.#packPlaces(first!.places, fieldCount, !isOnce)
    }
    for (const word of words) word.places = NO_PLACES
    stem.words = NO_WORDS
  }

  #packPlaces(places: readonly number[], fieldCount: number, isCounted: boolean): void {
    const bytes = this.#bytes
    if (isCounted) bytes.number(places.length / PLACE_NUMBERS)
    for (let at = 0; at < places.length; at += PLACE_NUMBERS) {
      const field = this.#numberOf[places[at]!]!
      bytes.number((places[at + 1]! * fieldCount + field) * 2 + places[at + 2]!)
    }
  }
}

/** Length of the common prefix in UTF-16 units, whole characters. */
function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) {
    length++
  }
  const isCut = length > 0 && (a.charCodeAt(length - 1) & 0xfc00) === 0xd800
  return isCut ? length - 1 : length
}

/** Writes bytes in sequence. */
class PackedBytes {
  #bytes = Buffer.allocUnsafe(4_096)
  length = 0

  clear(): void {
    this.length = 0
  }

  number(value: number): void {
    this.#reserve(8)
    let left = value
    while (left > 0x7f) {
      this.#bytes[this.length++] = (left % 0x80) | 0x80
      left = Math.floor(left / 0x80)
    }
    this.#bytes[this.length++] = left
  }

  /** @param kind with its length: (length of the text) * 4 + kind; absent: the length alone */
  text(text: string, kind?: number): void {
    const isPlain = isAscii(text)
    const length = isPlain ? text.length : Buffer.byteLength(text)
    this.number(kind === undefined ? length : length * KINDS + kind)
    this.#reserve(length)
    if (isPlain) {
      for (let i = 0; i < length; i++) this.#bytes[this.length + i] = text.charCodeAt(i)
    } else {
      this.#bytes.write(text, this.length)
    }
    this.length += length
  }

  /** Begins a part that starts with its length. @returns its start, for `end` */
  begin(): number {
    this.#reserve(1)
    return this.length++
  }

  end(begin: number): void {
    const length = this.length - begin - 1
    const more = length < 1 << 7 ? 0 : length < 1 << 14 ? 1 : length < 1 << 21 ? 2 : 3
    this.#reserve(more)
    if (more > 0) this.#bytes.copyWithin(begin + 1 + more, begin + 1, this.length)
    this.length = begin
    this.number(length)
    this.length += length
  }

  encoded(encoding: 'base64' | 'latin1'): string {
    return this.#bytes.toString(encoding, 0, this.length)
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return
    const wider = Buffer.allocUnsafe(2 * (this.length + more))
    this.#bytes.copy(wider, 0, 0, this.length)
    this.#bytes = wider
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/**
 * Analyses the words of a document that the cluster has not stored.
 * @returns the format that `PackedDocument` reads
 */
export function packedWordsOf(document: IndexDocument, schema: Schema, analyzer: Analyzer): string {
  const known = KnownWords.of(analyzer)
  const packer = new WordPacker()
  const number = known.begin()
  packer.begin(number)
  const fields = analyzeDocument(schema, analyzer, document)
  for (const { field, elements } of fields) {
    for (const { start, tokens } of elements) {
      for (const { form, position, kind } of tokens) {
        const word = known.word(form)
        packer.add(word, field, start + position, kind === 'joined')
      }
    }
  }
  return packer.packHere(document.id, fields)
}
