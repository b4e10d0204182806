import type { Column } from '../../columns/column-reader.ts'
import type { FilterNode } from '../../query/filter.ts'
import type { SortKey } from '../../query/plan.ts'
import { bucketOf } from '../../scoring/formula.ts'
import { shuffle } from '../../scoring/shuffle.ts'
import { insertedOf, type InsertionOrder } from '../../segment/insertion-order.ts'
import { DistanceKey } from './distance-key.ts'
import { pause, type Pace, type Steps } from '../view/steps.ts'
import type { VectorColumn } from '../../vectors/vector-column.ts'
import type { QueryVector } from '../../vectors/quantise.ts'
import { vectorMemory } from '../../vectors/vector-memory.ts'
import type { ValueOrder } from '../view/value-order.ts'

/** The last key of every order: of equal documents, those inserted later come first. */
const BY_INSERTION = { kind: 'inserted', descending: true } as const

/** What sorting needs from a segment. */
export interface SortableSegment {
  /** By docOrd, ascending. */
  readonly docKeys: Float64Array
  readonly insertions: InsertionOrder
  /** See `bucketOf`. */
  readonly fullPoints: number
  /** Undefined: no document has a value. */
  column(field: number): Column | undefined
  /** Undefined: no document has a vector. */
  vectors(field: number): VectorColumn | undefined
  /** By docOrd. Undefined: popularity is 0 for all. */
  popularityLevels(): Uint16Array | undefined
  /** Documents that match a filter, by docOrd. */
  evaluate(filter: FilterNode): Uint32Array
  /** For a field with a column. */
  valueOrderInSteps(field: number, pace: Pace): Steps<ValueOrder>
}

const KIND_CONSTANT = 0
const KIND_SCORE = 1
const KIND_ORD8 = 2
const KIND_ORD16 = 3
const KIND_ORD32 = 4
const KIND_BIT = 5
const KIND_RANDOM = 6
const KIND_LEVEL = 7
const KIND_DISTANCE = 8
const KIND_BUCKET = 9
const KIND_INSERTED = 10
const KIND_SIMILARITY = 11

const NO_U8 = new Uint8Array(0)
const NO_U16 = new Uint16Array(0)
const NO_U32 = new Uint32Array(0)
const NO_F64 = new Float64Array(0)
const NO_INSERTIONS: InsertionOrder = { keys: NO_F64, base: 0, docOrds: undefined }

/**
 * The values of one sort key for the documents of one segment: one number each, smaller is better.
 * All kinds have one shape, so that `keyOf` stays fast. For a field the number is the rank of its
 * value, which is comparable only within the segment.
 */
export class KeySource {
  readonly key: SortKey | typeof BY_INSERTION
  kind = KIND_CONSTANT
  /** 1, or -1 if the key is descending. */
  readonly sign: number
  /** Key of documents without a value: plus or minus infinity. */
  missing = 0
  /** Column of the field, for field keys. */
  column: Column | undefined
  ords8: Uint8Array = NO_U8
  ords16: Uint16Array = NO_U16
  ords32: Uint32Array = NO_U32
  bits: Uint32Array = NO_U32
  /** For a distance or a similarity: the formula takes far longer than the look-up. */
  ords: Uint8Array | Uint16Array | Uint32Array = NO_U32
  docKeys: Float64Array = NO_F64
  insertions: InsertionOrder = NO_INSERTIONS
  seed = 0
  buckets = 0
  fullPoints = 0
  distance: DistanceKey | undefined
  vectors: VectorColumn | undefined
  vector: QueryVector | undefined

  constructor(key: KeySource['key'], segment: SortableSegment) {
    this.key = key
    this.sign = key.descending ? -1 : 1
    switch (key.kind) {
      case 'field': {
        const column = segment.column(key.field)
        this.missing = key.missing === 'first' ? -Infinity : Infinity
        if (column === undefined || column.isMulti) break
        this.column = column
        this.kind =
          column.ordBits === 8 ? KIND_ORD8 : column.ordBits === 16 ? KIND_ORD16 : KIND_ORD32
        this.ords8 = column.ords8
        this.ords16 = column.ords16
        this.ords32 = column.ords32
        break
      }
      case 'distance': {
        const column = segment.column(key.field)
        this.missing = key.missing === 'first' ? -Infinity : Infinity
        if (column === undefined) break
        this.kind = KIND_DISTANCE
        this.ords = column.ords
        this.distance = new DistanceKey(column, key)
        break
      }
      case 'similarity':
        this.missing = Infinity
        this.vectors = segment.vectors(key.field)
        if (this.vectors === undefined) break
        this.kind = KIND_SIMILARITY
        this.ords = this.vectors.ords
        this.vector = key.vector
        break
      case 'textMatch':
        this.kind = key.buckets === undefined ? KIND_SCORE : KIND_BUCKET
        this.buckets = key.buckets ?? 0
        this.fullPoints = segment.fullPoints
        break
      case 'popularity': {
        const levels = segment.popularityLevels()
        if (levels === undefined) break
        this.kind = KIND_LEVEL
        this.ords16 = levels
        break
      }
      case 'filter':
        this.kind = KIND_BIT
        this.bits = segment.evaluate(key.filter)
        break
      case 'random':
        this.kind = KIND_RANDOM
        this.docKeys = segment.docKeys
        this.seed = key.seed
        break
      case 'inserted':
        this.kind = KIND_INSERTED
        this.insertions = segment.insertions
    }
  }

  /**
   * Whether it does not affect the order of the documents of the segment: all have the same key, or
   * their docOrds have the same order.
   */
  get isIdle(): boolean {
    const isInOrder = this.kind === KIND_INSERTED && this.insertions.docOrds === undefined
    return this.kind === KIND_CONSTANT || isInOrder
  }

  /** Whether a key is computed from places or vectors instead of looked up. */
  get isSlow(): boolean {
    return this.kind === KIND_DISTANCE || this.kind === KIND_SIMILARITY
  }
}

/** The key of a document. */
export function keyOf(source: KeySource, docOrd: number, score: number): number {
  switch (source.kind) {
    case KIND_SCORE:
      return source.sign * score
    case KIND_BUCKET:
      return source.sign * bucketOf(score, source.buckets, source.fullPoints)
    case KIND_ORD8:
      return keyOfOrd(source, source.ords8[docOrd]!)
    case KIND_ORD16:
      return keyOfOrd(source, source.ords16[docOrd]!)
    case KIND_ORD32:
      return keyOfOrd(source, source.ords32[docOrd]!)
    case KIND_BIT:
      return source.sign * ((source.bits[docOrd >>> 5]! >>> (docOrd & 31)) & 1)
    case KIND_LEVEL:
      return source.sign * source.ords16[docOrd]!
    case KIND_DISTANCE: {
      const ord = source.ords[docOrd]!
      return ord === 0 ? source.missing : source.sign * source.distance!.ofOrd(ord)
    }
    case KIND_SIMILARITY: {
      const ord = source.ords[docOrd]!
      if (ord === 0) return source.missing
      return source.sign * source.vectors!.similarityOf(ord - 1, source.vector!)
    }
    case KIND_RANDOM:
      return source.sign * shuffle(source.seed, source.docKeys[docOrd]!)
    case KIND_INSERTED:
      return source.sign * insertedOf(source.insertions, docOrd)
    default:
      return source.missing
  }
}

function keyOfOrd(source: KeySource, ord: number): number {
  return ord === 0 ? source.missing : source.sign * ord
}

/**
 * Fills in the keys of many documents; for keys that do not depend on scores.
 *
 * @param keys filled from the front
 */
function keysOf(source: KeySource, docOrds: Uint32Array, count: number, keys: Float64Array): void {
  switch (source.kind) {
    case KIND_ORD8:
      return keysOfOrds(source.ords8, source.sign, source.missing, docOrds, count, keys)
    case KIND_ORD16:
      return keysOfOrds(source.ords16, source.sign, source.missing, docOrds, count, keys)
    case KIND_ORD32:
      return keysOfOrds(source.ords32, source.sign, source.missing, docOrds, count, keys)
    case KIND_SIMILARITY:
      return keysOfVectors(source, docOrds, count, keys)
    default:
      for (let i = 0; i < count; i++) keys[i] = keyOf(source, docOrds[i]!, 0)
  }
}

/** Distances measured between two looks at the clock: a millisecond if each has ten places. */
const DISTANCES_PER_CHECK = 1_024

/** The same in steps. @param docOrds must not change meanwhile */
export function* keysInSteps(
  source: KeySource,
  docOrds: Uint32Array,
  keys: Float64Array,
  pace: Pace,
): Steps {
  const { length } = docOrds
  const stride = source.isSlow ? DISTANCES_PER_CHECK : length
  for (let from = 0; from < length; from += stride) {
    yield* pause(pace)
    const part = docOrds.subarray(from, from + stride)
    keysOf(source, part, part.length, keys.subarray(from))
  }
}

function keysOfOrds(
  ords: Uint8Array | Uint16Array | Uint32Array,
  sign: number,
  missing: number,
  docOrds: Uint32Array,
  count: number,
  keys: Float64Array,
): void {
  for (let i = 0; i < count; i++) {
    const ord = ords[docOrds[i]!]!
    keys[i] = ord === 0 ? missing : sign * ord
  }
}

function keysOfVectors(
  { vectors, vector, ords, sign, missing }: KeySource,
  docOrds: Uint32Array,
  count: number,
  keys: Float64Array,
): void {
  const rows = new Uint32Array(count)
  let known = 0
  for (let i = 0; i < count; i++) {
    const ord = ords[docOrds[i]!]!
    if (ord !== 0) rows[known++] = ord - 1
  }
  const similarities = new Float64Array(known)
  vectorMemory.similarities(vectors!, vector!, rows, known, similarities)
  let at = 0
  for (let i = 0; i < count; i++) {
    keys[i] = ords[docOrds[i]!] === 0 ? missing : sign * similarities[at++]!
  }
}

/** One source per key, for one segment. No two documents are equal in all of them. */
export function buildSortKeys(sort: readonly SortKey[], segment: SortableSegment): KeySource[] {
  return [...sort, BY_INSERTION].map((key) => new KeySource(key, segment))
}
