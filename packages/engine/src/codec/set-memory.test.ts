import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasBit, popcount } from './bitset.ts'
import { LISTED_BEYOND_BYTES, SET_ALIGN } from './set-kernels.ts'
import { SetMemory } from './set-memory.ts'

/** Words with few bits, many, none or all. */
function randomWord(at: number): number {
  const random = () => Math.floor(Math.random() * 2 ** 32)
  if (at % 5 === 0) return 0
  if (at % 7 === 0) return 0xffffffff
  return at % 2 === 0 ? (random() & random() & random()) >>> 0 : random()
}

for (const bytes of [0, SET_ALIGN, 5 * SET_ALIGN, 8192]) {
  test(`combines sets of ${bytes} bytes as a loop over words does`, () => {
    const memory = new SetMemory()
    const starts = [0, 1, 2].map(() => memory.take(bytes + SET_ALIGN))
    const numbers = memory.take(16 * bytes + LISTED_BEYOND_BYTES)
    for (let i = 0; i < memory.words.length; i++) memory.words[i] = randomWord(i)
    const [out, a, b] = starts as [number, number, number]
    const { kernels } = memory
    const read = (start: number, size = bytes) => memory.words.slice(start / 4, (start + size) / 4)
    const [before, first, second] = [out, a, b].map((start) => read(start)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ]
    const behind = read(out + bytes, SET_ALIGN)

    kernels.orAnd(out, a, b, bytes)
    assert.deepEqual(
      read(out),
      before.map((word, i) => word | (first[i]! & second[i]!)),
    )
    kernels.and(out, a, b, bytes)
    assert.deepEqual(
      read(out),
      first.map((word, i) => word & second[i]!),
    )
    kernels.or(out, a, b, bytes)
    assert.deepEqual(
      read(out),
      first.map((word, i) => word | second[i]!),
    )
    kernels.andNot(out, a, b, bytes)
    const left = first.map((word, i) => word & ~second[i]!)
    assert.deepEqual(read(out), left)
    assert.deepEqual([read(a), read(b)], [first, second])
    assert.deepEqual(read(out + bytes, SET_ALIGN), behind, 'nothing behind the set was written')

    assert.equal(kernels.count(out, bytes), popcount(left))
    const listed = kernels.list(out, bytes, numbers)
    assert.deepEqual(
      [...memory.numbers.subarray(numbers / 2, numbers / 2 + listed)],
      [...Array(bytes * 8).keys()].filter((bit) => hasBit(left, bit)),
    )
  })
}

test('listing a full or sparse set writes nothing past its space', () => {
  const bytes = 8 * SET_ALIGN
  const memory = new SetMemory()
  const [set, numbers] = [memory.take(bytes), memory.take(16 * bytes + LISTED_BEYOND_BYTES)]
  for (const word of [0xffffffff, 0x80000001, 0x1f, 1]) {
    memory.words.fill(word, set / 4, (set + bytes) / 4)
    const listed = memory.kernels.list(set, bytes, numbers)
    const end = numbers + 2 * listed + LISTED_BEYOND_BYTES
    memory.words.fill(9, Math.ceil(end / 4))
    assert.equal(memory.kernels.list(set, bytes, numbers), listed)
    assert.ok(memory.words.subarray(Math.ceil(end / 4)).every((read) => read === 9))
  }
})

test('growing keeps the contents of sets', () => {
  const memory = new SetMemory()
  const first = memory.take(SET_ALIGN)
  memory.words[first / 4] = 7
  const large = memory.take(100 * 1024 * 1024)
  memory.words[large / 4 + 1000] = 9
  assert.equal(memory.words[first / 4], 7)
  assert.equal(memory.kernels.count(large + 4000 - (4000 % SET_ALIGN), SET_ALIGN), 2)
  memory.clear()
  assert.ok(memory.words.length < 1024 * 1024, 'a large memory is given back')
  assert.equal(memory.take(SET_ALIGN), 0)
})
