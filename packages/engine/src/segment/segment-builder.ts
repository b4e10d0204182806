import type { Analyzer } from '../analysis/analyzer.ts'
import { fieldAnalyzer } from '../analysis/field-analyzer.ts'
import { PART_LENGTH } from '../analysis/text-parts.ts'
import { newBitset, setBit } from '../codec/bitset.ts'
import { SectionWriter } from '../codec/section-file.ts'
import { ColumnBuilder } from '../columns/column-writer.ts'
import type { DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
import { insertedAs, type IndexDocument } from '../schema/document.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import { type Schema, fieldValue, hasColumn, spaceField, vectorShape } from '../schema/schema.ts'
import { writeVectors } from '../vectors/write-vectors.ts'
import { writeElements } from './element-space.ts'
import { writeInsertions } from './insertion-order.ts'
import { OccurrenceLog, STEP_OCCURRENCES } from './occurrence-log.ts'
import { internForms, writePostingLists } from './posting-lists.ts'
import { lengthSection, presenceSection, SEGMENT_MAGIC, textFieldsOf } from './segment-format.ts'

/** What the builder writes besides the segment: the dictionaries of the index. */
export interface SegmentTarget {
  readonly schema: Schema
  readonly analyzer: Analyzer
  readonly terms: TermWriter
  /** By field ordinal: dictionary of the values of a string field with a column. */
  readonly values: readonly (DictionaryWriter | undefined)[]
}

/** A new segment and what its documents add to the statistics of the index. */
export interface BuiltSegment {
  readonly buffer: SharedArrayBuffer
  /** (form id, documents) and (group, documents) pairs, concatenated. */
  readonly formDocFreqs: Uint32Array
  readonly groupDocFreqs: Uint32Array
  /** By field ordinal: tokens, and documents with at least one. */
  readonly fieldTokens: readonly number[]
  readonly fieldDocs: readonly number[]
}

/** Builds a segment at once. */
export function buildSegment(
  target: SegmentTarget,
  documents: readonly IndexDocument[],
): BuiltSegment {
  const steps = buildSegmentSteps(target, documents)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/**
 * Builds the segment of a batch of documents in ascending order of docKey. One pass logs every
 * occurrence, looking up each distinct form in the dictionary once; then the posting lists are
 * written from the log. Yields after each step: a document or a part of it, lists, or a column.
 */
export function* buildSegmentSteps(
  target: SegmentTarget,
  documents: readonly IndexDocument[],
): Generator<void, BuiltSegment> {
  const { schema, analyzer, terms } = target
  const textFields = textFieldsOf(schema)
  const docCount = documents.length
  const sections = new SectionWriter()
  const docKeys = Float64Array.from(documents, (document) => document.docKey)
  sections.add('docKeys', docKeys)
  writeInsertions(docKeys, Float64Array.from(documents, insertedAs), sections)

  const scratch = takeScratch()
  const { log, writer } = scratch
  const lengths = textFields.map(() => new Uint32Array(docCount))
  const presence = textFields.map((field) =>
    hasColumn(schema.fields[field]!) ? undefined : newBitset(docCount),
  )
  const analyzers = textFields.map((field) => fieldAnalyzer(analyzer, schema.fields[field]!))
  let stepEnd = STEP_OCCURRENCES
  for (let docOrd = 0; docOrd < docCount; docOrd++) {
    const { values } = documents[docOrd]!
    for (let textField = 0; textField < textFields.length; textField++) {
      const value = fieldValue(values, textFields[textField]!)
      if (value === undefined) continue
      const own = analyzers[textField]!
      lengths[textField]![docOrd] =
        typeof value === 'string' && value.length <= PART_LENGTH
          ? log.add(docOrd, textField, value, own)
          : yield* log.addInSteps(docOrd, textField, value, own)
      const bits = presence[textField]
      if (bits !== undefined && !(Array.isArray(value) && value.length === 0)) setBit(bits, docOrd)
      if (log.length < stepEnd) continue
      stepEnd = log.length + STEP_OCCURRENCES
      yield
    }
    yield
  }

  const forms = yield* internForms(log, terms, (form) => analyzer.stem(form))
  const docFreqs = yield* writePostingLists(log, forms, lengths, writer, sections)
  textFields.forEach((field, textField) => {
    const bits = presence[textField]
    if (bits !== undefined) sections.add(presenceSection(field), bits)
  })
  textFields.forEach((field, textField) => {
    sections.add(lengthSection(field), narrowest(lengths[textField]!))
  })
  yield* writeColumns(target, documents, sections)
  yield* writeElements(target, documents, sections)

  const fieldTokens = schema.fields.map((_, field) => {
    let sum = 0
    for (const length of lengths[textFields.indexOf(field)] ?? []) sum += length
    return sum
  })
  const fieldDocs = schema.fields.map((_, field) => {
    let count = 0
    for (const length of lengths[textFields.indexOf(field)] ?? []) if (length > 0) count++
    return count
  })
  const buffer = sections.finish(SEGMENT_MAGIC, { docCount, textFields })
  // Only now, because the sections are views of it. After a throw it is not reused.
  giveScratchBack(scratch)
  return { buffer, ...docFreqs, fieldTokens, fieldDocs }
}

/** Larger scratch is released. 1,000 documents have about 60,000 occurrences. */
const LOG_LENGTH_KEPT = 1 << 18

/**
 * Scratch memory of the builder, reused from one segment to the next: a bulk load builds many, and
 * new arrays for each would cost as many garbage collections.
 */
class BuilderScratch {
  readonly log = new OccurrenceLog()
  readonly writer = new PostingsWriter()

  reset(): void {
    this.log.clear()
    this.writer.reset()
  }
}

let kept: BuilderScratch | undefined

/** Takes the scratch memory for exclusive use until it is returned. */
function takeScratch(): BuilderScratch {
  const scratch = kept ?? new BuilderScratch()
  kept = undefined
  scratch.reset()
  return scratch
}

function giveScratchBack(scratch: BuilderScratch): void {
  if (scratch.log.forms.length <= LOG_LENGTH_KEPT) kept = scratch
}

function* writeColumns(
  target: SegmentTarget,
  documents: readonly IndexDocument[],
  sections: SectionWriter,
): Generator<void, void> {
  for (const space of target.schema.spaces ?? []) {
    const vectors = documents.map((document) => document.vectors?.get(space.number))
    const field = spaceField(space)
    writeVectors(field, vectorShape(target.schema, field)!, vectors, sections)
    yield
  }
  for (const [ordinal, field] of target.schema.fields.entries()) {
    if (field.vector !== undefined) {
      const vectors = documents.map(
        ({ values }) => values[ordinal] as readonly number[] | undefined,
      )
      writeVectors(ordinal, field.vector, vectors, sections)
    }
    if (!hasColumn(field)) continue
    const column = new ColumnBuilder(field, ordinal, target.values[ordinal], (text) =>
      target.analyzer.fold(text),
    )
    for (let docOrd = 0; docOrd < documents.length; docOrd++) {
      const value = fieldValue(documents[docOrd]!.values, ordinal)
      if (value !== undefined) column.add(docOrd, value)
    }
    yield* column.finishInSteps(documents.length, sections)
    yield
  }
}

/** The same numbers in the narrowest unsigned type that fits them all. */
export function narrowest(values: Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  let max = 0
  for (const value of values) if (value > max) max = value
  if (max < 256) return new Uint8Array(values)
  return max < 65_536 ? new Uint16Array(values) : values
}
