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
    assert.deepEqual(find('Schuhe'), ['Schuhe', 'Lederschuhe'])
    assert.deepEqual(find('Schuh'), ['Schuhe', 'Lederschuhe'])
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

  test('the rest must be a word of the catalog, too', () => {
    assert.deepEqual(find('Tisch'), ['Tisch'])
  })

  test('both parts, typed apart, find the compound', () => {
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

  test('English writes its compounds apart', () => {
    assert.deepEqual(shopForTest('en', ['handbag', 'hand', 'bags'])('bags'), ['bags'])
  })
})

test('a form that its stem group had no number left for is found by itself', () => {
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
