import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyedHash } from './keyed-hash.ts'

test('a keyed hash is HalfSipHash-2-4 with 64 bits', () => {
  // The key and the first message of the test vectors of its authors: bytes 0 to 7, and none.
  const hash = keyedHash('', [0x03020100, 0x07060504])
  assert.equal(BigInt.asUintN(64, hash), 0xc83cb8b9591f8d21n)
})

test('another text, length or key gives another number', () => {
  const numbers = new Set<bigint>()
  for (const text of ['', 'a', 'b', 'ab', 'ba', 'abc', '\0', '\0\0', 'é', 'Ā', '\ud83d\ude00']) {
    for (const key of [1, 2]) numbers.add(keyedHash(text, [key, 7]))
  }
  assert.equal(numbers.size, 22)
})
