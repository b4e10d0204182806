import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import type { LogEntry, VisitorEvent } from '../model/visitor-event.ts'
import { DayFullError } from './append-errors.ts'
import { idRunName } from './id-run.ts'
import { logEnd, readLog, recordReader } from './log-reader.ts'
import type { LogFiles } from './log-files.ts'
import { MemoryLogFiles } from './memory-log-files.ts'
import { RecordBatch } from './record.ts'
import { SEGMENT_HEAD_BYTES } from './segment.ts'
import { LogWriter, type LogWriterOptions } from './log-writer.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.UTC(2026, 0, 10)

function event(messageId: string, more: Partial<VisitorEvent> = {}): VisitorEvent {
  return {
    kind: 'event',
    name: 'Object Clicked',
    source: 'canonical',
    messageId,
    atMs: NOW_MS,
    receivedMs: NOW_MS,
    visitor: { anonymousId: 'a' },
    properties: { object_id: messageId },
    ...more,
  }
}

function records(...entries: LogEntry[]): Uint8Array {
  const batch = new RecordBatch(64)
  for (const entry of entries) batch.add(entry)
  return batch.take()
}

function open(files: LogFiles, options: Partial<LogWriterOptions> = {}): LogWriter {
  return new LogWriter({ files, now: () => NOW_MS, ...options })
}

function readAll(files: LogFiles, maxBytes?: number): LogEntry[] {
  const entries: LogEntry[] = []
  for (let at = 0; ;) {
    const page = readLog(files, at, logEnd(files), maxBytes)
    entries.push(...page.records.map(({ entry }) => entry))
    if (page.next === at) return entries
    at = page.next
  }
}

const idsOf = (entries: readonly LogEntry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === 'event' ? [entry.messageId] : []))

suite('the log of a store', () => {
  test('single records are read at their positions, unless they were removed', async () => {
    const files = new MemoryLogFiles()
    const log = open(files, { segmentRecordsMax: 2 })
    for (const id of ['1', '2', '3']) {
      await log.append({ records: records(event(id, { properties: { text: 'ü'.repeat(5_000) } })) })
    }
    const all: { position: number; entry: LogEntry }[] = []
    for (let at = 0; ;) {
      const page = readLog(files, at, logEnd(files))
      all.push(...page.records)
      if (page.next === at) break
      at = page.next
    }
    assert.equal(all.length, 3)
    const read = recordReader(files)
    for (const { position, entry } of all) {
      assert.deepEqual(read(position)?.entry, entry)
      assert.equal(read(position + 1), undefined)
    }
    assert.equal(read(logEnd(files)), undefined)
    await log.erase([all[1]!.position])
    assert.equal(read(all[1]!.position), undefined)
    assert.ok(await log.dropBefore(NOW_MS + 1))
    assert.equal(read(all[0]!.position), undefined)
    await log.close()
  })

  test('appended events are read back unchanged', async () => {
    const files = new MemoryLogFiles()
    const log = open(files)
    const entries: LogEntry[] = [
      event('1', { properties: { query: 'Zürich "quoted" \u0001', n: 1.5, deep: { a: [null] } } }),
      {
        kind: 'identify',
        messageId: '2',
        atMs: 1,
        receivedMs: NOW_MS,
        visitor: { userId: 'u', anonymousId: 'a', sessionId: 's', client: 'c', network: 'n' },
      },
      event('3', { source: 'server', name: 'search', atMs: NOW_MS - 5 }),
    ]
    const { duplicates, end } = await log.append({ records: records(...entries) })
    assert.deepEqual([duplicates, end], [[], logEnd(files)])
    assert.deepEqual(readAll(files), entries)
  })

  test('the daily limit holds across segments and restarts, and starts over the next day', async () => {
    const files = new MemoryLogFiles()
    let nowMs = NOW_MS + DAY_MS / 2
    const options = { now: () => nowMs, segmentRecordsMax: 3 }
    let log = open(files, options)
    let count = 0
    const fill = async (dayMaxBytes: number): Promise<number> => {
      for (let taken = 0; ; taken++) {
        const one = records(event(`${++count}`, { receivedMs: nowMs }))
        try {
          await log.append({ records: one }, dayMaxBytes)
        } catch (error) {
          assert.ok(error instanceof DayFullError)
          assert.equal(error.resetMs % DAY_MS, 0)
          assert.ok(error.resetMs > nowMs && error.resetMs <= nowMs + DAY_MS)
          return taken
        }
      }
    }
    const room = 10 * records(event('1000')).length
    const first = await fill(room)
    assert.ok(first >= 8 && first <= 10, `${first} of ten, less segment headers`)
    assert.equal(await fill(room), 0)
    log = open(files, options)
    assert.equal(await fill(room), 0, 'after a restart')
    assert.ok((await fill(2 * room)) > 0, 'with a larger limit')
    nowMs += DAY_MS
    assert.equal(await fill(room), first, 'on the next day')
    nowMs += DAY_MS
    log = open(files, options)
    assert.equal(await fill(room), first, 'on a day that starts with a restart')
    const before = logEnd(files)
    const many = Array.from({ length: 20 }, (_, i) =>
      log.append({ records: records(event(`late ${i}`, { receivedMs: nowMs })) }, 2 * room),
    )
    const settled = await Promise.allSettled(many)
    const taken = settled.filter(({ status }) => status === 'fulfilled').length
    assert.ok(taken > 0 && taken <= 12, `${taken} of the concurrent ones`)
    assert.ok(logEnd(files) - before <= room + 200)
  })

  test('a message id counts once: in a batch, in a segment, across segments and restarts', async () => {
    const files = new MemoryLogFiles()
    const options = { segmentRecordsMax: 2 }
    let log = open(files, options)
    const send = async (...ids: string[]): Promise<readonly number[]> =>
      (await log.append({ records: records(...ids.map((id) => event(id))) })).duplicates
    assert.deepEqual(await send('1', '2', '1'), [2])
    assert.deepEqual(await send('3', '2'), [1])
    assert.deepEqual(await send('4', '5', '6'), [])
    log = open(files, options)
    assert.deepEqual(await send('1', '2', '3', '4', '5', '6', '7'), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(idsOf(readAll(files)), ['1', '2', '3', '4', '5', '6', '7'])
  })

  test('duplicates and dropped events are counted in the log', async () => {
    const files = new MemoryLogFiles()
    const log = open(files)
    await log.append({ records: records(event('1')) })
    await log.append({
      records: records(event('1'), event('1'), event('2')),
      counts: [{ name: 'Nonsense', verdict: 'dropped_unknown', count: 3 }],
    })
    const tallies = readAll(files).filter((entry) => entry.kind === 'tally')
    assert.deepEqual(
      tallies.map(({ counts }) => counts),
      [
        [
          { name: 'Nonsense', verdict: 'dropped_unknown', count: 3 },
          { name: 'Object Clicked', verdict: 'duplicate', count: 2 },
        ],
      ],
    )
  })

  test('an acknowledged append survives a power failure, whatever the disk keeps of the rest', async () => {
    // Goal: no acknowledged event is lost, none counted twice. Method: appends with repeated ids,
    // power cut with a torn tail after some of them, everything unanswered is sent again; a set is
    // the model.
    const step = fc.record({
      ids: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 }),
      powerLoss: fc.boolean(),
      keep: fc.nat(400),
      flip: fc.nat(400),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        let files = new MemoryLogFiles()
        const options = { segmentRecordsMax: 5 }
        let log = open(files, options)
        const acknowledged = new Set<string>()
        const sent = new Set<string>()
        for (const { ids, powerLoss, keep, flip } of steps) {
          const names = ids.map(String)
          for (const name of names) sent.add(name)
          const append = log.append({ records: records(...names.map((name) => event(name))) })
          if (!powerLoss) {
            await append
            for (const name of names) acknowledged.add(name)
            continue
          }
          files.onWrite = (what) => {
            if (what === 'sync') throw new Error('no power')
          }
          await assert.rejects(append)
          files = files.afterPowerLoss((unsynced) => {
            const kept = unsynced.subarray(0, keep)
            if (flip < kept.length) kept[flip]! ^= 1
            return kept
          })
          log = open(files, options)
        }
        const found = idsOf(readAll(files, 100))
        assert.equal(new Set(found).size, found.length, 'none counted twice')
        for (const name of acknowledged) assert.ok(found.includes(name), `${name} is stored`)
        for (const name of found) assert.ok(sent.has(name))
        // Unanswered events are sent again, and are then stored once.
        await log.append({ records: records(...[...sent].map((name) => event(name))) })
        assert.deepEqual(idsOf(readAll(files)).toSorted(), [...sent].toSorted())
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 150) },
    )
  })

  test('appends fail on a full disk, and work again after reopening the log', async () => {
    const files = new MemoryLogFiles()
    const log = open(files)
    await log.append({ records: records(event('1')) })
    files.onWrite = () => {
      throw new Error('ENOSPC')
    }
    await assert.rejects(log.append({ records: records(event('2')) }), { isFinal: false })
    await assert.rejects(log.append({ records: records(event('3')) }), { isFinal: false })
    files.onWrite = () => undefined
    const again = await open(files).append({ records: records(event('1'), event('2')) })
    assert.deepEqual(again.duplicates, [0])
    assert.deepEqual(idsOf(readAll(files)), ['1', '2'])
  })

  test('a duplicate of an event in flight is answered with it, and fails with it', async () => {
    const files = new MemoryLogFiles()
    const log = open(files)
    files.onWrite = (what) => {
      if (what === 'sync') throw new Error('EIO')
    }
    const both = await Promise.allSettled([
      log.append({ records: records(event('1')) }),
      log.append({ records: records(event('1')) }),
    ])
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.equal(log.failure?.isFinal, true)
  })

  test('a damaged record loses only itself, wherever it is, and is reported', async () => {
    const files = new MemoryLogFiles()
    const problems: string[] = []
    let log = open(files)
    for (const id of ['1', '2', '3']) await log.append({ records: records(event(id)) })
    const name = files.list()[0]!
    const second = files.lengthOf(name) - Math.floor((files.lengthOf(name) - 32) / 2)
    files.bytesOf(name)[second]! ^= 4
    log = open(files, { onProblem: (message) => problems.push(message) })
    assert.match(problems.join(), /damaged from byte \d+ to \d+: skipped/)
    await log.append({ records: records(event('4')) })
    assert.deepEqual(idsOf(readAll(files)), ['1', '3', '4'])
    assert.ok(readLog(files, 0, logEnd(files)).skippedBytes > 0)
  })

  test('a truncated segment loses only its tail, wherever it is, and is reported', async () => {
    for (const lostBytes of [1, 150, Infinity]) {
      const files = new MemoryLogFiles()
      const log = open(files, { segmentRecordsMax: 2 })
      for (const id of ['1', '2', '3', '4', '5']) await log.append({ records: records(event(id)) })
      const [, middle] = files.list().filter((name) => name.endsWith('.aev'))
      const length = files.lengthOf(middle!)
      files.truncate(middle!, Math.max(SEGMENT_HEAD_BYTES, length - lostBytes))
      const left = lostBytes === 1 ? ['1', '2', '3', '5'] : ['1', '2', '5']
      assert.deepEqual(idsOf(readAll(files)), lostBytes === Infinity ? ['1', '2', '5'] : left)
      let skipped = 0
      for (let at = 0, end = logEnd(files); at < end;) {
        const page = readLog(files, at, end)
        assert.ok(page.next > at, 'reading continues')
        skipped += page.skippedBytes
        at = page.next
      }
      assert.ok(skipped >= Math.min(lostBytes, 2))
    }
  })

  test('missing or damaged runs of message ids are rebuilt', async () => {
    const files = new MemoryLogFiles()
    const options = { segmentRecordsMax: 100 }
    const log = open(files, options)
    const ids = Array.from({ length: 500 }, (_, i) => `id-${i}`)
    for (let i = 0; i < 500; i += 100) {
      await log.append({ records: records(...ids.slice(i, i + 100).map((id) => event(id))) })
    }
    files.remove(idRunName(0))
    const others = files.list().filter((name) => name.startsWith('ids-'))
    const last = files.bytesOf(others[0]!)
    last[last.length - 5]! ^= 1
    files.bytesOf(others[1]!)[50]! ^= 1
    const again = await open(files, options).append({
      records: records(...ids.map((id) => event(id))),
    })
    assert.equal(again.duplicates.length, 500)
  })

  test('a day starts a segment, retention drops whole ones, and ids are kept for eight days', async () => {
    const files = new MemoryLogFiles()
    let nowMs = NOW_MS
    const log = new LogWriter({ files, now: () => nowMs })
    for (let day = 0; day < 12; day++) {
      nowMs = NOW_MS + day * DAY_MS
      await log.append({ records: records(event(`day ${day}`, { receivedMs: nowMs })) })
    }
    assert.equal(files.list().filter((name) => name.startsWith('log-')).length, 12)
    assert.equal(files.list().filter((name) => name.startsWith('ids-')).length, 8)
    const old = await log.append({ records: records(event('day 3', { receivedMs: nowMs })) })
    assert.deepEqual(old.duplicates, [0])

    assert.ok((await log.dropBefore(NOW_MS + 10 * DAY_MS)) > 0)
    assert.deepEqual(idsOf(readAll(files)), ['day 10', 'day 11'])
    await open(files).append({ records: records(event('new', { receivedMs: nowMs })) })
    assert.deepEqual(idsOf(readAll(files)), ['day 10', 'day 11', 'new'])
  })

  test('retention drops the current segment too, and positions continue', async () => {
    const files = new MemoryLogFiles()
    const log = open(files)
    await log.append({ records: records(event('1'), event('2')) })
    const end = logEnd(files)
    assert.ok((await log.dropBefore(NOW_MS + DAY_MS)) > 0)
    assert.equal(await log.dropBefore(NOW_MS + DAY_MS), 0)
    assert.deepEqual(readAll(files), [])
    for (const again of [log, open(files)]) {
      await again.append({ records: records(event(again === log ? '3' : '4')) })
    }
    assert.deepEqual(idsOf(readAll(files)), ['3', '4'])
    assert.ok(readLog(files, end, logEnd(files)).records[0]!.position > end)
  })

  test('erasing removes the bytes, and keeps positions and message ids', async () => {
    const files = new MemoryLogFiles()
    const log = open(files)
    const of = (userId: string): Partial<VisitorEvent> => ({ visitor: { userId } })
    await log.append({ records: records(event('1', of('secret-user')), event('2', of('other'))) })
    const before = readLog(files, 0, logEnd(files)).records
    await log.erase([before[0]!.position, before[1]!.position + 1])
    for (const name of files.list()) assert.ok(!files.bytesOf(name).includes('secret-user'))
    const after = readLog(files, 0, logEnd(files)).records
    assert.deepEqual(after, before.slice(1))
    const again = await log.append({ records: records(event('1'), event('3')) })
    assert.deepEqual(again.duplicates, [0])
  })

  test('a page ends where the next one starts, at any size', async () => {
    const files = new MemoryLogFiles()
    const log = open(files, { segmentRecordsMax: 7 })
    const long = 'x'.repeat(30_000)
    const ids = Array.from({ length: 40 }, (_, i) => `${i}`)
    for (const id of ids)
      await log.append({ records: records(event(id, { properties: { long } })) })
    assert.deepEqual(idsOf(readAll(files, 1)), ids)
    const { next } = readLog(files, 0, logEnd(files), 1)
    assert.deepEqual(readLog(files, next, next).records, [])
  })
})
