import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { DocumentWrite } from '@aisle/server/ports'
import type { ProductRead, ProductWrite } from '../opensearch/product-requests.ts'
import { DocumentWriter } from './document-writer.ts'
import { Fillings } from './fillings.ts'
import type { WriteTools } from './write-round.ts'

const GROUP = 100

/** A cluster in memory that counts which documents are read. */
function emptyCluster() {
  const stored = new Map<string, { seqNo: number; json: string; operation: string }>()
  const readIds: string[] = []
  let seqNo = 0
  const place = { scope: '1a', index: 'pool', routing: 'shop', slots: [], language: 'en' }
  const schema = {
    fields: [{ name: 'text', type: 'string', searchable: false, facet: false, sort: false }],
  }
  const content = { name: 'shop', life: '1' }
  const state = { content, documents: { place, schema }, nextDocKey: 1 }
  const tools = {
    requests: {
      read: async (reads: readonly ProductRead[]) =>
        reads.map(({ id }) => {
          readIds.push(id)
          const found = stored.get(id)
          return (
            found && {
              version: { seqNo: found.seqNo, primaryTerm: 1 },
              id,
              docKey: 1,
              inserted: 1,
              operation: found.operation,
              own: [],
              json: found.json,
              isGone: false,
            }
          )
        }),
      write: async (writes: readonly ProductWrite[]) =>
        writes.map(({ id, expected, body }) => {
          const seen = expected === 'absent' ? undefined : expected.seqNo
          if (stored.get(id)?.seqNo !== seen) return 'conflict'
          const { json, operation } = JSON.parse(body!) as { json: string; operation: string }
          stored.set(id, { seqNo: ++seqNo, json, operation: operation.split(' ')[1]! })
          return 'done'
        }),
    },
    places: {
      read: async () => new Map([['shop', state]]),
      readContents: async () => new Map([[content.life, state]]),
    },
    docKeys: { take: async () => 2 },
    clock: { now: () => 0 },
    fillings: new Fillings(),
  }
  const writer = new DocumentWriter(tools as unknown as WriteTools)
  return {
    jsonOf: (id: string) => stored.get(id)?.json,
    /** @returns the outcomes, and the ids of the documents that were read */
    async write(writes: readonly DocumentWrite[]) {
      readIds.length = 0
      const outcomes = await writer.write('shop', writes)
      return { statuses: outcomes.map(({ status }) => status), read: [...readIds] }
    },
  }
}

function upsert(id: string, text = 'a'): DocumentWrite {
  return { id, action: 'upsert', json: Buffer.from(JSON.stringify({ text })) }
}

const group = (from: number): DocumentWrite[] =>
  Array.from({ length: GROUP }, (_, at) => upsert(`d${from + at}`))

suite('Loading new documents', () => {
  test('what is probably new is written without being read, also by its outcome', async () => {
    const cluster = emptyCluster()
    const first = await cluster.write(group(0))
    assert.equal(first.read.length, GROUP)
    const second = await cluster.write(group(GROUP))
    assert.deepEqual(second.read, [])
    assert.deepEqual(new Set(second.statuses), new Set(['created']))
  })

  test('a document that exists after all is read, and replaced', async () => {
    const cluster = emptyCluster()
    await cluster.write(group(0))
    const { statuses, read } = await cluster.write([upsert('new'), upsert('d7', 'b')])
    assert.deepEqual(read, ['d7'])
    assert.deepEqual(statuses, ['created', 'updated'])
    assert.equal(cluster.jsonOf('d7'), '{"text":"b"}')
    // So the next group is read again.
    assert.deepEqual((await cluster.write([upsert('other')])).read, ['other'])
  })

  test('inserts, updates and what they depend on are always read', async () => {
    const cluster = emptyCluster()
    await cluster.write(group(0))
    const { statuses, read } = await cluster.write([
      { ...upsert('d1'), action: 'insert' },
      { ...upsert('d2', 'b'), action: 'update' },
      { ...upsert('d3'), ifMatch: '"other"' },
      upsert('last'),
    ])
    assert.deepEqual(read, ['d1', 'd2', 'd3'])
    assert.deepEqual(statuses, ['failed', 'updated', 'failed', 'created'])
  })
})
