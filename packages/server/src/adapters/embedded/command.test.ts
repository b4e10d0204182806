import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { until } from '@aisle/testing'
import fc from 'fast-check'
import type { AccessKeeper } from '../../ports/access/access-keeper.ts'
import type { ActivityKeeper } from '../../ports/host/activity-keeper.ts'
import type { EditJournal } from '../../ports/catalog/edit-journal.ts'
import type { SnapshotKeeper } from '../../ports/catalog/snapshot-keeper.ts'
import type { CatalogWriter, DocumentWrite } from '../../ports/catalog/catalog-writer.ts'
import { CommandClient } from './command-client.ts'
import { serveCommands } from './command-server.ts'
import { packWrites, unpackWrites } from './packed-writes.ts'
import { createPressure, WAITING_BYTES_MAX } from './pressure.ts'

function connected(writer: Partial<CatalogWriter>): {
  client: CatalogWriter
  faults: unknown[]
  pressure: Int32Array
  close: () => void
} {
  const { port1, port2 } = new MessageChannel()
  const faults: unknown[] = []
  serveCommands(
    port1,
    {
      writer: writer as CatalogWriter,
      edits: {} as EditJournal,
      snapshots: {} as SnapshotKeeper,
      access: {} as AccessKeeper,
      activity: {} as ActivityKeeper,
    },
    (error) => faults.push(error),
  )
  const pressure = createPressure(3)
  const { writer: client } = new CommandClient(port2, pressure, 1)
  return { client, faults, pressure, close: () => port1.close() }
}

suite('commands between threads', () => {
  test('packed writes are the writes', () => {
    const write = fc.record(
      {
        id: fc.option(fc.string(), { nil: undefined }),
        action: fc.constantFrom('upsert' as const, 'insert' as const, 'update' as const),
        json: fc.uint8Array({ maxLength: 50 }),
        ifMatch: fc.string(),
      },
      { noNullPrototype: true, requiredKeys: ['id', 'action', 'json'] },
    )
    fc.assert(
      fc.property(fc.array(write), (writes) => {
        const copy = unpackWrites(structuredClone(packWrites(writes)))
        const plain = copy.map((unpacked) => ({ ...unpacked, json: new Uint8Array(unpacked.json) }))
        assert.deepEqual(plain, writes)
      }),
    )
  })

  test('results and errors come back as they were thrown', async () => {
    const refusal = new ApiError('store_not_found', 'no', { param: 'id', retryAfterSeconds: 3 })
    const { client, faults, close } = connected({
      writeDocuments: (storeId, writes) =>
        Promise.resolve(writes.map(({ id }) => ({ status: 'created', id: `${storeId}/${id}` }))),
      deleteStore: () => Promise.reject(refusal),
      clearDocuments: () => Promise.reject(new TypeError('a bug')),
    })
    const writes: DocumentWrite[] = [{ id: 'a', action: 'upsert', json: Buffer.from('{}') }]
    assert.deepEqual(await client.writeDocuments('s', writes), [{ status: 'created', id: 's/a' }])
    await assert.rejects(client.deleteStore('s'), (error) => {
      assert.ok(error instanceof ApiError)
      assert.deepEqual(
        [error.code, error.param, error.retryAfterSeconds],
        ['store_not_found', 'id', 3],
      )
      return true
    })
    await assert.rejects(
      client.clearDocuments('s'),
      (error) =>
        error instanceof ApiError && error.code === 'internal' && !/bug/.test(error.message),
    )
    assert.equal(faults.length, 1)
    close()
  })

  test('too much waiting is refused at once, and room comes back', async () => {
    let finish: (() => void) | undefined
    const { client, pressure, close } = connected({
      writeDocuments: () => new Promise((resolve) => (finish = () => resolve([]))),
    })
    const json = Buffer.alloc(1_000_000)
    const half = Array.from(
      { length: Math.floor(WAITING_BYTES_MAX / 2 / json.length) + 1 },
      () => ({
        action: 'upsert' as const,
        json,
      }),
    )
    const first = client.writeDocuments('s', half)
    await assert.rejects(
      client.writeDocuments('s', half),
      (error) => error instanceof ApiError && error.retryAfterSeconds === 1,
    )
    while (finish === undefined) await new Promise((resolve) => setImmediate(resolve))
    finish()
    await first
    assert.deepEqual([...pressure], [0, 0, 0, 0, 0, 0])
    close()
  })

  test('when the writer goes away, what waits is refused', async () => {
    let isAsked = false
    const { client, close } = connected({
      deleteStore: () => {
        isAsked = true
        return new Promise(() => undefined)
      },
    })
    const waiting = client.deleteStore('s')
    const refused = assert.rejects(
      waiting,
      (error) => error instanceof ApiError && error.code === 'unavailable',
    )
    await until('a command at the writer', () => isAsked)
    close()
    await refused
  })
})
