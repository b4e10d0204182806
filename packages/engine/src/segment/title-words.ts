import { GrowableU32, GrowableU8 } from '../codec/growable.ts'
import type { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { TITLE_WORDS_MAX } from '../scoring/vouching.ts'
import type { OccurrenceLog } from './occurrence-log.ts'

/** Skip interval: stores the start of every 2^3 documents' title words. */
const TITLE_SKIP_BITS = 3
const TITLE_SKIP = 1 << TITLE_SKIP_BITS

/**
 * The title words of each document: the first `TITLE_WORDS_MAX` distinct stem groups of its title.
 * The forward index to the postings.
 *
 *     titleStarts: u32[docCount / 8, rounded up]   start of the words of documents 0, 8, 16 …
 *     titleWords:  u8[]   per document: varint(bytes of its words) varint(group)…
 *
 * Frequent words have low numbers, because they were seen early: a word takes about two bytes.
 */
export class TitleWords {
  readonly #starts: Uint32Array
  readonly #bytes: Uint8Array

  constructor(sections: SectionReader) {
    this.#starts = sections.u32('titleStarts')
    this.#bytes = sections.u8('titleWords')
  }

  /**
   * Prefetches the words of a document. The processor fetches many addresses at once if nothing
   * waits for them; `read` of some hundred documents would wait for each.
   *
   * @returns anything
   */
  fetch(docOrd: number): number {
    return this.#bytes[this.#starts[docOrd >>> TITLE_SKIP_BITS]!]!
  }

  /**
   * @param groups receives the words of a document; room for `TITLE_WORDS_MAX`
   * @returns number of words
   */
  read(docOrd: number, groups: Uint32Array): number {
    const bytes = this.#bytes
    let at = this.#starts[docOrd >>> TITLE_SKIP_BITS]!
    for (let skipped = docOrd & (TITLE_SKIP - 1); skipped > 0; skipped--) {
      const first = bytes[at]!
      at += first < 0x80 ? 1 + first : 2 + (first & 0x7f) + bytes[at + 1]! * 128
    }
    const first = bytes[at++]!
    const length = first < 0x80 ? first : (first & 0x7f) + bytes[at++]! * 128
    const end = at + length
    let count = 0
    while (at < end) {
      let group = bytes[at++]!
      if (group >= 0x80) {
        group &= 0x7f
        let shift = 7
        let byte = bytes[at++]!
        for (; byte >= 0x80; byte = bytes[at++]!) {
          group += (byte & 0x7f) << shift
          shift += 7
        }
        group += byte << shift
      }
      groups[count++] = group
    }
    return count
  }
}

class TitleWordsWriter {
  readonly #starts = new GrowableU32()
  readonly #bytes = new GrowableU8()
  readonly #document = new GrowableU8(TITLE_WORDS_MAX * 5)
  #docCount = 0

  /** Adds the words of the next document. */
  add(groups: Uint32Array, from: number, to: number): void {
    if (this.#docCount++ % TITLE_SKIP === 0) this.#starts.push(this.#bytes.length)
    const document = this.#document
    document.length = 0
    for (let i = from; i < to; i++) document.pushVarint(groups[i]!)
    const bytes = this.#bytes
    bytes.pushVarint(document.length)
    bytes.reserve(document.length)
    for (let i = 0; i < document.length; i++) bytes.data[bytes.length++] = document.data[i]!
  }

  finish(sections: SectionWriter): void {
    sections.add('titleStarts', this.#starts.data.slice(0, this.#starts.length))
    sections.add('titleWords', this.#bytes.data.slice(0, this.#bytes.length))
  }
}

/**
 * @param titleField text field of the log that is the title, -1 for none
 * @param groupOf by form of the log
 * @returns the words of all documents
 */
export function writeTitleWords(
  log: Pick<OccurrenceLog, 'length' | 'docs' | 'textFields' | 'forms'>,
  titleField: number,
  groupOf: Uint32Array,
  docCount: number,
  sections: SectionWriter,
): Uint32Array {
  const writer = new TitleWordsWriter()
  const words = new GrowableU32()
  const { length, docs, textFields, forms } = log
  let docOrd = 0
  let start = 0
  const endDocument = (): void => {
    writer.add(words.data, start, words.length)
    start = words.length
    docOrd++
  }
  for (let i = 0; i < length; i++) {
    if (textFields[i] !== titleField) continue
    while (docOrd < docs[i]!) endDocument()
    if (words.length - start === TITLE_WORDS_MAX) continue
    const group = groupOf[forms[i]!]!
    let at = start
    while (at < words.length && words.data[at] !== group) at++
    if (at === words.length) words.push(group)
  }
  while (docOrd < docCount) endDocument()
  writer.finish(sections)
  return words.data.slice(0, words.length)
}

/** Copies the title words of the remaining documents, in order. */
export function mergeTitleWords(
  sources: readonly {
    readonly reader: { readonly titleWords: TitleWords }
    readonly docMap: Int32Array
  }[],
  sections: SectionWriter,
): void {
  const writer = new TitleWordsWriter()
  const groups = new Uint32Array(TITLE_WORDS_MAX)
  for (const { reader, docMap } of sources) {
    for (let docOrd = 0; docOrd < docMap.length; docOrd++) {
      if (docMap[docOrd]! < 0) continue
      writer.add(groups, 0, reader.titleWords.read(docOrd, groups))
    }
  }
  writer.finish(sections)
}
