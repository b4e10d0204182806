import type { Column } from '../../columns/column-reader.ts'
import type { PlannedGroups } from '../../query/plan.ts'
import type { Scalar } from '../../schema/schema.ts'
import type { SearchRun } from '../view/search-run.ts'
import { pause, type Steps } from '../view/steps.ts'

/** Documents between two looks at the clock: those of several fields take 4 ms. */
const DOCUMENTS_PER_CHECK = 16_384

/** Packs two value numbers: a field has far fewer than 2^26 values, so a pair stays exact. */
const PAIR_STEP = 2 ** 26

/**
 * Numbers the groups of a search over all segments.
 *
 * The usual case, one field of texts, must be fast: the number of a text in the dictionary of the
 * field, which all segments share, is the number of its group. Other groups are numbered in order
 * of appearance; by segment, a table maps each ordinal of the column to its group.
 */
export class GroupNumbers {
  readonly #run: SearchRun
  readonly #groups: PlannedGroups
  readonly #fields: readonly FieldNumbers[]
  /** With several fields: numbers of pairs, one table for each field after the first. */
  readonly #pairs: readonly Map<number, number>[]
  readonly #segments: (SegmentNumbers | undefined)[] = []
  /** Not for a field of texts: by number of the value or pair, 1 + the group. */
  #byValue = new Uint32Array(0)
  readonly #isText: boolean
  #end: number

  constructor(run: SearchRun, groups: PlannedGroups) {
    this.#run = run
    this.#groups = groups
    this.#fields = groups.fields.map(() => new FieldNumbers())
    this.#pairs = groups.fields.slice(1).map(() => new Map())
    this.#isText = isText(run, groups)
    this.#end = textsOf(run, groups)
  }

  /** Upper bound of the numbers assigned so far. */
  get end(): number {
    return this.#end
  }

  /** The group of a document, the same at each call. */
  of(segmentIndex: number, docOrd: number): number {
    const before = this.#end
    const segment = this.#segmentAt(segmentIndex)
    const group = this.#groupOf(segment, docOrd)
    if (group === before && this.#isApart(segment, docOrd)) segment.apart.set(docOrd, group)
    return group
  }

  /** The groups of the documents of a list, in steps; each document comes once. */
  *ofAll(segmentIndex: number, docs: Uint32Array): Steps<Uint32Array> {
    const groups = new Uint32Array(docs.length)
    for (let from = 0; from < docs.length; from += DOCUMENTS_PER_CHECK) {
      if (from > 0) yield* pause(this.#run)
      const part = docs.subarray(from, from + DOCUMENTS_PER_CHECK)
      this.fill(segmentIndex, part, part.length, groups.subarray(from))
    }
    return groups
  }

  /** Writes the groups of the first `count` documents of a list; each document comes once. */
  fill(segmentIndex: number, docs: Uint32Array, count: number, groups: Uint32Array): void {
    const segment = this.#segmentAt(segmentIndex)
    const { ords, texts, groupOfOrd } = segment
    if (ords === undefined) {
      for (let i = 0; i < count; i++) groups[i] = this.#groupOf(segment, docs[i]!)
    } else if (texts !== undefined) {
      for (let i = 0; i < count; i++) {
        const ord = ords[docs[i]!]!
        if (ord > 0) groups[i] = 1 + texts[ord - 1]!
        else groups[i] = this.#groupOf(segment, docs[i]!)
      }
    } else {
      for (let i = 0; i < count; i++) {
        const known = groupOfOrd[ords[docs[i]!]!]!
        groups[i] = known > 0 ? known - 1 : this.#groupOf(segment, docs[i]!)
      }
    }
  }

  /** The values of a document in the group fields; null if it has none. */
  keyOf(segmentIndex: number, docOrd: number): (Scalar | null)[] {
    return this.#segmentAt(segmentIndex).columns.map((column) => valueOf(column, docOrd))
  }

  #segmentAt(segmentIndex: number): SegmentNumbers {
    const { view } = this.#run
    return (this.#segments[segmentIndex] ??= openSegment(
      this.#groups.fields.map((field) => view.column(view.segments[segmentIndex]!, field)),
    ))
  }

  #groupOf(segment: SegmentNumbers, docOrd: number): number {
    const { columns, ords, groupOfOrd } = segment
    let number = this.#fields[0]!.of(columns[0], docOrd)
    let isMissing = number === NO_VALUE
    for (let i = 1; i < columns.length; i++) {
      const next = this.#fields[i]!.of(columns[i], docOrd)
      isMissing ||= next === NO_VALUE
      number = numberOf(this.#pairs[i - 1]!, number * PAIR_STEP + next)
    }
    if (isMissing && this.#groups.missing === 'apart') {
      return segment.apart.get(docOrd) ?? this.#end++
    }
    if (this.#isText) return number
    if (number >= this.#byValue.length) this.#byValue = enlarged(this.#byValue, number + 1)
    const group = (this.#byValue[number] ||= ++this.#end) - 1
    if (ords !== undefined) groupOfOrd[ords[docOrd]!] = group + 1
    return group
  }

  #isApart({ columns }: SegmentNumbers, docOrd: number): boolean {
    if (this.#groups.missing === 'together') return false
    return columns.some((column) => valueOf(column, docOrd) === null)
  }
}

function isText({ view }: SearchRun, { fields }: PlannedGroups): boolean {
  return fields.length === 1 && view.schema.fields[fields[0]!]!.type === 'string'
}

/**
 * Number of groups of a field of texts, including one for documents without a text; 0 for other
 * fields.
 */
function textsOf(run: SearchRun, groups: PlannedGroups): number {
  if (!isText(run, groups)) return 0
  const { view } = run
  const counts = view.segments.map(
    (segment) => view.column(segment, groups.fields[0]!)?.dictionary?.count ?? 0,
  )
  return 1 + Math.max(0, ...counts)
}

function numberOf(known: Map<number, number>, value: number): number {
  let number = known.get(value)
  if (number === undefined) known.set(value, (number = 1 + known.size))
  return number
}

interface SegmentNumbers {
  readonly columns: readonly (Column | undefined)[]
  /** With one field: by docOrd, the ordinal of the value. */
  readonly ords: Uint8Array | Uint16Array | Uint32Array | undefined
  /** With one field of texts: by ordinal - 1, the number in its dictionary. */
  readonly texts: Uint32Array | undefined
  /** By ordinal: 1 + the group; 0 = not met yet. */
  readonly groupOfOrd: Uint32Array
  /** Documents that are apart and were requested one by one, with their groups. */
  readonly apart: Map<number, number>
}

function openSegment(columns: readonly (Column | undefined)[]): SegmentNumbers {
  const column = columns.length === 1 ? columns[0] : undefined
  const texts = column?.type === 'string' ? column.valueIds : undefined
  const ordCount = column === undefined || texts !== undefined ? 0 : column.valueCount + 1
  return {
    columns,
    ords: column?.ords,
    texts,
    groupOfOrd: new Uint32Array(ordCount),
    apart: new Map(),
  }
}

const NO_VALUE = 0

/** Numbers the values of a field over all segments, from 1. */
class FieldNumbers {
  readonly #known = new Map<number | bigint, number>()

  /** The number of a document's value, or NO_VALUE. */
  of(column: Column | undefined, docOrd: number): number {
    const ord = column === undefined ? 0 : column.ords[docOrd]!
    if (ord === 0) return NO_VALUE
    // Texts have a number in the dictionary of the field, which all segments share.
    if (column!.type === 'string') return 1 + column!.valueIds[ord - 1]!
    const value = column!.numeric(ord - 1)
    let number = this.#known.get(value)
    if (number === undefined) this.#known.set(value, (number = 1 + this.#known.size))
    return number
  }
}

function valueOf(column: Column | undefined, docOrd: number): Scalar | null {
  const ord = column === undefined ? 0 : column.ords[docOrd]!
  if (ord === 0) return null
  switch (column!.type) {
    case 'string':
      return column!.text(ord - 1)
    case 'bool':
      return column!.number(ord - 1) === 1
    default: {
      const value = column!.numeric(ord - 1)
      // -0 is 0.
      return value === 0 ? 0 : value
    }
  }
}

/** @returns a longer copy, at least twice as long */
function enlarged(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, 2 * numbers.length))
  larger.set(numbers)
  return larger
}
