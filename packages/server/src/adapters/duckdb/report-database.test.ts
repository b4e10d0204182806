import assert from 'node:assert/strict'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ApiError, REPORT_NAMES } from '@aisle/contract'
import { logNameOf } from '@aisle/event-log'
import type { ReportCounts, ReportQuery, VisitorEvent } from '@aisle/event-log'
import { until } from '@aisle/testing'
import type { LogOwner } from '../../ports/events/event-log.ts'
import { ReportedFolder } from './report-database-for-test.ts'

const SHOP: LogOwner = { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z' }
const START_MS = Date.UTC(2026, 1, 1)
const QUERY: ReportQuery = {
  report: 'overview',
  fromMs: START_MS,
  toMs: START_MS + 86_400_000,
  tags: [],
  needsAllTags: false,
  interval: 'hour',
  orderBy: 'clicks',
  limit: 100,
}

function journey(i: number, userId = `user-${i % 7}`): VisitorEvent[] {
  const at = START_MS + i * 20_000
  const event = (name: string, properties: Record<string, unknown>, ms = 0): VisitorEvent => ({
    kind: 'event',
    name,
    source: 'canonical',
    messageId: `${name} ${i}`,
    atMs: at + ms,
    receivedMs: at + ms,
    visitor: { userId, anonymousId: `of ${userId}`, sessionId: `session ${i % 50}` },
    properties,
  })
  const search_id = `search ${i}`
  return [
    event('Search Submitted', { search_id, query: `query ${i % 10}`, num_found: i % 4 }),
    event('Object Clicked', { search_id, object_id: `d${i % 5}`, position: 1 + (i % 9) }, 4_000),
    event('Order Completed', { order_id: `o${i}`, revenue: i / 8, currency: 'EUR' }, 8_000),
  ]
}

async function filled(count = 400): Promise<ReportedFolder> {
  const made = new ReportedFolder()
  const events = Array.from({ length: count }, (_, i) => journey(i)).flat()
  await made.append(SHOP, events, [{ name: 'Odd', verdict: 'dropped_unknown', count: 3 }])
  return made
}

async function everyReport({ reports }: ReportedFolder): Promise<ReportCounts[]> {
  const counts: ReportCounts[] = []
  for (const report of REPORT_NAMES) counts.push(await reports.count(SHOP, { ...QUERY, report }))
  return counts
}

/** Returns the reports; retries if the first response is that they are being rebuilt. */
async function reportsAfterDamage(made: ReportedFolder): Promise<ReportCounts[]> {
  try {
    return await everyReport(made)
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'unavailable', String(error))
    return everyReport(made)
  }
}

function bytesOfAllFiles(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Buffer.concat(
    files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
  )
}

suite('the reports on disk', () => {
  test('of many stores leave the memory to each other', async () => {
    await using made = new ReportedFolder()
    await made.reopen({ memoryBytes: 32e6 })
    const owners = Array.from({ length: 12 }, (_, i) => ({ ...SHOP, storeId: `shop-${i}` }))
    for (const owner of owners) {
      await made.append(owner, journey(1))
      for (const report of ['overview', 'filters'] as const) {
        assert.ok(await made.reports.count(owner, { ...QUERY, report }))
      }
    }
    assert.deepEqual(made.problems, [])
  })

  test('that are being closed open no file again for what waited', async () => {
    await using made = new ReportedFolder()
    for (let i = 0; i < 30; i++) await made.append({ ...SHOP, storeId: `shop-${i}` }, journey(1))
    const advancing = made.database.advanceAll()
    await until('a file', () => readdirSync(join(made.folder, 'reports')).length > 1)
    await made.database.close()
    const files = readdirSync(join(made.folder, 'reports'))
    await assert.rejects(advancing, { code: 'unavailable' })
    assert.deepEqual(readdirSync(join(made.folder, 'reports')), files)
    assert.ok(files.length < 30, `${files.length} files`)
  })

  test('go on after a restart where they were', async () => {
    await using made = await filled()
    const before = await everyReport(made)
    await made.reopen()
    assert.deepEqual(await everyReport(made), before)
    assert.deepEqual(made.problems, [])
  })

  // Goal: nothing that happens to the file changes a figure. It is made from the log again.
  const damages: Record<string, (file: string) => void> = {
    'is deleted': (file) => rmSync(file),
    'is emptied': (file) => writeFileSync(file, ''),
    'is something else': (file) => writeFileSync(file, 'no database'.repeat(5_000)),
    'is cut in half': (file) => truncateSync(file, Math.floor(statSync(file).size / 8_192) * 4_096),
    'has a damaged head': (file) => overwrite(file, 20, 50),
    'has a damaged second head': (file) => overwrite(file, 4_100, 60),
    'has damaged blocks': (file) => overwrite(file, 12_288 + 100, 300_000),
    'was being opened when the process ended': (file) => writeFileSync(`${file}.opening`, ''),
    'has a damaged write-ahead file': (file) => writeFileSync(`${file}.wal`, 'x'.repeat(10_000)),
  }
  suite('a file is rebuilt, and nothing is lost,', () => {
    let made: ReportedFolder
    let undamaged: ReportCounts[]
    before(async () => {
      made = await filled()
      undamaged = await everyReport(made)
    })
    after(() => made[Symbol.asyncDispose]())

    for (const [what, damage] of Object.entries(damages)) {
      test(`that ${what}`, async () => {
        await made.database.close()
        const file = made.reportFile(SHOP)
        damage(file)
        await made.reopen()
        assert.deepEqual(await reportsAfterDamage(made), undamaged)
        assert.ok(!existsSync(`${file}.opening`))
      })
    }
  })

  test('are rebuilt when the log is shorter than what they have read', async () => {
    await using made = await filled()
    await everyReport(made)
    await made.reopen()
    await made.logs.close()
    rmSync(join(made.folder, 'events', logNameOf(SHOP)), { recursive: true })
    await made.append(SHOP, journey(1))
    const [overview] = await everyReport(made)
    assert.equal((overview as { totals: { searches: number } }).totals.searches, 1)
    assert.match(made.problems.join(), /another event log/)
  })

  test('are rebuilt when erasing was interrupted', async () => {
    await using made = await filled(20)
    await made.reports.count(SHOP, QUERY)
    const { logs } = made
    const erase = logs.erase.bind(logs)
    logs.erase = async (log, positions) => {
      await erase(log, positions)
      throw new Error('the power went')
    }
    await assert.rejects(made.reports.erase(SHOP, { userId: 'user-3' }))
    logs.erase = erase
    await made.reopen()
    const counts = await everyReport(made)
    await made.reports.rebuild(SHOP)
    assert.deepEqual(await everyReport(made), counts)
    assert.ok(!bytesOfAllFiles(made.folder).includes('user-3'))
  })

  test('an erased visitor is in no file any more', async () => {
    await using made = await filled()
    await made.append(SHOP, journey(1_000, 'secret-person'))
    await everyReport(made)
    assert.ok(bytesOfAllFiles(made.folder).includes('secret-person'))
    assert.equal(await made.reports.erase(SHOP, { userId: 'secret-person' }), 3)
    assert.ok(!bytesOfAllFiles(made.folder).includes('secret-person'))
    await made.database.close()
    assert.ok(!bytesOfAllFiles(made.folder).includes('secret-person'))
  })

  test('with much to read first, a report is refused for now, and made meanwhile', async () => {
    await using made = await filled()
    await made.reopen({ backlogMaxBytes: 1_000 })
    await assert.rejects(made.reports.count(SHOP, QUERY), /The reports are being built: 0 %/)
    await made.database.advanceAll()
    assert.equal((await everyReport(made)).length, REPORT_NAMES.length)
  })

  test('below the reserve of the disk they count what they have read, and erase', async () => {
    await using made = await filled(50)
    const before = await made.reports.count(SHOP, QUERY)
    let room = -1
    await made.reopen({ roomBytes: () => room })
    assert.deepEqual(await made.reports.count(SHOP, QUERY), before)
    await made.append(SHOP, journey(50))
    await made.database.advanceAll()
    await assert.rejects(made.reports.count(SHOP, QUERY), { code: 'disk_reserve' })
    await assert.rejects(made.reports.rebuild(SHOP), { code: 'disk_reserve' })
    assert.ok((await made.reports.erase(SHOP, { userId: 'user-1' })) > 0)
    room = 1e9
    assert.notDeepEqual(await made.reports.count(SHOP, QUERY), before)
  })

  test('a report that takes too long is ended, and the next one is made', async () => {
    await using made = await filled()
    await made.reopen({ timeoutMs: 0 })
    await assert.rejects(made.reports.count(SHOP, QUERY), /too long: ask for a shorter period/)
    await made.reopen()
    assert.equal((await everyReport(made)).length, REPORT_NAMES.length)
  })

  test('a store that is gone leaves no file', async () => {
    await using made = await filled(5)
    await everyReport(made)
    await made.database.sweep(new Set())
    assert.deepEqual(readdirSync(join(made.folder, 'reports')), [])
  })
})

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file)
  for (let i = from; i < Math.min(from + length, bytes.length); i += 7) bytes[i]! ^= 0x55
  writeFileSync(file, bytes)
}
