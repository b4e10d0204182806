import { analyzeDocument } from '../analysis/analyze-document.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
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
  const byNumber = new Uint32Array(32)
  let docs = 0
  reader.forEachPosting(list, (docOrd, posting) => {
    if (live !== undefined && !hasBit(live, docOrd)) return
    docs++
    for (let rest = reader.formMask(list, posting); rest !== 0; rest &= rest - 1) {
      byNumber[31 - Math.clz32(rest & -rest)]!++
    }
  })
  terms.addGroupDocFreq(group, docs)
  for (const form of terms.formsOf(group)) {
    const count = byNumber[terms.numberOf(form)]!
    if (count > 0) terms.addFormDocFreq(form, count)
  }
}

function add(totals: number[], field: number, change: number): void {
  totals[field] = (totals[field] ?? 0) + change
}
