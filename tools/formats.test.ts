import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, suite } from 'node:test'
import { crc32 } from 'node:zlib'
import type { IndexDocument, Schema } from '@aisle/engine'
import { IndexWriter, openIndex, performIndexTask } from '@aisle/engine'
import { readSource } from './lib/source-files.ts'

/** A saved index with every kind of field, read only according to docs/formats. */
const schema: Schema = {
  fields: [
    { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
    { name: 'brand', type: 'string', searchable: true, facet: true, sort: true },
    { name: 'tags', type: 'string[]', searchable: false, facet: true, sort: false },
    { name: 'serial', type: 'int64', searchable: false, facet: true, sort: true },
    { name: 'price', type: 'float', searchable: false, facet: false, sort: true },
  ],
}
const folder = mkdtempSync(join(tmpdir(), 'aisle-formats-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const documents = [
  { docKey: 7, id: 'a', values: ['Tents and a tent', 'Ålpine', ['x', 'y'], 5n, 2.5] },
  { docKey: 9, id: 'b', values: ['Red mug', 'alpine', [], -(2n ** 63n), 1] },
  { docKey: 12, inserted: 4, id: 'c', values: ['Mug, tent; mug'] },
]
saveIndex(folder, documents, [documents[1]!])

function saveIndex(
  into: string,
  added: readonly IndexDocument[],
  removed: readonly IndexDocument[] = [],
): void {
  const index = new IndexWriter(schema, 'en')
  index.apply({ added, removed: [] })
  index.apply({ added: [], removed })
  index.setTrie(performIndexTask(index.trieTask())!, index.termCounts.all)
  performIndexTask({ kind: 'save', folder: into, index: index.saved() })
}

/** The content of a file with a valid trailer. */
function content(name: string, of = folder): Buffer<ArrayBuffer> {
  const file = Buffer.from(readFileSync(join(of, name)))
  const bytes = file.subarray(0, -16)
  assert.equal(file.toString('latin1', file.length - 16, file.length - 12), 'AISF')
  assert.equal(file.readUInt32LE(file.length - 12), crc32(bytes))
  assert.equal(file.readDoubleLE(file.length - 8), bytes.length)
  return bytes
}

function sectionsOf(bytes: Buffer, magic: string): { names: string[]; section: SectionOf } {
  assert.equal(bytes.toString('latin1', 0, 4), magic)
  assert.equal(bytes.readUInt32LE(4), 1)
  const count = bytes.readUInt32LE(8)
  const metaStart = 16 + count * 16
  const meta = bytes.toString('utf8', metaStart, metaStart + bytes.readUInt32LE(12))
  const { names } = JSON.parse(meta) as { names: string[] }
  assert.equal(names.length, count)
  const section: SectionOf = (name) => {
    const place = 16 + names.indexOf(name) * 16
    const offset = bytes.readDoubleLE(place)
    assert.equal(offset % 8, 0)
    return Buffer.from(bytes.subarray(offset, offset + bytes.readDoubleLE(place + 8)))
  }
  return { names, section }
}
type SectionOf = (name: string) => Buffer<ArrayBuffer>
const u16 = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16LE(i * 2))
const u32 = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4))
const f64 = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(i * 8))

/** The terms of a dictionary file by id, and the sections of its trie. */
function termsOf(bytes: Buffer): ReturnType<typeof sectionsOf> & { texts: string[] } {
  const { section } = sectionsOf(bytes, 'AIDC')
  const arena = section('terms.arena').toString('utf16le')
  const offsets = u32(section('terms.offsets'))
  const texts = offsets.slice(1).map((end, id) => arena.slice(offsets[id], end))
  return { texts, ...sectionsOf(section('trie'), 'TRIE') }
}

/** Number of common leading code points of two strings. */
function sharedLength(a: string, b: string): number {
  const others = [...b]
  const different = [...a].findIndex((letter, i) => letter !== others[i])
  return different === -1 ? [...a].length : different
}

/** Varints of distances, starting at -1. */
function idsOf(bytes: Buffer): number[] {
  const ids: number[] = []
  let [id, distance, shift] = [-1, 0, 0]
  for (const byte of bytes) {
    distance += (byte & 127) * 2 ** shift
    shift += 7
    if (byte > 127) continue
    ids.push((id += distance))
    distance = shift = 0
  }
  return ids
}

/** Section names in the tables of a page, as patterns: `<f>` and `<id>` match a number. */
function documented(page: string): string[] {
  return readSource(page)
    .text.split('\n')
    .flatMap((line) => {
      const first = /^\| (`[^|]+) \|/.exec(line)?.[1] ?? ''
      const names = [...first.matchAll(/`([\w.<>]+)`/g)].map((match) => match[1] ?? '')
      // `column.<f>.ords8`, `.ords16`: the second means `column.<f>.ords16`.
      return names.map((name) => (name.startsWith('.') ? `column.<f>${name}` : name))
    })
}

const manifest = JSON.parse(content('manifest.json').toString()) as {
  version: number
  schema: Schema
  language: string
  dictionary: { name: string; checksum: number }
  segments: { id: number; checksum: number }[]
}

suite('the format pages describe the files', () => {
  test('the manifest names the files with their checksums', () => {
    assert.equal(manifest.version, 4)
    assert.deepEqual([manifest.schema, manifest.language], [schema, 'en'])
    const { dictionary, segments } = manifest
    const files = segments.map(({ id }) => `segment-${id}.seg`)
    assert.deepEqual(
      readdirSync(folder).toSorted(),
      [...files, 'manifest.json', dictionary.name].toSorted(),
    )
    assert.equal(crc32(content(dictionary.name)), dictionary.checksum)
    assert.equal(crc32(content(files[0] ?? '')), segments[0]?.checksum)
  })

  test('every section is documented', () => {
    const general = (name: string): string =>
      name.replace(/^live\.\d+/, 'live.<id>').replace(/\.\d+/, '.<f>')
    const segment = sectionsOf(content(`segment-${manifest.segments[0]?.id}.seg`), 'AISG')
    const known = documented('docs/formats/segment.md')
    assert.deepEqual(
      [...new Set(segment.names.map(general))].filter((n) => !known.includes(n)),
      [],
    )
    const dictionary = sectionsOf(content(manifest.dictionary.name), 'AIDC')
    const listed = documented('docs/formats/manifest.md')
    const names = [...new Set(dictionary.names.map(general))]
    assert.deepEqual(
      names.filter((name) => !listed.includes(name)),
      [],
    )
  })

  test('the terms of a small index are in order, each with the length of its shared prefix', () => {
    const { texts, names, section } = termsOf(content(manifest.dictionary.name))
    const listed = documented('docs/formats/manifest.md')
    assert.deepEqual(
      names.filter((name) => !listed.includes(name)),
      [],
    )
    const sorted = u16(section('order')).map((id) => texts[id] ?? '')
    assert.deepEqual(sorted, texts.toSorted())
    assert.deepEqual(
      [...section('shared')],
      sorted.map((text, rank) => sharedLength(text, sorted[rank - 1] ?? '')),
    )
    const backwards = (text: string): string => [...text].toReversed().join('')
    assert.deepEqual(
      u16(section('endings')).map((id) => texts[id] ?? ''),
      texts.map(backwards).toSorted().map(backwards),
    )
  })

  test('the grams of the trie of a large index name the terms that hold them', () => {
    const large = join(folder, 'large')
    const words = Array.from({ length: 16_400 }, (_, i) => `w${i.toString(36)}`).join(' ')
    saveIndex(large, [{ docKey: 1, id: 'a', values: [`${words} tent tents`] }])
    const saved = JSON.parse(content('manifest.json', large).toString()) as typeof manifest
    const { texts, names, section } = termsOf(content(saved.dictionary.name, large))
    const listed = documented('docs/formats/manifest.md')
    assert.deepEqual(
      names.filter((name) => !listed.includes(name)),
      [],
    )
    const keys = f64(section('gramKeys'))
    const starts = u32(section('gramStarts'))
    const [t, e, n] = [...'ten'].map((letter) => letter.charCodeAt(0)) as [number, number, number]
    const gram = keys.indexOf(t * 2 ** 32 + e * 2 ** 16 + n)
    const ids = idsOf(section('gramIds').subarray(starts[gram], starts[gram + 1]))
    assert.deepEqual(
      ids.map((id) => texts[id]),
      texts.filter((text) => text.includes('ten')),
    )
    assert.ok(ids.length > 0)
  })

  test('documents, columns, postings and positions are in the documented places', () => {
    const { section } = sectionsOf(content(`segment-${manifest.segments[0]?.id}.seg`), 'AISG')
    assert.deepEqual(f64(section('docKeys')), [7, 9, 12])
    assert.deepEqual(f64(section('insertedBase')), [4])
    assert.deepEqual(u32(section('inserted')), [3, 5, 0])
    assert.deepEqual(u32(section('insertionOrder')), [2, 0, 1])
    assert.deepEqual([...section('length.0')], [4, 2, 3])
    assert.deepEqual(u32(section('presence.0')), [0b111])
    assert.deepEqual(section('column.3.values').readBigInt64LE(0), -(2n ** 63n))
    assert.deepEqual([...section('column.3.ords8')], [2, 1, 0])
    // (10 + 0) / 10 and (10 + 15) / 10.
    assert.deepEqual(f64(section('column.4.base')), [10, 10])
    assert.deepEqual(u32(section('column.4.offsets')), [0, 15])
    assert.deepEqual([...section('column.2.ords8')], [1, 0, 0])
    assert.deepEqual(u32(section('column.2.setStart')), [0, 0, 2])

    const terms = sectionsOf(content(manifest.dictionary.name), 'AIDC').section
    const arena = terms('terms.arena').toString('utf16le')
    const offsets = u32(terms('terms.offsets'))
    const rows = u16(terms('terms.rows16'))
    const id = offsets.findIndex((at, i) => arena.slice(at, offsets[i + 1]) === 'tent')
    const group = rows[id * 6] ?? -1
    const list = u32(section('groups')).indexOf(group)
    const [from = 0, to = 0] = u32(section('listPosting')).slice(list, list + 2)
    const docOrds = Array.from({ length: to - from }, (_, i) =>
      section('ids').readUInt16LE((from + i) * 2),
    )
    assert.deepEqual(docOrds, [0, 2])
    assert.deepEqual(u32(terms('live.1')), [0b101])

    // "tents" at 0 and "tent" at 3 of document 0: two forms, so each occurrence names its form; the
    // second ends the title.
    const positions = section('positions')
    let at = u32(section('positionSkips'))[0] ?? 0
    for (let posting = 0; posting < from; posting++) at = behindPosting(positions, at)
    const forms = ['tents', 'tent'].map((form) => {
      const place = offsets.findIndex((start, i) => arena.slice(start, offsets[i + 1]) === form)
      return rows[place * 6 + 1]
    })
    assert.deepEqual(
      [...positions.subarray(at, at + 6)],
      [240 + 0b110, 0, forms[0], 240 + 0b1101, 3, forms[1]],
    )
    const mask = u32(section('listMasks'))[list] ?? 0
    assert.deepEqual([...section('masks8').subarray(mask, mask + 2)], [0b11, 1 << (forms[1] ?? 0)])
  })

  test('a saved index can be opened', async () => {
    assert.deepEqual((await openIndex(folder, schema, 'en'))?.segments.length, 1)
  })
})

function behindPosting(positions: Buffer, start: number): number {
  for (let at = start; ;) {
    const first = positions[at++] ?? 0
    const isLast = first < 160 || (first >= 208 && first < 232)
    if (first < 240) {
      if (isLast) return at
      continue
    }
    while ((positions[at] ?? 0) >= 0x80) at++
    at += (first & 4) !== 0 ? 2 : 1
    if ((first & 1) !== 0) return at
  }
}
