import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { seededIntegers } from '@aisle/testing'
import { IndexWriter } from '../indexer/index-writer.ts'
import { performIndexTask } from '../indexer/index-task.ts'
import type { IndexDocument } from '../schema/document.ts'
import { GOODS, goodsAnswers, goodsDocument } from '../search/goods-for-test.ts'
import { readCheckedFile, writeCheckedFile } from './checked-file.ts'
import { openIndex, saveIndex } from './index-files.ts'

const base = mkdtempSync(join(tmpdir(), 'aisle-files-'))
let folderCount = 0
const newFolder = (): string => join(base, String(++folderCount))

/** Three segments with some deleted documents. */
function makeWriter(firstKey = 1, opened?: Awaited<ReturnType<typeof openIndex>>): IndexWriter {
  const writer = new IndexWriter(GOODS, 'en', opened)
  const documents = Array.from({ length: 90 }, (_, i) => goodsDocument(firstKey + i))
  for (let from = 0; from < 90; from += 30) {
    writer.apply({ added: documents.slice(from, from + 30), removed: [] })
  }
  writer.apply({ added: [], removed: documents.filter((_, i) => i % 9 === 2) })
  return writer
}

async function open(folder: string): Promise<IndexWriter | undefined> {
  const opened = await openIndex(folder, GOODS, 'en')
  return opened && new IndexWriter(GOODS, 'en', opened)
}

suite('index files', () => {
  after(() => rmSync(base, { recursive: true, force: true }))

  test('an index answers the same after it was saved and opened, with deleted documents', async () => {
    const folder = newFolder()
    const writer = makeWriter()
    saveIndex(folder, writer.saved())
    const opened = (await open(folder))!
    assert.equal(opened.docCount, 80)
    assert.deepEqual(goodsAnswers(opened.snapshot()), goodsAnswers(writer.snapshot()))
    assert.deepEqual(opened.coveredRanges, writer.coveredRanges)
  })

  test('files contain no part of what is written during a save', async () => {
    const folder = newFolder()
    const writer = makeWriter()
    const saved = writer.saved()
    const before = goodsAnswers(structuredClone(writer.snapshot()))
    const more = Array.from({ length: 30 }, (_, i) => goodsDocument(200 + i))
    writer.apply({ added: more, removed: [goodsDocument(1)] })
    saveIndex(folder, saved)
    assert.deepEqual(goodsAnswers((await open(folder))!.snapshot()), before)
  })

  test('an opened index accepts writes, deletes, a merge, a second save', async () => {
    const folder = newFolder()
    saveIndex(folder, makeWriter().saved())
    const live = new Map<number, IndexDocument>()
    for (let i = 0; i < 90; i++) if (i % 9 !== 2) live.set(i + 1, goodsDocument(i + 1))
    const writer = (await open(folder))!
    const added = [91, 92, 93].map((docKey) => goodsDocument(docKey))
    const removed = [1, 40, 91].map((docKey) => goodsDocument(docKey))
    writer.apply({ added, removed: [] })
    writer.apply({ added: [], removed })
    for (const document of added) live.set(document.docKey, document)
    for (const { docKey } of removed) live.delete(docKey)
    const ids = writer.segments.map(({ id }) => id)
    const run = { from: 0, to: ids.length }
    writer.replace(ids, performIndexTask(writer.mergeTask(run))!)
    saveIndex(folder, writer.saved())

    const fresh = new IndexWriter(GOODS, 'en')
    fresh.apply({ added: [...live.values()], removed: [] })
    assert.deepEqual(goodsAnswers((await open(folder))!.snapshot()), goodsAnswers(fresh.snapshot()))
    assert.equal(readdirSync(folder).length, 3, 'one segment, one dictionary, the manifest')
  })

  test('files are not opened for another language or other fields', async () => {
    const folder = newFolder()
    saveIndex(folder, makeWriter().saved())
    assert.equal(await openIndex(folder, GOODS, 'de'), undefined)
    const changed = { ...GOODS.fields[0]!, facet: true }
    const schema = { fields: [changed, ...GOODS.fields.slice(1)] }
    assert.equal(await openIndex(folder, schema, 'en'), undefined)
    assert.equal(await openIndex(folder, { fields: GOODS.fields.slice(0, 3) }, 'en'), undefined)
    const more = { ...changed, name: 'more' }
    assert.ok(await openIndex(folder, { fields: [...GOODS.fields, more] }, 'en'))
  })

  test('files of a version with another fingerprint are not opened', async () => {
    const folder = newFolder()
    saveIndex(folder, makeWriter().saved())
    const path = join(folder, 'manifest.json')
    const text = new TextDecoder().decode(new Uint8Array(await readCheckedFile(path)).slice())
    const manifest = JSON.parse(text) as { fingerprint: number }
    manifest.fingerprint ^= 1
    writeCheckedFile(path, new TextEncoder().encode(JSON.stringify(manifest)))
    assert.equal(await openIndex(folder, GOODS, 'en'), undefined)
  })

  test('files of an interrupted save are never mistaken for newer ones of the same name', async () => {
    const folder = newFolder()
    const first = makeWriter()
    saveIndex(folder, first.saved())
    // A save that was interrupted after the segments: the manifest is still the old one.
    const half = newFolder()
    const lost = makeWriter(1_000, await openIndex(folder, GOODS, 'en'))
    saveIndex(half, lost.saved())
    for (const name of readdirSync(half)) {
      if (name.endsWith('.seg')) cpSync(join(half, name), join(folder, name))
    }
    // The next process assigns the same segment numbers to other documents.
    const next = makeWriter(2_000, await openIndex(folder, GOODS, 'en'))
    saveIndex(folder, next.saved())
    assert.deepEqual(goodsAnswers((await open(folder))!.snapshot()), goodsAnswers(next.snapshot()))

    // Nor are segments of an index whose manifest is missing.
    rmSync(join(folder, 'manifest.json'))
    assert.equal(await openIndex(folder, GOODS, 'en'), undefined)
    const remade = makeWriter(3_000)
    saveIndex(folder, remade.saved())
    assert.deepEqual(
      goodsAnswers((await open(folder))!.snapshot()),
      goodsAnswers(remade.snapshot()),
    )
  })

  test('a save interrupted at any step leaves the old index or the new one', async () => {
    const before = newFolder()
    const older = makeWriter()
    saveIndex(before, older.saved())
    const newer = makeWriter(1_000, await openIndex(before, GOODS, 'en'))
    const newest = newFolder()
    cpSync(before, newest, { recursive: true })
    saveIndex(newest, newer.saved())

    const added = readdirSync(newest).filter((name) => !existsSync(join(before, name)))
    // In write order: segments, dictionary, manifest; then files that are not named are removed.
    added.sort((a, b) => Number(b.endsWith('.seg')) - Number(a.endsWith('.seg')))
    const steps = [...added, 'manifest.json']
    const removed = readdirSync(before).filter((name) => !existsSync(join(newest, name)))
    for (let done = 0; done <= steps.length + removed.length; done++) {
      const folder = newFolder()
      cpSync(before, folder, { recursive: true })
      for (const name of steps.slice(0, done)) cpSync(join(newest, name), join(folder, name))
      if (done < steps.length) writeFileSync(join(folder, `${steps[done]!}.tmp`), 'half')
      for (const name of removed.slice(0, Math.max(0, done - steps.length))) {
        rmSync(join(folder, name))
      }
      const wanted = done < steps.length ? older : newer
      const opened = (await open(folder))!
      assert.deepEqual(goodsAnswers(opened.snapshot()), goodsAnswers(wanted.snapshot()))
      // And the next save removes them.
      saveIndex(folder, opened.saved())
      assert.deepEqual(
        goodsAnswers((await open(folder))!.snapshot()),
        goodsAnswers(wanted.snapshot()),
      )
      assert.equal(readdirSync(folder).length, opened.segments.length + 2)
    }
  })

  // Goal: damage is detected or harmless. Method: damage files of all kinds in many ways, then
  // search.
  test('a damaged file is rejected, never searched', async () => {
    const older = newFolder()
    const folder = newFolder()
    const writer = makeWriter()
    saveIndex(older, writer.saved())
    cpSync(older, folder, { recursive: true })
    const continued = (await open(folder))!
    continued.apply({ added: [goodsDocument(500)], removed: [goodsDocument(50)] })
    saveIndex(folder, continued.saved())
    const right = JSON.stringify(goodsAnswers(continued.snapshot()), withBigints)
    const outcomes = { refused: 0, absent: 0, same: 0 }

    const check = async (what: string, damage: (copy: string) => void): Promise<void> => {
      const copy = newFolder()
      cpSync(folder, copy, { recursive: true })
      damage(copy)
      try {
        const opened = await open(copy)
        if (opened === undefined) outcomes.absent++
        else {
          assert.equal(JSON.stringify(goodsAnswers(opened.snapshot()), withBigints), right, what)
          outcomes.same++
        }
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        outcomes.refused++
      }
      rmSync(copy, { recursive: true })
    }

    const names = readdirSync(folder)
    const random = seededIntegers(7)
    for (const name of names) {
      await check(`${name} deleted`, (copy) => rmSync(join(copy, name)))
      await check(`${name} empty`, (copy) => writeFileSync(join(copy, name), ''))
      for (let i = 0; i < 8; i++) {
        await check(`${name} with a flipped bit, ${i}`, (copy) => {
          const bytes = readFileSync(join(copy, name))
          bytes[random(bytes.length)]! ^= 1 << random(8)
          writeFileSync(join(copy, name), bytes)
        })
        await check(`${name} cut, ${i}`, (copy) => {
          const bytes = readFileSync(join(copy, name))
          writeFileSync(join(copy, name), bytes.subarray(0, random(bytes.length)))
        })
      }
      for (const other of names) {
        if (other === name) continue
        await check(`${name} replaced by ${other}`, (copy) =>
          cpSync(join(folder, other), join(copy, name)),
        )
      }
      if (existsSync(join(older, name))) {
        await check(`${name} of an older save`, (copy) =>
          cpSync(join(older, name), join(copy, name)),
        )
      }
    }
    await check('older dictionary under the name of the newer one', (copy) =>
      cpSync(join(older, 'dictionary-1.dic'), join(copy, 'dictionary-2.dic')),
    )
    assert.ok(outcomes.refused > 80, JSON.stringify(outcomes))
    // An older copy of a file that has not changed since is identical.
    assert.ok(outcomes.same <= 3, JSON.stringify(outcomes))
  })
})

function withBigints(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
