import type { SectionReader, SectionWriter } from '../codec/section-file.ts'

/**
 * When the documents of a segment were inserted, by the docKey of their first version. Three forms,
 * so that documents that nobody changes cost nothing:
 *
 *     no section                     every document has its first version: `docKeys`
 *     inserted:u32 insertedBase:f64  by docOrd; the docKey is base + offset
 *     inserted:f64                   by docOrd, if the docKeys span 2^32 or more
 *     insertionOrder:u32             docOrds in order of insertion, unless they ascend
 *
 * Thread safety: immutable.
 */
export interface InsertionOrder {
  /** By docOrd: a document with a larger one was inserted later. Add `base` to compare segments. */
  readonly keys: Float64Array | Uint32Array
  readonly base: number
  /** docOrds in order of insertion; undefined: ascending. */
  readonly docOrds: Uint32Array | undefined
}

const OFFSETS_SPAN = 2 ** 32

/** The docKey of the first version of a document of a segment. */
export function insertedOf({ keys, base }: InsertionOrder, docOrd: number): number {
  return base + keys[docOrd]!
}

/** The docOrd of the `place`th document of a segment to be inserted, from 0. */
export function insertedAt({ docOrds }: InsertionOrder, place: number): number {
  return docOrds === undefined ? place : docOrds[place]!
}

/** @returns the docOrd of the document whose first version had this docKey; -1: there is none */
export function docOrdInserted(insertions: InsertionOrder, inserted: number): number {
  let low = 0
  let high = insertions.keys.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const docOrd = insertedAt(insertions, middle)
    const other = insertedOf(insertions, docOrd)
    if (other === inserted) return docOrd
    if (other < inserted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export function openInsertions(sections: SectionReader, docKeys: Float64Array): InsertionOrder {
  if (!sections.has('inserted')) return { keys: docKeys, base: 0, docOrds: undefined }
  const docOrds = sections.has('insertionOrder') ? sections.u32('insertionOrder') : undefined
  return sections.has('insertedBase')
    ? { keys: sections.u32('inserted'), base: sections.f64('insertedBase')[0]!, docOrds }
    : { keys: sections.f64('inserted'), base: 0, docOrds }
}

/**
 * @param keys by docOrd: the docKey of the first version
 * @param docOrds in order of insertion; absent: they are sorted here
 */
export function writeInsertions(
  docKeys: Float64Array,
  keys: Float64Array,
  sections: SectionWriter,
  docOrds?: Uint32Array,
): void {
  if (keys.every((key, docOrd) => key === docKeys[docOrd])) return
  let [least, most] = [Infinity, 0]
  for (const key of keys) {
    least = Math.min(least, key)
    most = Math.max(most, key)
  }
  if (most - least < OFFSETS_SPAN) {
    sections.add(
      'inserted',
      Uint32Array.from(keys, (key) => key - least),
    )
    sections.add('insertedBase', Float64Array.of(least))
  } else sections.add('inserted', keys)
  if (keys.every((key, docOrd) => docOrd === 0 || keys[docOrd - 1]! < key)) return
  docOrds ??= Uint32Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]!)
  sections.add('insertionOrder', docOrds)
}

/** A segment to merge; `docMap` has the new docOrd of each document, -1 = dropped. */
interface MergedOrder {
  readonly insertions: InsertionOrder
  readonly docMap: Int32Array
}

/** Writes the order of merged segments; each is in order already. */
export function mergeInsertions(
  docKeys: Float64Array,
  sources: readonly MergedOrder[],
  sections: SectionWriter,
): void {
  const keys = new Float64Array(docKeys.length)
  for (const { insertions, docMap } of sources) {
    for (let i = 0; i < docMap.length; i++) {
      if (docMap[i]! >= 0) keys[docMap[i]!] = insertedOf(insertions, i)
    }
  }
  writeInsertions(docKeys, keys, sections, merged(keys, sources))
}

function merged(keys: Float64Array, sources: readonly MergedOrder[]): Uint32Array {
  const order = new Uint32Array(keys.length)
  /** The next place of each source that has documents left. */
  const heads = sources.map((source) => ({ source, place: -1, docOrd: -1 }))
  const advance = (head: (typeof heads)[number]): boolean => {
    const { insertions, docMap } = head.source
    while (++head.place < docMap.length) {
      head.docOrd = docMap[insertedAt(insertions, head.place)]!
      if (head.docOrd >= 0) return true
    }
    return false
  }
  let left = heads.filter(advance)
  for (let at = 0; at < order.length; at++) {
    let first = left[0]!
    for (const head of left) if (keys[head.docOrd]! < keys[first.docOrd]!) first = head
    order[at] = first.docOrd
    if (!advance(first)) left = left.filter((head) => head !== first)
  }
  return order
}
