import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ImpactTable } from './impact-table.ts'

test('each tuple has one code, and each code its tuple', () => {
  const tuples = fc.integer({ min: 1, max: 4 }).chain((width) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: width, maxLength: width }), {
      maxLength: 600,
      size: 'max',
    }),
  )
  fc.assert(
    fc.property(tuples, (tuples) => {
      const width = tuples[0]?.length ?? 1
      const table = new ImpactTable(width)
      const codes = new Map<string, number>()
      for (const tuple of tuples) {
        const bytes = Uint8Array.from([99, ...tuple])
        const key = tuple.join()
        if (!codes.has(key)) codes.set(key, codes.size)
        assert.equal(table.codeOf(bytes, 1), codes.get(key))
      }
      assert.equal(table.count, codes.size)
      const wanted = [...codes.keys()].flatMap((key) => key.split(',').map(Number))
      assert.deepEqual([...table.bytes()], wanted)
    }),
    { numRuns: 40 },
  )
})

test('an index without text has only the empty tuple', () => {
  const table = new ImpactTable(0)
  assert.equal(table.codeOf(new Uint8Array(1), 0), 0)
  assert.equal(table.codeOf(new Uint8Array(1), 0), 0)
  assert.equal(table.bytes().length, 0)
})
