import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { wordEnds } from './segmenter.ts'

suite('wordEnds', () => {
  test('finds words of Chinese, Japanese and Thai', () => {
    assert.deepEqual(wordEnds('我喜欢手机'), [1, 3, 5])
    assert.deepEqual(wordEnds('東京タワー').at(-1), 5)
    assert.deepEqual(wordEnds('ชาวโลก'), [3, 6])
  })

  test('one character is one word, an empty run has none', () => {
    assert.deepEqual(wordEnds('机'), [1])
    assert.deepEqual(wordEnds(''), [])
  })

  test('the ends in a long run ascend to its length and never split a surrogate pair', () => {
    const run = `a${'𠮷'.repeat(3000)}`
    const ends = wordEnds(run)
    assert.equal(ends.at(-1), run.length)
    for (let i = 0; i < ends.length; i++) {
      assert.ok(ends[i]! > (ends[i - 1] ?? 0))
      assert.ok(run.slice(0, ends[i]).isWellFormed())
    }
  })
})
