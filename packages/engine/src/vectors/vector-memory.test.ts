import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { SectionReader, SectionWriter } from '../codec/section-file.ts'
import { arbitraryVector } from '../naive/generate-vectors.ts'
import type { VectorShape } from '../schema/schema.ts'
import { dotProduct, queryVector, similarity, storedVector } from './quantise.ts'
import { openVectors, type VectorColumn } from './vector-column.ts'
import { vectorMemory } from './vector-memory.ts'
import { mergeVectors, writeVectors } from './write-vectors.ts'

const MAGIC = 0x54534554

type Vectors = readonly (readonly number[] | undefined)[]

function written(write: (sections: SectionWriter) => void): SectionReader {
  const sections = new SectionWriter()
  write(sections)
  return new SectionReader(sections.finish(MAGIC, {}), MAGIC)
}

function columnOf(vectors: Vectors, shape: VectorShape): VectorColumn | undefined {
  const sections = written((one) => writeVectors(3, shape, vectors, one))
  return openVectors(sections, 3, shape, vectors.length)
}

const arbitraryShape = fc.record({
  dimensions: fc.constantFrom(8, 16, 17, 128, 131, 384),
  metric: fc.constantFrom('cosine' as const, 'dot'),
})
const arbitraryCase = arbitraryShape.chain((shape) =>
  fc.record({
    shape: fc.constant(shape),
    vectors: fc.array(fc.option(arbitraryVector(shape.dimensions), { nil: undefined, freq: 4 }), {
      maxLength: 40,
      size: 'max',
    }),
    query: arbitraryVector(shape.dimensions),
  }),
)

suite('vectors', () => {
  // Goal: 128-bit instructions give the numbers of the loop. Method: both, for any rows in any
  // order: those between the first and the last may be swapped.
  test('are compared by kernels as by the loop', () => {
    fc.assert(
      fc.property(
        arbitraryCase,
        fc.infiniteStream(fc.boolean()),
        ({ shape, vectors, query }, kept) => {
          const column = columnOf(vectors, shape)
          const known = vectors.filter((one) => one !== undefined)
          assert.equal(column?.rowCount ?? 0, known.length)
          if (column === undefined) return
          const sought = queryVector(query, shape.metric)
          const rows = Uint32Array.from(known.keys()).filter(() => kept.next().value === true)
          for (let i = 1; i < rows.length - 2; i++) {
            const [left, right] = [rows[i]!, rows[i + 1]!]
            if (kept.next().value === true) rows.set([right, left], i)
          }
          const similarities = new Float64Array(rows.length)
          vectorMemory.similarities(column, sought, rows, rows.length, similarities)
          const expected = Array.from(rows, (row) =>
            similarity(storedVector(known[row]!, shape.metric), sought),
          )
          assert.deepEqual([...similarities], expected)
          assert.deepEqual(
            Array.from(rows, (row) => column.similarityOf(row, sought)),
            expected,
          )
          const distances = new Uint16Array(rows.length)
          vectorMemory.signDistances(column, sought, rows, rows.length, distances)
          const differing = Array.from(
            rows,
            (row) => known[row]!.filter((value, i) => value > 0 !== sought.codes[i]! > 0).length,
          )
          assert.deepEqual([...distances], differing)
        },
      ),
    )
  })

  test('survive a merge without those of dropped documents', () => {
    fc.assert(
      fc.property(arbitraryCase, arbitraryCase, fc.infiniteStream(fc.boolean()), (a, b, kept) => {
        const { shape } = a
        const lists: Vectors[] = [
          a.vectors,
          b.vectors.map((one) => one?.slice(0, shape.dimensions)),
        ]
        if (b.shape.dimensions < shape.dimensions) lists.pop()
        let count = 0
        const merged: (readonly number[] | undefined)[] = []
        const sources = lists.map((vectors) => {
          const docMap = Int32Array.from(vectors, (vector) => {
            if (kept.next().value === true) return -1
            merged.push(vector)
            return count++
          })
          return { column: columnOf(vectors, shape), docMap }
        })
        const sections = written((one) => mergeVectors(3, shape, sources, count, one))
        const actual = openVectors(sections, 3, shape, count)
        const expected = columnOf(merged, shape)
        assert.deepEqual(actual?.ords, expected?.ords)
        assert.deepEqual(actual?.codes, expected?.codes)
        assert.deepEqual(actual?.signs, expected?.signs)
        assert.deepEqual(actual?.scales, expected?.scales)
      }),
    )
  })

  test('have a similarity of 1 to themselves by cosine, and within -1 and 1 to others', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ shape: { dimensions }, vectors, query }) => {
        const sought = queryVector(query, 'cosine')
        for (const values of [query, ...vectors]) {
          if (values === undefined) continue
          const value = similarity(storedVector(values, 'cosine'), sought)
          assert.ok(Math.abs(value) <= 1 + 1e-6, `${value} of ${dimensions}`)
          const isZero = values.every((one) => one === 0)
          if (values === query) assert.ok(isZero ? value === 0 : value > 0.999, String(value))
        }
      }),
    )
  })

  test('fit the sum of a kernel, however large their numbers', () => {
    const dimensions = 4_096
    const largest = Array<number>(dimensions).fill(3.4e38)
    const [vector, query] = [storedVector(largest, 'dot'), queryVector(largest, 'dot')]
    assert.equal(dotProduct(vector.codes, query.codes), 127 * 2_047 * dimensions)
    const column = columnOf([largest], { dimensions, metric: 'dot' })!
    const similarities = new Float64Array(1)
    vectorMemory.similarities(column, query, Uint32Array.of(0), 1, similarities)
    assert.equal(similarities[0], similarity(vector, query))
    const distances = new Uint16Array(1)
    const opposite = queryVector(
      largest.map((value) => -value),
      'dot',
    )
    vectorMemory.signDistances(column, opposite, Uint32Array.of(0), 1, distances)
    assert.equal(distances[0], dimensions)
  })
})
