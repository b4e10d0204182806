import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexDocument } from '../schema/document.ts'
import { GOODS, goodsAnswers, goodsDocument } from '../search/goods-for-test.ts'
import { bytesToSave, openIndex } from '../storage/index-files.ts'
import { IndexMaintenance } from './index-maintenance.ts'
import type { IndexTask, IndexTaskResult } from './index-task.ts'
import { performIndexTask } from './index-task.ts'
import { IndexWriter } from './index-writer.ts'

const goods = (...docKeys: number[]) => docKeys.map((docKey) => goodsDocument(docKey))
const folder = mkdtempSync(join(tmpdir(), 'aisle-maintenance-'))

/** A background thread that runs tasks only on command. */
class ManualRunner {
  readonly waiting: { readonly task: IndexTask; readonly finish: (fail?: Error) => void }[] = []
  readonly errors: unknown[] = []
  changes = 0
  worn = 0
  /** Free bytes on disk. */
  roomBytes = Infinity
  readonly writer: IndexWriter
  readonly maintenance: IndexMaintenance

  constructor(writer = new IndexWriter(GOODS, 'en'), target?: string, quietMs = 1e6) {
    this.writer = writer
    this.maintenance = new IndexMaintenance(writer, {
      folder: target,
      quietMs,
      onChange: () => this.changes++,
      onWorn: () => this.worn++,
      onError: (error) => this.errors.push(error),
      mayWrite: (index) => target === undefined || bytesToSave(target, index) <= this.roomBytes,
      run: (task) =>
        new Promise<IndexTaskResult>((resolve, reject) => {
          const finish = (fail?: Error): void => {
            if (fail === undefined) resolve(performIndexTask(task))
            else reject(fail)
          }
          this.waiting.push({ task, finish })
        }),
    })
  }

  write(added: readonly number[], removed: readonly number[] = []): void {
    this.writer.apply({ added: goods(...added), removed: goods(...removed) })
    this.maintenance.afterWrite()
  }

  async step(fail?: Error): Promise<void> {
    this.waiting.shift()!.finish(fail)
    for (let i = 0; i < 4; i++) await nextTurn()
  }

  /** Closes, and performs every task requested meanwhile. */
  async close(): Promise<void> {
    let isClosed = false
    const closing = this.maintenance.close().then(() => (isClosed = true))
    while (!isClosed) {
      if (this.waiting.length > 0) await this.step()
      else await nextTurn()
    }
    await closing
  }
}

suite('index maintenance', () => {
  after(() => rmSync(folder, { recursive: true, force: true }))

  test('merges small segments, one task at a time, and announces the change', async () => {
    const runner = new ManualRunner()
    for (let docKey = 1; docKey <= 7; docKey++) runner.write([docKey])
    assert.equal(runner.waiting.length, 1)
    await runner.step()
    assert.ok(runner.changes > 0)
    assert.ok(runner.writer.segments.length <= 3)
    assert.equal(runner.writer.docCount, 7)
    await runner.close()
  })

  test('after a while without a write, an index becomes one segment', async () => {
    const runner = new ManualRunner(new IndexWriter(GOODS, 'en'), undefined, 5)
    runner.write(Array.from({ length: 1_100 }, (_, i) => i + 1))
    runner.write(Array.from({ length: 300 }, (_, i) => i + 2_000))
    while (runner.waiting[0]?.task.kind !== 'merge') {
      if (runner.waiting.length === 0) await nextTurn()
      else await runner.step()
    }
    assert.equal(runner.writer.segments.length, 2)
    await runner.step()
    assert.equal(runner.writer.segments.length, 1)
    assert.equal(runner.writer.docCount, 1_400)
    await runner.close()
  })

  test('documents deleted during a merge stay deleted, even all of a source', async () => {
    const runner = new ManualRunner()
    for (let docKey = 1; docKey <= 10; docKey += 2) runner.write([docKey, docKey + 1])
    runner.write([11], [3])
    await runner.step()
    const fresh = new IndexWriter(GOODS, 'en')
    fresh.apply({ added: goods(1, 2, 4, 5, 6, 7, 8, 9, 10, 11), removed: [] })
    assert.deepEqual(goodsAnswers(runner.writer.snapshot()), goodsAnswers(fresh.snapshot()))

    const second = new ManualRunner()
    for (let docKey = 1; docKey <= 5; docKey++) second.write([docKey])
    second.write([], [2])
    await second.step()
    assert.deepEqual(
      second.writer.segments.map(({ liveCount }) => liveCount),
      [1, 1, 1, 1],
      'the merge was given up',
    )
    await runner.close()
    await second.close()
  })

  test('a failed task changes nothing and is retried with the next write', async () => {
    const runner = new ManualRunner()
    for (let docKey = 1; docKey <= 5; docKey++) runner.write([docKey])
    await runner.step(new Error('the thread died'))
    assert.equal(runner.errors.length, 1)
    assert.equal(runner.writer.segments.length, 5)
    assert.equal(runner.waiting.length, 0)
    runner.write([6])
    assert.equal(runner.waiting.length, 1)
    await runner.close()
  })

  test('closing writes files with the documents live at that time', async () => {
    const target = join(folder, 'closing')
    const runner = new ManualRunner(new IndexWriter(GOODS, 'en'), target)
    runner.write([1, 2, 3, 4, 5, 6, 7])
    runner.write([8], [2])
    assert.equal(runner.maintenance.holds(1), false, 'no files yet')
    await runner.close()
    assert.equal(runner.maintenance.holds(1), true)
    assert.equal(runner.maintenance.holds(2), false, 'dead when the files were written')

    const opened = new IndexWriter(GOODS, 'en', await openIndex(target, GOODS, 'en'))
    assert.deepEqual(goodsAnswers(opened.snapshot()), goodsAnswers(runner.writer.snapshot()))
    const next = new ManualRunner(opened, target)
    next.write([], [3])
    assert.equal(next.maintenance.holds(3), true, 'the files say that it lives')
    await next.close()
    assert.equal(next.maintenance.holds(3), false)
  })

  test('after a failed save, documents in either set of files count as saved', async () => {
    const target = join(folder, 'failing')
    const first = new ManualRunner(new IndexWriter(GOODS, 'en'), target)
    first.write([1, 2, 3, 4, 5, 6, 7])
    await first.close()
    const writer = new IndexWriter(GOODS, 'en', await openIndex(target, GOODS, 'en'))
    const runner = new ManualRunner(writer, target)
    runner.write([8], [3])
    const closing = runner.maintenance.close()
    await nextTurn()
    assert.equal(runner.waiting[0]?.task.kind, 'save')
    await runner.step(new Error('the disk is full'))
    await closing
    assert.equal(runner.errors.length, 1)
    for (const docKey of [1, 3, 8]) assert.equal(runner.maintenance.holds(docKey), true)
    assert.equal(runner.maintenance.holds(9), false)
  })

  test('without disk space no files are written, and older ones stay known', async () => {
    const target = join(folder, 'no-room')
    const writer = new IndexWriter(GOODS, 'en')
    const full = new ManualRunner(writer, target)
    full.write([1, 2, 3, 4, 5, 6, 7])
    const bytes = bytesToSave(target, writer.saved())
    full.roomBytes = bytes - 1
    await full.close()
    assert.equal(existsSync(target), false)
    assert.equal(full.maintenance.holds(1), false)

    const roomy = new ManualRunner(writer, target)
    roomy.write([])
    roomy.roomBytes = bytes
    await roomy.close()
    assert.equal(roomy.maintenance.holds(1), true)
    const sizes = readdirSync(target).map((name) => statSync(join(target, name)).size)
    const written = sizes.reduce((sum, size) => sum + size, 0)
    // The manifest and the heads of the files.
    assert.ok(written >= bytes && written < bytes + 4_000, `${written} of ${bytes}`)
    writer.apply({ added: [], removed: goods(3) })
    assert.ok(
      bytesToSave(target, writer.saved()) < bytes,
      'segments that are there are not written',
    )
  })

  test('an opened index gets its trie without a write', async () => {
    const target = join(folder, 'opened')
    const first = new ManualRunner(new IndexWriter(GOODS, 'en'), target)
    first.write(Array.from({ length: 120 }, (_, i) => i + 1))
    await first.close()
    const opened = new ManualRunner(
      new IndexWriter(GOODS, 'en', await openIndex(target, GOODS, 'en')),
      target,
    )
    opened.maintenance.afterOpen()
    assert.equal(opened.waiting[0]?.task.kind, 'trie')
    await opened.step()
    assert.ok(opened.writer.snapshot().trie !== undefined)
    assert.deepEqual(goodsAnswers(opened.writer.snapshot()), goodsAnswers(first.writer.snapshot()))
  })

  // Dictionaries only grow: a store with ever new words would keep every word it ever had.
  test('an index is worn if most of its strings are unused, and only then', async () => {
    const runner = new ManualRunner()
    const codes = (docKey: number, from: number): IndexDocument => {
      const words = Array.from({ length: 3_000 }, (_, i) => `w${from + docKey * 3_000 + i}`)
      return { docKey, id: `g${docKey}`, values: [words.join(' '), `brand ${from + docKey}`] }
    }
    const rewrite = async (round: number): Promise<void> => {
      for (let docKey = round * 10; docKey < round * 10 + 10; docKey++) {
        const removed = round === 0 ? [] : [codes(docKey - 10, (round - 1) * 1e6)]
        runner.writer.apply({ added: [codes(docKey, round * 1e6)], removed })
        runner.maintenance.afterWrite()
      }
      while (runner.waiting.length > 0) await runner.step()
    }
    await rewrite(0)
    await rewrite(1)
    assert.equal(runner.worn, 0, '30,000 of 60,000 are in use')
    await rewrite(2)
    assert.ok(runner.worn > 0, '30,000 of 90,000 are in use')
    assert.deepEqual(
      [runner.writer.usedStringCount(), runner.writer.stringCount],
      [30_000 + 11 + 10, 90_000 + 31 + 30],
    )
    await runner.close()
  })
})
