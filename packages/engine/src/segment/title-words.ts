import { GrowableU32, GrowableU8 } from '../codec/growable.ts'
import type { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { TITLE_WORDS_MAX } from '../scoring/vouching.ts'
import type { OccurrenceLog } from './occurrence-log.ts'

/** The start of a document's title words is stored for every so many documents. */
const TITLE_SKIP_BITS = 3
const TITLE_SKIP = 1 << TITLE_SKIP_BITS

/**
 * The title words of each document: the stem groups of its title, the first `TITLE_WORDS_MAX`
 * different ones. Postings say which documents have a word; this is the other direction.
 *
 *     titleStarts: u32[docCount / 8, rounded up]   where the words of documents 0, 8, 16 … start
 *     titleWords:  u8[]   per document: varint(bytes of its words) varint(group)…
 *
 * Frequent words have low numbers, because they were seen early: a word takes two bytes.
 */
export class TitleWords {
  readonly #starts: Uint32Array
  readonly #bytes: Uint8Array

  constructor(sections: SectionReader) {
    this.#starts = sections.u32('titleStarts')
    this.#bytes = sections.u8('titleWords')
  }

  /**
   * Brings the words of a document nearer to the processor, which fetches many places of memory at
   * once if nothing waits for them. To `read` each of some hundred documents would wait for each.
   *
   * @returns anything
   */
  fetch(docOrd: number): number {
    return this.#bytes[this.#starts[docOrd >>> TITLE_SKIP_BITS]!]!
  }

  /**
   * @param groups receives the words of a document; room for `TITLE_WORDS_MAX`
   * @returns how many there are
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
 * @param titleField which text field of the log is the title, -1 if none is
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

/** Copies the title words of the documents that stay, in their order. */
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
