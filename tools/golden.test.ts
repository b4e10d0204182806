import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { deserialize, serialize } from 'node:v8'
import { crc32 } from 'node:zlib'
import { eventBatch, HttpClient, ServerProcess } from '@aisle/testing'
import { AisleClient, type StoreClient } from '@aisle/client'
import { stockEvent } from './events/event-store.ts'
import { CLICKS, DOCUMENTS, RESOURCES, SETTINGS, shopOf, told } from './golden/golden-shop.ts'
import { readFolder, unpack, writeFolder } from './golden/packed-folder.ts'
import type { PackedFolder } from './golden/packed-folder.ts'

/**
 * Whole data folders written by a service of each released format (tools/golden/make-golden.ts):
 * documents, index files, event log, reports, suggestions, a snapshot. This version opens all of
 * them, and misreads no byte of a newer one.
 */
const GOLDEN = readdirSync(join(import.meta.dirname, 'golden')).filter((name) =>
  name.endsWith('.bin'),
)

interface Opened extends AsyncDisposable {
  readonly path: string
  readonly packed: PackedFolder
  /** Day of the events. */
  readonly day: string
  start(): Promise<ServerProcess>
}

function opened(name: string): Opened {
  const path = mkdtempSync(join(tmpdir(), 'aisle-golden-'))
  const packed = unpack(join(import.meta.dirname, 'golden', name))
  writeFolder(path, packed)
  let server: ServerProcess | undefined
  return {
    path,
    packed,
    day: name.slice(-'2026-11-22.bin'.length, -'.bin'.length),
    start: async () => (server = await ServerProcess.start({ dataDir: path, threads: 1 })),
    [Symbol.asyncDispose]: async () => {
      await server?.stop({ keepData: true })
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** The data that the store was given, as exported. */
const SEARCHES = ['2: a b', '2: a c', '2: d b', '1: c', '2: b c', '1: c']

async function assertWhole(server: ServerProcess, { packed, day }: Opened): Promise<void> {
  const { clicks, document, searches, origins, resources } = await told(
    shopOf(server.url, packed),
    day,
  )
  assert.deepEqual(searches, SEARCHES)
  const { id: _, ...third } = DOCUMENTS[2]!
  assert.deepEqual(document, third)
  assert.deepEqual(origins, SETTINGS.cors_origins)
  for (const [kind, value] of Object.entries(RESOURCES)) {
    assert.partialDeepStrictEqual(resources[kind], value, kind)
  }
  assert.equal(clicks, CLICKS)
}

/** The ids of all documents, as a search without words orders them. */
async function orderOf(shop: StoreClient): Promise<string> {
  return (await shop.search({ q: '*' })).hits.map(({ id }) => id).join(' ')
}

function formatOf({ files }: PackedFolder): number {
  const text = Buffer.from(files.get('aisle.json')!).toString()
  return (JSON.parse(text) as { format: number }).format
}

/**
 * The order of insertion by format. "a" was written again, and format 1 does not know that it was
 * there before.
 */
const INSERTED = new Map([
  [1, 'a d c b'],
  [2, 'd c b a'],
])

async function sendAgain(server: ServerProcess, { packed }: Opened): Promise<number> {
  const http = new HttpClient(server.url)
  const { eventsKey: writeKey } = packed
  const batch = [{ ...stockEvent('golden-new', writeKey), anonymousId: 'visitor-new' }]
  const { status } = await http.send(eventBatch(writeKey, batch))
  http.close()
  return status
}

suite('data folders of earlier versions', () => {
  for (const name of GOLDEN) {
    test(`${name} has all its data, accepts more, and is used by one service`, async () => {
      await using golden = opened(name)
      const server = await golden.start()
      await assert.rejects(
        ServerProcess.start({ dataDir: golden.path, threads: 1 }),
        /another process is using it/,
      )
      await assertWhole(server, golden)
      const admin = new AisleClient({ url: server.url, adminToken: server.adminToken })
      const { snapshots } = await admin.snapshots()
      assert.equal(snapshots.length, 1)
      assert.equal((await admin.verifySnapshot(snapshots[0]!.name)).documents, DOCUMENTS.length)
      const shop = shopOf(server.url, golden.packed)
      const order = INSERTED.get(formatOf(golden.packed))
      assert.equal(await orderOf(shop), order)
      await shop.bulk(['{"id":"e","title":"Brown shoe"}', JSON.stringify(DOCUMENTS[2])])
      assert.equal(await orderOf(shop), `e ${order}`)
      assert.equal((await shop.search({ q: 'shoe' })).found, 3)
      assert.equal(await sendAgain(server, golden), 200)
    })
  }
})

/** Changes the version of one file of a folder to a newer one. */
type Renew = (bytes: Buffer) => Buffer

const NEWER_CACHES: readonly (readonly [pattern: RegExp, renew: Renew])[] = [
  [/^index\/.*manifest\.json$/, renewManifest],
  [/\.history$/, renewHistory],
  // DuckDB's storage version.
  [/\.duckdb$/, (bytes) => changed(bytes, (all) => all.writeUInt8(250, 12))],
]

suite('data folders of later versions', () => {
  test('a folder is refused in one line, and not a byte of it changes', async () => {
    await using golden = opened(GOLDEN[0]!)
    writeFileSync(join(golden.path, 'aisle.json'), '{"format":3}\n')
    const before = readFolder(golden.path)
    await assert.rejects(
      golden.start(),
      /it has format 3, but this version reads formats up to 2; nothing was/,
    )
    assert.deepEqual(readFolder(golden.path), before)
  })

  test('index, history of suggestions and reports are rebuilt from their sources; a snapshot is refused', async () => {
    await using golden = opened(GOLDEN[0]!)
    for (const [pattern, renew] of NEWER_CACHES) renewFiles(golden, pattern, renew)
    renewFiles(golden, /^snapshots\/.*\/snapshot\.json$/, renewSnapshot)
    const server = await golden.start()
    await assertWhole(server, golden)
    const admin = new AisleClient({ url: server.url, adminToken: server.adminToken })
    const { snapshots } = await admin.snapshots()
    for (const { name } of snapshots) await assert.rejects(admin.verifySnapshot(name), /format 99/)
  })

  test('an event log is unchanged: its store accepts no events, and remains searchable', async () => {
    await using golden = opened(GOLDEN[0]!)
    const pattern = /^events\/.*\.aev$/
    const before = renewFiles(golden, pattern, renewLog)
    const server = await golden.start()
    assert.equal((await shopOf(server.url, golden.packed).search({ q: 'shoes' })).found, 2)
    assert.equal(await sendAgain(server, golden), 503)
    const after = [...readFolder(golden.path)].filter(([path]) => pattern.test(path))
    assert.deepEqual(after, before)
  })
})

/** @returns the changed files with their new content */
function renewFiles({ path }: Opened, pattern: RegExp, renew: Renew): [string, Uint8Array][] {
  const files = [...readFolder(path)].filter(([name]) => pattern.test(name))
  assert.ok(files.length > 0, String(pattern))
  return files.map(([name]) => {
    const bytes = renew(readFileSync(join(path, name)))
    writeFileSync(join(path, name), bytes)
    return [name, bytes]
  })
}

function changed(bytes: Buffer, change: (all: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy)
  return copy
}

/** docs/formats/manifest.md */
function renewManifest(file: Buffer): Buffer {
  const manifest = JSON.parse(file.subarray(0, -16).toString()) as { version: number }
  const content = Buffer.from(JSON.stringify({ ...manifest, version: manifest.version + 1 }))
  const trailer = Buffer.from(file.subarray(-16))
  trailer.writeUInt32LE(crc32(content), 4)
  trailer.writeDoubleLE(content.length, 8)
  return Buffer.concat([content, trailer])
}

function renewHistory(file: Buffer): Buffer {
  const saved = deserialize(file.subarray(4)) as { version: number }
  const content = serialize({ ...saved, version: saved.version + 1, state: 'of another kind' })
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(crc32(content))
  return Buffer.concat([checksum, content])
}

function renewSnapshot(file: Buffer): Buffer {
  const description = JSON.parse(file.toString()) as { format: number }
  return Buffer.from(JSON.stringify({ ...description, format: 99 }))
}

/** docs/formats/events-log.md */
function renewLog(file: Buffer): Buffer {
  return changed(file, (all) => {
    all.writeUInt32LE(all.readUInt32LE(4) + 1, 4)
    all.writeUInt32LE(crc32(all.subarray(0, 28)), 28)
  })
}
