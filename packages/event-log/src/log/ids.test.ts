import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { IdRun } from './id-run.ts'
import { IdTable } from './id-table.ts'
import { MemoryLogFiles } from './memory-log-files.ts'
import { messageIdHash } from './record.ts'

test('a table and a run contain exactly the added ids', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3_000), { maxLength: 1_500 }), (numbers) => {
      const known = new Set<number>()
      const table = new IdTable()
      for (const number of numbers) {
        assert.equal(table.add(messageIdHash(`${number}`), 0), !known.has(number))
        known.add(number)
      }
      const files = new MemoryLogFiles()
      const run = IdRun.create(files, 'ids', table.words(), { end: 9, lastReceivedMs: 7 })
      assert.equal(run.idCount, known.size)
      for (let number = 0; number <= 3_000; number += 7) {
        const id = messageIdHash(`${number}`)
        assert.equal(table.has(id, 0), known.has(number))
        assert.equal(run.has(id, 0), known.has(number))
      }
    }),
    { numRuns: 20 },
  )
})

test('the zero id is an id like any other', () => {
  const table = new IdTable()
  const zero = Buffer.alloc(16)
  assert.equal(table.has(zero, 0), false)
  assert.equal(table.add(zero, 0), true)
  assert.equal(table.add(zero, 0), false)
})

test('the filter of a run saves all but one read in a hundred', () => {
  const table = new IdTable()
  for (let i = 0; i < 20_000; i++) table.add(messageIdHash(`in ${i}`), 0)
  const files = new MemoryLogFiles()
  const run = IdRun.create(files, 'ids', table.words(), { end: 1, lastReceivedMs: 1 })
  assert.ok(run.memoryBytes / 20_000 < 2)
  let reads = 0
  const { read } = files
  files.read = (...place) => {
    reads++
    return read.apply(files, place)
  }
  for (let i = 0; i < 20_000; i++) assert.equal(run.has(messageIdHash(`out ${i}`), 0), false)
  assert.ok(reads < 200, `${reads} reads`)
})
