import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { LogFolder, RecordBatch, type VisitorEvent } from '@aisle/event-log'

/** A log of two days, read only according to docs/formats/events-log.md. */
const folder = mkdtempSync(join(tmpdir(), 'aisle-event-format-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const DAY_MS = 86_400_000
const FIRST_MS = Date.UTC(2026, 0, 10, 5)
let nowMs = FIRST_MS
const logs = new LogFolder({ folder, now: () => nowMs, onProblem: assert.fail })
for (const [i, messageId] of ['one', 'two'].entries()) {
  nowMs = FIRST_MS + i * DAY_MS
  const batch = new RecordBatch()
  batch.add({
    kind: 'event',
    name: 'click',
    source: 'simple',
    messageId,
    atMs: nowMs - 5,
    receivedMs: nowMs,
    visitor: { userId: 'u', anonymousId: 'a', sessionId: 's', client: 'c', network: 'w' },
    properties: { document_id: '1' },
  } satisfies VisitorEvent)
  const counts = [{ name: 'Odd', verdict: 'dropped_unknown', count: 2 } as const]
  await logs.append('shop.5', { records: batch.take(), counts })
}
await logs.close()
const read = (name: string): Buffer => readFileSync(join(folder, 'shop.5', name))

suite('the page about the event log describes the files', () => {
  const names = readdirSync(join(folder, 'shop.5')).toSorted()
  const [ids = '', first = '', second = ''] = names

  test('names, headers and positions', () => {
    assert.equal(names.length, 3)
    assert.equal(ids, 'ids-0000000000000000.aei')
    assert.equal(first, 'log-0000000000000000.aev')
    const start = read(first).length
    assert.equal(second, `log-${String(start).padStart(16, '0')}.aev`)
    const head = read(second)
    assert.equal(head.toString('latin1', 0, 4), 'AEVL')
    assert.deepEqual([head.readUInt32LE(4), head.readDoubleLE(8)], [1, start])
    assert.equal(head.readDoubleLE(16), FIRST_MS + DAY_MS)
    assert.equal(head.readUInt32LE(28), crc32(head.subarray(0, 28)))
  })

  test('records', () => {
    const bytes = read(first)
    const payloads: unknown[] = []
    for (let at = 32; at < bytes.length;) {
      const length = bytes.readUInt32LE(at)
      const body = bytes.subarray(at + 8, at + 8 + length)
      assert.equal(bytes.readUInt32LE(at + 4), crc32(body))
      assert.equal(bytes.readDoubleLE(at + 8), FIRST_MS)
      const json = JSON.parse(body.toString('utf8', 25)) as { m?: string }
      const id = json.m === undefined ? Buffer.alloc(16) : halfHash(json.m)
      assert.deepEqual(bytes.subarray(at + 16, at + 32), id)
      payloads.push([bytes[at + 32], json])
      at += 8 + length
    }
    const event = { m: 'one', t: FIRST_MS - 5, n: 'click', s: 0, u: 'u', a: 'a', e: 's' }
    assert.deepEqual(payloads, [
      [1, { ...event, c: 'c', w: 'w', p: { document_id: '1' } }],
      [3, [{ name: 'Odd', verdict: 'dropped_unknown', count: 2 }]],
    ])
  })

  test('message ids', () => {
    const bytes = read(ids)
    assert.equal(bytes.toString('latin1', 0, 4), 'AEVI')
    assert.deepEqual([bytes.readUInt32LE(4), bytes.readDoubleLE(8)], [1, read(first).length])
    assert.equal(bytes.readDoubleLE(16), FIRST_MS)
    const [count, bits, blocks] = [24, 28, 32].map((at) => bytes.readUInt32LE(at))
    assert.deepEqual([count, bits, blocks], [1, 0, 1])
    const idsAt = 40 + 4 * 2 + 4 + 64
    assert.deepEqual([bytes.readUInt32LE(40), bytes.readUInt32LE(44)], [0, 1])
    assert.deepEqual(bytes.subarray(idsAt), halfHash('one'))
    assert.equal(bytes.readUInt32LE(48), crc32(bytes.subarray(idsAt)))
    const [c, d] = [bytes.readUInt32LE(idsAt + 8), bytes.readUInt32LE(idsAt + 12)]
    for (const word of [c, d]) {
      for (const shift of [0, 9, 18]) {
        const bit = (word >>> shift) & 511
        assert.ok((bytes.readUInt32LE(52 + (bit >>> 5) * 4) & (1 << (bit & 31))) !== 0)
      }
    }
    const checked = Buffer.from(bytes.subarray(0, idsAt))
    checked.writeUInt32LE(0, 36)
    assert.equal(bytes.readUInt32LE(36), crc32(checked))
  })
})

function halfHash(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16)
}
