import { analyzeDocument, TITLE_WORDS_MAX, titleFieldOf } from '@aisle/engine'
import type { Analyzer, FieldTokens, IndexDocument, Schema } from '@aisle/engine'
import { KnownWords } from './known-words.ts'
import type { Stem, Word } from './known-words.ts'

/**
 * The words of a document as bytes, so that who puts the best of a search in order need not analyse
 * their texts. docs/cluster-index.md describes the format. Numbers are of 7 bits a byte, the lowest
 * first; texts are UTF-8 behind their length.
 */
export const PACKED_VERSION = 1

/** Bytes; words of longer documents are not kept: they are analysed by who needs them. */
const PACKED_MAX_BYTES = 32_000

const NO_PLACES: number[] = []
const NO_WORDS: Word[] = []

/** Gathers the tokens of one document after the other. */
export class WordPacker {
  readonly #bytes = new PackedBytes()
  #document = 0
  #stems: Stem[] = []

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
    word.places.push(field * 2 + (isJoined ? 1 : 0), position)
  }

  /**
   * @param fields searchable ones
   * @param titleStems all stems of the title, in their order
   * @returns Base64; undefined: they are too many
   */
  pack(
    id: string,
    fields: readonly FieldTokens[],
    titleStems: readonly Stem[],
  ): string | undefined {
    const bytes = this.#write(id, fields, titleStems)
    return bytes.length > PACKED_MAX_BYTES ? undefined : bytes.encoded('base64')
  }

  /** The same, however many they are: a character for each byte. */
  packHere(id: string, fields: readonly FieldTokens[], titleStems: readonly Stem[]): string {
    return this.#write(id, fields, titleStems).encoded('latin1')
  }

  #write(id: string, fields: readonly FieldTokens[], titleStems: readonly Stem[]): PackedBytes {
    const bytes = this.#bytes
    bytes.clear()
    bytes.number(PACKED_VERSION)
    bytes.text(id)
    bytes.number(Math.min(titleStems.length, TITLE_WORDS_MAX))
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
    for (const stem of titleStems) this.#packStem(stem)
    for (const stem of this.#stems) this.#packStem(stem)
    return bytes
  }

  /** The first time that it comes. */
  #packStem(stem: Stem): void {
    const { words } = stem
    if (words === NO_WORDS) return
    const bytes = this.#bytes
    const group = bytes.begin()
    const isAlone = words.length === 1 && words[0]!.isStem
    bytes.text(stem.text, isAlone ? 1 : 0)
    for (const word of words) {
      const { places } = word
      if (!isAlone) {
        bytes.text(word.isStem ? '' : word.form)
        bytes.number(places.length / 2)
      }
      for (const place of places) bytes.number(place)
      word.places = NO_PLACES
    }
    stem.words = NO_WORDS
    bytes.end(group)
  }
}

/** Bytes that are written one after the other. */
class PackedBytes {
  #bytes = Buffer.allocUnsafe(4_096)
  length = 0

  clear(): void {
    this.length = 0
  }

  number(value: number): void {
    this.#reserve(5)
    let left = value
    while (left > 0x7f) {
      this.#bytes[this.length++] = (left & 0x7f) | 0x80
      left >>>= 7
    }
    this.#bytes[this.length++] = left
  }

  /** @param flag with its length: (length of the text) * 2 + flag; absent: the length alone */
  text(text: string, flag?: 0 | 1): void {
    const isPlain = isAscii(text)
    const length = isPlain ? text.length : Buffer.byteLength(text)
    this.number(flag === undefined ? length : length * 2 + flag)
    this.#reserve(length)
    if (isPlain) {
      for (let i = 0; i < length; i++) this.#bytes[this.length + i] = text.charCodeAt(i)
    } else {
      this.#bytes.write(text, this.length)
    }
    this.length += length
  }

  /** A part that begins with its length. @returns where it begins, for `end` */
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
 * The words of a document that the cluster has not kept: analysed anew.
 * @returns as `PackedDocument` reads them
 */
export function packedWordsOf(document: IndexDocument, schema: Schema, analyzer: Analyzer): string {
  const known = KnownWords.of(analyzer)
  const packer = new WordPacker()
  const number = known.begin()
  packer.begin(number)
  const fields = analyzeDocument(schema, analyzer, document)
  const title = titleFieldOf(schema)
  const titleStems = new Set<Stem>()
  for (const { field, elements } of fields) {
    for (const { start, tokens } of elements) {
      for (const { form, position, kind } of tokens) {
        const word = known.word(form)
        packer.add(word, field, start + position, kind === 'joined')
        if (field === title) titleStems.add(word.stem)
      }
    }
  }
  return packer.packHere(document.id, fields, [...titleStems])
}
