import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { shopForTest } from './shop-for-test.ts'

suite('hiragana and katakana', () => {
  const find = shopForTest('ja', [
    '味噌ラーメン',
    '味噌らーめん',
    'とんこつ らあめん',
    'りんごジュース',
    'リンゴ酢',
    'キヤノン カメラ',
    'キャノン かめら',
    'ｽﾆｰｶｰ',
    'めんつゆ',
  ])

  test('find each other, the typed spelling first', () => {
    assert.deepEqual(find('りんご'), ['りんごジュース', 'リンゴ酢'])
    assert.deepEqual(find('リンゴ'), ['リンゴ酢', 'りんごジュース'])
    assert.deepEqual(find('スニーカー'), ['ｽﾆｰｶｰ'])
    assert.equal(find('すにーかー')[0], 'ｽﾆｰｶｰ')
  })

  test('a word that a dictionary splits finds its unsplit spelling, and vice versa', () => {
    // Documents with only some of the pieces follow.
    for (const query of ['かめら', 'カメラ', 'キヤノン']) {
      const found = find(query).slice(0, 2).sort()
      assert.deepEqual(found, ['キャノン かめら', 'キヤノン カメラ'], query)
    }
    const ramen = ['とんこつ らあめん', '味噌らーめん', '味噌ラーメン']
    assert.deepEqual(find('らーめん').slice(0, 3).sort(), ramen)
    assert.deepEqual(find('ラーメン').slice(0, 3).sort(), ramen)
  })

  test('are different in other languages', () => {
    assert.deepEqual(shopForTest('en', ['りんごジュース', 'リンゴ酢'])('りんご'), [
      'りんごジュース',
    ])
  })
})

suite('traditional and simplified characters', () => {
  const find = shopForTest('zh-TW', ['藍牙耳機', '蓝牙耳机', '電視機', '电视机', '手機殼', '漢字'])

  test('find each other, the typed one first', () => {
    assert.deepEqual(find('耳機'), ['藍牙耳機', '蓝牙耳机'])
    assert.deepEqual(find('耳机'), ['蓝牙耳机', '藍牙耳機'])
    assert.deepEqual(find('电视机').slice(0, 2), ['电视机', '電視機'])
    assert.deepEqual(find('手机'), ['手機殼'])
    assert.deepEqual(find('汉字'), ['漢字'])
  })

  test('are different in other languages', () => {
    assert.deepEqual(shopForTest('en', ['漢字', '汉字'])('汉字'), ['汉字'])
  })
})
