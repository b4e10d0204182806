import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { hasBit } from '../codec/bitset.ts'
import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { DictionaryReader, DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import { TermReader, TermWriter } from '../dictionary/term-store.ts'
import type { Schema } from '../schema/schema.ts'
import { elementType, hasColumn } from '../schema/schema.ts'
import type { BeginningsRule } from './beginnings.ts'
import { openInsertions, writeInsertions, type InsertionOrder } from './insertion-order.ts'
import type { SegmentTarget } from './segment-builder.ts'
import { SEGMENT_MAGIC } from './segment-format.ts'
import type { MergeContext } from './segment-merger.ts'
import { SegmentReader } from './segment-reader.ts'

const analyzer = createAnalyzer('en')

/** Keeps all prefixes, so that small indexes behave like large ones. */
export const ALL_BEGINNINGS: BeginningsRule = {
  docCountMin: 0,
  postingsPerDocumentMin: 0,
  beginningsMax: Infinity,
}

/** Empty dictionaries for segments of a schema. */
export function targetOf(schema: Schema): SegmentTarget {
  return {
    schema,
    analyzer,
    terms: new TermWriter(),
    values: schema.fields.map((field) =>
      hasColumn(field) && elementType(field.type) === 'string' ? new DictionaryWriter() : undefined,
    ),
  }
}

/** Context for merging segments of a target, keeping all prefixes. */
export function mergeContextOf({ schema, terms, values }: SegmentTarget): MergeContext {
  return {
    schema,
    fold: (text) => analyzer.fold(text),
    stem: (form) => analyzer.stem(form),
    terms: new TermReader(terms.handles()),
    values: values.map((writer) => writer && new DictionaryReader(writer.handles())),
    beginnings: ALL_BEGINNINGS,
  }
}

/** The order of documents by the docKeys of their first versions, as a segment has it. */
export function insertionsOf(
  docKeys: readonly number[],
  inserted: readonly number[],
): InsertionOrder {
  const sections = new SectionWriter()
  writeInsertions(Float64Array.from(docKeys), Float64Array.from(inserted), sections)
  const bytes = sections.finish(SEGMENT_MAGIC, {})
  return openInsertions(new SectionReader(bytes, SEGMENT_MAGIC), Float64Array.from(docKeys))
}

/** Everything that a segment contains about words, without internal numbers. */
export function wordsOf(buffer: SharedArrayBuffer, { schema, terms }: SegmentTarget): object {
  const reader = new SegmentReader(buffer)
  const width = reader.textFields.length
  const lists = [...reader.groups].map((group, list) => {
    const postings: object[] = []
    reader.forEachPosting(list, (docOrd, posting) => {
      const tuple = reader.codes[posting]! * width
      postings.push({
        docKey: reader.docKeys[docOrd],
        mask: reader.formMask(list, posting),
        impacts: [...reader.impacts.subarray(tuple, tuple + width)],
        occurrences: reader.occurrencesOf(posting),
      })
    })
    return { stem: terms.text(group), postings }
  })
  const fields = reader.textFields.map((field) => ({
    lengths: [...(reader.lengths(field) ?? [])],
    present: hasColumn(schema.fields[field]!)
      ? undefined
      : Array.from({ length: reader.docCount }, (_, i) => hasBit(reader.presence(field), i)),
  }))
  return { docKeys: [...reader.docKeys], lists, fields }
}
