import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { suite, test } from 'node:test'
import { until } from '@aisle/testing'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import type { DocumentScan } from '../../ports/catalog/document-reader.ts'
import type { ServicePorts } from '../../services/service-ports.ts'
import { exportDocuments } from '../../services/documents/export-documents.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'

// An export that takes longer than it may show one moment, on the real document file.

const COUNT = 300
/** A chunk holds some of them. */
const FILLER = 'x'.repeat(3_000)
const put = (id: string, n: number) => ({
  id,
  action: 'upsert' as const,
  json: Buffer.from(JSON.stringify({ n, filler: FILLER })),
})

async function shop() {
  const catalog = await openEmbeddedCatalog()
  const { writer } = catalog
  await writer.createStore({ name: 'Shop', id: 'shop' })
  const fields = checkSchemaFields([
    { name: 'n', type: 'int32', facet: true },
    { name: 'filler', type: 'string' },
  ])
  await writer.changeSchema('shop', 'additive', fields)
  const all = Array.from({ length: COUNT }, (_, i) => put(`d${i}`, 0))
  const [outcome] = await writer.writeDocuments('shop', all)
  assert.equal(outcome?.status, 'created', JSON.stringify(outcome))
  let openScans = 0
  const reader: ServicePorts['reader'] = {
    get: (...call) => catalog.reader.get(...call),
    fetch: (...call) => catalog.reader.fetch(...call),
    scan: async (...call) => counted((await catalog.reader.scan(...call))!),
    scanInserted: async (...call) => counted((await catalog.reader.scanInserted(...call))!),
  }
  function counted(scan: DocumentScan): DocumentScan {
    openScans++
    return {
      docCount: scan.docCount,
      next: (bytes) => scan.next(bytes),
      close() {
        openScans--
        scan.close()
      },
    }
  }
  return {
    writer,
    catalog: { ...catalog, reader, clock: { now: Date.now } } as unknown as ServicePorts,
    openScans: () => openScans,
    async [Symbol.asyncDispose]() {
      await catalog.close()
      rmSync(catalog.folder, { recursive: true, force: true })
    },
  }
}

type Line = { readonly id: string; readonly data: { readonly n: number } }

const linesOf = (chunk: Buffer): Line[] =>
  chunk
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

suite('an export over several moments', () => {
  for (const [name, filter, momentMs] of [
    ['of all documents', undefined, 1],
    ['of what a filter names', 'n:>=0', 1],
    ['within its moment', undefined, 60_000],
  ] as const) {
    test(`${name} misses nothing, and the last line of a document is its newest`, async () => {
      await using made = await shop()
      const { docCount, chunks } = await exportDocuments(
        made.catalog,
        'shop',
        { filterBy: filter },
        momentMs,
      )
      assert.equal(docCount, COUNT)
      const last = new Map<string, number>()
      let lineCount = 0
      let chunkCount = 0
      for await (const chunk of chunks) {
        for (const { id, data } of linesOf(chunk)) {
          last.set(id, data.n)
          lineCount++
        }
        if (chunkCount++ > 3) continue
        // One that is out already, and one that is still to come.
        const versions = [
          put(`d${chunkCount}`, chunkCount),
          put(`d${COUNT - chunkCount}`, chunkCount),
        ]
        await made.writer.writeDocuments('shop', versions)
        if (momentMs === 1) await until('the end of a moment', () => made.openScans() === 0)
      }
      assert.equal(made.openScans(), 0)
      assert.equal(last.size, COUNT)
      if (momentMs > 1_000) {
        assert.equal(lineCount, COUNT)
        assert.deepEqual(new Set(last.values()), new Set([0]), 'one moment, whatever is written')
        return
      }
      assert.equal(lineCount, COUNT + 4, 'those that were out come again, others once')
      for (const i of [1, 2, 3, 4]) {
        assert.deepEqual([last.get(`d${i}`), last.get(`d${COUNT - i}`)], [i, i])
      }
    })
  }

  test('in the order of insertion has each document once, whatever is written', async () => {
    await using made = await shop()
    const all = Array.from({ length: COUNT }, (_, i) => `d${i}`)
    await made.writer.writeDocuments('shop', [put('d250', 1), put('d7', 1)])
    const request = { order: 'inserted' } as const
    const { docCount, chunks } = await exportDocuments(made.catalog, 'shop', request, 1)
    assert.equal(docCount, COUNT)
    const ids: string[] = []
    for await (const chunk of chunks) {
      ids.push(...linesOf(chunk).map(({ id }) => id))
      if (ids.length > 100) continue
      await made.writer.writeDocuments('shop', [put('d3', 9), put(`d${COUNT - ids.length}`, 9)])
      await until('the end of a moment', () => made.openScans() === 0)
    }
    assert.deepEqual(ids, all)
    const filtered = { order: 'inserted', filterBy: 'n:>=0' } as const
    await assert.rejects(exportDocuments(made.catalog, 'shop', filtered), { param: 'order' })
  })

  test('a reader who stops reading, or never begins, keeps no moment', async () => {
    await using made = await shop()
    await exportDocuments(made.catalog, 'shop', {}, 20)
    const { chunks } = await exportDocuments(made.catalog, 'shop', {}, 20)
    await chunks.next()
    assert.equal(made.openScans(), 2)
    await until('the end of the moments', () => made.openScans() === 0)
    let count = 0
    for await (const chunk of chunks) count += linesOf(chunk).length
    assert.ok(count > 0 && count < COUNT, 'it goes on where it was')
  })
})
