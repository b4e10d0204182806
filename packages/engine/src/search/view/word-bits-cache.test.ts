import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newBitset, setBit } from '../../codec/bitset.ts'
import { WordBitsCache } from './word-bits-cache.ts'

test('returns small and large sets unchanged, and stores small ones in less space', () => {
  const docCount = 10_000
  const cache = new WordBitsCache(docCount, 100_000)
  const every = (step: number) => {
    const bits = newBitset(docCount)
    for (let docOrd = 0; docOrd < docCount; docOrd += step) setBit(bits, docOrd)
    setBit(bits, docCount - 1)
    return bits
  }
  const steps = [1, 3, 127, 128, 129, 1_000, 9_999]
  for (const step of steps) cache.set(`${step}`, every(step))
  for (const step of steps) assert.deepEqual(cache.get(`${step}`), every(step), `${step}`)
  cache.set('none', newBitset(docCount))
  assert.deepEqual(cache.get('none'), newBitset(docCount))
  assert.equal(cache.get('unknown'), undefined)
  const before = cache.bytes
  cache.set('few', every(1_000))
  assert.equal(cache.bytes - before, 11 * 4 + 128 + 2 * 'few'.length)
})
