import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { IndexWriter } from '@aisle/engine'
import type { IndexDocument, Schema } from '@aisle/engine'
import { deadBytes } from './dead-bytes.ts'

const SCHEMA: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: true, sort: false }],
}

function documents(count: number, from = 1): IndexDocument[] {
  return Array.from({ length: count }, (_, i) => ({
    docKey: from + i,
    id: String(from + i),
    values: [`cup number ${from + i}`],
  }))
}

suite('dead bytes', () => {
  test('the same memory in another message is not dead', () => {
    const writer = new IndexWriter(SCHEMA, 'en')
    writer.apply({ added: documents(105), removed: [] })
    const before = structuredClone(writer.snapshot())
    assert.equal(deadBytes(before, structuredClone(writer.snapshot())), 0)
    writer.apply({ added: documents(1, 106), removed: [] })
    assert.equal(deadBytes(before, structuredClone(writer.snapshot())), 0)
  })

  test('a segment that went and a bitset that was replaced are', () => {
    const writer = new IndexWriter(SCHEMA, 'en')
    const added = documents(200)
    writer.apply({ added, removed: [] })
    writer.apply({ added: [], removed: added.slice(0, 1) })
    const before = writer.snapshot()
    const [{ buffer, live }] = before.segments as [(typeof before.segments)[0]]
    writer.apply({ added: [], removed: added.slice(1, 2) })
    assert.equal(deadBytes(before, writer.snapshot()), live!.byteLength)
    writer.apply({ added: [], removed: added })
    assert.equal(deadBytes(before, writer.snapshot()), buffer.byteLength + live!.byteLength)
  })
})
