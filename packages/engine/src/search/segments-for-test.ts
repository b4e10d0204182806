import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { openVectors, type VectorColumn } from '../vectors/vector-column.ts'
import { writeVectors } from '../vectors/write-vectors.ts'
import fc from 'fast-check'
import { hasBit, newBitset, setBit } from '../codec/bitset.ts'
import { columnOf } from '../columns/column-for-test.ts'
import type { Column } from '../columns/column-reader.ts'
import { DictionaryReader, DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import { analyzeCandidate } from '../rescoring/candidate-document.ts'
import type { CandidateDocument } from '../rescoring/candidate-document.ts'
import { arbitrarySchema, arbitraryValues } from '../naive/generate.ts'
import { arbitraryVectorFields } from '../naive/generate-vectors.ts'
import { matches } from '../rescoring/filter.ts'
import { tinyAnalyzer } from '../naive/tiny-analyzer.ts'
import type { FilterNode } from '../query/filter.ts'
import { insertedAs } from '../schema/document.ts'
import type { DocumentValue, Schema } from '../schema/schema.ts'
import { elementFields, elementsAt, fieldValue, hasColumn } from '../schema/schema.ts'
import type { InsertionOrder } from '../segment/insertion-order.ts'
import { insertionsOf } from '../segment/segment-for-test.ts'
import type { FilterableElements, FilterableSegment } from './filters/filter-evaluator.ts'
import { evaluateFilter } from './filters/filter-evaluator.ts'
import { FilterCache } from './view/filter-cache.ts'
import { ValueWords } from './view/value-words.ts'
import type { Pace, Steps } from './view/steps.ts'
import { valueOrder, valueOrderInSteps, type ValueOrder } from './view/value-order.ts'

/** A segment of only columns; the naive twin answers everything that needs postings. */
export interface SegmentForTest extends FilterableSegment {
  readonly documents: readonly CandidateDocument[]
  readonly docKeys: Float64Array
  readonly insertions: InsertionOrder
  readonly fullPoints: 0
  popularityLevels(): undefined
  evaluate(filter: FilterNode): Uint32Array
  valueOrder(field: number): ValueOrder
  valueOrderInSteps(field: number, pace: Pace): Steps<ValueOrder>
}

export type RowValues = readonly (DocumentValue | undefined)[]

/**
 * Segments of documents with keys 1, 2, … and ids "id-0", "id-1", …
 * @param insertedOf by docKey: that of the first version
 */
export function segmentsForTest(
  schema: Schema,
  parts: readonly RowValues[][],
  insertedOf = (docKey: number) => docKey,
): SegmentForTest[] {
  const dictionaries = schema.fields.map(() => new DictionaryWriter())
  let docKey = 0
  const segments = parts.map((rows) => {
    const documents = rows.map((values) => {
      const inserted = insertedOf(++docKey)
      const document = { docKey, inserted, id: `id-${docKey - 1}`, values }
      return analyzeCandidate(document, schema, tinyAnalyzer)
    })
    const columns = schema.fields.map((field, ordinal) => {
      const values = rows.map((row) => fieldValue(row, ordinal))
      if (!hasColumn(field)) return undefined
      return columnOf(field, values, dictionaries[ordinal], tinyAnalyzer, ordinal)
    })
    const elements = (objects: number) => elementsForTest(schema, documents, dictionaries, objects)
    return newSegment(schema, documents, columns, elements)
  })
  for (const segment of segments) {
    schema.fields.forEach((_, ordinal) => {
      const column = segment.column(ordinal)
      if (column !== undefined) {
        column.dictionary = new DictionaryReader(dictionaries[ordinal]!.handles())
      }
    })
  }
  return segments
}

function newSegment(
  schema: Schema,
  documents: readonly CandidateDocument[],
  columns: readonly (Column | undefined)[],
  elements: (objects: number) => FilterableElements | undefined,
): SegmentForTest {
  const naive = (filter: FilterNode) => {
    const bits = newBitset(documents.length)
    documents.forEach((document, docOrd) => {
      if (matches(document, filter, tinyAnalyzer)) setBit(bits, docOrd)
    })
    return bits
  }
  const docKeys = documents.map(({ docKey }) => docKey)
  const insertions = insertionsOf(docKeys, documents.map(insertedAs))
  const segment: SegmentForTest = {
    documents,
    docKeys: Float64Array.from(docKeys),
    insertions,
    docCount: documents.length,
    fullPoints: 0,
    filterCache: new FilterCache(10_000),
    column: (field) => columns[field],
    docOrdOf: (docKey) => documents.findIndex((document) => document.docKey === docKey),
    *wordsBits(field, forms) {
      yield
      return naive({ kind: 'words', field, forms })
    },
    *wordPrefixBits(field, prefix) {
      yield
      return naive({ kind: 'wordPrefix', field, prefix })
    },
    elements,
    vectors: (field) => vectorsForTest(schema, documents, field),
    presenceBits: (field) => naive({ kind: 'exists', field }),
    popularityLevels: () => undefined,
    valueOrder: (field) => valueOrder(columns[field]!, insertions),
    valueOrderInSteps: (field, pace) => valueOrderInSteps(columns[field]!, insertions, pace),
    evaluate: (filter) => evaluateFilter(filter, segment, contextForTest(schema)),
  }
  return segment
}

/** The vectors of a field as a segment has them. */
function vectorsForTest(
  schema: Schema,
  documents: readonly CandidateDocument[],
  field: number,
): VectorColumn | undefined {
  const shape = schema.fields[field]!.vector
  if (shape === undefined) return undefined
  const sections = new SectionWriter()
  const vectors = documents.map(({ values }) => values[field] as readonly number[] | undefined)
  writeVectors(field, shape, vectors, sections)
  const reader = new SectionReader(sections.finish(0, {}), 0)
  return openVectors(reader, field, shape, documents.length)
}

/** The elements of all documents, each as a separate document. */
function elementsForTest(
  schema: Schema,
  documents: readonly CandidateDocument[],
  dictionaries: readonly DictionaryWriter[],
  objects: number,
): FilterableElements {
  const rows: CandidateDocument[] = []
  const owners: number[] = []
  documents.forEach((document, docOrd) => {
    for (const element of elementsAt(document.values, objects)) {
      const values = schema.fields.map((_, field) => element.get(field))
      rows.push({ ...document, values })
      owners.push(docOrd)
    }
  })
  const columns = schema.fields.map((field, ordinal) => {
    if (!elementFields(schema, objects).includes(ordinal)) return undefined
    const part = { ...field, type: field.element!.type }
    const values = rows.map((row) => fieldValue(row.values, ordinal))
    const column = columnOf(part, values, dictionaries[ordinal], tinyAnalyzer, ordinal)
    if (column !== undefined) {
      column.dictionary = new DictionaryReader(dictionaries[ordinal]!.handles())
    }
    return column
  })
  return {
    segment: newSegment(schema, rows, columns, () => undefined),
    documentsOf: (elements, bits) => {
      owners.forEach((owner, element) => {
        if (hasBit(elements, element)) setBit(bits, owner)
      })
      return bits
    },
  }
}

export function contextForTest(schema: Schema) {
  return {
    schema,
    analyzer: tinyAnalyzer,
    resolveId: (id: string) => Number(id.slice(3)) + 1,
    checkDeadline: () => undefined,
    valueWords: new ValueWords(),
  }
}

/** A schema and up to four segments of documents, some of them empty. */
export function arbitrarySegments(): fc.Arbitrary<{
  readonly schema: Schema
  readonly parts: readonly RowValues[][]
}> {
  return arbitrarySchema(arbitraryVectorFields()).chain((schema) =>
    fc
      .array(fc.array(arbitraryValues(schema), { maxLength: 40, size: 'max' }), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => ({ schema, parts })),
  )
}
