import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { ApiError } from '@aisle/contract'
import fc from 'fast-check'
import type { ResourceChange } from '../../domain/store/resource.ts'
import { NO_COUNTERS } from '../../ports/catalog/document-store.ts'
import type { CatalogChanges, StoreRow } from '../../ports/catalog/document-store.ts'
import { Committer } from './committer.ts'
import { DataFolderError, openDataFolder } from './data-folder.ts'
import { LmdbDocumentStore } from './document-store.ts'
import { openEnvironment, openRoot, openTable } from './environment.ts'
import { checkFile } from './file-check.ts'
import { checkDocuments, checkEveryRow } from './full-check.ts'
import { docKeyOf, documentKey } from './keys.ts'
import { DamagedRowError, mixNumbers, readDocumentRow, writeDocumentRow } from './record.ts'

function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'aisle-lmdb-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

async function openStore(path: string): Promise<{
  store: LmdbDocumentStore
  damage: string[]
  environment: ReturnType<typeof openEnvironment>
  [Symbol.asyncDispose](): Promise<void>
}> {
  const environment = openEnvironment(path, { readOnly: false })
  const damage: string[] = []
  const committer = new Committer(environment, (message) => damage.push(message))
  const store = new LmdbDocumentStore(environment, committer, (_, line) => damage.push(line))
  return {
    store,
    damage,
    environment,
    [Symbol.asyncDispose]: async () => {
      await environment.root.close()
    },
  }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

function changes(
  catalog: number,
  part: Partial<CatalogChanges>,
): Parameters<LmdbDocumentStore['commit']>[0] {
  const all = { catalog, puts: [], removedIds: [], buried: [], reaped: [], ...part }
  return { stores: [], removedStores: [], catalogs: [all] }
}

test('a file may be closed right after it was read', async () => {
  using folder = temporaryFolder()
  for (let i = 0; i < 20; i++) {
    const environment = openEnvironment(folder.path, { readOnly: false })
    environment.meta.get(Buffer.from('a'))
    const closing = environment.root.close()
    // Here the timer of the read fires.
    await new Promise((resolve) => setImmediate(resolve))
    await closing
  }
})

test('a read while a file is being closed is refused, and nothing else happens', async () => {
  using folder = temporaryFolder()
  for (let i = 0; i < 20; i++) {
    const environment = openEnvironment(folder.path, { readOnly: false })
    const { meta, root } = environment
    // Closing waits for it.
    const written = meta.put(Buffer.from('a'), Buffer.alloc(100_000))
    meta.get(Buffer.from('a'))
    const closing = root.close()
    assert.throws(() => meta.get(Buffer.from('a')), /clos/)
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.all([written, closing])
  }
})

suite('document rows', () => {
  test('a row gives back what was written, and any flipped bit is noticed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        fc.uint8Array({ maxLength: 200 }),
        fc.nat({ max: 2 ** 31 }),
        fc.maxSafeNat(),
        fc.nat(),
        fc.option(fc.nat({ max: 2 ** 48 - 1 }), { nil: undefined }),
        (id, bytes, catalog, docKey, flip, inserted) => {
          fc.pre(id.isWellFormed())
          const mix = mixNumbers(catalog, docKey)
          const row = Buffer.alloc(1_000)
          const document = { id, json: bytes, ...(inserted === undefined ? {} : { inserted }) }
          const written = row.subarray(0, writeDocumentRow(row, 0, mix, document))
          const read = readDocumentRow(written, mix)
          assert.equal(read.id, id)
          assert.equal(read.inserted, inserted)
          assert.deepEqual(new Uint8Array(read.json), bytes)
          const damaged = Buffer.from(written)
          const bit = flip % (damaged.length * 8)
          damaged[bit >> 3]! ^= 1 << (bit & 7)
          assert.throws(() => readDocumentRow(damaged, mix), DamagedRowError)
          assert.throws(
            () => readDocumentRow(written, mixNumbers(catalog, docKey + 1)),
            DamagedRowError,
          )
          assert.throws(
            () => readDocumentRow(written, mixNumbers(catalog + 1, docKey)),
            DamagedRowError,
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  test('document keys sort by catalog, then by docKey', () => {
    const keys = [
      documentKey(1, 2),
      documentKey(1, 2 ** 40),
      documentKey(2, 1),
      documentKey(256, 1),
    ]
    assert.deepEqual(keys.toSorted(Buffer.compare), keys)
    assert.equal(docKeyOf(documentKey(7, 2 ** 47 + 5)), 2 ** 47 + 5)
  })
})

suite('LMDB document store', () => {
  test('a commit is there after opening the file again', async () => {
    using folder = temporaryFolder()
    const row: StoreRow = {
      storeNumber: 1,
      catalog: 1,
      storeId: 'shop',
      name: 'Shop',
      createdAt: '2026-01-01T00:00:00.000Z',
      keys: { read: [], write: [], events: [] },
      schema: undefined,
      index: 3,
      language: 'de',
      readSecret: 'rs_x',
      eventsWriteKey: 'ew_x',
    }
    {
      await using opened = await openStore(folder.path)
      await opened.store.commit({
        ...changes(1, {
          counters: { ...NO_COUNTERS, nextDocKey: 3, docCount: 2 },
          puts: [
            { docKey: 1, id: 'b', json: json({ n: 1 }) },
            { docKey: 2, id: 'é'.repeat(256), json: json({ n: 2 }) },
          ],
        }),
        stores: [row],
      })
    }
    await using opened = await openStore(folder.path)
    assert.deepEqual(opened.store.stores(), [{ ...row, schema: undefined }].map(withoutUndefined))
    assert.equal(opened.store.counters(1).nextDocKey, 3)
    assert.equal(opened.store.findKey(1, 'é'.repeat(256)), 2)
    assert.equal(opened.store.findKey(2, 'b'), undefined)
    assert.equal(Buffer.from(opened.store.read(1, 1)!.json).toString(), '{"n":1}')
    assert.deepEqual(opened.store.catalogs(), [1])
    assert.deepEqual((await checkEveryRow(folder.path)).damaged, [])
  })

  test('resources are kept to the letter, by store and kind, and go with their store', async () => {
    using folder = temporaryFolder()
    const kept = [
      { kind: 'preset', name: 'é/\u0001', json: '{"n": 9007199254740993}' },
      { kind: 'synonymSet', name: 'é/\u0001', json: '[]' },
    ] as const
    const commit = (
      store: LmdbDocumentStore,
      storeNumber: number,
      change: Partial<ResourceChange>,
    ) =>
      store.commit({
        stores: [],
        removedStores: [],
        resources: [{ storeNumber, puts: [], removes: [], ...change }],
        catalogs: [],
      })
    {
      await using opened = await openStore(folder.path)
      await commit(opened.store, 1, { puts: [...kept, { kind: 'preset', name: 'b', json: '1' }] })
      await commit(opened.store, 256, { puts: kept })
      await commit(opened.store, 1, { removes: [{ kind: 'preset', name: 'b' }] })
    }
    assert.deepEqual((await checkEveryRow(folder.path)).damaged, [])
    await using opened = await openStore(folder.path)
    assert.deepEqual(opened.store.resources(1), kept)
    await opened.store.commit({ stores: [], removedStores: [1], catalogs: [] })
    assert.deepEqual(opened.store.resources(1), [])
    assert.deepEqual(opened.store.resources(256), kept)
  })

  test('a file without the table of resources, as older versions left it, is checked and opened', async () => {
    using folder = temporaryFolder()
    const older = openRoot(folder.path, { readOnly: false })
    for (const name of ['stores', 'counters', 'documents', 'ids', 'tombstones', 'meta']) {
      openTable(older, name)
    }
    await older.close()
    assert.deepEqual(await checkEveryRow(folder.path), { rows: 0, stores: [], damaged: [] })
    await using opened = await openStore(folder.path)
    assert.deepEqual(opened.store.resources(1), [])
  })

  test('a scan leaves out buried versions and goes on page by page', async () => {
    using folder = temporaryFolder()
    await using opened = await openStore(folder.path)
    const { store } = opened
    const puts = Array.from({ length: 25 }, (_, i) => ({
      docKey: i + 1,
      id: `d${i}`,
      json: json(i),
    }))
    await store.commit(changes(5, { puts }))
    await store.commit(changes(6, { puts: puts.slice(0, 1) }))
    await store.commit(changes(5, { buried: [1, 10, 25], removedIds: ['d0', 'd9', 'd24'] }))
    const seen: number[] = []
    for (let from: number | undefined = 1; from !== undefined;) {
      const page = store.scan(5, { from, to: Infinity }, 4, 1e6)
      seen.push(...page.documents.map((document) => document.docKey))
      from = page.next
    }
    assert.deepEqual(
      seen,
      puts.map((put) => put.docKey).filter((key) => ![1, 10, 25].includes(key)),
    )
    const within = store.scan(5, { from: 8, to: 12 }, 100, 1e6)
    assert.deepEqual(
      within.documents.map(({ docKey }) => docKey),
      [8, 9, 11, 12],
    )
    assert.equal(within.next, undefined, 'the range ends before the catalog')
    assert.deepEqual(store.buried(5, 0, 10), [1, 10, 25])
    assert.deepEqual(store.buried(5, 2, 1), [10])
    assert.equal(store.findKey(5, 'd0'), undefined)
    assert.ok(store.read(5, 1), 'a buried version stays readable')
    await store.commit(changes(5, { reaped: [1, 10] }))
    assert.equal(store.read(5, 1), undefined)
    assert.deepEqual(store.buried(5, 0, 10), [25])
  })

  test('a catalog is erased in steps and leaves its neighbours alone', async () => {
    using folder = temporaryFolder()
    await using opened = await openStore(folder.path)
    const { store } = opened
    const puts = Array.from({ length: 25 }, (_, i) => ({
      docKey: i + 1,
      id: `d${i}`,
      json: json(i),
    }))
    for (const catalog of [1, 2, 3])
      await store.commit(changes(catalog, { puts, counters: NO_COUNTERS }))
    let steps = 1
    while (await store.eraseSome(2, 10)) steps++
    assert.equal(steps, 3)
    assert.deepEqual(store.catalogs(), [1, 3])
    assert.equal(store.scan(3, { from: 0, to: Infinity }, 100, 1e6).documents.length, 25)
  })

  test('a damaged document is refused by name and left out of scans, its neighbours are served', async () => {
    using folder = temporaryFolder()
    {
      await using opened = await openStore(folder.path)
      await opened.store.commit(
        changes(1, {
          puts: [1, 2, 3].map((n) => ({ docKey: n, id: `d${n}`, json: json(`needle-${n}`) })),
        }),
      )
    }
    const file = join(folder.path, 'data.mdb')
    const bytes = readFileSync(file)
    for (let at = bytes.indexOf('needle-2'); at >= 0; at = bytes.indexOf('needle-2', at + 1)) {
      bytes[at]! ^= 4
    }
    writeFileSync(file, bytes)
    assert.equal((await checkEveryRow(folder.path)).damaged.length, 1)
    assert.match((await checkDocuments(folder.path, true))[0] ?? '', /damaged rows: 1 of/)
    await using opened = await openStore(folder.path)
    assert.throws(
      () => opened.store.read(1, 2),
      (error) => error instanceof ApiError && error.code === 'unavailable',
    )
    assert.deepEqual(
      opened.store
        .scan(1, { from: 0, to: Infinity }, 10, 1e6)
        .documents.map((document) => document.docKey),
      [1, 3],
    )
    assert.equal(opened.damage.length, 2)
  })

  test('a truncated file is refused before it is mapped', async () => {
    using folder = temporaryFolder()
    {
      await using opened = await openStore(folder.path)
      const puts = Array.from({ length: 300 }, (_, i) => ({
        docKey: i + 1,
        id: `d${i}`,
        json: json('x'.repeat(2_000)),
      }))
      await opened.store.commit(changes(1, { puts }))
    }
    const file = join(folder.path, 'data.mdb')
    const check = checkFile(file)
    assert.ok(check !== undefined && check.usedBytes <= check.fileBytes)
    assert.deepEqual(await checkDocuments(folder.path, false), [])
    truncateSync(file, statSync(file).size >> 1)
    await assert.rejects(checkDocuments(folder.path, false), DataFolderError)
    truncateSync(file, 3_000)
    await assert.rejects(checkDocuments(folder.path, false), DataFolderError)
  })

  // Garbage killed the process, and zeros instead of the newer one hid the last commit.
  test('a file with one damaged header is refused', async () => {
    for (const page of [0, 1]) {
      for (const damage of [0, 0xa5]) {
        using folder = temporaryFolder()
        {
          await using opened = await openStore(folder.path)
          for (const docKey of [1, 2, 3]) {
            const puts = [{ docKey, id: `d${docKey}`, json: json('x') }]
            await opened.store.commit(changes(1, { puts }))
          }
        }
        const file = join(folder.path, 'data.mdb')
        assert.deepEqual(await checkDocuments(folder.path, false), [])
        const bytes = readFileSync(file)
        writeFileSync(file, bytes.fill(damage, page * 4_096, (page + 1) * 4_096))
        const refused = { name: 'DataFolderError', message: /one of the two headers of .*damaged/ }
        await assert.rejects(checkDocuments(folder.path, false), refused)
      }
    }
  })

  test('a garbled page that a walk through the rows survives and a search does not is refused', async () => {
    using folder = temporaryFolder()
    // 300 documents; page 89, of the ids, is random (tools/chaos/mutations.ts found it).
    const file = join(import.meta.dirname, 'test', 'garbled-page.mdb.gz')
    writeFileSync(join(folder.path, 'data.mdb'), gunzipSync(readFileSync(file)))
    await assert.rejects(checkDocuments(folder.path, true), DataFolderError)
  })

  test('when the disk refuses a write, the commit is refused, nothing is visible, and the process lives', () => {
    using folder = temporaryFolder()
    // A limit on the size of files (RLIMIT_FSIZE) makes writes fail with EFBIG.
    const child = spawnSync(
      'sh',
      ['-c', `ulimit -f 512; exec "$0" "$1" "$2"`, process.execPath, FULL_DISK_CHILD, folder.path],
      { encoding: 'utf8' },
    )
    assert.equal(child.status, 0, child.stderr)
    // Broken if the message was too long for lmdb's memory, which depends on chance (committer.ts).
    assert.match(child.stdout, /refused=unavailable visible=false kept=true again=(?:ok|broken)\n/)
  })
})

const FULL_DISK_CHILD = join(import.meta.dirname, 'test', 'full-disk.ts')

suite('data folder', () => {
  test('a second process is refused with one line while the first lives', () => {
    using folder = temporaryFolder()
    const opened = openDataFolder(folder.path)
    const script = `import { openDataFolder } from ${JSON.stringify(join(import.meta.dirname, 'data-folder.ts'))}
      try { openDataFolder(process.argv[1]); console.log('opened') } catch (error) { console.log(error.message) }`
    const run = (): string =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script, folder.path], {
        encoding: 'utf8',
      })
    assert.match(run(), /another process is using it\n$/)
    opened.release()
    assert.equal(run(), 'opened\n')
  })

  test('a newer format is refused and nothing is changed', () => {
    using folder = temporaryFolder()
    const text = '{"format":99}'
    writeFileSync(join(folder.path, 'aisle.json'), text)
    assert.throws(
      () => openDataFolder(folder.path),
      /format 99, but this version reads formats up to 2; nothing/,
    )
    assert.equal(readFileSync(join(folder.path, 'aisle.json'), 'utf8'), text)
    assert.throws(() => statSync(join(folder.path, 'lock')))
  })
})

function withoutUndefined(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object
}
