import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'
import { shopForTest, TITLE_SCHEMA } from './shop-for-test.ts'

suite('compounds', () => {
  const find = shopForTest('de', [
    'Lederschuhe',
    'Schuhe',
    'Leder',
    'Kinderwagen',
    'Wagen',
    'Kind',
    'Arbeitshandschuhe',
    'Handschuh',
    'Arbeit',
    'Ästhetisch',
    'Tisch',
  ])

  test('a compound is found by its last part, below the word itself', () => {
    // No document of this catalog has the word Hand.
    assert.deepEqual(find('Schuhe'), ['Schuhe', 'Lederschuhe', 'Handschuh'])
    assert.deepEqual(find('Schuh'), ['Schuhe', 'Lederschuhe', 'Handschuh'])
  })

  test('a compound is found by its first part', () => {
    assert.deepEqual(find('Leder'), ['Leder', 'Lederschuhe'])
    assert.deepEqual(find('Kind'), ['Kind', 'Kinderwagen'])
  })

  test('letters between the parts make no difference', () => {
    assert.deepEqual(find('Wagen'), ['Wagen', 'Kinderwagen'])
    assert.deepEqual(find('Arbeit'), ['Arbeit', 'Arbeitshandschuhe'])
    assert.deepEqual(find('Handschuhe'), ['Handschuh', 'Arbeitshandschuhe'])
  })

  test('a word that is also an ending needs a rest that is a word of the catalog', () => {
    assert.deepEqual(find('Tisch'), ['Tisch'])
    const titles = ['Tisch', 'Esstisch', 'Schreibtisch', 'Automatisch', 'Elastisch', 'Praktisch']
    assert.deepEqual(shopForTest('de', titles)('Tisch').sort(), [
      'Esstisch',
      'Schreibtisch',
      'Tisch',
    ])
    assert.deepEqual(shopForTest('de', ['Fisch', 'Spezifisch', 'Thunfisch'])('Fisch'), [
      'Fisch',
      'Thunfisch',
    ])
  })

  test('a frequent word finds forms that end with it, below compounds of two known words', () => {
    const find = shopForTest('de', ['Turnschuhe', 'Schuhe', 'Lederschuhe', 'Leder', 'Turnbeutel'])
    assert.deepEqual(find('Schuhe'), ['Schuhe', 'Lederschuhe', 'Turnschuhe'])
    assert.deepEqual(find('Schuh'), ['Schuhe', 'Lederschuhe', 'Turnschuhe'])
    assert.deepEqual(find('Beutel'), ['Turnbeutel'])
  })

  test('the word is the longest of the catalog at the end', () => {
    const titles = ['Schuhe', 'Handschuh', 'Boxhandschuhe', 'Turnschuhe', 'urnschuhe']
    // A word in fewer documents than the compound may be a misspelling.
    const find = shopForTest('de', [...titles, 'Turnschuhe blau'])
    const found = find('Schuhe').sort()
    assert.deepEqual(found, ['Handschuh', 'Schuhe', 'Turnschuhe', 'Turnschuhe blau', 'urnschuhe'])
    assert.deepEqual(find('Handschuhe'), ['Handschuh', 'Boxhandschuhe'])
  })

  test('the text before it has a vowel and three letters, and is not a stopword', () => {
    const titles = ['Wein', 'Schwein', 'Reis', 'Preis', 'Deckung', 'Überdeckung', 'Rotwein']
    const find = shopForTest('de', titles)
    assert.deepEqual(find('Wein'), ['Wein', 'Rotwein'])
    assert.deepEqual(find('Reis'), ['Reis'])
    assert.deepEqual(find('Deckung'), ['Deckung'])
  })

  test('a word that is much rarer than the compound is not one of its parts', () => {
    const bags = Array.from({ length: 21 }, (_, i) => `Tasche ${i}`)
    const find = shopForTest('de', [...bags, 'Asche', 'Pappasche'])
    assert.deepEqual(find('Asche'), ['Asche', 'Pappasche'])
  })

  test('both parts typed apart find the compound', () => {
    assert.equal(find('Leder Schuhe')[0], 'Lederschuhe')
    assert.equal(find('Arbeit Handschuh')[0], 'Arbeitshandschuhe')
  })

  test('the parts of Dutch, Swedish, Norwegian, Danish and Finnish compounds', () => {
    const cases = [
      ['nl', 'kinderwagen', 'wagen', 'kind'],
      ['nl', 'zonnebril', 'bril', 'zonne'],
      ['sv', 'arbetsskor', 'skor', 'arbete'],
      ['nb', 'skinnsko', 'skinn', 'sko'],
      ['da', 'arbejdshandske', 'handske', 'arbejde'],
      ['fi', 'nahkalaukku', 'laukku', 'nahka'],
    ] as const
    for (const [language, compound, part, other] of cases) {
      assert.ok(shopForTest(language, [compound, part, other])(part).includes(compound), compound)
    }
  })

  test('the parts of Korean compounds, of two syllables', () => {
    const find = shopForTest('ko', [
      '한국어검색',
      '한국어 검색',
      '검색',
      '여행가방',
      '가방',
      '손가방',
    ])
    assert.deepEqual(find('검색'), ['검색', '한국어 검색', '한국어검색'])
    assert.deepEqual(find('한국어'), ['한국어 검색', '한국어검색'])
    assert.deepEqual(find('한국어 검색').slice(0, 2).sort(), ['한국어 검색', '한국어검색'])
    assert.deepEqual(find('한국어검색').slice(0, 2).sort(), ['한국어 검색', '한국어검색'])
    assert.deepEqual(find('가방'), ['가방', '여행가방'])
  })

  test('a rare word finds the many compounds that end with it, behind it', () => {
    const jackets = Array.from({ length: 30 }, (_, i) => `Regenjacke ${i}`)
    const plain = shopForTest('de', [...jackets, 'Jacke rot', 'Winterjacke', 'Skihelm', 'Hose'])
    assert.equal(plain('Jacke').length, 32)
    assert.equal(plain('Jacke')[0], 'Jacke rot')
    assert.deepEqual(plain('Helm'), ['Skihelm'])
    // A longer word of the catalog: the typed one may lack its first letters.
    const glasses = shopForTest('de', ['Sonnenbrille', 'Brille'])
    assert.deepEqual(glasses('rille'), [])
  })

  test('parts of katakana that a dictionary keeps whole', () => {
    const titles = ['スマートフォンケース', 'アイフォンケース', 'ゲーミングチェア', 'ショーケース']
    const find = shopForTest('ja', titles)
    assert.deepEqual(find('チェア'), ['ゲーミングチェア'])
    const cases = ['スマートフォンケース', 'ショーケース', 'アイフォンケース']
    assert.deepEqual(find('ケース'), cases)
    assert.deepEqual(find('アイフォンケース'), ['アイフォンケース'])
    const inTwo = shopForTest('ja', [
      'アイフォンケース',
      'アイフォン 赤',
      'オフィスチェア',
      'チェア',
    ])
    assert.deepEqual(inTwo('アイフォン'), ['アイフォン 赤', 'アイフォンケース'])
    assert.deepEqual(inTwo('チェア'), ['チェア', 'オフィスチェア'])
  })

  test('English has no compounds', () => {
    assert.deepEqual(shopForTest('en', ['handbag', 'hand', 'bags'])('bags'), ['bags'])
  })
})

test('a form above the maximum of its stem group is found as a separate group', () => {
  const forms = (
    'sentire sento sentito sente senti sentimenti sentimento sentirsi sentono sentita sentite sentiamo sentivo sentirmi sentiva ' +
    'sentiti sentirti senta sentendo sentir sentirlo sentirai sentirci sentivano sentano sentirei sentirla sentii ' +
    'sentendosi sentiranno sentirete sentiremo sentirne sentirvi'
  ).split(' ')
  const analyzer = createAnalyzer('it')
  const index = new EmbeddedIndexForTest(TITLE_SCHEMA, 'it')
  forms.forEach((form, i) => index.add({ docKey: i + 1, id: form, values: [form] }))
  assert.equal(new Set(forms.map((form) => analyzer.stem(form))).size, 1)
  assert.ok(forms.length > 31)
  forms.forEach((form, i) => {
    const { hits } = index.search(planForTest(form, TITLE_SCHEMA, analyzer, { size: 1 }))
    assert.equal(hits[0]?.docKey, i + 1, form)
  })
})
