import { analyzeDocument } from '../analysis/analyze-document.ts'
import type { FieldTokens } from '../analysis/analyze-document.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { newBitset, setBit } from '../codec/bitset.ts'
import { GrowableU16, GrowableU32, GrowableU8 } from '../codec/growable.ts'
import { SectionWriter } from '../codec/section-file.ts'
import { ColumnBuilder } from '../columns/column-writer.ts'
import type { DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
import type { IndexDocument } from '../schema/document.ts'
import { ImpactTable } from '../postings/impact-table.ts'
import { writePositions } from '../postings/positions.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import type { Schema } from '../schema/schema.ts'
import { hasColumn } from '../schema/schema.ts'
import { encodeImpact } from '../scoring/formula.ts'
import { lengthSection, presenceSection, SEGMENT_MAGIC, textFieldsOf } from './segment-format.ts'

/** What the builder writes into beside the segment: the dictionaries of the index. */
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
  /** (form id, documents) and (group, documents) pairs, one after the other. */
  readonly formDocFreqs: Uint32Array
  readonly groupDocFreqs: Uint32Array
  /** By field ordinal: tokens, and documents with at least one. */
  readonly fieldTokens: readonly number[]
  readonly fieldDocs: readonly number[]
}

/**
 * Builds the segment of a batch of documents, given in ascending order of docKey: one pass that notes every
 * occurrence, a counting sort by group, one pass that writes the lists.
 */
export function buildSegment(
  target: SegmentTarget,
  documents: readonly IndexDocument[],
): BuiltSegment {
  const { schema, analyzer, terms } = target
  const textFields = textFieldsOf(schema)
  const docCount = documents.length
  const sections = new SectionWriter()
  sections.add(
    'docKeys',
    Float64Array.from(documents, (document) => document.docKey),
  )

  const occurrences = new OccurrenceLog()
  const lengths = new Map(textFields.map((field) => [field, new Uint32Array(docCount)]))
  const presence = new Map<number, Uint32Array>()
  for (const field of textFields) {
    if (!hasColumn(schema.fields[field]!)) presence.set(field, newBitset(docCount))
  }
  const stem = (form: string) => analyzer.stem(form)
  for (let docOrd = 0; docOrd < docCount; docOrd++) {
    for (const tokens of analyzeDocument(schema, analyzer, documents[docOrd]!)) {
      lengths.get(tokens.field)![docOrd] = tokens.length
      if (tokens.elements.length > 0) {
        const bits = presence.get(tokens.field)
        if (bits !== undefined) setBit(bits, docOrd)
      }
      occurrences.add(docOrd, textFields.indexOf(tokens.field), tokens, terms, stem)
    }
  }

  const docFreqs = writePostings(occurrences, textFields, lengths, terms, sections)
  for (const [field, bits] of presence) sections.add(presenceSection(field), bits)
  for (const [field, column] of lengths) sections.add(lengthSection(field), narrowest(column))
  writeColumns(target, documents, sections)

  const fieldTokens = schema.fields.map((_, field) => {
    let sum = 0
    for (const length of lengths.get(field) ?? []) sum += length
    return sum
  })
  const fieldDocs = schema.fields.map((_, field) => {
    let count = 0
    for (const length of lengths.get(field) ?? []) if (length > 0) count++
    return count
  })
  const buffer = sections.finish(SEGMENT_MAGIC, { docCount, textFields })
  return { buffer, ...docFreqs, fieldTokens, fieldDocs }
}

/** Every token of the batch: parallel arrays in order of document, field, position. */
class OccurrenceLog {
  readonly forms = new GrowableU32(4096)
  readonly docs = new GrowableU32(4096)
  readonly textFields = new GrowableU16(4096)
  readonly positions = new GrowableU32(4096)
  /** 1 where a value ends. */
  readonly ends = new GrowableU8(4096)

  add(
    docOrd: number,
    textField: number,
    tokens: FieldTokens,
    terms: TermWriter,
    stem: (form: string) => string,
  ): void {
    for (const element of tokens.elements) {
      for (const token of element.tokens) {
        this.forms.push(terms.intern(token.form, stem))
        this.docs.push(docOrd)
        this.textFields.push(textField)
        this.positions.push(element.start + token.position)
        this.ends.push(token.position + 1 === element.covered ? 1 : 0)
      }
    }
  }
}

function writePostings(
  log: OccurrenceLog,
  textFields: readonly number[],
  lengths: ReadonlyMap<number, Uint32Array>,
  terms: TermWriter,
  sections: SectionWriter,
): { formDocFreqs: Uint32Array; groupDocFreqs: Uint32Array } {
  const { order, groups, starts } = sortByGroup(log, terms)
  const width = textFields.length
  const impacts = new ImpactTable(width)
  const writer = new PostingsWriter(log.forms.length)
  const posting = new PostingScratch(width)
  const lengthOf = textFields.map((field) => lengths.get(field)!)
  const formFreqs = new Map<number, number>()
  const groupFreqs = new Uint32Array(groups.length * 2)

  const lists = { log, terms, order, lengthOf, impacts, writer, posting, formFreqs }
  for (let g = 0; g < groups.length; g++) {
    groupFreqs[g * 2] = groups[g]!
    groupFreqs[g * 2 + 1] = writeList(lists, groups[g]!, starts[g]!, starts[g + 1]!)
  }
  writer.finish(sections)
  sections.add('impacts', impacts.bytes())
  return { formDocFreqs: Uint32Array.from([...formFreqs].flat()), groupDocFreqs: groupFreqs }
}

/** What writing a list needs. */
interface ListWriting {
  readonly log: OccurrenceLog
  readonly terms: TermWriter
  readonly order: Uint32Array
  /** By searchable field of the segment: its length in tokens by docOrd. */
  readonly lengthOf: readonly Uint32Array[]
  readonly impacts: ImpactTable
  readonly writer: PostingsWriter
  readonly posting: PostingScratch
  readonly formFreqs: Map<number, number>
}

/**
 * Writes the list of one group, whose occurrences are `order[from .. to)`. A function of its own: as an
 * inner loop it would be compiled by itself while it runs, and thrown away each time a list ends.
 *
 * @returns documents in the list
 */
function writeList(lists: ListWriting, group: number, from: number, to: number): number {
  const { log, terms, order, lengthOf, impacts, writer, posting, formFreqs } = lists
  const width = lengthOf.length
  writer.beginList(group)
  let postings = 0
  let i = from
  while (i < to) {
    const docOrd = log.docs.data[order[i]!]!
    i = gatherPosting(log, terms, order, i, to, posting, formFreqs)
    for (let f = 0; f < width; f++) {
      const termFreq = posting.termFreqs[f]!
      posting.tuple[f] = termFreq === 0 ? 0 : encodeImpact(termFreq, lengthOf[f]![docOrd]!)
      posting.termFreqs[f] = 0
    }
    const { mask } = posting
    const output = writer.addPosting(docOrd, impacts.codeOf(posting.tuple, 0), mask)
    const { fields, positions, forms, ends, count } = posting
    writePositions(output, fields, positions, forms, ends, count, (mask & (mask - 1)) !== 0)
    postings++
  }
  writer.endList()
  return postings
}

/** The occurrences of one group in one document, gathered before they are written. */
class PostingScratch {
  mask = 0
  count = 0
  fields = new Uint32Array(64)
  positions = new Uint32Array(64)
  forms = new Uint32Array(64)
  ends = new Uint8Array(64)
  readonly termFreqs: Uint32Array
  readonly tuple: Uint8Array

  constructor(width: number) {
    this.termFreqs = new Uint32Array(width)
    this.tuple = new Uint8Array(Math.max(1, width))
  }

  grow(): void {
    this.fields = grown(this.fields)
    this.positions = grown(this.positions)
    this.forms = grown(this.forms)
    const ends = new Uint8Array(this.fields.length)
    ends.set(this.ends)
    this.ends = ends
  }
}

function grown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** Gathers the occurrences from `order[from]` on that are in its document; returns the index behind them. */
function gatherPosting(
  log: OccurrenceLog,
  terms: TermWriter,
  order: Uint32Array,
  from: number,
  end: number,
  posting: PostingScratch,
  formFreqs: Map<number, number>,
): number {
  const docs = log.docs.data
  const docOrd = docs[order[from]!]!
  let count = 0
  let mask = 0
  let i = from
  for (; i < end && docs[order[i]!] === docOrd; i++) {
    const occurrence = order[i]!
    const form = log.forms.data[occurrence]!
    const number = terms.numberOf(form)
    if ((mask & (1 << number)) === 0) {
      mask |= 1 << number
      formFreqs.set(form, (formFreqs.get(form) ?? 0) + 1)
    }
    const textField = log.textFields.data[occurrence]!
    posting.termFreqs[textField]!++
    if (count === posting.fields.length) posting.grow()
    posting.fields[count] = textField
    posting.positions[count] = log.positions.data[occurrence]!
    posting.ends[count] = log.ends.data[occurrence]!
    posting.forms[count++] = number
  }
  posting.mask = mask
  posting.count = count
  return i
}

/** Occurrences per group while sorting, by group number; all zero between uses. */
let groupSizes = new Uint32Array(1024)

/** A stable counting sort: occurrences by ascending group, within a group as they were logged. */
function sortByGroup(
  log: OccurrenceLog,
  terms: TermWriter,
): { order: Uint32Array; groups: Uint32Array; starts: Uint32Array } {
  const count = log.forms.length
  if (groupSizes.length < terms.count) groupSizes = new Uint32Array(terms.count * 2)
  const groupOf = new Uint32Array(count)
  const seen = new GrowableU32(1024)
  for (let i = 0; i < count; i++) {
    const group = terms.groupOf(log.forms.data[i]!)
    groupOf[i] = group
    if (groupSizes[group]!++ === 0) seen.push(group)
  }
  const groups = seen.data.slice(0, seen.length).sort()
  const starts = new Uint32Array(groups.length + 1)
  for (let g = 0; g < groups.length; g++) {
    starts[g + 1] = starts[g]! + groupSizes[groups[g]!]!
    // From here on: where the next occurrence of the group goes.
    groupSizes[groups[g]!] = starts[g]!
  }
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[groupSizes[groupOf[i]!]!++] = i
  for (const group of groups) groupSizes[group] = 0
  return { order, groups, starts }
}

function writeColumns(
  target: SegmentTarget,
  documents: readonly IndexDocument[],
  sections: SectionWriter,
): void {
  target.schema.fields.forEach((field, ordinal) => {
    if (!hasColumn(field)) return
    const column = new ColumnBuilder(field, ordinal, target.values[ordinal], (text) =>
      target.analyzer.fold(text),
    )
    for (let docOrd = 0; docOrd < documents.length; docOrd++) {
      const value = documents[docOrd]!.values[ordinal]
      if (value !== undefined) column.add(docOrd, value)
    }
    column.finish(documents.length, sections)
  })
}

/** The same numbers in the narrowest unsigned type that holds them all. */
export function narrowest(values: Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  let max = 0
  for (const value of values) if (value > max) max = value
  if (max < 256) return Uint8Array.from(values)
  return max < 65_536 ? Uint16Array.from(values) : values
}
