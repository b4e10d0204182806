import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test, { after, suite } from 'node:test'
import { ApiError } from '@aisle/contract'
import { FIELDS, STORE, upsert } from '../../ports/catalog/catalog-fixture.ts'
import { idsFound, settled } from '../../ports/catalog/language.conformance.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'
import { Harness } from './test/harness.ts'

const NO_CHANGE = { puts: [], removes: [] }
const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-reanalysis-'))
  folders.push(folder)
  return folder
}

const shoes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => upsert(`d${from + i}`, '{"title":"red shoe"}'))

suite('changing the language of a store', () => {
  test('after a crash in the middle it goes on, and nothing that was written meanwhile is lost', async () => {
    const folder = newFolder()
    const first = await openEmbeddedCatalog(folder, { reanalysisDocuments: 3 })
    const { writer, registry } = first
    await writer.createStore({ name: 'Shop', id: STORE })
    await writer.changeSchema(STORE, 'additive', FIELDS)
    await writer.writeDocuments(STORE, shoes(0, 2_000))
    await writer.changeResources(STORE, NO_CHANGE, 'tlh')
    const crashed = newFolder()
    const progress = async () => (await registry.statistics(STORE)).reanalysis!
    while ((await progress()).documentsDone < 100) await nextTurn()
    await writer.deleteDocument(STORE, 'd3')
    await writer.deleteDocument(STORE, 'd1999')
    await writer.writeDocuments(STORE, [upsert('d4', '{"title":"late"}'), ...shoes(2_000, 2_005)])
    const { documentsDone, documentsTotal, language, failed } = await progress()
    assert.deepEqual([documentsTotal, language, failed], [2_003, 'tlh', false])
    assert.ok(documentsDone < documentsTotal)
    assert.equal((await idsFound(first, 'shoes')).length, 2_002, 'the old analysis serves')
    // What is on disk now is what a crash would leave.
    cpSync(folder, crashed, { recursive: true })
    await settled(first)
    const whole = await idsFound(first, 'shoe')
    await first.close()

    const second = await openEmbeddedCatalog(crashed)
    await settled(second)
    assert.equal(second.backend.view(STORE)!.analyzer.language, 'tlh')
    assert.deepEqual(await idsFound(second, 'shoes'), [])
    assert.deepEqual(await idsFound(second, 'shoe'), whole)
    assert.deepEqual(await idsFound(second, 'late'), ['d4'])
    assert.deepEqual(second.log, [])
    await second.close()

    const third = await openEmbeddedCatalog(crashed)
    assert.equal(third.backend.view(STORE)!.analyzer.language, 'tlh')
    assert.deepEqual(await idsFound(third, 'shoe'), whole)
    assert.deepEqual(third.log, [])
    await third.close()
  })

  test('a change of fields goes on after a crash in the middle', async () => {
    const folder = newFolder()
    const first = await openEmbeddedCatalog(folder, { reanalysisDocuments: 3 })
    const { writer, registry } = first
    await writer.createStore({ name: 'Shop', id: STORE })
    await writer.changeSchema(STORE, 'additive', FIELDS)
    const tagged = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => upsert(`d${from + i}`, '{"tags":["sale"]}'))
    await writer.writeDocuments(STORE, tagged(0, 2_000))
    const { fields } = first.backend.view(STORE)!.schema!
    await writer.redefineFields(STORE, [
      { ...fields.find(({ name }) => name === 'tags')!, searchable: true },
    ])
    const crashed = newFolder()
    const progress = async () => (await registry.statistics(STORE)).reanalysis!
    while ((await progress()).documentsDone < 100) await nextTurn()
    await writer.deleteDocument(STORE, 'd3')
    await writer.writeDocuments(STORE, [upsert('d4', '{"tags":["late"]}'), ...tagged(2_000, 2_005)])
    assert.deepEqual(await idsFound(first, 'sale'), [], 'the former schema serves')
    cpSync(folder, crashed, { recursive: true })
    await settled(first)
    await first.close()

    const second = await openEmbeddedCatalog(crashed)
    await settled(second)
    assert.equal((await idsFound(second, 'sale')).length, 2_003)
    assert.deepEqual(await idsFound(second, 'late'), ['d4'])
    assert.deepEqual(second.log, [])
    await second.close()

    const third = await openEmbeddedCatalog(crashed)
    assert.equal((await idsFound(third, 'sale')).length, 2_003)
    assert.deepEqual(third.log, [])
    await third.close()
  })

  test('what its files hold is not read again, and what died since is taken out', async () => {
    await using harness = await Harness.start()
    const { host } = harness
    await harness.writer.createStore({ name: 'Shop', id: STORE })
    await harness.writer.changeSchema(STORE, 'additive', FIELDS)
    await harness.writer.writeDocuments(STORE, shoes(0, 1_800))
    await harness.writer.changeResources(STORE, NO_CHANGE, 'tlh')
    const row = () => harness.documents.stores()[0]!
    const { index: number } = row().reanalysis!
    while ((host.opened.get(number)?.docCount ?? 0) < 500) await nextTurn()
    host.opened.get(number)!.save()
    const saved = host.files.get(number)!.length
    for (const id of ['d1', 'd2', 'd1700']) await harness.writer.deleteDocument(STORE, id)
    // Files of an index that is not open yet may hold what is buried: its rows must stay.
    await harness.close()
    await harness.open()
    await harness.writer.reap()
    await harness.writer.reap()
    assert.ok(saved >= 500 && saved < 1_800)
    const statistics = () => harness.replicas[0]!.store(STORE)!.statistics
    while (statistics().reanalysis !== undefined) await nextTurn()
    // The index of the tests refuses what is added or removed twice.
    assert.deepEqual([row().index, row().language, row().reanalysis], [number, 'tlh', undefined])
    assert.equal(host.opened.get(number)!.docCount, 1_797)
    assert.equal(harness.found(STORE).length, 1_797)
    assert.deepEqual(harness.crashes, [])
  })

  test('an index that fails is begun again, while the old one serves', async () => {
    await using harness = await Harness.start()
    const { host, writer } = harness
    await writer.createStore({ name: 'Shop', id: STORE })
    await writer.changeSchema(STORE, 'additive', FIELDS)
    await writer.writeDocuments(STORE, shoes(0, 5))
    host.failNext = true
    await writer.changeResources(STORE, NO_CHANGE, 'tlh')
    const statistics = () => harness.replicas[0]!.store(STORE)!.statistics
    while (statistics().reanalysis !== undefined) {
      assert.equal(harness.found(STORE).length, 5)
      await nextTurn()
    }
    assert.equal(statistics().language, 'tlh')
    assert.equal(harness.found(STORE).length, 5)
    assert.deepEqual(harness.crashes, [])
  })

  test('a commit that the disk refuses is tried again', async () => {
    await using harness = await Harness.start()
    const { writer } = harness
    await writer.createStore({ name: 'Shop', id: STORE })
    await writer.changeSchema(STORE, 'additive', FIELDS)
    await writer.writeDocuments(STORE, shoes(0, 5))
    await writer.changeResources(STORE, NO_CHANGE, 'tlh')
    harness.failCommit = new ApiError('unavailable', 'no space')
    const statistics = () => harness.replicas[0]!.store(STORE)!.statistics
    while (harness.failCommit !== undefined) await nextTurn()
    assert.equal(statistics().language, 'en')
    await writer.writeDocuments(STORE, shoes(3, 7))
    while (statistics().reanalysis !== undefined) await nextTurn()
    assert.equal(statistics().language, 'tlh')
    assert.equal(harness.found(STORE).length, 7)
  })

  test('a worn index is rebuilt in the same language while the store is written', async () => {
    await using harness = await Harness.start()
    const { host, writer } = harness
    await writer.createStore({ name: 'Shop', id: STORE })
    await writer.changeSchema(STORE, 'additive', FIELDS)
    await writer.writeDocuments(STORE, shoes(0, 200))
    const row = () => harness.documents.stores()[0]!
    const { index: worn } = row()
    host.wearOut()
    host.wearOut()
    await writer.writeDocuments(STORE, shoes(100, 230))
    while (row().index === worn) await nextTurn()
    assert.deepEqual([row().language, row().reanalysis], ['en', undefined])
    await writer.deleteDocument(STORE, 'd3')
    assert.equal(harness.found(STORE).length, 229)
    assert.equal(host.opened.get(row().index)!.docCount, 229)
    assert.deepEqual(harness.crashes, [])
  })
})
