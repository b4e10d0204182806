import { textsOf } from '../analysis/analyze-document.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { fieldAnalyzer } from '../analysis/field-analyzer.ts'
import { PART_LENGTH, textParts } from '../analysis/text-parts.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
import type { IndexDocument } from '../schema/document.ts'
import { fieldValue, type Schema } from '../schema/schema.ts'
import type { BuiltSegment } from '../segment/segment-builder.ts'
import type { DocumentCounts } from '../segment/snapshot.ts'

/**
 * The statistics of an index over its live documents. Always exact, so that scores do not depend on
 * when segments were merged. A deleted document is analysed again to subtract its words.
 */
export class IndexStatistics implements DocumentCounts {
  docCount: number
  readonly fieldTokens: number[]
  readonly fieldDocs: number[]

  /** @param saved counts of an index to continue; absent: starts at 0 */
  constructor(saved: DocumentCounts = { docCount: 0, fieldTokens: [], fieldDocs: [] }) {
    this.docCount = saved.docCount
    this.fieldTokens = [...saved.fieldTokens]
    this.fieldDocs = [...saved.fieldDocs]
  }

  /** A copy, without holes. */
  counts(): DocumentCounts {
    const { docCount, fieldTokens, fieldDocs } = this
    const whole = (totals: readonly number[]): number[] =>
      Array.from(totals, (total: number | undefined) => total ?? 0)
    return { docCount, fieldTokens: whole(fieldTokens), fieldDocs: whole(fieldDocs) }
  }

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

  remove({ docCount, fieldTokens, fieldDocs, forms, groups }: Removal, terms: TermWriter): void {
    this.docCount -= docCount
    fieldTokens.forEach((tokens, field) => add(this.fieldTokens, field, -tokens))
    fieldDocs.forEach((docs, field) => add(this.fieldDocs, field, -docs))
    for (const form of forms) terms.addFormDocFreq(form, -1)
    for (const group of groups) terms.addGroupDocFreq(group, -1)
  }
}

/** What deleted documents take from the statistics of their index. */
export class Removal {
  docCount = 0
  readonly fieldTokens: number[] = []
  readonly fieldDocs: number[] = []
  /** Ids of forms and of groups: one for each document that has it. */
  readonly forms: number[] = []
  readonly groups: number[] = [];

  /** Adds a document, in steps: a part of its text each. */
  *add(
    document: IndexDocument,
    schema: Schema,
    analyzer: Analyzer,
    terms: TermWriter,
  ): Generator<void, void> {
    this.docCount++
    const forms = new Set<number>()
    let stepLength = 0
    for (const [ordinal, field] of schema.fields.entries()) {
      const value = field.searchable ? fieldValue(document.values, ordinal) : undefined
      if (value === undefined) continue
      const own = fieldAnalyzer(analyzer, field)
      let length = 0
      for (const text of textsOf(value)) {
        for (const part of textParts(text)) {
          for (const { form, kind } of own.analyze(part)) {
            if (kind !== 'joined') length++
            forms.add(terms.find(form))
          }
          stepLength += part.length
          if (stepLength < PART_LENGTH) continue
          stepLength = 0
          yield
        }
      }
      add(this.fieldTokens, ordinal, length)
      if (length > 0) add(this.fieldDocs, ordinal, 1)
    }
    const groups = new Set<number>()
    for (const form of forms) {
      this.forms.push(form)
      groups.add(terms.groupOf(form))
    }
    for (const group of groups) this.groups.push(group)
  }
}

function add(totals: number[], field: number, change: number): void {
  totals[field] = (totals[field] ?? 0) + change
}
