import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnalyzer, IndexWriter, openIndex, performIndexTask, Searcher } from '@aisle/engine'
import type { IndexDocument, Schema, SearchOutcome, SearchPlan } from '@aisle/engine'
import { SectionReader } from '../packages/engine/src/codec/section-file.ts'
import { pickMerge } from '../packages/engine/src/segment/merge-policy.ts'
import { SEGMENT_MAGIC } from '../packages/engine/src/segment/segment-format.ts'
import type { EngineUnderTest } from './lib/engine-level.ts'

/** Share of terms outside the trie before it is rebuilt (as in IndexMaintenance). */
const TRIE_OUTSIDE_SHARE = 1 / 16

/**
 * The measured index: the only place of the benchmark that knows how to create one.
 *
 * @param folder with an index of an earlier run, which is opened if it exists
 */
export async function createEngine(schema: Schema, folder?: string): Promise<EngineUnderTest> {
  const kept = folder === undefined ? undefined : await openIndex(folder, schema, 'en')
  const writer = new IndexWriter(schema, 'en', kept)
  let searcher = new Searcher()
  /** Does the work of the service's background thread on the same thread: its time counts. */
  const maintain = (idle: boolean): void => {
    for (let run = pickMerge(writer.segments, idle); run !== undefined;) {
      const ids = writer.segments.slice(run.from, run.to).map(({ id }) => id)
      writer.replace(ids, performIndexTask(writer.mergeTask(run))!)
      run = pickMerge(writer.segments, idle)
    }
    const { outsideTrie, all } = writer.termCounts
    if (outsideTrie > (idle ? 0 : Math.max(2048, all * TRIE_OUTSIDE_SHARE))) {
      writer.setTrie(performIndexTask(writer.trieTask())!, all)
    }
  }
  return {
    name: 'Aisle, embedded engine',
    analyzer: createAnalyzer('en'),
    isKept: kept !== undefined,
    add(documents: readonly IndexDocument[]): void {
      writer.apply({ added: documents, removed: [] })
      maintain(false)
    },
    finish(): void {
      maintain(true)
      if (folder !== undefined && kept === undefined) {
        performIndexTask({ kind: 'save', folder, index: writer.saved() })
      }
      searcher.update(writer.snapshot())
    },
    publish(documents: readonly IndexDocument[]): void {
      writer.apply({ added: documents, removed: [] })
      searcher.update(writer.snapshot())
    },
    forget(): void {
      searcher = new Searcher()
      searcher.update(writer.snapshot())
    },
    mergeAll(): void {
      const ids = writer.segments.map(({ id }) => id)
      const task = writer.mergeTask({ from: 0, to: ids.length })
      writer.replace(ids, performIndexTask(task)!)
      searcher.update(writer.snapshot())
    },
    search: (plan: SearchPlan): SearchOutcome => searcher.search(plan, () => undefined),
    complete: (plan, request) => searcher.complete(plan, request, () => undefined),
    holds: (stem) => searcher.holds(stem),
    get indexBytes() {
      return writer.bytes
    },
    get sectionBytes() {
      return bytesBySection(writer)
    },
    get segmentCount() {
      return writer.segments.length
    },
    async reopen(): Promise<number> {
      const folder = mkdtempSync(join(tmpdir(), 'aisle-bench-'))
      try {
        performIndexTask({ kind: 'save', folder, index: writer.saved() })
        const startMs = performance.now()
        const reopened = new IndexWriter(schema, 'en', await openIndex(folder, schema, 'en'))
        new Searcher().update(reopened.snapshot())
        return performance.now() - startMs
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  }
}

/** Bytes of all segments, and of what belongs to none. */
function bytesBySection(writer: IndexWriter): Map<string, number> {
  const bytes = new Map<string, number>()
  let rest = writer.bytes
  for (const { buffer } of writer.snapshot().segments) {
    for (const [name, size] of new SectionReader(buffer, SEGMENT_MAGIC).sizes) {
      bytes.set(name, (bytes.get(name) ?? 0) + size)
      rest -= size
    }
  }
  return bytes.set('dictionaries, trie and bitsets', rest)
}
