import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ascending, keysFor, shopIndex, shopPlan } from '../naive/index-for-test.ts'

suite('words inside of words', () => {
  const always = { infix: 'always' } as const
  const index = shopIndex(['AB-12/34', 'ab1234c', 'stable', 'table', 'tab', 'tables'])

  test('finds any part of at least three code points', () => {
    for (const part of ['b12', 'b123', '123']) {
      assert.deepEqual(keysFor(index, part, always), [2, 1], part)
    }
    assert.deepEqual(keysFor(index, 'b1', always), [])
    assert.deepEqual(keysFor(index, 'b124', always), [])
    assert.deepEqual(keysFor(shopIndex(['x𐐀𐐁𐐂y', '𐐀𐐁']), '𐐀𐐁𐐂', always), [1])
  })

  test('searches for a number and a unit as a whole', () => {
    const sizes = shopIndex(['ABC12MM', '12 mm', 'xdcd18vy', '12', 'AB12CM'])
    assert.deepEqual(keysFor(sizes, '12mm', always), [2, 1, 4])
    assert.deepEqual(keysFor(sizes, '18v', always), [3])
    assert.deepEqual(keysFor(sizes, '12mm'), [2, 4])
  })

  test('off by default', () => {
    assert.deepEqual(keysFor(index, 'b123'), [])
    assert.equal(index.search(shopPlan('b123')).expansions[0]!.infix, false)
  })

  test('the word comes first, then its inflections, prefixes, corrections, infixes', () => {
    const words = shopIndex(['unpack', 'packet', 'packs', 'pack'])
    assert.deepEqual(keysFor(words, 'pack', { ...always, prefix: 'always' }), [4, 3, 2, 1])
    const typo = shopIndex(['xlmapy', 'lamp'])
    assert.deepEqual(keysFor(typo, 'lmap', { ...always, typoMax: 1 }), [2, 1])
  })

  test('adds nothing to a document with a better alternative', () => {
    const words = shopIndex(['tab stable', 'tab chair', 'stable'])
    assert.deepEqual(keysFor(words, 'tab', always), [2, 1, 3])
    const [first, second] = words.search(shopPlan('tab', always)).hits
    assert.equal(first!.textMatchScore, second!.textMatchScore)
  })

  test('`fallback` applies only if nothing else matches the word', () => {
    const fallback = { infix: 'fallback' } as const
    assert.deepEqual(keysFor(index, 'tab', fallback), [5])
    assert.deepEqual(keysFor(index, 'abl', fallback).toSorted(ascending), [3, 4, 6])
    assert.deepEqual(keysFor(index, 'tabl', { ...fallback, typoMax: 1 }).includes(3), false)
    assert.equal(index.search(shopPlan('tab', fallback)).expansions[0]!.infix, false)
    assert.equal(index.search(shopPlan('abl', fallback)).expansions[0]!.infix, true)
  })

  test('the form must be in a searched field', () => {
    const words = shopIndex([{ title: 'chair', tags: ['stable'] }])
    assert.deepEqual(keysFor(words, 'tabl', always), [1])
    assert.deepEqual(keysFor(words, 'tabl', { ...always, fieldWeights: [1, 0, 0, 0, 0, 0, 0] }), [])
  })
})
