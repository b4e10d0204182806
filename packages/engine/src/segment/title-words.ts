import { GrowableU32 } from '../codec/growable.ts'
import type { SectionWriter } from '../codec/section-file.ts'
import { TITLE_WORDS_MAX } from '../scoring/vouching.ts'
import type { OccurrenceLog } from './occurrence-log.ts'
import type { SegmentReader } from './segment-reader.ts'

/**
 * The title words of each document: the stem groups of its title, the first `TITLE_WORDS_MAX`
 * different ones. Postings say which documents have a word; this is the other direction.
 *
 * @param titleField which text field of the log is the title, -1 if none is
 * @param groupOf by form of the log
 * @returns the words of all documents
 */
export function writeTitleWords(
  log: OccurrenceLog,
  titleField: number,
  groupOf: Uint32Array,
  docCount: number,
  sections: SectionWriter,
): Uint32Array {
  const starts = new Uint32Array(docCount + 1)
  const words = new GrowableU32()
  const { length, docs, textFields, forms } = log
  let docOrd = 0
  for (let i = 0; i < length; i++) {
    if (textFields[i] !== titleField) continue
    for (; docOrd < docs[i]!; docOrd++) starts[docOrd + 1] = words.length
    const start = starts[docOrd]!
    if (words.length - start === TITLE_WORDS_MAX) continue
    const group = groupOf[forms[i]!]!
    let at = start
    while (at < words.length && words.data[at] !== group) at++
    if (at === words.length) words.push(group)
  }
  for (; docOrd < docCount; docOrd++) starts[docOrd + 1] = words.length
  const used = words.data.slice(0, words.length)
  sections.add('titleStarts', starts)
  sections.add('titleWords', used)
  return used
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
