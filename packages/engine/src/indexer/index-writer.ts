import type { Analyzer } from '../analysis/analyzer.ts'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { clearBit, fillBits, hasBit, popcount, wordCount } from '../codec/bitset.ts'
import { DictionaryWriter } from '../dictionary/shared-dictionary.ts'
import { TermWriter } from '../dictionary/term-store.ts'
import { openTree } from '../dictionary/build-tree.ts'
import type { IndexDocument } from '../schema/document.ts'
import { type Schema, elementType, hasColumn, spaceField } from '../schema/schema.ts'
import { USUAL_BEGINNINGS } from '../segment/beginnings.ts'
import type { MergeRun } from '../segment/merge-policy.ts'
import { buildSegmentSteps } from '../segment/segment-builder.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import type { IndexSnapshot, SegmentHandle } from '../segment/snapshot.ts'
import type { OpenedIndex, SavedIndex } from '../storage/index-files.ts'
import { IndexStatistics, Removal } from './index-statistics.ts'
import type { IndexTask } from './index-task.ts'

/** A change to an index. */
export interface IndexBatch {
  /** In ascending order of docKey, all above those of earlier batches that are still covered. */
  readonly added: readonly IndexDocument[]
  /** Versions that are no longer live, with the values they were indexed with. */
  readonly removed: readonly IndexDocument[]
}

/** The documents of a segment that a file contains as live. */
export interface SavedDocuments {
  readonly reader: SegmentReader
  readonly live: SharedArrayBuffer | undefined
  readonly liveCount: number
}

/** A segment on the writing side. */
interface WriterSegment {
  readonly id: number
  readonly reader: SegmentReader
  live: SharedArrayBuffer | undefined
  liveCount: number
}

/**
 * The writing side of one index: turns batches of documents into segments, maintains statistics and
 * dictionaries, replaces merged segments. IndexMaintenance does the background work.
 *
 * Thread safety: one thread. Other threads may read the result of `snapshot()`.
 */
export class IndexWriter {
  readonly #analyzer: Analyzer
  readonly #language: string
  readonly #statistics: IndexStatistics
  readonly #terms: TermWriter
  readonly #values: (DictionaryWriter | undefined)[]
  #schema: Schema
  #segments: WriterSegment[] = []
  #trie: SharedArrayBuffer | undefined
  #trieCount = 0
  #nextSegmentId = 1

  /** @param opened files to continue from; documents live in them count as live */
  constructor(schema: Schema, language: string, opened?: OpenedIndex) {
    this.#schema = schema
    this.#language = language
    this.#analyzer = createAnalyzer(language)
    this.#terms = opened?.terms ?? new TermWriter()
    this.#statistics = new IndexStatistics(opened?.counts)
    this.#values = [...(opened?.values ?? [])]
    for (const { id, buffer, live } of opened?.segments ?? []) {
      const reader = new SegmentReader(buffer)
      const bits = live === undefined ? undefined : new Uint32Array(live)
      const liveCount = bits === undefined ? reader.docCount : popcount(bits)
      this.#segments.push({ id, reader, live, liveCount })
      this.#nextSegmentId = Math.max(this.#nextSegmentId, id + 1)
    }
    if (opened?.trie !== undefined) this.setTrie(opened.trie, openTree(opened.trie).count)
    this.#addDictionaries()
  }

  get schema(): Schema {
    return this.#schema
  }

  get docCount(): number {
    return this.#statistics.docCount
  }

  /** Oldest first. */
  get segments(): readonly (SegmentHandle & { readonly docCount: number })[] {
    return this.#segments.map(({ id, reader, live, liveCount }) => ({
      id,
      buffer: reader.buffer,
      live,
      liveCount,
      docCount: reader.docCount,
    }))
  }

  /** Bytes of shared memory that the index takes. */
  get bytes(): number {
    let bytes = this.#terms.bytes + (this.#trie?.byteLength ?? 0)
    for (const dictionary of this.#values) bytes += dictionary?.bytes ?? 0
    for (const { reader, live } of this.#segments) bytes += reader.bytes + (live?.byteLength ?? 0)
    return bytes
  }

  /** Number of live documents that have a vector in a space. */
  vectorCount(space: number): number {
    const field = spaceField({ number: space })
    return this.#segments.reduce((sum, { reader, live }) => {
      const vectors = reader.vectors(this.#schema, field)
      if (vectors === undefined) return sum
      if (live === undefined) return sum + vectors.rowCount
      const alive = new Uint32Array(live)
      return sum + popcount(vectors.presence.map((word, i) => word & alive[i]!))
    }, 0)
  }

  /** Number of terms missing from the trie, and of all terms. */
  get termCounts(): { readonly outsideTrie: number; readonly all: number } {
    return { outsideTrie: this.#terms.count - this.#trieCount, all: this.#terms.count }
  }

  /** Number of strings in all dictionaries. It only grows. */
  get stringCount(): number {
    return this.#values.reduce((sum, values) => sum + (values?.count ?? 0), this.#terms.count)
  }

  /**
   * Number of strings that documents use. Counts deleted documents where they cannot be
   * distinguished. Visits all terms.
   */
  usedStringCount(): number {
    return this.#values.reduce((sum, values, field) => {
      if (values === undefined) return sum
      const columns = this.#segments.map(
        ({ reader }) => reader.column(this.#schema, field, undefined)?.valueCount ?? 0,
      )
      return (
        sum +
        Math.min(
          values.count,
          columns.reduce((a, b) => a + b, 0),
        )
      )
    }, this.#terms.usedCount())
  }

  /**
   * Ranges of docKeys, both ends inclusive, ascending. Every document in them is in the index or
   * deleted.
   */
  get coveredRanges(): { readonly from: number; readonly to: number }[] {
    return this.#segments.map(({ reader }) => ({
      from: reader.docKeys[0]!,
      to: reader.docKeys[reader.docCount - 1]!,
    }))
  }

  /** Additive changes only: fields are appended. */
  setSchema(schema: Schema): void {
    this.#schema = schema
    this.#addDictionaries()
  }

  /** Applies a batch at once. */
  apply(batch: IndexBatch): void {
    const steps = this.applySteps(batch)
    while (steps.next().done !== true);
  }

  /**
   * Applies a batch step by step, for a thread that has other things to do in between. Snapshots
   * and saved files have nothing of the batch until the last step, which does not take long, and
   * then all of it. Merges may end meanwhile; no other batch, and no other schema, may be applied.
   */
  *applySteps({ added, removed }: IndexBatch): Generator<void, void> {
    const removedKeys = new Set(removed.map(({ docKey }) => docKey))
    const fresh = added.filter(({ docKey }) => !removedKeys.has(docKey))
    const removal = yield* this.#removalOf(removed)
    const target = {
      schema: this.#schema,
      analyzer: this.#analyzer,
      terms: this.#terms,
      values: this.#values,
    }
    const segment = fresh.length === 0 ? undefined : yield* buildSegmentSteps(target, fresh)
    this.#statistics.remove(removal, this.#terms)
    this.#remove(removed)
    if (segment === undefined) return
    this.#statistics.addSegment(segment, fresh.length, this.#terms)
    this.#insert({
      id: this.#nextSegmentId++,
      reader: new SegmentReader(segment.buffer),
      live: undefined,
      liveCount: fresh.length,
    })
  }

  /**
   * A merge task for neighbouring segments; pass its result to `replace` with the ids of the same
   * run.
   *
   * @param beginnings which prefixes the merged segment keeps
   */
  mergeTask({ from, to }: MergeRun, beginnings = USUAL_BEGINNINGS): IndexTask {
    return {
      kind: 'merge',
      schema: this.#schema,
      language: this.#language,
      terms: this.#terms.handles(),
      beginnings,
      values: this.#values.map((dictionary) => dictionary?.handles()),
      sources: this.#segments
        .slice(from, to)
        .map(({ reader, live }) =>
          live === undefined ? { buffer: reader.buffer } : { buffer: reader.buffer, live },
        ),
    }
  }

  /**
   * Replaces the sources of a merge with the merged segment.
   *
   * @param ids of the sources, which are neighbours. Documents deleted since the merge began are
   * deleted in the result.
   */
  replace(ids: readonly number[], merged: SharedArrayBuffer): void {
    const from = this.#segments.findIndex(({ id }) => id === ids[0])
    const sources = this.#segments.slice(from, from + ids.length)
    const reader = new SegmentReader(merged)
    const replacement: WriterSegment = {
      id: this.#nextSegmentId++,
      reader,
      live: undefined,
      liveCount: reader.docCount,
    }
    const dead: number[] = []
    for (const { reader: source, live } of sources) {
      if (live === undefined) continue
      const bits = new Uint32Array(live)
      for (let docOrd = 0; docOrd < source.docCount; docOrd++) {
        if (!hasBit(bits, docOrd)) dead.push(reader.docOrdOf(source.docKeys[docOrd]!))
      }
    }
    kill(
      replacement,
      dead.filter((docOrd) => docOrd >= 0),
    )
    const isEmpty = replacement.liveCount === 0
    this.#segments.splice(from, ids.length, ...(isEmpty ? [] : [replacement]))
  }

  trieTask(): IndexTask {
    return { kind: 'trie', strings: this.#terms.handles().strings, previous: this.#trie }
  }

  /** @param count number of strings in the trie */
  setTrie(trie: SharedArrayBuffer, count: number): void {
    this.#trie = trie
    this.#trieCount = count
  }

  /** Input of a save task: a snapshot of the index, unaffected by later writes. */
  saved(): SavedIndex {
    return {
      schema: this.#schema,
      language: this.#language,
      counts: this.#statistics.counts(),
      terms: this.#terms.frozen(),
      trie: this.#trie,
      values: this.#values.map((dictionary) => dictionary?.handles()),
      segments: this.#segments.map(({ id, reader, live }) => ({ id, buffer: reader.buffer, live })),
    }
  }

  /** By segment id: the documents that `saved()` writes as live. */
  savedDocuments(): Map<number, SavedDocuments> {
    return new Map(
      this.#segments.map(({ id, reader, live, liveCount }) => [id, { reader, live, liveCount }]),
    )
  }

  snapshot(): IndexSnapshot {
    return {
      ...this.#statistics.counts(),
      schema: this.#schema,
      language: this.#language,
      terms: this.#terms.handles(),
      trie: this.#trie,
      values: this.#values.map((dictionary) => dictionary?.handles()),
      segments: this.#segments.map(({ id, reader, live, liveCount }) => ({
        id,
        buffer: reader.buffer,
        live,
        liveCount,
      })),
    }
  }

  #addDictionaries(): void {
    this.#schema.fields.forEach((field, ordinal) => {
      if (hasColumn(field) && elementType(field.type) === 'string') {
        this.#values[ordinal] ??= new DictionaryWriter()
      } else {
        this.#values[ordinal] = undefined
      }
    })
  }

  /** Segments stay in the order of their docKeys; a replay may fill gaps between opened ones. */
  #insert(segment: WriterSegment): void {
    const first = segment.reader.docKeys[0]!
    let at = this.#segments.length
    while (at > 0 && this.#segments[at - 1]!.reader.docKeys[0]! > first) at--
    this.#segments.splice(at, 0, segment)
  }

  /** What the documents take from the statistics, each once, if they are live. */
  *#removalOf(removed: readonly IndexDocument[]): Generator<void, Removal> {
    const removal = new Removal()
    const counted = new Set<number>()
    for (const document of removed) {
      const { docKey } = document
      if (counted.has(docKey) || this.#liveSegmentOf(docKey) === undefined) continue
      counted.add(docKey)
      yield* removal.add(document, this.#schema, this.#analyzer, this.#terms)
      yield
    }
    return removal
  }

  #remove(removed: readonly IndexDocument[]): void {
    const bySegment = new Map<WriterSegment, number[]>()
    for (const { docKey } of removed) {
      const segment = this.#liveSegmentOf(docKey)
      if (segment === undefined) continue
      const docOrd = segment.reader.docOrdOf(docKey)
      const docOrds = bySegment.get(segment)
      if (docOrds === undefined) bySegment.set(segment, [docOrd])
      else docOrds.push(docOrd)
    }
    for (const [segment, docOrds] of bySegment) kill(segment, docOrds)
    this.#segments = this.#segments.filter(({ liveCount }) => liveCount > 0)
  }

  /** The segment that holds the document as live. */
  #liveSegmentOf(docKey: number): WriterSegment | undefined {
    const segment = this.#segmentOf(docKey)
    if (segment?.live === undefined) return segment
    const isLive = hasBit(new Uint32Array(segment.live), segment.reader.docOrdOf(docKey))
    return isLive ? segment : undefined
  }

  #segmentOf(docKey: number): WriterSegment | undefined {
    return this.#segments.find(
      ({ reader }) =>
        docKey >= reader.docKeys[0]! &&
        docKey <= reader.docKeys[reader.docCount - 1]! &&
        reader.docOrdOf(docKey) >= 0,
    )
  }
}

/** Marks documents as deleted in a new bitset; running searches keep the old one. */
function kill(segment: WriterSegment, docOrds: readonly number[]): void {
  if (docOrds.length === 0) return
  const { docCount } = segment.reader
  const buffer = new SharedArrayBuffer(wordCount(docCount) * 4)
  const bits = new Uint32Array(buffer)
  if (segment.live === undefined) fillBits(bits, docCount)
  else bits.set(new Uint32Array(segment.live))
  for (const docOrd of docOrds) {
    if (hasBit(bits, docOrd)) segment.liveCount--
    clearBit(bits, docOrd)
  }
  segment.live = buffer
}
