import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import type { HttpRequest } from '@aisle/testing'
import { CommandClient } from '../embedded/command-client.ts'
import { createPressure } from '../embedded/pressure.ts'
import { EventLogClient } from '../event-log/event-log-client.ts'
import { createDiskRoom, SharedDiskRoom } from './disk-room.ts'
import { DiskWatch, type DiskSpace } from './disk-watch.ts'
import { ADMIN_TOKEN, TestService } from '../../threads/test/test-service.ts'

function watched(space: DiskSpace, reserveBytes?: number) {
  const memory = createDiskRoom()
  const lines: string[] = []
  const disk = { ...space }
  const watch = new DiskWatch({
    folder: '/',
    reserveBytes,
    room: memory,
    log: (level, message) => lines.push(`${level} ${message}`),
    measure: () => Promise.resolve({ ...disk }),
  })
  return { room: new SharedDiskRoom(memory), lines, disk, watch }
}

const refusal = { code: 'disk_reserve', status: 507, retryAfterSeconds: 30 }

suite('disk reserve', () => {
  test('the default is 1 GB, or 5 % of a small disk', async () => {
    const large = watched({ freeBytes: 3e9, totalBytes: 500e9 })
    await large.watch.check()
    assert.equal(large.room.bytes(), 2e9)
    const small = watched({ freeBytes: 3e9, totalBytes: 10e9 })
    await small.watch.check()
    assert.equal(small.room.bytes(), 2.5e9)
    assert.deepEqual(small.watch.figures, { freeBytes: 3e9, reserveBytes: 5e8 })
  })

  test('below it documents and events are refused, deletes are not, and it recovers automatically', async () => {
    const { room, lines, disk, watch } = watched({ freeBytes: 9e8, totalBytes: 1e12 })
    const { port1, port2 } = new MessageChannel()
    const sent: string[] = []
    port1.on('message', ({ callId, method }: { callId: number; method: string }) => {
      sent.push(method)
      port1.postMessage({ callId, result: [] })
    })
    const { writer } = new CommandClient(port2, createPressure(1), 0, room)
    const events = new EventLogClient(room)
    const owner = { storeId: 's', createdAt: '2026-01-01T00:00:00.000Z' }
    const append = () => events.append(owner, { entries: [], refused: [] })
    const version = [{ id: '1', docKey: 1 }]
    const patch = () =>
      writer.changeVersions('s', version, { kind: 'update', patch: Buffer.from('{}') })

    await watch.check()
    await assert.rejects(writer.writeDocuments('s', []), refusal)
    await assert.rejects(patch(), refusal)
    await assert.rejects(append(), refusal)
    assert.equal(events.offer(owner, {} as never), false)
    await writer.deleteDocument('s', '1')
    await writer.changeVersions('s', version, { kind: 'delete' })
    await writer.clearDocuments('s')
    assert.deepEqual(sent, ['deleteDocument', 'changeVersions', 'clearDocuments'])

    disk.freeBytes = 1e9
    await watch.check()
    await writer.writeDocuments('s', [])
    await patch()
    assert.deepEqual(await append(), [])
    await watch.check()
    assert.deepEqual(
      lines.map((line) => line.split(':')[0]),
      ['error Free disk space is down to the reserve', 'info The disk has free space again'],
    )
    port1.close()
  })

  test('a file system that does not answer changes nothing', async () => {
    const room = createDiskRoom()
    const measure = () => Promise.reject(new Error('EIO'))
    await new DiskWatch({ folder: '/', reserveBytes: 1, room, log: assert.fail, measure }).check()
    assert.ok(new SharedDiskRoom(room).bytes() > 0)
  })

  test('in the service: 507 for what grows, everything else as ever, and no snapshot', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-reserve-'))
    const path = '/api/v1/stores/shop/documents'
    const document = { id: '1', data: { n: 1 } }
    const event = { event: 'click', query_id: 'q', object_id: '1' }
    let keys: Record<string, string>
    {
      await using before = await TestService.start(['--threads', '1'], folder)
      keys = await before.createShop()
      assert.equal((await before.call('POST', path, document, keys)).status, 201)
      before.child.kill('SIGTERM')
      assert.equal(await before.exited, 0)
      // The folder is to stay.
      Object.assign(before, { folder: join(folder, 'nothing') })
    }
    await using full = await TestService.start(
      ['--threads', '1', '--disk-reserve', '1000000000'],
      folder,
    )
    const admin = { authorization: `Bearer ${ADMIN_TOKEN}` }
    const statusOf = async (
      method: HttpRequest['method'],
      url: string,
      body?: unknown,
      headers = keys,
    ) => {
      const { status, body: answer } = await full.call(method, url, body, headers)
      return status === 507 ? `${status} ${String(answer['code'])}` : status
    }
    assert.equal(await statusOf('POST', path, document), '507 disk_reserve')
    assert.equal(
      await statusOf('POST', `${path}/bulk`, { documents: [document] }),
      '507 disk_reserve',
    )
    assert.equal(await statusOf('POST', '/analytics/event', event), '507 disk_reserve')
    assert.equal(
      await statusOf('POST', '/api/v1/admin/snapshots', undefined, admin),
      '507 disk_reserve',
    )
    assert.equal(
      existsSync(join(folder, 'snapshots')) ? readdirSync(join(folder, 'snapshots')).length : 0,
      0,
    )
    assert.equal(await statusOf('POST', '/v1/search', { q: '*' }), 200)
    assert.equal(await statusOf('GET', `${path}/1`), 200)
    assert.equal(await statusOf('GET', '/api/v1/stores/shop/analytics/overview'), 200)
    assert.equal(await statusOf('DELETE', `${path}/1`), 200)
    assert.equal(await statusOf('GET', '/health'), 200)
    assert.match(
      (await full.call('GET', '/metrics')).text,
      /^aisle_disk_reserve_bytes 1000000000000000$/m,
    )
  })
})
