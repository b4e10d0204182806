import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchemaFields } from '../../domain/schema-rules.ts'
import { catalogConformance } from '../../ports/catalog.conformance.ts'
import { createMemoryCatalog } from './memory-catalog.ts'

catalogConformance('The memory adapter', async () => ({
  ...createMemoryCatalog({ clock: { now: () => Date.UTC(2026, 0, 1) } }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}))

test('replaced versions are forgotten after a while', async () => {
  const time = { nowMs: 0 }
  const { reader, writer } = createMemoryCatalog({ clock: { now: () => time.nowMs } })
  await writer.createStore({ name: 'Shop', id: 'shop' })
  await writer.changeSchema('shop', 'additive', checkSchemaFields([{ name: 'n', type: 'int32' }]))
  const put = () =>
    writer.writeDocuments('shop', [{ id: 'a', action: 'upsert', json: Buffer.from('{"n":1}') }])
  await put()
  const first = reader.get('shop', 'a')!.docKey
  await put()
  const second = reader.get('shop', 'a')!.docKey
  assert.ok(reader.fetch('shop', first))
  time.nowMs = 6_000
  await put()
  assert.equal(reader.fetch('shop', first), undefined)
  assert.ok(reader.fetch('shop', second))
})
