/**
 * Inner loops over ordinal columns, one copy per width: V8 optimises a function for the array types
 * that it has seen and is fastest with a single one. Plain loops over typed arrays, no closures, no
 * iterators.
 */
import type { Column } from './column-reader.ts'

/**
 * Sets the bits of documents with an ordinal in `low .. high` (both inclusive, below 2^30).
 * `bits` has a bit per document and is overwritten.
 */
export function setOrdRange(column: Column, low: number, high: number, bits: Uint32Array): void {
  if (column.ordBits === 8) setRange8(column.ords8, low, high, bits)
  else if (column.ordBits === 16) setRange16(column.ords16, low, high, bits)
  else setRange32(column.ords32, low, high, bits)
}

/** Sets the bits of documents whose ordinal is accepted. @param accepted by ordinal, 1 = yes */
export function setAcceptedOrds(column: Column, accepted: Uint8Array, bits: Uint32Array): void {
  if (column.ordBits === 8) setAccepted8(column.ords8, accepted, bits)
  else if (column.ordBits === 16) setAccepted16(column.ords16, accepted, bits)
  else setAccepted32(column.ords32, accepted, bits)
}

/** Counts the first `count` documents of a list in `counts`, by ordinal. */
export function countOrds(
  column: Column,
  docs: Uint32Array,
  count: number,
  counts: Uint32Array,
): void {
  if (column.ordBits === 8) countOrds8(column.ords8, docs, count, counts)
  else if (column.ordBits === 16) countOrds16(column.ords16, docs, count, counts)
  else countOrds32(column.ords32, docs, count, counts)
}

/** Counts every live document. @param live undefined: all documents are live */
export function countLiveOrds(
  column: Column,
  live: Uint32Array | undefined,
  counts: Uint32Array,
): void {
  if (column.ordBits === 8) countLive8(column.ords8, live, counts)
  else if (column.ordBits === 16) countLive16(column.ords16, live, counts)
  else countLive32(column.ords32, live, counts)
}

/**
 * Like `countOrds`, for columns of more than 8 bits: also records the ordinals with their first
 * count.
 *
 * @param touched with room for `count` more entries plus one
 * @returns the new number of touched ordinals
 */
export function countTouchedOrds(
  column: Column,
  docs: Uint32Array,
  count: number,
  counts: Uint32Array,
  touched: Uint32Array,
  touchedCount: number,
): number {
  return column.ordBits === 16
    ? countTouched16(column.ords16, docs, count, counts, touched, touchedCount)
    : countTouched32(column.ords32, docs, count, counts, touched, touchedCount)
}

function countTouched16(
  ords: Uint16Array,
  docs: Uint32Array,
  count: number,
  counts: Uint32Array,
  list: Uint32Array,
  touchedCount: number,
): number {
  let length = touchedCount
  for (let i = 0; i < count; i++) {
    const ord = ords[docs[i]!]!
    const before = counts[ord]! | 0
    list[length] = ord
    counts[ord] = before + 1
    // 1 if it was 0, without a branch, which would be unpredictable.
    length += (before - 1) >>> 31
  }
  return length
}

function countTouched32(
  ords: Uint32Array,
  docs: Uint32Array,
  count: number,
  counts: Uint32Array,
  list: Uint32Array,
  touchedCount: number,
): number {
  let length = touchedCount
  for (let i = 0; i < count; i++) {
    const ord = ords[docs[i]!]!
    const before = counts[ord]! | 0
    list[length] = ord
    counts[ord] = before + 1
    // 1 if it was 0, without a branch, which would be unpredictable.
    length += (before - 1) >>> 31
  }
  return length
}

function setRange8(ords: Uint8Array, low: number, high: number, bits: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    let word = 0
    for (let doc = start; doc < end; doc++) {
      // Outside the range one of the differences is negative: its sign bit replaces a branch.
      const ord = ords[doc]! | 0
      word |= (~((ord - low) | (high - ord)) >>> 31) << (doc & 31)
    }
    bits[start >>> 5] = word
  }
}

function setAccepted8(ords: Uint8Array, accepted: Uint8Array, bits: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    let word = 0
    for (let doc = start; doc < end; doc++) word |= accepted[ords[doc]!]! << (doc & 31)
    bits[start >>> 5] = word
  }
}

function countOrds8(ords: Uint8Array, docs: Uint32Array, count: number, counts: Uint32Array): void {
  let i = 0
  for (; i + 1 < count; i += 2) {
    const first = ords[docs[i]!]!
    const second = ords[docs[i + 1]!]!
    counts[first] = (counts[first]! + 1) | 0
    counts[second] = (counts[second]! + 1) | 0
  }
  if (i < count) counts[ords[docs[i]!]!]!++
}

function countLive8(ords: Uint8Array, live: Uint32Array | undefined, counts: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    const word = live === undefined ? -1 : live[start >>> 5]! | 0
    for (let doc = start; doc < end; doc++) counts[ords[doc]!]! += (word >>> (doc & 31)) & 1
  }
}

function setRange16(ords: Uint16Array, low: number, high: number, bits: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    let word = 0
    for (let doc = start; doc < end; doc++) {
      // Outside the range one of the differences is negative: its sign bit replaces a branch.
      const ord = ords[doc]! | 0
      word |= (~((ord - low) | (high - ord)) >>> 31) << (doc & 31)
    }
    bits[start >>> 5] = word
  }
}

function setAccepted16(ords: Uint16Array, accepted: Uint8Array, bits: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    let word = 0
    for (let doc = start; doc < end; doc++) word |= accepted[ords[doc]!]! << (doc & 31)
    bits[start >>> 5] = word
  }
}

function countOrds16(
  ords: Uint16Array,
  docs: Uint32Array,
  count: number,
  counts: Uint32Array,
): void {
  let i = 0
  for (; i + 1 < count; i += 2) {
    const first = ords[docs[i]!]!
    const second = ords[docs[i + 1]!]!
    counts[first] = (counts[first]! + 1) | 0
    counts[second] = (counts[second]! + 1) | 0
  }
  if (i < count) counts[ords[docs[i]!]!]!++
}

function countLive16(ords: Uint16Array, live: Uint32Array | undefined, counts: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    const word = live === undefined ? -1 : live[start >>> 5]! | 0
    for (let doc = start; doc < end; doc++) counts[ords[doc]!]! += (word >>> (doc & 31)) & 1
  }
}

function setRange32(ords: Uint32Array, low: number, high: number, bits: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    let word = 0
    for (let doc = start; doc < end; doc++) {
      // Outside the range one of the differences is negative: its sign bit replaces a branch.
      const ord = ords[doc]! | 0
      word |= (~((ord - low) | (high - ord)) >>> 31) << (doc & 31)
    }
    bits[start >>> 5] = word
  }
}

function setAccepted32(ords: Uint32Array, accepted: Uint8Array, bits: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    let word = 0
    for (let doc = start; doc < end; doc++) word |= accepted[ords[doc]!]! << (doc & 31)
    bits[start >>> 5] = word
  }
}

function countOrds32(
  ords: Uint32Array,
  docs: Uint32Array,
  count: number,
  counts: Uint32Array,
): void {
  let i = 0
  for (; i + 1 < count; i += 2) {
    const first = ords[docs[i]!]!
    const second = ords[docs[i + 1]!]!
    counts[first] = (counts[first]! + 1) | 0
    counts[second] = (counts[second]! + 1) | 0
  }
  if (i < count) counts[ords[docs[i]!]!]!++
}

function countLive32(ords: Uint32Array, live: Uint32Array | undefined, counts: Uint32Array): void {
  const docCount = ords.length
  for (let start = 0; start < docCount; start += 32) {
    const end = start + 32 < docCount ? start + 32 : docCount
    const word = live === undefined ? -1 : live[start >>> 5]! | 0
    for (let doc = start; doc < end; doc++) counts[ords[doc]!]! += (word >>> (doc & 31)) & 1
  }
}
