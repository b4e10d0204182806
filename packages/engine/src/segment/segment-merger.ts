import { hasBit, newBitset, setBit } from '../codec/bitset.ts'
import { SectionWriter } from '../codec/section-file.ts'
import { mergeColumns } from '../columns/column-merger.ts'
import type { DictionaryReader } from '../dictionary/shared-dictionary.ts'
import type { TermReader } from '../dictionary/term-store.ts'
import { ImpactTable } from '../postings/impact-table.ts'
import { copyPositions, skipPositions } from '../postings/positions.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import { WINDOW_BITS, type PostingArrays } from '../postings/postings-format.ts'
import { type Schema, hasColumn, spaceField, vectorShape } from '../schema/schema.ts'
import { mergeVectors } from '../vectors/write-vectors.ts'
import { writeBeginnings, type BeginningsRule } from './beginnings.ts'
import { mergeElements } from './element-space.ts'
import { mergeInsertions } from './insertion-order.ts'
import { narrowest } from './segment-builder.ts'
import { lengthSection, presenceSection, SEGMENT_MAGIC, textFieldsOf } from './segment-format.ts'
import { SegmentReader } from './segment-reader.ts'

/** A segment to merge, in its state at the start of the merge. */
export interface MergeSource {
  readonly buffer: SharedArrayBuffer
  /** Documents to keep; absent: all. */
  readonly live?: SharedArrayBuffer
}

/** What a merge needs from the index besides its segments. */
export interface MergeContext {
  readonly schema: Schema
  /** Folding of the index's language. */
  readonly fold: (text: string) => string
  readonly stem: (form: string) => string
  readonly terms: TermReader
  /** By field ordinal: values of a string field with a column. */
  readonly values: readonly (DictionaryReader | undefined)[]
  readonly beginnings: BeginningsRule
}

const LISTS_PER_BEAT = 1_024

interface Source {
  readonly reader: SegmentReader
  /** Old docOrd to new docOrd, -1 = dropped. */
  readonly docMap: Int32Array
  /** Whether no document is dropped. */
  readonly isWhole: boolean
  /** Old code to new code. */
  readonly codeMap: Uint32Array
  /** The next list to merge, and where its positions start. */
  list: number
  position: number
}

/**
 * Rewrites several segments as one, without their deleted documents. Sources are neighbours in age,
 * which keeps the order of documents (and of their docKeys). Analyses nothing again: maps ids and
 * codes, and copies positions.
 *
 * @param beat called regularly
 */
export function mergeSegments(
  { schema, fold, stem, terms, values, beginnings }: MergeContext,
  inputs: readonly MergeSource[],
  beat: () => void = () => undefined,
): SharedArrayBuffer {
  const textFields = textFieldsOf(schema)
  const impacts = new ImpactTable(textFields.length)
  let docCount = 0
  const sources = inputs.map(({ buffer, live }): Source => {
    const reader = new SegmentReader(buffer)
    const bits = live === undefined ? undefined : new Uint32Array(live)
    const docMap = new Int32Array(reader.docCount)
    const before = docCount
    for (let docOrd = 0; docOrd < reader.docCount; docOrd++) {
      docMap[docOrd] = bits === undefined || hasBit(bits, docOrd) ? docCount++ : -1
    }
    const isWhole = docCount - before === reader.docCount
    return { reader, docMap, isWhole, codeMap: mapCodes(reader, impacts), list: 0, position: 0 }
  })

  const sections = new SectionWriter()
  const docKeys = new Float64Array(docCount)
  for (const { reader, docMap } of sources) {
    for (let i = 0; i < docMap.length; i++)
      if (docMap[i]! >= 0) docKeys[docMap[i]!] = reader.docKeys[i]!
  }
  sections.add('docKeys', docKeys)
  mergeInsertions(
    docKeys,
    sources.map(({ reader: { insertions }, docMap }) => ({ insertions, docMap })),
    sections,
  )
  const lists = mergePostings(sources, sections, beat)
  sections.add('impacts', impacts.bytes())
  for (const field of textFields) {
    sections.add(lengthSection(field), mergeLengths(sources, field, docCount))
    if (!hasColumn(schema.fields[field]!)) {
      sections.add(presenceSection(field), mergePresence(sources, field, docCount))
    }
  }
  const vectorsOf = (field: number): void => {
    const shape = vectorShape(schema, field)
    if (shape === undefined) return
    const vectors = sources.map(({ reader, docMap }) => ({
      column: reader.vectors(schema, field),
      docMap,
    }))
    mergeVectors(field, shape, vectors, docCount, sections)
  }
  for (const space of schema.spaces ?? []) vectorsOf(spaceField(space))
  schema.fields.forEach((field, ordinal) => {
    beat()
    vectorsOf(ordinal)
    if (!hasColumn(field)) return
    const columns = sources.map(({ reader, docMap }) => ({
      column: reader.column(schema, ordinal, values[ordinal]),
      docMap,
      docCount: reader.docCount,
    }))
    mergeColumns(field, ordinal, columns, docCount, fold, sections)
  })
  mergeElements(
    { schema, values, fold },
    sources.map(({ reader, docMap }) => ({ elements: (field) => reader.elements(field), docMap })),
    sections,
  )
  writeBeginnings(lists, docCount, terms, stem, beginnings, sections, beat)
  return sections.finish(SEGMENT_MAGIC, { docCount, textFields })
}

/** Fields are only ever appended, so an old tuple is a prefix of a new one. */
function mapCodes(reader: SegmentReader, impacts: ImpactTable): Uint32Array {
  const width = reader.textFields.length
  const map = new Uint32Array(reader.impactCount)
  const tuple = new Uint8Array(Math.max(1, impacts.width))
  for (let code = 0; code < map.length; code++) {
    tuple.set(reader.impacts.subarray(code * width, (code + 1) * width))
    map[code] = impacts.codeOf(tuple, 0)
  }
  return map
}

function mergePostings(
  sources: readonly Source[],
  sections: SectionWriter,
  beat: () => void,
): PostingArrays {
  let postings = 0
  let positionBytes = 0
  for (const { reader } of sources) {
    postings += reader.ids.length
    positionBytes += reader.positionBytes.length
  }
  const writer = new PostingsWriter(postings, positionBytes)
  let lists = 0
  for (;;) {
    if (lists++ % LISTS_PER_BEAT === 0) beat()
    let group = Infinity
    for (const { reader, list } of sources) {
      if (list < reader.groups.length && reader.groups[list]! < group) group = reader.groups[list]!
    }
    if (group === Infinity) break
    let isOpen = false
    for (const source of sources) {
      if (source.reader.groups[source.list] !== group) continue
      isOpen = mergeList(source, group, writer, isOpen)
      source.list++
    }
    if (isOpen) writer.endList()
  }
  return writer.finish(sections)
}

/**
 * Appends one list of one source. Starts a list at its first live posting, so that none is empty.
 */
function mergeList(
  source: Source,
  group: number,
  writer: PostingsWriter,
  isOpen: boolean,
): boolean {
  const { reader, docMap, isWhole, codeMap, list } = source
  const positions = reader.positionBytes
  const lastChunk = reader.listChunk[list + 1]!
  let at = source.position
  if (isWhole) {
    if (!isOpen) writer.beginList(group)
    for (let chunk = reader.listChunk[list]!; chunk < lastChunk; chunk++) {
      at = writer.addChunk(reader, list, chunk, docMap[0]!, codeMap, at)
    }
    source.position = at
    return true
  }
  for (let chunk = reader.listChunk[list]!; chunk < lastChunk; chunk++) {
    const base = reader.chunkWindow[chunk]! << WINDOW_BITS
    const end = reader.chunkEnd[chunk]!
    for (let posting = reader.chunkStart(chunk); posting < end; posting++) {
      const docOrd = docMap[base + reader.ids[posting]!]!
      if (docOrd < 0) {
        at = skipPositions(positions, at)
        continue
      }
      if (!isOpen) {
        writer.beginList(group)
        isOpen = true
      }
      const mask = reader.formMask(list, posting)
      const output = writer.addPosting(docOrd, codeMap[reader.codes[posting]!]!, mask)
      at = copyPositions(output, positions, at)
    }
  }
  source.position = at
  return isOpen
}

function mergeLengths(
  sources: readonly Source[],
  field: number,
  docCount: number,
): Uint8Array | Uint16Array | Uint32Array {
  const merged = new Uint32Array(docCount)
  for (const { reader, docMap } of sources) {
    const lengths = reader.lengths(field)
    if (lengths === undefined) continue
    for (let i = 0; i < docMap.length; i++) if (docMap[i]! >= 0) merged[docMap[i]!] = lengths[i]!
  }
  return narrowest(merged)
}

function mergePresence(sources: readonly Source[], field: number, docCount: number): Uint32Array {
  const merged = newBitset(docCount)
  for (const { reader, docMap } of sources) {
    const bits = reader.presence(field)
    for (let i = 0; i < docMap.length; i++) {
      if (docMap[i]! >= 0 && hasBit(bits, i)) setBit(merged, docMap[i]!)
    }
  }
  return merged
}
