import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@aisle/contract'
import { documentTag } from '../../domain/documents/document-tag.ts'
import { filled, statuses, STORE, textOf, upsert, write } from './catalog-fixture.ts'
import type { CatalogPorts, CreateCatalog } from './catalog-fixture.ts'
import type { DocumentWrite, WriteOutcome } from './catalog-writer.ts'

/** A tag that no document has. */
const OTHER = '"AAAAAAAAAAAAAAAAAAAAAA"'

async function tagOf({ reader }: CatalogPorts, id: string): Promise<string> {
  const { json } = (await reader.get(STORE, id))!
  return documentTag(json)
}

function currentOf(outcome: WriteOutcome | undefined): unknown {
  assert.equal(outcome?.status, 'failed')
  return outcome.current === undefined ? undefined : JSON.parse(outcome.current)
}

/**
 * Tests writes that name the version of a document which they replace, for every adapter of the
 * catalog ports: the writer compares, so nobody writes in between.
 */
export function documentTagConformance(create: CreateCatalog): void {
  test('a write with the tag of the newest document is done, with another it changes nothing', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    const data = { title: 'blue shoe', price: 2.5, sku: 2 }
    for (const late of [
      upsert('b', '{"title":"x"}'),
      write('update', 'b', '{"price":9}'),
      write('insert', 'b', '{"title":"x"}'),
    ]) {
      const [outcome] = await writer.writeDocuments(STORE, [{ ...late, ifMatch: OTHER }])
      assert.deepEqual(statuses([outcome!]), ['precondition_failed'])
      assert.deepEqual(currentOf(outcome), { id: 'b', data })
    }
    assert.equal(await textOf(catalog, 'b'), JSON.stringify(data))
    for (const ifMatch of [await tagOf(catalog, 'b'), '*', undefined]) {
      const update = { ...write('update', 'b', '{"price":3}'), ifMatch }
      assert.deepEqual(statuses(await writer.writeDocuments(STORE, [update])), ['updated'])
    }
    const listed = {
      ...upsert('b', '{"title":"y"}'),
      ifMatch: `${OTHER}, ${await tagOf(catalog, 'b')}`,
    }
    assert.deepEqual(statuses(await writer.writeDocuments(STORE, [listed])), ['updated'])
    assert.equal(await textOf(catalog, 'b'), '{"title":"y"}')
  })

  test('a document that does not exist matches nothing, not even `*`', async () => {
    await using catalog = await filled(create)
    for (const ifMatch of [OTHER, '*']) {
      const writes = [
        { ...upsert('new', '{"title":"x"}'), ifMatch },
        { ...write('update', 'new', '{"title":"x"}'), ifMatch },
      ]
      const outcomes = await catalog.writer.writeDocuments(STORE, writes)
      assert.deepEqual(statuses(outcomes), ['precondition_failed', 'precondition_failed'])
      assert.deepEqual(outcomes.map(currentOf), [undefined, undefined])
      assert.equal(await catalog.writer.deleteDocument(STORE, 'new', ifMatch), false)
    }
    assert.equal(await textOf(catalog, 'new'), undefined)
  })

  test('a deletion compares too', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    const seen = await tagOf(catalog, 'a')
    await writer.writeDocuments(STORE, [write('update', 'a', '{"price":9}')])
    await assert.rejects(writer.deleteDocument(STORE, 'a', seen), (error) => {
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, 'precondition_failed')
      const data = { title: 'red shoe', price: 9, sku: 1 }
      assert.deepEqual(JSON.parse(error.current!), { id: 'a', data })
      return true
    })
    assert.equal(await writer.deleteDocument(STORE, 'a', await tagOf(catalog, 'a')), true)
  })

  test('a tagged write returns the tag of what is stored, and the next one names it', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    let ifMatch: string | undefined
    for (const step of [
      write('insert', 'new', '{"title":"one","price":1,"sku":9007199254740993}'),
      write('update', 'new', '{"price":2.5}'),
      upsert('new', '{ "title" : "three" }'),
      write('update', 'new', '{"title":null}'),
    ]) {
      const [outcome] = await writer.writeDocuments(STORE, [{ ...step, ifMatch, isTagged: true }])
      assert.ok(outcome !== undefined && outcome.status !== 'failed')
      assert.equal(outcome.etag, await tagOf(catalog, 'new'))
      ifMatch = outcome.etag
    }
    const mixed = await writer.writeDocuments(STORE, [
      upsert('x', '{"title":"x"}'),
      { ...upsert('y', '{"title":"y"}'), isTagged: true },
      { ...write('insert', 'y', '{}'), isTagged: true },
    ])
    const tags = mixed.map((outcome) => (outcome.status === 'failed' ? 'failed' : outcome.etag))
    assert.deepEqual(tags, [undefined, await tagOf(catalog, 'y'), 'failed'])
    assert.equal(await writer.deleteDocument(STORE, 'new', ifMatch), true)
  })

  test('of many at once that name the same version, one is done', async () => {
    await using catalog = await filled(create)
    const { writer } = catalog
    const ifMatch = await tagOf(catalog, 'a')
    const writes = Array.from({ length: 8 }, (_, price): DocumentWrite => {
      return { ...write('update', 'a', JSON.stringify({ price })), ifMatch }
    })
    const [together, ...alone] = await Promise.all([
      writer.writeDocuments(STORE, writes),
      ...writes.map((one) => writer.writeDocuments(STORE, [one])),
      writer.deleteDocument(STORE, 'a', ifMatch).then(
        (): WriteOutcome[] => [{ status: 'updated', id: 'a' }],
        (): WriteOutcome[] => [],
      ),
    ])
    const done = [together, ...alone].flat().filter(({ status }) => status !== 'failed')
    assert.equal(done.length, 1)
  })

  test('the tag is that of the content: the same text again has the same, in another place too', async () => {
    await using catalog = await filled(create)
    const { writer, reader } = catalog
    const before = (await reader.get(STORE, 'a'))!
    const seen = documentTag(before.json)
    const text = Buffer.from(before.json).toString()
    await writer.writeDocuments(STORE, [upsert('a', text)])
    const after = (await reader.get(STORE, 'a'))!
    assert.notEqual(after.docKey, before.docKey)
    assert.equal(documentTag(after.json), seen)
    assert.equal(await writer.deleteDocument(STORE, 'a', seen), true)
  })
}
