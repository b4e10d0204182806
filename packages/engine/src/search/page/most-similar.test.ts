import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBitset, setBit } from '../../codec/bitset.ts'
import { SectionReader, SectionWriter } from '../../codec/section-file.ts'
import { queryVector } from '../../vectors/quantise.ts'
import { openVectors } from '../../vectors/vector-column.ts'
import { writeVectors } from '../../vectors/write-vectors.ts'
import { finish } from '../view/steps.ts'
import { mostSimilar } from './most-similar.ts'
import { KeySource, type SortableSegment } from './sort-keys.ts'

const SHAPE = { dimensions: 384, metric: 'cosine' as const }
const DOCUMENTS = 3_000
const MAGIC = 0x54534554
const PACE = { checkDeadline: () => undefined }

/** Kinds of products, and products that differ a little within a kind. */
function catalog(): number[][] {
  let state = 7
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5
  const direction = () => Array.from({ length: SHAPE.dimensions }, random)
  const kinds = Array.from({ length: 60 }, direction)
  return Array.from({ length: DOCUMENTS }, (_, i) => {
    const own = direction()
    return kinds[i % kinds.length]!.map((value, at) => value + 0.7 * own[at]!)
  })
}

test('the most similar of many are found among those with most signs in common', () => {
  const vectors = catalog()
  const sections = new SectionWriter()
  writeVectors(0, SHAPE, vectors, sections)
  const reader = new SectionReader(sections.finish(MAGIC, {}), MAGIC)
  const column = openVectors(reader, 0, SHAPE, DOCUMENTS)!
  const set = newBitset(DOCUMENTS)
  for (let docOrd = 0; docOrd < DOCUMENTS; docOrd++) if (docOrd % 7 !== 0) setBit(set, docOrd)
  let found = 0
  for (let query = 0; query < 40; query++) {
    const vector = queryVector(vectors[query * 7]!, SHAPE.metric)
    const segment = { vectors: () => column } as unknown as SortableSegment
    const source = new KeySource(
      { kind: 'similarity', field: 0, vector, descending: true },
      segment,
    )
    const exact = finish(mostSimilar(set, 10, source, PACE))!
    const quick = finish(mostSimilar(set, 10, source, PACE, 0, 300))!
    const naive = Array.from({ length: DOCUMENTS }, (_, docOrd) => docOrd)
      .filter((docOrd) => docOrd % 7 !== 0)
      .toSorted((a, b) => column.similarityOf(b, vector) - column.similarityOf(a, vector))
      .slice(0, 10)
    assert.deepEqual(
      [...exact],
      naive.toSorted((a, b) => a - b),
    )
    assert.ok(quick.length >= 10)
    assert.ok(quick.every((docOrd) => docOrd % 7 !== 0))
    found += naive.filter((docOrd) => quick.includes(docOrd)).length
  }
  assert.ok(found >= 0.99 * 400, `${found} of 400`)
})
