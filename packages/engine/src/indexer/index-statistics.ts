import { analyzeDocument } from '../analysis/analyze-document.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
import { SINGLE_FORM, WINDOW_BITS } from '../postings/postings-format.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { Schema } from '../schema/schema.ts'
import type { BuiltSegment } from '../segment/segment-builder.ts'
import type { SegmentReader } from '../segment/segment-reader.ts'
import { hasBit } from '../codec/bitset.ts'

/**
 * The statistics of an index over its live documents: exact at any time, so that scores do not depend on
 * when segments were merged. A deleted document is analysed once more to take its words back.
 */
export class IndexStatistics {
  docCount = 0
  /** By field ordinal: tokens, and documents with at least one. */
  readonly fieldTokens: number[] = []
  readonly fieldDocs: number[] = []

  addSegment(segment: BuiltSegment, docCount: number, terms: TermWriter): void {
    this.docCount += docCount
    segment.fieldTokens.forEach((tokens, field) => add(this.fieldTokens, field, tokens))
    segment.fieldDocs.forEach((docs, field) => add(this.fieldDocs, field, docs))
    const { formDocFreqs, groupDocFreqs } = segment
    for (let i = 0; i < formDocFreqs.length; i += 2) {
      terms.addFormDocFreq(formDocFreqs[i]!, formDocFreqs[i + 1]!)
    }
    for (let i = 0; i < groupDocFreqs.length; i += 2) {
      terms.addGroupDocFreq(groupDocFreqs[i]!, groupDocFreqs[i + 1]!)
    }
  }

  removeDocument(
    document: IndexDocument,
    schema: Schema,
    analyzer: Analyzer,
    terms: TermWriter,
  ): void {
    this.docCount--
    const forms = new Set<number>()
    for (const { field, length, elements } of analyzeDocument(schema, analyzer, document)) {
      add(this.fieldTokens, field, -length)
      if (length > 0) add(this.fieldDocs, field, -1)
      for (const { tokens } of elements) {
        for (const { form } of tokens) forms.add(terms.find(form))
      }
    }
    const groups = new Set<number>()
    for (const form of forms) {
      terms.addFormDocFreq(form, -1)
      groups.add(terms.groupOf(form))
    }
    for (const group of groups) terms.addGroupDocFreq(group, -1)
  }

  /** Counts a segment that was read from a file, its live documents only. */
  addOpened(reader: SegmentReader, live: Uint32Array | undefined, terms: TermWriter): void {
    for (let docOrd = 0; docOrd < reader.docCount; docOrd++) {
      if (live === undefined || hasBit(live, docOrd)) this.docCount++
    }
    for (const field of reader.textFields) {
      const lengths = reader.lengths(field)
      if (lengths === undefined) continue
      for (let docOrd = 0; docOrd < lengths.length; docOrd++) {
        if (lengths[docOrd] === 0 || (live !== undefined && !hasBit(live, docOrd))) continue
        add(this.fieldTokens, field, lengths[docOrd]!)
        add(this.fieldDocs, field, 1)
      }
    }
    for (let list = 0; list < reader.groups.length; list++) countList(reader, list, live, terms)
  }
}

function countList(
  reader: SegmentReader,
  list: number,
  live: Uint32Array | undefined,
  terms: TermWriter,
): void {
  const group = reader.groups[list]!
  const docsByMask = countMasks(reader, list, live)
  let docs = 0
  for (const [mask, count] of docsByMask) {
    docs += count
    for (const form of terms.formsOf(group)) {
      if ((mask & (1 << terms.numberOf(form))) !== 0) terms.addFormDocFreq(form, count)
    }
  }
  terms.addGroupDocFreq(group, docs)
}

/** Live documents of a list by their form mask. */
function countMasks(
  reader: SegmentReader,
  list: number,
  live: Uint32Array | undefined,
): ReadonlyMap<number, number> {
  const first = reader.listPosting[list]!
  const size = reader.listPosting[list + 1]! - first
  // Mostly all documents have the one form, and all live: nothing needs to be looked at.
  if (live === undefined && reader.listMasks[list]! >= SINGLE_FORM) {
    return new Map([[reader.formMask(list, first), size]])
  }
  const counts = new Map<number, number>()
  const lastChunk = reader.listChunk[list + 1]!
  for (let chunk = reader.listChunk[list]!; chunk < lastChunk; chunk++) {
    const base = reader.chunkWindow[chunk]! << WINDOW_BITS
    const end = reader.chunkEnd[chunk]!
    for (let posting = reader.chunkStart(chunk); posting < end; posting++) {
      if (live !== undefined && !hasBit(live, base + reader.ids[posting]!)) continue
      const mask = reader.formMask(list, posting)
      counts.set(mask, (counts.get(mask) ?? 0) + 1)
    }
  }
  return counts
}

function add(totals: number[], field: number, change: number): void {
  totals[field] = (totals[field] ?? 0) + change
}
