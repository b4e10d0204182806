import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { LogFolder, RecordBatch } from '@aisle/event-log'
import { until } from '@aisle/testing'
import { openEmbeddedCatalog } from '../adapters/embedded/test/embedded-catalog.ts'
import type { EmbeddedCatalog } from '../adapters/embedded/test/embedded-catalog.ts'
import { filled, STORE, upsert } from '../ports/catalog/catalog-fixture.ts'
import { examineDataFolder } from './examine-data-folder.ts'
import { restoreSnapshot, verifySnapshotFolder } from './restore-snapshot.ts'

const NOW_MS = Date.UTC(2030, 0, 1)

function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'aisle-restore-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const filledCatalog = async () => (await filled(openEmbeddedCatalog)) as EmbeddedCatalog

/** Garbles bytes in the middle of a file. */
function damage(file: string): void {
  const bytes = statSync(file).size
  const handle = openSync(file, 'r+')
  for (let at = 8_192; at < bytes; at += 1_024) writeSync(handle, Buffer.alloc(64, 0x5a), 0, 64, at)
  closeSync(handle)
}

suite('snapshot and restore', () => {
  test('users come back, sessions do not: they may have been ended since', async () => {
    await using catalog = await filledCatalog()
    using target = temporaryFolder()
    const ada = { login: 'ada', password: 'correct horse battery' }
    await catalog.access.createUser({ ...ada, rights: { role: 'owner' } })
    await catalog.access.logIn({ ...ada, address: '192.0.2.1', userAgent: '' })
    const { folder } = await catalog.snapshots.create()
    await restoreSnapshot(folder, join(target.path, 'data'))
    const copy = await openEmbeddedCatalog(join(target.path, 'data'))
    assert.equal(copy.directory.user('ada')?.role, 'owner')
    assert.deepEqual(copy.directory.sessionsOf('ada'), [])
    await copy.close()
  })

  test('collections, strategies and a running experiment come back as they were', async () => {
    await using catalog = await filledCatalog()
    using target = temporaryFolder()
    const puts = [
      { kind: 'collection', name: 'sale', json: '{"filter_by":"sku:<100"}' },
      { kind: 'strategy', name: 'summer', json: '{"title":"Summer","enabled":false}' },
      { kind: 'rule', name: 'first', json: '{"strategy":"summer","sort_by":"sku:asc"}' },
      { kind: 'experiment', name: 'one', json: '{"startedAt":"2029-12-01T00:00:00.000Z"}' },
    ] as const
    await catalog.writer.changeResources(STORE, { puts, removes: [] })
    const { folder } = await catalog.snapshots.create()
    const removes = puts.map(({ kind, name }) => ({ kind, name }))
    await catalog.writer.changeResources(STORE, { puts: [], removes })
    await restoreSnapshot(folder, join(target.path, 'data'))
    const copy = await openEmbeddedCatalog(join(target.path, 'data'))
    for (const put of puts) {
      assert.equal(copy.resources.of(STORE).get(put.kind, put.name)?.json, put.json)
    }
    await copy.close()
  })

  // Goal: a copy taken while writes stream in is one moment. Method: every writer writes its
  // numbers in order and keeps a journal; in the copy each must have all numbers up to one, and
  // everything that was acknowledged before the snapshot was asked for.
  test('a snapshot during full-speed writes holds what the journal had, and no more than a prefix', async () => {
    await using catalog = await filledCatalog()
    using target = temporaryFolder()
    const journal = [0, 0, 0, 0]
    let writing = true
    const writers = journal.map(async (_, w) => {
      while (writing) {
        const next = journal[w]! + 1
        const batch = Array.from({ length: 50 }, (__, i) =>
          upsert(`w${w}-${next}-${i}`, `{"title":"writer ${w}","sku":${next}}`),
        )
        await catalog.writer.writeDocuments(STORE, batch)
        journal[w] = next
      }
    })
    await until('three batches of every writer', () => Math.min(...journal) >= 3)
    const before = [...journal]
    const snapshot = await catalog.snapshots.create()
    const after = journal.map((count) => count + 1)
    writing = false
    await Promise.all(writers)

    const restored = await restoreSnapshot(snapshot.folder, join(target.path, 'data'))
    assert.equal(restored.documents, snapshot.documents)
    const copy = await openEmbeddedCatalog(join(target.path, 'data'))
    let total = 3
    for (const [w] of journal.entries()) {
      let last = 0
      while ((await copy.reader.get(STORE, `w${w}-${last + 1}-0`)) !== undefined) last++
      assert.ok(last >= before[w]! && last <= after[w]!, `writer ${w}: ${last}`)
      for (let n = 1; n <= last; n++) {
        for (let i = 0; i < 50; i++) {
          const document = await copy.reader.get(STORE, `w${w}-${n}-${i}`)
          assert.equal(JSON.parse(Buffer.from(document!.json).toString()).sku, n)
        }
      }
      total += last * 50
    }
    assert.equal(await copy.backend.view(STORE)!.docCount(), total)
    assert.equal(snapshot.documents, total)
    await copy.close()
  })

  test('restore asks for an empty folder, and for a snapshot', async () => {
    await using catalog = await filledCatalog()
    using target = temporaryFolder()
    const { folder } = await catalog.snapshots.create()
    writeFileSync(join(target.path, 'mine'), 'x')
    await assert.rejects(restoreSnapshot(folder, target.path), /not empty/)
    assert.deepEqual(readdirSync(target.path), ['mine'])
    await assert.rejects(restoreSnapshot(target.path, join(target.path, 'new')), /not a snapshot/)
    assert.ok(!existsSync(join(target.path, 'new')))
  })

  test('a snapshot of a newer format is refused untouched', async () => {
    await using catalog = await filledCatalog()
    using target = temporaryFolder()
    const { folder } = await catalog.snapshots.create()
    const file = join(folder, 'snapshot.json')
    const newer = readFileSync(file, 'utf8').replace('"format": 2', '"format": 99')
    writeFileSync(file, newer)
    await assert.rejects(restoreSnapshot(folder, join(target.path, 'new')), /format 99/)
    assert.equal(readFileSync(file, 'utf8'), newer)
    assert.ok(!existsSync(join(target.path, 'new')))
  })

  test('the event logs are in it, read back and compared like the documents', async () => {
    await using catalog = await filledCatalog()
    using target = temporaryFolder()
    const logsBelow = (folder: string): LogFolder =>
      new LogFolder({
        folder: join(folder, 'events'),
        now: () => NOW_MS,
        onProblem: (_, message) => assert.fail(message),
      })
    const append = (logs: LogFolder, ...ids: string[]) => {
      const records = new RecordBatch()
      for (const messageId of ids) {
        const times = { atMs: NOW_MS, receivedMs: NOW_MS }
        records.add({ kind: 'identify', messageId, ...times, visitor: { userId: 'u' } })
      }
      return logs.append('shop.1', { records: records.take() })
    }
    const logs = logsBelow(catalog.folder)
    await append(logs, '1', '2')
    const snapshot = await catalog.snapshots.create()
    await append(logs, '3')
    await logs.close()
    assert.ok(snapshot.event_bytes > 0 && snapshot.bytes > snapshot.event_bytes)

    const dataDir = join(target.path, 'data')
    assert.deepEqual(await restoreSnapshot(snapshot.folder, dataDir), snapshot)
    const restored = logsBelow(dataDir)
    assert.deepEqual((await append(restored, '1', '2', '3')).duplicates, [0, 1])
    await restored.close()

    const [segment = ''] = readdirSync(join(snapshot.folder, 'events', 'shop.1'))
    const file = join(snapshot.folder, 'events', 'shop.1', segment)
    writeFileSync(file, readFileSync(file).fill(0, 50, 60))
    await assert.rejects(verifySnapshotFolder(snapshot.folder), /damaged.*log-/)
    rmSync(file)
    await assert.rejects(restoreSnapshot(snapshot.folder, join(target.path, 'new')), /damaged/)
  })

  test('a damaged snapshot is noticed by verify and by restore', async () => {
    await using catalog = await filledCatalog()
    using target = temporaryFolder()
    const { folder, name } = await catalog.snapshots.create()
    damage(join(folder, 'lmdb', 'data.mdb'))
    await assert.rejects(verifySnapshotFolder(folder), /damaged/)
    await assert.rejects(catalog.snapshots.verify(name), { code: 'snapshot_failed' })
    const dataDir = join(target.path, 'new')
    await assert.rejects(restoreSnapshot(folder, dataDir), /damaged/)
    // The service refuses what is left.
    assert.ok(!existsSync(join(dataDir, 'aisle.json')))
  })

  test('drill: a damaged data folder is explained, and the advice mends it', async () => {
    const catalog = await filledCatalog()
    using target = temporaryFolder()
    using own = { [Symbol.dispose]: () => rmSync(catalog.folder, { recursive: true, force: true }) }
    void own
    writeFileSync(join(catalog.folder, 'aisle.json'), '{"format":1}')
    const { folder } = await catalog.snapshots.create()
    await catalog.close()
    const well = await examineDataFolder(catalog.folder, NOW_MS)
    assert.deepEqual([...new Set(well.map(({ verdict }) => verdict))], ['ok'], JSON.stringify(well))

    damage(join(catalog.folder, 'lmdb', 'data.mdb'))
    const findings = await examineDataFolder(catalog.folder, NOW_MS)
    const broken = findings.find(({ verdict }) => verdict === 'error')!
    assert.match(broken.advice ?? '', new RegExp(`aisle restore \\S*${folder.split('/').at(-1)}`))
    const dataDir = join(target.path, 'data')
    await restoreSnapshot(folder, dataDir)
    const mended = await examineDataFolder(dataDir, NOW_MS)
    assert.ok(mended.every(({ verdict }) => verdict !== 'error'))
    const copy = await openEmbeddedCatalog(dataDir)
    assert.equal(await copy.backend.view(STORE)!.docCount(), 3)
    await copy.close()
  })

  const folders: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['of a newer format', { 'aisle.json': '{"format":3}' }, /format 3/],
    ['with a broken format file', { 'aisle.json': '{' }, /Cannot read/],
    ['that is empty', {}, /never used/],
  ]
  for (const [title, files, text] of folders) {
    test(`a folder ${title} is explained and left as it is`, async () => {
      using folder = temporaryFolder()
      for (const [name, content] of Object.entries(files)) {
        writeFileSync(join(folder.path, name), content)
      }
      const [finding] = await examineDataFolder(folder.path, NOW_MS)
      assert.notEqual(finding?.verdict, 'ok')
      assert.match(finding?.text ?? '', text)
      assert.deepEqual(readdirSync(folder.path), Object.keys(files))
    })
  }
})
