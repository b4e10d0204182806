import { TITLE_WORDS_MAX } from '@aisle/engine'
import type { DocumentValue, Field } from '@aisle/engine'
import type { CandidateDocument, DocumentWords, PlacedToken, RestOfWords } from '@aisle/engine/candidates'
import { PACKED_VERSION } from './packed-words.ts'
import type { WordFinder } from './word-finder.ts'

/** Array elements start at multiples of this many positions. */
const ELEMENT_STRIDE = 4096
const NONE: readonly PlacedToken[] = []

/**
 * What the cluster has kept of the words of a document.
 *
 * @param base64 of `tokens` in the index
 * @returns a character for each byte, as it is kept and read; undefined: it has a version that is
 *   not known here
 */
export function packedText(base64: string): string | undefined {
  const text = Buffer.from(base64, 'base64').toString('latin1')
  return text.charCodeAt(0) === PACKED_VERSION ? text : undefined
}

export interface PackedOptions {
  readonly fields: readonly Field[]
  /** By field ordinal; empty where nobody looks at them. */
  readonly values: readonly (DocumentValue | undefined)[]
  /** The words that are looked at; absent: all of them. */
  readonly finder: WordFinder | undefined
}

/** A document of which only the words that a search looks at are read from its packed ones. */
export class PackedDocument implements CandidateDocument, RestOfWords {
  readonly docKey: number
  readonly fields: readonly Field[]
  readonly values: readonly (DocumentValue | undefined)[]
  readonly tokens: readonly (readonly PlacedToken[])[]
  readonly lengths: readonly number[]
  readonly rest?: RestOfWords
  words?: DocumentWords
  readonly #text: string
  readonly #ordinals: readonly number[]
  readonly #titleWordCount: number
  readonly #elementsAt: number
  readonly #groupsAt: number
  #titleWords: readonly string[] | undefined

  constructor(docKey: number, text: string, { fields, values, finder }: PackedOptions) {
    this.docKey = docKey
    this.fields = fields
    this.values = values
    this.#text = text
    const reader = new PackedReader(text, 1)
    reader.skip(reader.number())
    this.#titleWordCount = reader.number()
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
    this.#groupsAt = reader.at
    if (finder === undefined) readAll(reader, tokens)
    else readFound(reader, finder, tokens)
    this.tokens = tokens
    if (finder !== undefined) this.rest = this
  }

  get id(): string {
    const reader = new PackedReader(this.#text, 1)
    return reader.text(reader.number())
  }

  /** Those of the title stand before all others. */
  get titleWords(): readonly string[] {
    return (this.#titleWords ??= this.#readTitleWords())
  }

  #readTitleWords(): string[] {
    const reader = new PackedReader(this.#text, this.#groupsAt)
    const count = Math.min(this.#titleWordCount, TITLE_WORDS_MAX)
    return Array.from({ length: count }, () => {
      const length = reader.number()
      const end = reader.at + length
      const stem = reader.text(reader.number() >> 1)
      reader.at = end
      return stem
    })
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
function readFound(
  reader: PackedReader,
  finder: WordFinder,
  tokens: (readonly PlacedToken[])[],
): void {
  const { bytes } = reader
  while (reader.at < bytes.length) {
    const length = reader.number()
    const begin = reader.at
    const end = begin + length
    const head = reader.number()
    const stemLength = head >> 1
    const found = finder.find(bytes, reader.at, stemLength)
    if ((head & 1) === 1) {
      if (found !== undefined) {
        reader.at += stemLength
        readPlaces(reader, end, found.text, found.text, tokens)
      }
    } else if (found !== undefined || hasForm(reader, end, stemLength, finder)) {
      reader.at = begin
      readGroup(reader, end, tokens)
    }
    reader.at = end
  }
}

/** Whether a group has a form that is looked for; its stem alone is not enough to be one. */
function hasForm(
  reader: PackedReader,
  end: number,
  stemLength: number,
  finder: WordFinder,
): boolean {
  reader.at += stemLength
  while (reader.at < end) {
    const length = reader.number()
    if (length > 0 && finder.find(reader.bytes, reader.at, length) !== undefined) return true
    reader.at += length
    for (let left = 2 * reader.number(); left > 0; left--) reader.number()
  }
  return false
}

function readAll(reader: PackedReader, tokens: (readonly PlacedToken[])[]): void {
  while (reader.at < reader.bytes.length) {
    const length = reader.number()
    readGroup(reader, reader.at + length, tokens)
  }
}

function readGroup(reader: PackedReader, end: number, tokens: (readonly PlacedToken[])[]): void {
  const head = reader.number()
  const stem = reader.text(head >> 1)
  if ((head & 1) === 1) {
    readPlaces(reader, end, stem, stem, tokens)
    return
  }
  while (reader.at < end) {
    const length = reader.number()
    const form = length === 0 ? stem : reader.text(length)
    for (let left = reader.number(); left > 0; left--) readPlace(reader, form, stem, tokens)
  }
}

function readPlaces(
  reader: PackedReader,
  end: number,
  form: string,
  stem: string,
  tokens: (readonly PlacedToken[])[],
): void {
  while (reader.at < end) readPlace(reader, form, stem, tokens)
}

function readPlace(
  reader: PackedReader,
  form: string,
  stem: string,
  tokens: (readonly PlacedToken[])[],
): void {
  const place = reader.number()
  const field = place >> 1
  const token = { form, stem, position: reader.number(), joined: (place & 1) === 1 }
  if (tokens[field] === NONE) tokens[field] = [token]
  else (tokens[field] as PlacedToken[]).push(token)
}

/** Numbers and texts, one after the other. */
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
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.bytes.charCodeAt(this.at++)
      value |= (byte & 0x7f) << shift
    }
    return value
  }

  skip(bytes: number): void {
    this.at += bytes
  }

  /** @param length in bytes */
  text(length: number): string {
    const text = this.bytes.slice(this.at, this.at + length)
    this.at += length
    return isAscii(text) ? text : Buffer.from(text, 'latin1').toString()
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}
