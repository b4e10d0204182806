import type { Analyzer } from '../../analysis/analyzer.ts'
import { valueAnalyzer } from '../../analysis/field-analyzer.ts'
import { andInto, fillBits, invert, newBitset, orInto, setBit } from '../../codec/bitset.ts'
import type { Column } from '../../columns/column-reader.ts'
import { setAcceptedOrds } from '../../columns/ordinal-kernels.ts'
import { rangeMemory } from '../../columns/range-memory.ts'
import type { FilterLeaf, FilterNode } from '../../query/filter.ts'
import type { Schema } from '../../schema/schema.ts'
import { hasColumn } from '../../schema/schema.ts'
import type { FilterCache } from '../view/filter-cache.ts'
import { finish, pause, type Pace, type Steps } from '../view/steps.ts'
import type { ValueOrder } from '../view/value-order.ts'
import { setBitsInArea } from './area-bits.ts'
import type { VectorColumn } from '../../vectors/vector-column.ts'
import { filterKey } from './filter-key.ts'
import { similarBits } from './similar-bits.ts'
import type { ValueLeaf } from './leaf-ranks.ts'
import { acceptRanks, rankRangeOf } from './leaf-ranks.ts'
import type { ValueIndex } from '../view/value-index.ts'
import type { ValueWords } from '../view/value-words.ts'

/** What filters need from a segment. Bitsets are by docOrd; bits past the last document are 0. */
export interface FilterableSegment {
  readonly docCount: number
  /** Undefined: no document has a value. */
  column(field: number): Column | undefined
  /** For a field with a column; elements have none. */
  valueOrder?(field: number): ValueOrder
  /** -1: the document is not in this segment. */
  docOrdOf(docKey: number): number
  /** Documents with an element that contains all forms. */
  wordsBits(field: number, forms: readonly string[], pace: Pace): Steps<Uint32Array>
  /** Documents with an element that contains a form with this prefix. */
  wordPrefixBits(field: number, prefix: string, pace: Pace): Steps<Uint32Array>
  /** The vectors of a `vector` field; undefined: no document has one. */
  vectors(field: number): VectorColumn | undefined
  /** Documents with a value; used only for fields without a column. */
  presenceBits(field: number): Uint32Array
  /** The elements of an `object[]` field; undefined: no document has one. */
  elements(field: number): FilterableElements | undefined
  /** Cached bitsets of this segment; immutable. */
  readonly filterCache?: FilterCache | undefined
}

/** The elements of an `object[]` field as a segment: a docOrd is the number of an element. */
export interface FilterableElements {
  readonly segment: FilterableSegment
  /** Adds the documents with one of these elements to a bitset by docOrd, and returns it. */
  documentsOf(elements: Uint32Array, documents: Uint32Array): Uint32Array
}

/** What filters need besides a segment. */
export interface FilterContext extends Pace {
  readonly schema: Schema
  readonly analyzer: Analyzer
  /** The docKey of the live version of a document. */
  readonly resolveId: (id: string) => number | undefined
  /** The words of values that are not indexed. */
  readonly valueWords: ValueWords
  /** The words of the texts of a field; absent or undefined: not indexed. */
  readonly valueIndex?: ((field: number) => ValueIndex | undefined) | undefined
}

/**
 * Up to this many values of a searchable field, words are searched in the values instead of the
 * postings.
 */
const ANALYSED_VALUES_MAX = 1024
/** A range of ordinals takes an eighth of the time of testing each. */
const RANGES_MAX = 4

/**
 * The documents of a segment that match a filter, deleted ones included.
 *
 * @returns a bitset by docOrd, possibly shared: do not modify
 */
export function evaluateFilter(
  node: FilterNode,
  segment: FilterableSegment,
  context: FilterContext,
): Uint32Array {
  return knownBits(node, segment) ?? finish(filterSteps(node, segment, context))
}

/** The same in steps. */
export function* filterSteps(
  node: FilterNode,
  segment: FilterableSegment,
  context: FilterContext,
): Steps<Uint32Array> {
  const known = knownBits(node, segment)
  if (known !== undefined) return known
  yield* pause(context)
  const bits = yield* evaluateNode(node, segment, context)
  const cache = segment.filterCache
  const key = cache === undefined ? null : filterKey(node)
  if (key !== null) cache!.set(key, bits)
  return bits
}

function knownBits(node: FilterNode, { filterCache }: FilterableSegment): Uint32Array | undefined {
  if (filterCache === undefined) return undefined
  const key = filterKey(node)
  return key === null ? undefined : filterCache.get(key)
}

/** Caches only the whole filter and its leaves. */
function* evaluatePart(
  node: FilterNode,
  segment: FilterableSegment,
  context: FilterContext,
): Steps<Uint32Array> {
  const isTree = node.kind === 'and' || node.kind === 'or' || node.kind === 'not'
  return yield* isTree ? evaluateNode(node, segment, context) : filterSteps(node, segment, context)
}

function* evaluateNode(
  node: FilterNode,
  segment: FilterableSegment,
  context: FilterContext,
): Steps<Uint32Array> {
  switch (node.kind) {
    case 'and':
      return yield* intersect(node.nodes, segment, context)
    case 'or':
      return yield* unite(node.nodes, segment, context)
    case 'not': {
      const bits = (yield* evaluatePart(node.node, segment, context)).slice()
      invert(bits, segment.docCount)
      return bits
    }
    case 'ids': {
      const bits = newBitset(segment.docCount)
      for (const id of node.ids) {
        const docKey = context.resolveId(id)
        const docOrd = docKey === undefined ? -1 : segment.docOrdOf(docKey)
        if (docOrd >= 0) setBit(bits, docOrd)
      }
      return bits
    }
    case 'near': {
      const vectors = segment.vectors(node.field)
      return vectors === undefined
        ? newBitset(segment.docCount)
        : yield* similarBits(vectors, node, vectors.presence, context)
    }
    case 'elements': {
      const documents = newBitset(segment.docCount)
      const elements = segment.elements(node.field)
      if (elements === undefined) return documents
      const bits = yield* evaluatePart(node.node, elements.segment, context)
      return elements.documentsOf(bits, documents)
    }
    default:
      return yield* evaluateLeaf(node, segment, context)
  }
}

function* intersect(
  nodes: readonly FilterNode[],
  segment: FilterableSegment,
  context: FilterContext,
): Steps<Uint32Array> {
  const all = newBitset(segment.docCount)
  fillBits(all, segment.docCount)
  for (const node of nodes) {
    if (node.kind !== 'near') andInto(all, yield* evaluatePart(node, segment, context))
  }
  // Last, because only the vectors of documents that meet the others have to be compared.
  for (const node of nodes) {
    if (node.kind !== 'near') continue
    const vectors = segment.vectors(node.field)
    if (vectors === undefined) return newBitset(segment.docCount)
    andInto(all, vectors.presence)
    andInto(all, yield* similarBits(vectors, node, all, context))
  }
  return all
}

/**
 * Leaves on the same column are evaluated together: a list of values costs one pass over the
 * documents.
 */
function* unite(
  nodes: readonly FilterNode[],
  segment: FilterableSegment,
  context: FilterContext,
): Steps<Uint32Array> {
  const any = newBitset(segment.docCount)
  const byField = new Map<number, ValueLeaf[]>()
  for (const node of nodes) {
    if (isValueLeaf(node) && isAnsweredByColumn(node, segment, context)) {
      const leaves = byField.get(node.field)
      if (leaves === undefined) byField.set(node.field, [node])
      else leaves.push(node)
    } else orInto(any, yield* evaluatePart(node, segment, context))
  }
  for (const [field, leaves] of byField) {
    const column = segment.column(field)
    if (column === undefined) continue
    if (leaves.length === 1) orInto(any, yield* filterSteps(leaves[0]!, segment, context))
    else orInto(any, yield* evaluateOnColumn(leaves, column, segment, context))
  }
  return any
}

function isValueLeaf(node: FilterNode): node is ValueLeaf {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'not':
    case 'ids':
    case 'near':
    case 'elements':
      return false
    default:
      return true
  }
}

/** Words in a searchable field with many values that few documents share are in its postings. */
function isAnsweredByColumn(
  leaf: ValueLeaf,
  segment: FilterableSegment,
  { schema, valueIndex }: FilterContext,
): boolean {
  const field = schema.fields[leaf.field]!
  if (!hasColumn(field)) return false
  if (!isOfWords(leaf) || !field.searchable) return true
  const { valueCount = 0 } = segment.column(leaf.field) ?? {}
  return valueCount <= ANALYSED_VALUES_MAX || valueIndex?.(leaf.field) !== undefined
}

/** Whether a leaf tests the words of texts. */
function isOfWords({ kind }: FilterLeaf): boolean {
  return kind === 'words' || kind === 'wordPrefix'
}

function* evaluateLeaf(
  leaf: ValueLeaf,
  segment: FilterableSegment,
  context: FilterContext,
): Steps<Uint32Array> {
  if (isAnsweredByColumn(leaf, segment, context)) {
    const column = segment.column(leaf.field)
    return column === undefined
      ? newBitset(segment.docCount)
      : yield* evaluateOnColumn([leaf], column, segment, context)
  }
  switch (leaf.kind) {
    case 'exists':
      return segment.presenceBits(leaf.field)
    case 'words':
      return yield* segment.wordsBits(leaf.field, leaf.forms, context)
    case 'wordPrefix':
      return yield* segment.wordPrefixBits(leaf.field, leaf.prefix, context)
    case 'equals':
    case 'valuePrefix':
    case 'range':
    case 'within':
      throw new Error(`Cannot filter field ${leaf.field} by value, it has no column`)
  }
}

/**
 * Documents with a value that matches any of the leaves. All leaves test the field of the column.
 */
function* evaluateOnColumn(
  leaves: readonly ValueLeaf[],
  column: Column,
  segment: FilterableSegment,
  context: FilterContext,
): Steps<Uint32Array> {
  const bits = newBitset(column.docCount)
  const areas = column.isMulti ? [] : leaves.filter((leaf) => leaf.kind === 'within')
  if (areas.length === leaves.length && segment.valueOrder !== undefined) {
    const order = segment.valueOrder(leaves[0]!.field)
    for (const { area } of areas) yield* setBitsInArea(column, order, area, bits, context)
    return bits
  }
  if (leaves.length === 1) {
    const range = rankRangeOf(leaves[0]!, column, context)
    if (range !== undefined && range.to <= range.from) return bits
    if (leaves[0]!.kind === 'exists') {
      rangeMemory.setOrdRange(column, 1, column.ordCount - 1, bits)
      return bits
    }
    if (range !== undefined && !column.isMulti) {
      rangeMemory.setOrdRange(column, range.from + 1, range.to, bits)
      return bits
    }
  }
  // By ordinal: rank + 1. For an array field, these are the ranks of single values, which are then
  // mapped to sets.
  const byRank = new Uint8Array(column.valueCount + 1)
  const { field } = leaves[0]!
  const { checkDeadline, isTurnOver, valueWords } = context
  const analyzer = valueAnalyzer(context.analyzer, context.schema.fields[field]!)
  const valueIndex = leaves.some(isOfWords) ? context.valueIndex?.(field) : undefined
  const leafContext = { analyzer, checkDeadline, isTurnOver, valueWords, valueIndex }
  yield* acceptRanks(leaves, column, leafContext, byRank.subarray(1))
  if (column.isMulti) setAcceptedOrds(column, acceptSets(column, byRank.subarray(1)), bits)
  else setAccepted(column, byRank, bits)
  return bits
}

/** Reads few ranges of ordinals one by one, sixteen documents at a time. */
function setAccepted(column: Column, accepted: Uint8Array, bits: Uint32Array): void {
  const ranges: [number, number][] = []
  for (let low = accepted.indexOf(1); low >= 0;) {
    const end = accepted.indexOf(0, low)
    const high = end < 0 ? accepted.length - 1 : end - 1
    if (ranges.push([low, high]) > RANGES_MAX) return setAcceptedOrds(column, accepted, bits)
    low = accepted.indexOf(1, high + 1)
  }
  for (const [i, [low, high]] of ranges.entries()) {
    const own = i === 0 ? bits : newBitset(column.docCount)
    rangeMemory.setOrdRange(column, low, high, own)
    if (own !== bits) orInto(bits, own)
  }
}

/** @returns by set ordinal: 1 if a value of the set is accepted */
function acceptSets(column: Column, acceptedRanks: Uint8Array): Uint8Array {
  const accepted = new Uint8Array(column.ordCount)
  const { setStart, setValues } = column
  for (let set = 1; set < accepted.length; set++) {
    const end = setStart[set + 1]!
    let some = 0
    for (let i = setStart[set]!; i < end; i++) some |= acceptedRanks[setValues[i]!]!
    accepted[set] = some
  }
  return accepted
}
