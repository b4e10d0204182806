import { analyzeDocument } from '../analysis/analyze-document.ts'
import type { FieldTokens } from '../analysis/analyze-document.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import { newBitset, setBit } from '../codec/bitset.ts'
import { SectionWriter } from '../codec/section-file.ts'
import { Tally } from '../codec/tally.ts'
import { ColumnBuilder } from '../columns/column-writer.ts'
import type { DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import type { TermWriter } from '../dictionary/term-store.ts'
import type { IndexDocument } from '../schema/document.ts'
import { ImpactTable } from '../postings/impact-table.ts'
import { writePositions } from '../postings/positions.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import type { Schema } from '../schema/schema.ts'
import { hasColumn } from '../schema/schema.ts'
import { titleFieldOf } from '../schema/title-field.ts'
import { encodeImpact } from '../scoring/formula.ts'
import { lengthSection, presenceSection, SEGMENT_MAGIC, textFieldsOf } from './segment-format.ts'
import { TitleWordsBuilder } from './title-words.ts'

/** What the builder writes to besides the segment: the dictionaries of the index. */
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
  /** Groups that are title words, one entry for each document that has the word. */
  readonly titleWords: Uint32Array
  /** By field ordinal: tokens, and documents with at least one. */
  readonly fieldTokens: readonly number[]
  readonly fieldDocs: readonly number[]
}

/**
 * Builds the segment of a batch of documents, given in ascending order of docKey: one pass records
 * every occurrence, a counting sort groups them, and one pass writes the lists.
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

  const scratch = takeScratch()
  const lengths = new Map(textFields.map((field) => [field, new Uint32Array(docCount)]))
  const presence = new Map<number, Uint32Array>()
  for (const field of textFields) {
    if (!hasColumn(schema.fields[field]!)) presence.set(field, newBitset(docCount))
  }
  const titles = new TitleWordsBuilder(terms)
  const titleField = titleFieldOf(schema)
  const stem = (form: string) => analyzer.stem(form)
  for (let docOrd = 0; docOrd < docCount; docOrd++) {
    for (const tokens of analyzeDocument(schema, analyzer, documents[docOrd]!)) {
      lengths.get(tokens.field)![docOrd] = tokens.length
      if (tokens.elements.length > 0) {
        const bits = presence.get(tokens.field)
        if (bits !== undefined) setBit(bits, docOrd)
      }
      scratch.log.add(docOrd, textFields.indexOf(tokens.field), tokens, terms, stem)
      if (tokens.field === titleField) titles.add(tokens)
    }
    titles.endDocument()
  }

  const docFreqs = writePostings(scratch, textFields, lengths, terms, sections)
  for (const [field, bits] of presence) sections.add(presenceSection(field), bits)
  for (const [field, column] of lengths) sections.add(lengthSection(field), narrowest(column))
  const titleWords = titles.finish(sections)
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
  // Not earlier: the sections were views of it. After a throw it is not reused.
  giveScratchBack(scratch)
  return { buffer, ...docFreqs, titleWords, fieldTokens, fieldDocs }
}

/** Every token of the batch, as parallel arrays in order of document, field, position. */
class OccurrenceLog {
  length = 0
  forms = new Uint32Array(LOG_LENGTH_MIN)
  docs = new Uint32Array(LOG_LENGTH_MIN)
  textFields = new Uint16Array(LOG_LENGTH_MIN)
  positions = new Uint32Array(LOG_LENGTH_MIN)
  /** 1 where a value ends. */
  ends = new Uint8Array(LOG_LENGTH_MIN)
  /** Filled in by the sort, see `sortByGroup`. */
  groups = new Uint32Array(LOG_LENGTH_MIN)
  order = new Uint32Array(LOG_LENGTH_MIN)

  add(
    docOrd: number,
    textField: number,
    { elements }: FieldTokens,
    terms: TermWriter,
    stem: (form: string) => string,
  ): void {
    for (const { start, covered, tokens } of elements) {
      let at = this.length
      while (at + tokens.length > this.forms.length) this.#grow()
      this.length = at + tokens.length
      const { forms, docs, textFields, positions, ends } = this
      for (const { form, position } of tokens) {
        forms[at] = terms.intern(form, stem)
        docs[at] = docOrd
        textFields[at] = textField
        positions[at] = start + position
        ends[at++] = position + 1 === covered ? 1 : 0
      }
    }
  }

  #grow(): void {
    const { forms, docs, textFields, positions, ends } = this
    const capacity = forms.length * 2
    this.forms = new Uint32Array(capacity)
    this.docs = new Uint32Array(capacity)
    this.textFields = new Uint16Array(capacity)
    this.positions = new Uint32Array(capacity)
    this.ends = new Uint8Array(capacity)
    this.groups = new Uint32Array(capacity)
    this.order = new Uint32Array(capacity)
    this.forms.set(forms)
    this.docs.set(docs)
    this.textFields.set(textFields)
    this.positions.set(positions)
    this.ends.set(ends)
  }
}

const LOG_LENGTH_MIN = 4_096
/** Larger scratch is not kept. 1,000 documents have about 60,000 occurrences. */
const LOG_LENGTH_KEPT = 1 << 18

/**
 * Scratch space of the builder, reused from one segment to the next: a bulk load builds many, and
 * new arrays for each would cost as many garbage collections.
 */
class BuilderScratch {
  readonly log = new OccurrenceLog()
  readonly writer = new PostingsWriter(LOG_LENGTH_MIN)
  /** By group number, by form number; all zero between uses. */
  readonly groupSizes = new Tally()
  readonly formDocs = new Tally()

  reset(): void {
    this.log.length = 0
    this.writer.reset()
  }
}

let kept: BuilderScratch | undefined

/** Hands out scratch space; nobody else has it until it is given back. */
function takeScratch(): BuilderScratch {
  const scratch = kept ?? new BuilderScratch()
  kept = undefined
  scratch.reset()
  return scratch
}

function giveScratchBack(scratch: BuilderScratch): void {
  if (scratch.log.forms.length <= LOG_LENGTH_KEPT) kept = scratch
}

function writePostings(
  scratch: BuilderScratch,
  textFields: readonly number[],
  lengths: ReadonlyMap<number, Uint32Array>,
  terms: TermWriter,
  sections: SectionWriter,
): { formDocFreqs: Uint32Array; groupDocFreqs: Uint32Array } {
  const { log, writer, formDocs } = scratch
  const { groups, starts } = sortByGroup(log, terms, scratch.groupSizes)
  const width = textFields.length
  const impacts = new ImpactTable(width)
  const posting = new PostingScratch(width)
  const lengthOf = textFields.map((field) => lengths.get(field)!)
  const groupDocFreqs = new Uint32Array(groups.length * 2)
  formDocs.reserve(terms.count)
  const lists = { log, terms, lengthOf, impacts, writer, posting, formDocs }
  for (let g = 0; g < groups.length; g++) {
    groupDocFreqs[g * 2] = groups[g]!
    groupDocFreqs[g * 2 + 1] = writeList(lists, groups[g]!, starts[g]!, starts[g + 1]!)
  }
  writer.finish(sections)
  sections.add('impacts', impacts.bytes())

  const { counts, seen } = formDocs
  const formDocFreqs = new Uint32Array(seen.length * 2)
  for (let i = 0; i < seen.length; i++) {
    formDocFreqs[i * 2] = seen.data[i]!
    formDocFreqs[i * 2 + 1] = counts[seen.data[i]!]!
  }
  formDocs.clear()
  return { formDocFreqs, groupDocFreqs }
}

/** State for writing lists. */
interface ListWriting {
  readonly log: OccurrenceLog
  readonly terms: TermWriter
  /** By searchable field of the segment: length in tokens by docOrd. */
  readonly lengthOf: readonly Uint32Array[]
  readonly impacts: ImpactTable
  readonly writer: PostingsWriter
  readonly posting: PostingScratch
  readonly formDocs: Tally
}

/**
 * Writes the list of one group, whose occurrences are `log.order[from .. to)`. It is a function of
 * its own because an inner loop would be compiled on its own while it runs, and the result
 * discarded at the end of each list.
 *
 * @returns documents in the list
 */
function writeList(lists: ListWriting, group: number, from: number, to: number): number {
  const { log, terms, lengthOf, impacts, writer, posting, formDocs } = lists
  const width = lengthOf.length
  writer.beginList(group)
  let postings = 0
  let i = from
  while (i < to) {
    const docOrd = log.docs[log.order[i]!]!
    i = gatherPosting(log, terms, i, to, posting, formDocs)
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

/**
 * Gathers the occurrences from `log.order[from]` on that are in the same document; returns the
 * index after them.
 */
function gatherPosting(
  log: OccurrenceLog,
  terms: TermWriter,
  from: number,
  end: number,
  posting: PostingScratch,
  formDocs: Tally,
): number {
  const { docs, order } = log
  const docOrd = docs[order[from]!]!
  let count = 0
  let mask = 0
  let i = from
  for (; i < end && docs[order[i]!] === docOrd; i++) {
    const occurrence = order[i]!
    const form = log.forms[occurrence]!
    const number = terms.numberOf(form)
    if ((mask & (1 << number)) === 0) {
      mask |= 1 << number
      formDocs.add(form)
    }
    const textField = log.textFields[occurrence]!
    posting.termFreqs[textField]!++
    if (count === posting.fields.length) posting.grow()
    posting.fields[count] = textField
    posting.positions[count] = log.positions[occurrence]!
    posting.ends[count] = log.ends[occurrence]!
    posting.forms[count++] = number
  }
  posting.mask = mask
  posting.count = count
  return i
}

/**
 * A stable counting sort into `log.order`: by group, ascending; within a group in the order of the
 * log.
 */
function sortByGroup(
  log: OccurrenceLog,
  terms: TermWriter,
  sizes: Tally,
): { groups: Uint32Array; starts: Uint32Array } {
  const { length, forms, groups: groupOf, order } = log
  sizes.reserve(terms.count)
  for (let i = 0; i < length; i++) {
    const group = terms.groupOf(forms[i]!)
    groupOf[i] = group
    sizes.add(group)
  }
  // From here on: the target of the next occurrence of each group.
  const next = sizes.counts
  const groups = sizes.seen.data.slice(0, sizes.seen.length).sort()
  const starts = new Uint32Array(groups.length + 1)
  for (let g = 0; g < groups.length; g++) {
    starts[g + 1] = starts[g]! + next[groups[g]!]!
    next[groups[g]!] = starts[g]!
  }
  for (let i = 0; i < length; i++) order[next[groupOf[i]!]!++] = i
  sizes.clear()
  return { groups, starts }
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
  if (max < 256) return new Uint8Array(values)
  return max < 65_536 ? new Uint16Array(values) : values
}
