import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { LogFolder, RecordBatch } from '@aisle/event-log'
import { openEmbeddedCatalog } from '../adapters/embedded/test/embedded-catalog.ts'
import type { EmbeddedCatalog } from '../adapters/embedded/test/embedded-catalog.ts'
import { filled, idsOf } from '../ports/catalog/catalog-fixture.ts'
import { examineDataFolder } from './examine-data-folder.ts'
import type { Finding } from './examine-data-folder.ts'
import { restoreSnapshot } from './restore-snapshot.ts'

// Goal: no matter what happens to a data folder, the doctor says in words what is wrong and what to
// do, and its advice works. Method: a folder with documents, index files, events and a snapshot is
// copied and damaged in one way after the other; the advice is followed.

type Damage = (folder: string) => void

const NOW_MS = Date.UTC(2030, 0, 1)
let whole: string
let work: string

const document = (folder: string): string => join(folder, 'lmdb', 'data.mdb')

function firstFile(folder: string, ending: string): string {
  const found = readdirSync(folder, { recursive: true }).find((name) =>
    String(name).endsWith(ending),
  )
  assert.ok(found !== undefined, `a file *${ending}`)
  return join(folder, String(found))
}

/** Flips one bit of every `every` bytes. */
function flip(file: string, every: number, from = 0): void {
  const bytes = readFileSync(file)
  for (let at = from; at < bytes.length; at += every) bytes[at]! ^= 0x10
  writeFileSync(file, bytes)
}

const halve = (file: string): void => truncateSync(file, Math.floor(statSync(file).size / 2))

/**
 * `cache` is rebuilt automatically. The others need the snapshot; with `events` the
 * service starts without it.
 */
const DAMAGES: readonly (readonly [string, Damage, 'documents' | 'cache' | 'events', RegExp])[] = [
  ['bits of the document file', (f) => flip(document(f), 97, 8_192), 'documents', /damaged/i],
  [
    'the heads of the document file',
    (f) => flip(document(f), 8, 0),
    'documents',
    /headers are damaged/,
  ],
  [
    'a head of the document file',
    (f) => flip(document(f), 1e9, 4_096 + 24),
    'documents',
    /one of the two headers of .* is damaged/,
  ],
  ['half of the document file', (f) => halve(document(f)), 'documents', /damaged|read to its end/],
  ['the document file', (f) => rmSync(document(f)), 'documents', /is missing/],
  [
    'the folder of documents',
    (f) => rmSync(join(f, 'lmdb'), { recursive: true }),
    'documents',
    /is missing/,
  ],
  [
    'bits of an index file',
    (f) => flip(firstFile(join(f, 'index'), '.seg'), 50),
    'cache',
    /They are a cache/,
  ],
  [
    'half of the manifest',
    (f) => halve(firstFile(join(f, 'index'), 'manifest.json')),
    'cache',
    /They are a cache/,
  ],
  ['a dictionary', (f) => rmSync(firstFile(join(f, 'index'), '.dic')), 'cache', /They are a cache/],
  ['the index', (f) => rmSync(join(f, 'index'), { recursive: true }), 'cache', /They are a cache/],
  [
    'a bit in an event',
    (f) => flip(firstFile(join(f, 'events'), '.aev'), 1e9, 60),
    'events',
    /bytes of the event logs cannot be read/,
  ],
  [
    'the end of the events',
    (f) => appendFileSync(firstFile(join(f, 'events'), '.aev'), 'torn'),
    'events',
    /bytes of the event logs cannot be read/,
  ],
  [
    'the head of the events',
    (f) => flip(firstFile(join(f, 'events'), '.aev'), 1e9, 9),
    'events',
    /cannot be read: The header of/,
  ],
  ['the format', (f) => rmSync(join(f, 'aisle.json')), 'documents', /no aisle\.json/],
]

suite('restore drill', () => {
  before(async () => {
    work = mkdtempSync(join(tmpdir(), 'aisle-drill-'))
    const catalog = (await filled(openEmbeddedCatalog)) as EmbeddedCatalog
    whole = catalog.folder
    writeFileSync(join(whole, 'aisle.json'), '{"format":1}')
    await writeEvents(join(whole, 'events'))
    await catalog.snapshots.create()
    await catalog.close()
  })
  after(() => {
    for (const folder of [whole, work]) rmSync(folder, { recursive: true, force: true })
  })

  test('a whole folder is well', async () => {
    const findings = await examineDataFolder(whole, NOW_MS)
    assert.deepEqual([...new Set(findings.map(({ verdict }) => verdict))], ['ok'])
    assert.ok(findings.some(({ text }) => text.startsWith('3 entries of 1 event logs')))
  })

  for (const [what, damage, kind, says] of DAMAGES) {
    test(`${what} damaged or gone`, async () => {
      const folder = join(work, what.replaceAll(' ', '-'))
      cpSync(whole, folder, { recursive: true })
      damage(folder)
      const before_ = listing(folder)
      const findings = await examineDataFolder(folder, NOW_MS)
      assert.deepEqual(listing(folder), before_, 'nothing was changed')
      const finding = findings.find(({ text }) => says.test(text))
      assert.ok(finding !== undefined, JSON.stringify(findings))
      if (kind === 'documents') assert.equal(finding.verdict, 'error')
      if (kind !== 'cache') await restoreAsAdvised(folder, finding)
      if (kind === 'cache') {
        const catalog = await openEmbeddedCatalog(folder)
        assert.deepEqual(await idsOf(catalog, { words: ['shoe'] }), ['a', 'b'])
        await catalog.close()
      }
    })
  }
})

async function writeEvents(folder: string): Promise<void> {
  const logs = new LogFolder({ folder, now: () => NOW_MS, onProblem: assert.fail })
  const records = new RecordBatch(1_024)
  for (const messageId of ['1', '2', '3']) {
    const visitor = { anonymousId: 'a' }
    const times = { atMs: NOW_MS, receivedMs: NOW_MS }
    records.add({ kind: 'identify', messageId, visitor, ...times })
  }
  await logs.append('shop.1', { records: records.take() })
  await logs.close()
}

/** Names and sizes; the table of readers and the lock come and go. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !['lock.mdb', 'lock'].includes(entry.name))
    .map(
      (entry) =>
        `${entry.parentPath}/${entry.name} ${statSync(join(entry.parentPath, entry.name)).size}`,
    )
    .toSorted()
}

async function restoreAsAdvised(folder: string, { advice = '' }: Finding): Promise<void> {
  assert.match(advice, /aisle restore|A snapshot|repeat it/)
  const [snapshot] = readdirSync(join(folder, 'snapshots'))
  const mended = `${folder}-mended`
  await restoreSnapshot(join(folder, 'snapshots', snapshot!), mended)
  const findings = await examineDataFolder(mended, NOW_MS)
  assert.ok(findings.every(({ verdict }) => verdict !== 'error'))
  assert.ok(findings.some(({ text }) => text.startsWith('3 entries of 1 event logs')))
  const catalog = await openEmbeddedCatalog(mended)
  assert.deepEqual(await idsOf(catalog, { words: ['shoe'] }), ['a', 'b'])
  await catalog.close()
}
