import assert from 'node:assert/strict'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { ApiError } from '@aisle/contract'
import { until } from '@aisle/testing'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { editRunner } from '../edits/edit-runner.ts'
import { sweepEdits } from '../edits/sweep-edits.ts'
import { servicePortsOver } from '../service-ports-for-test.ts'
import { swapStores } from '../store/stores.ts'
import { patchSettings } from '../store/change-settings.ts'
import { isOver, type RestoreRecord } from './restore-record.ts'
import { restoreRunner } from './restore-runner.ts'
import { beginRestore, cancelRestore, findRestore } from './restore-store.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }
const COUNT = 1_300
const TARGET = { store: 'shop', id: 'again' }

async function shop() {
  const catalog = await openEmbeddedCatalog(undefined, { clock })
  const ports = { ...servicePortsOver(catalog, clock), ...catalog }
  const { writer } = catalog
  await writer.createStore({ name: 'Shop', id: 'shop' })
  const fields = checkSchemaFields([
    { name: 'title', type: 'string', searchable: true },
    { name: 'size', type: 'object' },
    { name: 'size.width', type: 'int32', facet: true, sort: true },
    { name: 'attr', type: 'object' },
    { name: 'attr.*', type: 'string', facet: true },
  ])
  await writer.changeSchema('shop', 'additive', fields)
  await patchSettings(ports, 'shop', { language: 'de', symbols_to_index: ['+'] })
  const preset = { kind: 'preset', name: 'p', json: '{"per_page":3}' } as const
  await writer.changeResources('shop', { puts: [preset], removes: [] })
  const put = (at: number) => ({
    id: `p${at}`,
    action: 'upsert' as const,
    json: Buffer.from(`{"title":"Lampe ${at}","size":{"width":${at}},"attr":{"color":"rot"}}`),
  })
  const all = Array.from({ length: COUNT }, (_, at) => put(at))
  for (let at = 0; at < COUNT; at += 500) {
    const [first] = await writer.writeDocuments('shop', all.slice(at, at + 500))
    assert.equal(first?.status, 'created', JSON.stringify(first))
  }
  await writer.writeDocuments('shop', [put(700), put(3), put(1_200)])
  await writer.deleteDocument('shop', 'p5')
  const { name } = await catalog.snapshots.create()
  await writer.clearDocuments('shop')
  return { ports, catalog, name, [Symbol.asyncDispose]: () => catalog[Symbol.asyncDispose]() }
}

type Shop = Awaited<ReturnType<typeof shop>>

/** Ports that break at the n-th durable change: before it is made, or after that. */
function breaking({ ports }: Shop, at: number, isAfter: boolean): Shop['ports'] {
  let calls = 0
  const guarded = <T extends object>(target: T, names: readonly string[]): T =>
    new Proxy(target, {
      get: (one, key) => {
        const method = Reflect.get(one, key) as (...given: unknown[]) => Promise<unknown>
        if (!names.includes(String(key))) return method
        return async (...given: unknown[]) => {
          const isBroken = calls++ >= at
          if (isBroken && !(isAfter && calls - 1 === at)) throw broken()
          const result = await method.apply(one, given)
          if (isBroken) throw broken()
          return result
        }
      },
    })
  return {
    ...ports,
    edits: guarded(ports.edits, ['put']),
    writer: guarded(ports.writer, ['changeResources', 'changeSchema', 'writeDocuments']),
  }
}

const broken = (): ApiError => new ApiError('unavailable', 'Interrupted')

async function finished(ports: Shop['ports'], { id }: { id: string }): Promise<RestoreRecord> {
  const runner = restoreRunner(ports, { takeoverMs: 100, noteMs: 0 })
  const record = await until('the restore is over', async () => {
    await runner.poll()
    const current = await findRestore(ports, id)
    return isOver(current) && current
  })
  await runner.stop()
  return record
}

async function ids({ reader }: Shop['ports'], storeId: string): Promise<string[]> {
  const scan = (await reader.scanInserted(storeId))!
  const found: string[] = []
  for (let page = await scan.next(1e6); page.length > 0; page = await scan.next(1e6)) {
    found.push(...page.map(({ id }) => id))
  }
  scan.close()
  return found
}

const EXPECTED = Array.from({ length: COUNT }, (_, at) => `p${at}`).filter((id) => id !== 'p5')

suite('a restore of a store', () => {
  test('copies documents in their order, schema, settings and sets, wherever it is interrupted', async () => {
    await using made = await shop()
    const { ports, name } = made
    for (const isAfter of [false, true]) {
      for (let at = 0; at < 12; at += 5) {
        const { restore, store } = await beginRestore(ports, 'x', name, TARGET, undefined)
        assert.ok(store.write_secret.length > 10)
        const first = restoreRunner(breaking(made, at, isAfter), { noteMs: 0 })
        await first.poll().catch(() => undefined)
        await first.idle()
        const done = await finished(ports, restore)
        const where = `broken ${isAfter ? 'after' : 'before'} change ${at}`
        assert.deepEqual([done.state, done.refused, done.error], ['done', 0, undefined], where)
        assert.deepEqual(await ids(ports, 'again'), EXPECTED, where)
        const [from, to] = ['shop', 'again'].map((id) => ports.backend.view(id)!)
        assert.deepEqual(to!.schema, from!.schema)
        assert.deepEqual(to!.resources.list('preset'), from!.resources.list('preset'))
        assert.deepEqual(to!.resources.list('settings'), from!.resources.list('settings'))
        assert.equal(to!.analyzer.language, from!.analyzer.language)
        assert.deepEqual(await ids(ports, 'shop'), [], 'the store that serves is not changed')
        await ports.writer.deleteStore('again')
      }
    }
  })

  test('that is cancelled or fails leaves no store', async () => {
    await using made = await shop()
    const { ports, name, catalog } = made
    const first = await beginRestore(ports, '', name, TARGET, undefined)
    await assert.rejects(beginRestore(ports, '', name, { ...TARGET, id: 'b' }, undefined), {
      code: 'restore_running',
    })
    await assert.rejects(swapStores(ports, 'shop', 'again'), { code: 'unavailable' })
    await cancelRestore(ports, first.restore.id)
    assert.equal((await finished(ports, first.restore)).state, 'cancelled')
    assert.equal(ports.registry.find('again'), undefined)

    const second = await beginRestore(ports, '', name, TARGET, undefined)
    await ports.writer.deleteStore('again')
    await ports.writer.createStore({ id: 'again', name: 'Another' })
    const deleted = await finished(ports, second.restore)
    assert.deepEqual([deleted.state, deleted.error], ['failed', 'Store "again" was deleted'])
    assert.equal(ports.registry.find('again')?.name, 'Another', 'it is not theirs')
    await assert.rejects(beginRestore(ports, '', name, TARGET, undefined), { code: 'store_exists' })
    await ports.writer.deleteStore('again')

    // The process ended between the record and the store.
    const createStore = () => new Promise<never>(() => undefined)
    const dying = { ...ports, writer: { ...ports.writer, createStore } }
    void beginRestore(dying, 'dead', name, TARGET, undefined)
    const open = await until('the record is written', async () => (await ports.edits.open())[0])
    const unborn = await finished(ports, open)
    assert.match(unborn.error!, /ended while it created/)

    const third = await beginRestore(ports, '', name, TARGET, undefined)
    writeFileSync(join(catalog.folder, 'snapshots', name, 'lmdb', 'data.mdb'), 'x'.repeat(99))
    const damaged = await finished(ports, third.restore)
    assert.deepEqual([damaged.state, /damaged/.test(damaged.error!)], ['failed', true])
    assert.equal(ports.registry.find('again'), undefined)
    await assert.rejects(ports.snapshotReader.stores(name), { code: 'snapshot_failed' })
  })

  test('refuses what cannot be restored before it creates a store', async () => {
    await using made = await shop()
    const { ports, name, catalog } = made
    const begin = (more: object, over: Shop['ports'] = ports, of = name) =>
      beginRestore(over, '', of, { ...TARGET, ...more }, undefined)
    await assert.rejects(begin({ store: 'none' }), { code: 'store_not_found', param: 'store' })
    await assert.rejects(begin({}, ports, 'snapshot-20200101T000000Z'), {
      code: 'snapshot_not_found',
    })
    await assert.rejects(begin({ id: 'shop' }), { code: 'store_exists' })
    const full = { ...ports, room: { bytes: () => 1_000 } }
    await assert.rejects(begin({}, full), { code: 'disk_reserve' })
    const file = join(catalog.folder, 'snapshots', name, 'snapshot.json')
    writeFileSync(file, JSON.stringify({ format: 99, sha256: '' }))
    await assert.rejects(begin({}), { code: 'snapshot_failed', message: /format 99/ })
    assert.deepEqual(await ports.edits.open(), [])
    assert.equal(existsSync(join(catalog.folder, 'snapshots', name, 'lmdb', 'lock.mdb')), false)
    rmSync(file)
  })

  test('is nothing for the runner of edits', async () => {
    await using made = await shop()
    const { restore } = await beginRestore(made.ports, '', made.name, TARGET, undefined)
    const edits = editRunner(made.ports, { takeoverMs: 0 })
    await edits.poll()
    await sweepEdits(made.ports)
    await edits.stop()
    assert.equal((await finished(made.ports, restore)).state, 'done')
  })
})
