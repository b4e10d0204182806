import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from './create-analyzer.ts'
import { japaneseStem, kanaPieces, kanaTogether } from './japanese.ts'

suite('kana', () => {
  test('hiragana, katakana, small letters and long vowels of a word share a stem', () => {
    for (const words of [
      'らーめん ラーメン らあめん ラアメン',
      'きゃのん キャノン キヤノン',
      'ふぃるむ フィルム フイルム',
      'こんぴゅーたー コンピューター コンピュータ',
      'おかあさん おかーさん',
    ]) {
      assert.equal(new Set(words.split(' ').map(japaneseStem)).size, 1, words)
    }
  })

  test('other words do not, and words with kanji stay as written', () => {
    const words = 'ビル ビール ビーム カー カ カレー 赤い 赤イ お茶 オ茶'.split(' ')
    assert.equal(new Set(words.map(japaneseStem)).size, words.length)
    assert.equal(japaneseStem('赤い'), '赤い')
    assert.equal(japaneseStem('kana'), 'kana')
  })

  test('pieces of a kana word also form one word', () => {
    const counts = (text: string) => {
      const words = text.split(' ')
      return words.map((_, i) => kanaTogether(words, i))
    }
    assert.deepEqual(counts('ら ー めん'), [3, 0, 0])
    assert.deepEqual(counts('味噌 ら ー めん'), [0, 3, 0, 0])
    assert.deepEqual(counts('キヤ ノン'), [2, 0])
    assert.deepEqual(counts('かわいい かばん'), [0, 0])
    assert.deepEqual(counts('く つ'), [0, 0])
    assert.deepEqual(counts('こ ん な に な が い も の'), [0, 0, 0, 0, 0, 0, 0, 0, 0])
  })

  test('a word may be in pieces in the other script', () => {
    assert.deepEqual(kanaPieces('ラーメン'), ['ら', 'ー', 'めん'])
    assert.deepEqual(kanaPieces('カメラ'), ['かめ', 'ら'])
    assert.deepEqual(kanaPieces('リンゴ'), [])
    assert.deepEqual(kanaPieces('赤い'), [])
  })

  test('such a word covers its pieces', () => {
    const tokens = createAnalyzer('ja').analyze('味噌らーめん')
    const together = tokens.find(({ form }) => form === 'らーめん')
    assert.deepEqual(together, {
      form: 'らーめん',
      position: 1,
      span: 3,
      start: 2,
      end: 6,
      kind: 'joined',
    })
    assert.ok(
      createAnalyzer('en')
        .analyze('味噌らーめん')
        .every(({ form }) => form !== 'らーめん'),
    )
  })
})
