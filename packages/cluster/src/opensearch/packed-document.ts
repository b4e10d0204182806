import type { DocumentValue, Field, StoredVector } from '@aisle/engine'
import type {
  CandidateDocument,
  DocumentWords,
  PlacedToken,
  RestOfWords,
} from '@aisle/engine/rescoring'
import { KINDS, ONE_PLACE, PACKED_VERSION, SEVERAL_FORMS } from './packed-words.ts'
import type { WordFinder } from './word-finder.ts'

/** Array elements start at multiples of this many positions. */
const ELEMENT_STRIDE = 4096
const NONE: readonly PlacedToken[] = []

/**
 * The words of a document as the cluster stores them.
 *
 * @param base64 of `tokens` in the index
 * @returns a character for each byte, as cached and read; undefined if its version is unknown here
 */
export function packedText(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString('latin1')
  return text.charCodeAt(0) === PACKED_VERSION ? text : undefined
}

export interface PackedOptions {
  /** The docKey of the first version of the document. */
  readonly inserted: number
  readonly fields: readonly Field[]
  /** By field ordinal; empty for fields that are not used. */
  readonly values: readonly (DocumentValue | undefined)[]
  /** Absent if they are not used. */
  readonly storedVectors?: ReadonlyMap<number, StoredVector> | undefined
  /** The words to read; absent: all of them. */
  readonly finder: WordFinder | undefined
}

/** A document that reads from its packed words only those that a search needs. */
export class PackedDocument implements CandidateDocument, RestOfWords {
  readonly docKey: number
  readonly inserted: number
  readonly fields: readonly Field[]
  readonly values: readonly (DocumentValue | undefined)[]
  readonly storedVectors?: ReadonlyMap<number, StoredVector>
  readonly tokens: readonly (readonly PlacedToken[])[]
  readonly lengths: readonly number[]
  readonly rest?: RestOfWords
  words?: DocumentWords
  readonly #text: string
  readonly #ordinals: readonly number[]
  readonly #elementsAt: number

  constructor(
    docKey: number,
    text: string,
    { inserted, fields, values, storedVectors, finder }: PackedOptions,
  ) {
    this.docKey = docKey
    this.inserted = inserted
    this.fields = fields
    this.values = values
    if (storedVectors !== undefined) this.storedVectors = storedVectors
    this.#text = text
    const reader = new PackedReader(text, 1)
    reader.skip(reader.number())
    const lengths: number[] = []
    const ordinals: number[] = []
    const tokens: (readonly PlacedToken[])[] = []
    for (let left = reader.number(); left > 0; left--) {
      const field = reader.number()
      while (lengths.length <= field) {
        lengths.push(0)
        tokens.push(NONE)
      }
      lengths[field] = reader.number()
      ordinals.push(field)
    }
    this.#ordinals = ordinals
    this.lengths = lengths
    const elementBytes = reader.number()
    this.#elementsAt = reader.at
    reader.skip(elementBytes)
    const read = { ordinals, byField: tokens }
    if (finder !== undefined) readFound(reader, finder, read)
    else while (reader.at < text.length) readGroup(reader, read)
    this.tokens = tokens
    if (finder !== undefined) this.rest = this
  }

  get id(): string {
    const reader = new PackedReader(this.#text, 1)
    return reader.text(reader.number())
  }

  isTaken(field: number, position: number): boolean {
    const reader = new PackedReader(this.#text, this.#elementsAt)
    for (const ordinal of this.#ordinals) {
      let start = 0
      for (let left = reader.number(); left > 0; left--) {
        const covered = reader.number()
        if (ordinal === field && position >= start && position < start + covered) return true
        start += ELEMENT_STRIDE * (Math.floor(covered / ELEMENT_STRIDE) + 1)
      }
    }
    return false
  }
}

/** Reads groups of words that the finder knows. */
function readFound(reader: PackedReader, finder: WordFinder, tokens: TokensRead): void {
  const { bytes } = reader
  while (reader.at < bytes.length) {
    const begin = reader.at
    const head = reader.number()
    const length = Math.floor(head / KINDS)
    if (finder.find(bytes, reader.at, length) !== undefined) {
      reader.at = begin
      readGroup(reader, tokens)
    } else if (!isVaried(head)) {
      reader.skip(length)
      reader.skipNumbers(head % KINDS === ONE_PLACE ? 1 : reader.number())
    } else if (hasForm(reader, length, finder)) {
      reader.at = begin
      readGroup(reader, tokens)
    }
  }
}

/** Whether one of several forms is searched; if none is, the group was read to its end. */
function hasForm(reader: PackedReader, stemLength: number, finder: WordFinder): boolean {
  const stemAt = reader.at
  reader.skip(stemLength)
  for (let left = reader.number(); left > 0; left--) {
    const shared = reader.number()
    const length = reader.number()
    const found = finder.findParts(reader.bytes, stemAt, shared, reader.at, length)
    if (found !== undefined) return true
    reader.skip(length)
    reader.skipNumbers(reader.number())
  }
  return false
}

function isVaried(head: number): boolean {
  return head % KINDS === SEVERAL_FORMS
}

function readGroup(reader: PackedReader, tokens: TokensRead): void {
  const head = reader.number()
  const stemAt = reader.at
  const stem = reader.text(Math.floor(head / KINDS))
  if (!isVaried(head)) {
    readPlaces(reader, head % KINDS === ONE_PLACE ? 1 : reader.number(), stem, stem, tokens)
    return
  }
  for (let left = reader.number(); left > 0; left--) {
    const shared = reader.bytes.slice(stemAt, stemAt + reader.number())
    const form = reader.text(reader.number(), shared)
    readPlaces(reader, reader.number(), form, stem, tokens)
  }
}

function readPlaces(
  reader: PackedReader,
  count: number,
  form: string,
  stem: string,
  { ordinals, byField }: TokensRead,
): void {
  for (let left = count; left > 0; left--) {
    const place = reader.number()
    const inFields = Math.floor(place / 2)
    const field = ordinals[inFields % ordinals.length]!
    const position = Math.floor(inFields / ordinals.length)
    const token = { form, stem, position, joined: place % 2 === 1 }
    if (byField[field] === NONE) byField[field] = [token]
    else (byField[field] as PlacedToken[]).push(token)
  }
}

interface TokensRead {
  /** Lengths of the fields with tokens. */
  readonly ordinals: readonly number[]
  readonly byField: (readonly PlacedToken[])[]
}

/** Reads numbers and texts in sequence. */
class PackedReader {
  readonly bytes: string
  at: number

  constructor(bytes: string, at: number) {
    this.bytes = bytes
    this.at = at
  }

  number(): number {
    let byte = this.bytes.charCodeAt(this.at++)
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    for (let worth = 0x80; byte >= 0x80; worth *= 0x80) {
      byte = this.bytes.charCodeAt(this.at++)
      value += (byte & 0x7f) * worth
    }
    return value
  }

  skip(bytes: number): void {
    this.at += bytes
  }

  skipNumbers(count: number): void {
    for (let left = count; left > 0; left--) while (this.bytes.charCodeAt(this.at++) >= 0x80);
  }

  /** @param length in bytes @param before bytes that the text begins with */
  text(length: number, before = ''): string {
    const bytes = before + this.bytes.slice(this.at, this.at + length)
    this.at += length
    return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString()
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}
