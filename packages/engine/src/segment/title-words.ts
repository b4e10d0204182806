import type { FieldTokens } from '../analysis/analyze-document.ts'
import { GrowableU32 } from '../codec/growable.ts'
import type { SectionWriter } from '../codec/section-file.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
import { TITLE_WORDS_MAX } from '../scoring/vouching.ts'
import type { SegmentReader } from './segment-reader.ts'

/**
 * The title words of each document: the stem groups of its title, the first `TITLE_WORDS_MAX`
 * different ones. Postings say which documents have a word; this is the other direction.
 */
export class TitleWordsBuilder {
  readonly #terms: TermWriter
  readonly #starts = new GrowableU32()
  readonly #words = new GrowableU32()
  readonly #seen = new Set<number>()

  constructor(terms: TermWriter) {
    this.#terms = terms
    this.#starts.push(0)
  }

  /** Adds the title of the current document. Its forms are interned already. */
  add({ elements }: FieldTokens): void {
    for (const { tokens } of elements) {
      for (const { form } of tokens) {
        if (this.#seen.size === TITLE_WORDS_MAX) return
        const group = this.#terms.groupOf(this.#terms.find(form))
        if (this.#seen.has(group)) continue
        this.#seen.add(group)
        this.#words.push(group)
      }
    }
  }

  endDocument(): void {
    this.#seen.clear()
    this.#starts.push(this.#words.length)
  }

  /** @returns the words of all documents */
  finish(sections: SectionWriter): Uint32Array {
    const words = this.#words.data.slice(0, this.#words.length)
    sections.add('titleStarts', this.#starts.data.slice(0, this.#starts.length))
    sections.add('titleWords', words)
    return words
  }
}

/** Copies the title words of the documents that stay, in their order. */
export function mergeTitleWords(
  sources: readonly { readonly reader: SegmentReader; readonly docMap: Int32Array }[],
  sections: SectionWriter,
): void {
  const starts = new GrowableU32()
  const words = new GrowableU32()
  starts.push(0)
  for (const { reader, docMap } of sources) {
    for (let docOrd = 0; docOrd < docMap.length; docOrd++) {
      if (docMap[docOrd]! < 0) continue
      const end = reader.titleStarts[docOrd + 1]!
      for (let at = reader.titleStarts[docOrd]!; at < end; at++) words.push(reader.titleWords[at]!)
      starts.push(words.length)
    }
  }
  sections.add('titleStarts', starts.data.slice(0, starts.length))
  sections.add('titleWords', words.data.slice(0, words.length))
}
