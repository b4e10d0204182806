import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import { catalogConformance } from '../../ports/catalog.conformance.ts'
import type { CreateCatalog } from '../../ports/catalog-fixture.ts'
import { languageConformance } from '../../ports/language.conformance.ts'
import { merchandisingConformance } from '../../ports/merchandising.conformance.ts'
import { resourceConformance } from '../../ports/resources.conformance.ts'
import { createMemoryCatalog } from './memory-catalog.ts'

const create: CreateCatalog = async () => ({
  ...createMemoryCatalog({ clock: { now: () => Date.UTC(2026, 0, 1) } }),
  [Symbol.asyncDispose]: () => Promise.resolve(),
})

catalogConformance('The memory adapter', create)
resourceConformance('The memory adapter', create)
languageConformance('The memory adapter', create)
merchandisingConformance('The memory adapter', create)

test('replaced versions are forgotten after a while', async () => {
  const time = { nowMs: 0 }
  const { reader, writer } = createMemoryCatalog({ clock: { now: () => time.nowMs } })
  await writer.createStore({ name: 'Shop', id: 'shop' })
  await writer.changeSchema('shop', 'additive', checkSchemaFields([{ name: 'n', type: 'int32' }]))
  const put = () =>
    writer.writeDocuments('shop', [{ id: 'a', action: 'upsert', json: Buffer.from('{"n":1}') }])
  await put()
  const first = (await reader.get('shop', 'a'))!.docKey
  await put()
  const second = (await reader.get('shop', 'a'))!.docKey
  assert.ok((await reader.fetch('shop', [first]))(first))
  time.nowMs = 6_000
  await put()
  assert.equal((await reader.fetch('shop', [first]))(first), undefined)
  assert.ok((await reader.fetch('shop', [second]))(second))
})
