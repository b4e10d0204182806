import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openEmbeddedCatalog } from '../../adapters/embedded/test/embedded-catalog.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import type { CatalogWriter } from '../../ports/catalog/catalog-writer.ts'
import { servicePortsOver } from '../service-ports-for-test.ts'
import type { ServicePorts } from '../service-ports.ts'
import { deleteMatching, updateMatching } from './change-matching.ts'
import { exportDocuments } from './export-documents.ts'
import { matchingDocuments } from './matching-documents.ts'

const clock = { now: () => 0 }
const put = (id: string, stock: number) => ({
  id,
  action: 'upsert' as const,
  json: Buffer.from(JSON.stringify({ stock })),
})

/** Creates a shop in which `meanwhile` runs between finding documents and changing them. */
async function shop(
  meanwhile: (writer: CatalogWriter) => Promise<unknown>,
): Promise<ServicePorts & AsyncDisposable> {
  const catalog = await openEmbeddedCatalog(undefined, { clock })
  const { writer } = catalog
  await writer.createStore({ name: 'Shop', id: 'shop' })
  const fields = checkSchemaFields([{ name: 'stock', type: 'int32', facet: true }])
  await writer.changeSchema('shop', 'additive', fields)
  await writer.writeDocuments('shop', [put('a', 0), put('b', 0), put('c', 5)])
  const changeVersions: CatalogWriter['changeVersions'] = async (...call) => {
    await meanwhile(writer)
    return writer.changeVersions(...call)
  }
  // Objects of another thread cannot be spread.
  const watched = new Proxy(writer, {
    get: (target, name) =>
      name === 'changeVersions' ? changeVersions : (Reflect.get(target, name) as unknown),
  })
  return { ...servicePortsOver(catalog, clock), ...catalog, writer: watched }
}

suite('changing the documents of a filter during other writes', () => {
  test('a document that no longer matches the filter is not changed', async () => {
    await using ports = await shop((writer) => writer.writeDocuments('shop', [put('a', 3)]))
    assert.equal((await deleteMatching(ports, 'shop', 'stock:=0')).documents_deleted, 1)
    assert.ok(await ports.reader.get('shop', 'a'))
    assert.equal(await ports.reader.get('shop', 'b'), undefined)
  })

  test('a document that was written and still matches is changed once', async () => {
    let writes = 0
    await using ports = await shop(async (writer) => {
      if (writes++ === 0) await writer.writeDocuments('shop', [put('a', 0)])
    })
    const body = Buffer.from('{"set":{"stock":0}}')
    assert.equal((await updateMatching(ports, 'shop', 'stock:=0', body)).documents_updated, 2)
    assert.equal(writes, 2)
  })

  test('a document that is written again and again is not changed, with a warning', async () => {
    await using ports = await shop((writer) => writer.writeDocuments('shop', [put('a', 0)]))
    const { documents_deleted: count, warnings } = await deleteMatching(ports, 'shop', 'stock:=0')
    assert.equal(count, 1)
    assert.match(warnings?.[0] ?? '', /^1 document was written repeatedly/)
  })

  test('no snapshot of the store is open while documents are changed', async () => {
    let openScans = 0
    const openWhileChanging: number[] = []
    await using catalog = await shop(async () => openWhileChanging.push(openScans))
    const reader: ServicePorts['reader'] = {
      get: (...call) => catalog.reader.get(...call),
      fetch: (...call) => catalog.reader.fetch(...call),
      scanInserted: (...call) => catalog.reader.scanInserted(...call),
      async scan(...call) {
        const scan = (await catalog.reader.scan(...call))!
        openScans++
        return {
          docCount: scan.docCount,
          next: (bytes) => scan.next(bytes),
          close: () => {
            openScans--
            scan.close()
          },
        }
      },
    }
    const body = Buffer.from('{"set":{"stock":7}}')
    const watched = { ...catalog, reader }
    assert.equal((await updateMatching(watched, 'shop', 'stock:=0', body)).documents_updated, 2)
    assert.equal((await deleteMatching(watched, 'shop', 'stock:>0')).documents_deleted, 3)
    assert.deepEqual(new Set(openWhileChanging), new Set([0]))
    assert.equal(openScans, 0)
  })
})

suite('finding the documents of a filter', () => {
  const words = Array.from({ length: 900 }, (_, i) => `\`sku ${i * 3}\``).join(', ')
  const filterBy = `sku:[${words}]`
  /** A shop with a value per document, in segments of a few. */
  const uniqueValues = async (): Promise<ServicePorts & AsyncDisposable> => {
    const catalog = await openEmbeddedCatalog(undefined, { clock })
    const { writer } = catalog
    await writer.createStore({ name: 'Shop', id: 'shop' })
    const fields = checkSchemaFields([{ name: 'sku', type: 'string', facet: true }])
    await writer.changeSchema('shop', 'additive', fields)
    for (let from = 0; from < 3_000; from += 500) {
      const documents = Array.from({ length: 500 }, (_, i) => ({
        id: `d${from + i}`,
        action: 'upsert' as const,
        json: Buffer.from(JSON.stringify({ sku: `SKU ${from + i}` })),
      }))
      await writer.writeDocuments('shop', documents)
    }
    return { ...servicePortsOver(catalog, clock), ...catalog }
  }

  test('takes turns, and says to the watch what it does', async () => {
    await using ports = await uniqueValues()
    const works: string[] = []
    let rests = 0
    const pace = {
      isDue: () => true,
      rest: async () => void (await ports.writer.writeDocuments('shop', [put(`r${rests++}`, 1)])),
      begin: (work: string) => void works.push(work),
    }
    assert.equal((await deleteMatching(ports, 'shop', filterBy, pace)).documents_deleted, 900)
    assert.ok(rests > 900, `${rests} rests`)
    assert.deepEqual(works, [`shop\nfilter_by=${filterBy}`])
  })

  test('that takes too long changes nothing', async () => {
    await using ports = await uniqueValues()
    const pace = {
      isDue: () => false,
      rest: () => Promise.resolve(),
      begin: () => undefined,
      filterTimeoutMs: -1,
    }
    const body = Buffer.from('{"set":{"sku":"x"}}')
    const late = { code: 'filter_timeout', param: 'filter_by' }
    await assert.rejects(deleteMatching(ports, 'shop', filterBy, pace), late)
    await assert.rejects(updateMatching(ports, 'shop', filterBy, body, pace), late)
    await assert.rejects(exportDocuments(ports, 'shop', { filterBy }, undefined, pace), late)
    const { docKeys } = await matchingDocuments(ports, 'shop', filterBy)
    assert.equal(docKeys.length, 900)
  })
})
