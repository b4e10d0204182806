import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { shopForTest } from './shop-for-test.ts'

const TYPING = { prefix: 'always' } as const

suite('a Korean word that is still being typed', () => {
  const find = shopForTest('ko', [
    '가방',
    '값비싼 시계',
    '강남 지도',
    '과자',
    '안장',
    '갓김치',
    '나비',
  ])
  const cases: readonly (readonly [typed: string, found: string])[] = [
    ['ㄱ', '갓김치 과자 강남 지도 값비싼 시계 가방'],
    ['가', '갓김치 강남 지도 값비싼 시계 가방'],
    ['갑', '값비싼 시계 가방'],
    ['가바', '가방'],
    ['값', '값비싼 시계'],
    ['값ㅂ', '값비싼 시계'],
    ['강ㄴ', '강남 지도'],
    ['강나', '강남 지도'],
    ['고', '과자'],
    ['앉', '안장'],
    ['안자', '안장'],
    ['갓기', '갓김치'],
    ['나', '나비'],
    ['납', '나비'],
    ['낭', ''],
  ]
  for (const [typed, found] of cases) {
    test(`${typed} finds ${found || 'nothing'}`, () => {
      assert.equal(find(typed, TYPING).join(' '), found)
    })
  }

  test('works in a store of any language, and not for a complete word', () => {
    const other = shopForTest('en', ['가방', 'bag'])
    assert.deepEqual(other('가바', TYPING), ['가방'])
    assert.deepEqual(other('가바'), [])
  })
})

suite('an unfinished word in another spelling', () => {
  test('traditional and simplified characters', () => {
    const find = shopForTest('zh', ['媽媽包', '妈咪', '電視機', '貓砂'])
    assert.deepEqual(find('妈', TYPING), ['妈咪', '媽媽包'])
    assert.deepEqual(find('媽', TYPING), ['妈咪', '媽媽包'])
    assert.deepEqual(find('电', TYPING), ['電視機'])
    assert.deepEqual(find('电视', TYPING), ['電視機'])
    assert.deepEqual(shopForTest('en', ['媽媽包'])('妈', TYPING), [])
  })

  test('hiragana and katakana', () => {
    const find = shopForTest('ja', ['デジタルカメラ', 'ラーメン', 'コンピューター', 'かばん'])
    assert.deepEqual(find('かめ', TYPING), ['デジタルカメラ'])
    assert.equal(find('らー', TYPING)[0], 'ラーメン')
    assert.deepEqual(find('コンピュ', TYPING), ['コンピューター'])
    assert.deepEqual(find('カバ', TYPING), ['かばん'])
  })
})

suite('Korean next to other letters and digits', () => {
  const titles = ['LG그램 노트북', '갤럭시S24케이스', '은하철도999극장판', '아이폰15', '999극장판']
  const find = shopForTest('ko', titles)
  const cases: readonly (readonly [query: string, found: readonly string[]])[] = [
    ['그램', ['LG그램 노트북']],
    ['LG', ['LG그램 노트북']],
    ['LG그램', ['LG그램 노트북']],
    ['LG 그램', ['LG그램 노트북']],
    ['케이스', ['갤럭시S24케이스']],
    ['S24', ['갤럭시S24케이스']],
    ['갤럭시', ['갤럭시S24케이스']],
    ['갤럭시S24', ['갤럭시S24케이스']],
    ['극장판', ['999극장판', '은하철도999극장판']],
    ['은하철도999', ['은하철도999극장판']],
    ['아이폰15', ['아이폰15']],
    ['아이폰 15', ['아이폰15']],
  ]
  for (const [query, found] of cases) {
    test(`${query} finds ${found.join()}`, () => assert.deepEqual(find(query), found))
  }
})
