import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PutSourceRequest } from '@aisle/contract'
import type { SourceChanges, SourceReader } from '@aisle/sources'
import { until } from '@aisle/testing'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { SourceComparison } from '../../adapters/sources/source-comparison.ts'
import { SourceFollowing } from '../../adapters/sources/source-following.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import type { SourceReadings } from '../../ports/catalog/source-readings.ts'
import type { JobWork } from '../jobs/job-runner.ts'
import { servicePortsOver } from '../service-ports-for-test.ts'
import { FOLLOW_RECORDS, followKey, type FollowRecord } from './follow-record.ts'
import { followSource } from './follow-source.ts'
import { SourceAlerts } from './source-alerts.ts'
import { SourceFollower } from './source-follower.ts'
import type { SourcePorts } from './source-ports.ts'
import { RUN_RECORDS, runsOf, sourceKey, type SourceRunRecord } from './source-record.ts'
import { runSource } from './run-source.ts'
import { SourceRunner } from './source-runner.ts'
import { beginRun, getRun } from './source-runs.ts'
import { findSource, putSource } from './sources.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }
const NAME = 'db'
const SOURCE: PutSourceRequest = {
  connection: {
    kind: 'postgres',
    host: 'db.example.com',
    database: 'shop',
    user: 'owner',
    table: 'products',
    follow: { by: 'replication' },
  },
  secrets: { password: 'secret' },
  deletions: 'remove_missing',
  max_removed_share: 1,
}

/** A table that keeps every change of it, as a replication slot does. */
class Table implements SourceReader {
  readonly rows = new Map<string, string>()
  readonly log: SourceChanges['changes'][number][] = []
  /** Called when everything was passed on. */
  onDrained = (): void => undefined

  put(id: string, title: string): void {
    this.rows.set(id, title)
    this.log.push({ kind: 'put', row: rowOf(id, title) })
  }

  delete(id: string): void {
    this.rows.delete(id)
    this.log.push({ kind: 'delete', id })
  }

  async *readAll() {
    yield { kind: 'rows' as const, rows: [...this.rows].map(([id, title]) => rowOf(id, title)) }
    yield { kind: 'end' as const, position: `${this.log.length}` }
  }

  async *follow(position: string) {
    let at = Number(position)
    for (;;) {
      const changes = this.log.slice(at, at + 4)
      at += changes.length
      if (changes.length === 0) this.onDrained()
      yield { changes, position: `${at}` }
    }
  }

  async close(): Promise<void> {}
}

function rowOf(id: string, title: string) {
  return { kind: 'json' as const, text: JSON.stringify({ id, title }) }
}

function readingsOf(table: Table): SourceReadings {
  const open: SourceReadings['open'] = (request, signal) => {
    const comparison = new SourceComparison(table, request, signal)
    const trial = (): Promise<SourceReader> => Promise.resolve(table)
    const following = new SourceFollowing(table, trial, request, comparison.known, signal)
    return {
      remember: (part, isOutdated) => comparison.remember(part, isOutdated),
      compact: (part) => comparison.compact(part),
      next: () => comparison.next(),
      figures: () => comparison.figures(),
      missing: (part) => comparison.missing(part),
      nextChanges: (position) => following.next(position),
      someNow: (ids, position) => following.some(ids, position),
      acknowledge: () => Promise.resolve(),
      close: () => following.close(),
    }
  }
  const requireAllowed = (): void => undefined
  return { open, requireAllowed } as Partial<SourceReadings> as SourceReadings
}

async function shop() {
  const catalog = await openEmbeddedCatalog(undefined, { clock })
  const table = new Table()
  const sources = readingsOf(table)
  const all = {
    ...servicePortsOver(catalog, clock),
    ...catalog,
    sources,
    addressKey: 'k'.repeat(32),
  }
  const ports: SourcePorts = all
  await catalog.writer.createStore({ name: 'Shop', id: 'shop' })
  const fields = checkSchemaFields([{ name: 'title', type: 'string', searchable: true }])
  await catalog.writer.changeSchema('shop', 'additive', fields)
  await putSource(ports, 'shop', NAME, SOURCE, undefined)
  return { ports, catalog, table, [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose]() }
}

/** Ports of a process that dies before a durable change. */
function dying(ports: SourcePorts, at: number): SourcePorts {
  let changes = 0
  const guarded = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get: (one, key) => {
        const method = Reflect.get(one, key) as (...given: unknown[]) => Promise<unknown>
        if (!names.includes(String(key))) return method
        return (...given: unknown[]) =>
          changes++ >= at ? Promise.reject(new Error('killed')) : method.apply(one, given)
      },
    })
  return {
    ...ports,
    edits: guarded(ports.edits, ['put', 'putPart', 'removeParts']),
    writer: guarded(ports.writer, ['writeDocuments', 'deleteDocument']),
  }
}

/** Runs to the end, or until the process dies; then another one continues. */
async function runDying(ports: SourcePorts, at: number): Promise<'done' | 'killed'> {
  const { id } = await beginRun(ports, 'shop', NAME, {}, { trigger: 'request' })
  const key = { content: runsOf({ storeId: 'shop', name: NAME }), id }
  const work: JobWork<SourceRunRecord> = {
    update: (change) => RUN_RECORDS.update(ports, key, change),
    isStopping: () => false,
  }
  const step = async (given: SourcePorts): Promise<SourceRunRecord | undefined> =>
    runSource(given, (await RUN_RECORDS.find(ports, key.content, id))!, work)
  try {
    assert.equal((await step(dying(ports, at)))?.state, 'done')
    return 'done'
  } catch (error) {
    assert.equal((error as Error).message, 'killed')
    assert.equal((await step(ports))?.state, 'done')
    return 'killed'
  }
}

async function run(ports: SourcePorts) {
  const { id } = await beginRun(ports, 'shop', NAME, {}, { trigger: 'request' })
  const runner = new SourceRunner(ports, new SourceAlerts(ports), { takeoverMs: 100 })
  const follower = new SourceFollower(ports, new SourceAlerts(ports), { takeoverMs: 0 })
  const key = followKey(sourceKey('shop', NAME))
  const ended = await until('the run is over, and the source is followed', async () => {
    await runner.poll()
    await follower.poll()
    const { run: found } = await getRun(ports, 'shop', NAME, id)
    const isFollowed = (await FOLLOW_RECORDS.find(ports, key.content, key.id)) !== undefined
    return found.state === 'running' || !isFollowed ? undefined : found
  })
  await runner.stop()
  await follower.stop()
  return ended
}

/** Follows until everything was passed on, or the process dies. */
async function follow(ports: SourcePorts, table: Table): Promise<'drained' | 'killed'> {
  const key = followKey(sourceKey('shop', NAME))
  let isDrained = false
  table.onDrained = () => (isDrained = true)
  const work: JobWork<FollowRecord> = {
    update: (change) => FOLLOW_RECORDS.update(ports, key, change),
    isStopping: () => isDrained,
  }
  const record = await FOLLOW_RECORDS.find(ports, key.content, key.id)
  return followSource(ports, record!, work, new SourceAlerts(ports)).then(
    () => 'drained',
    (error: Error) => {
      assert.equal(error.message, 'killed')
      return 'killed'
    },
  )
}

async function documents({ reader }: SourcePorts): Promise<Map<string, string>> {
  const scan = (await reader.scanInserted('shop'))!
  const found = new Map<string, string>()
  for (let page = await scan.next(1e6); page.length > 0; page = await scan.next(1e6)) {
    for (const { id, json } of page) {
      found.set(id, (JSON.parse(Buffer.from(json).toString()) as { title: string }).title)
    }
  }
  scan.close()
  return found
}

suite('a source', () => {
  test('that is run forgets and doubles nothing when its process dies before any durable change', async () => {
    await using made = await shop()
    const { ports, table } = made
    for (let i = 0; i < 40; i++) table.put(`p${i}`, 'first')
    assert.equal(await runDying(ports, Infinity), 'done')
    let deaths = 0
    for (; ; deaths++) {
      for (let i = 0; i < 10; i++) table.put(`p${(5 * deaths + i) % 40}`, `title ${deaths}`)
      for (let i = 20; i < 25; i++) table.delete(`p${(5 * deaths + i) % 40}`)
      const end = await runDying(ports, deaths)
      const where = `died before change ${deaths}`
      assert.deepEqual(await documents(ports), table.rows, where)
      assert.equal((await findSource(ports, 'shop', NAME)).documents, table.rows.size, where)
      if (end === 'done') break
    }
    assert.ok(deaths > 8, `${deaths} deaths`)
  })

  test('that is followed forgets and doubles nothing when its process dies before any durable change', async () => {
    await using made = await shop()
    const { ports, table } = made
    for (let i = 0; i < 40; i++) table.put(`p${i}`, 'first')
    assert.equal((await run(ports)).added, 40)
    let deaths = 0
    for (; ; deaths++) {
      const returning = `p${deaths % 20}`
      table.delete(returning)
      table.put(`p${20 + (deaths % 20)}`, `title ${deaths}`)
      table.put('q', 'for a moment')
      table.delete('q')
      table.delete(`p${(deaths + 7) % 20}`)
      table.put(returning, `returned ${deaths}`)
      const end = await follow(dying(ports, deaths), table)
      const where = `died before change ${deaths}`
      assert.equal(await follow(ports, table), 'drained', where)
      assert.deepEqual(await documents(ports), table.rows, where)
      assert.equal((await findSource(ports, 'shop', NAME)).documents, table.rows.size, where)
      if (end === 'drained') break
    }
    assert.ok(deaths > 10, `${deaths} deaths`)
    const again = await run(ports)
    assert.deepEqual([again.state, again.added, again.changed, again.removed], ['done', 0, 0, 0])
  })
})
