import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { assertAgreement } from '../../naive/agreement.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { planForTest } from '../../naive/plan-for-test.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'
import { TITLE_SCHEMA } from './shop-for-test.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)

/**
 * Words of titles and queries by language: compounds with parts that are words or not, words in two
 * scripts, words cut to pieces.
 */
const WORDS: Readonly<Record<string, string>> = {
  de:
    'Schuhe Schuh Turnschuhe Turnschuh Handschuhe Hand Boxhandschuhe urnschuhe Leder Lederschuhe Lederner Tisch Esstisch automatisch elastisch ' +
    'Wein Schwein Rotwein rot ring Hering Arbeit Arbeitshandschuhe Beispiel Spiel Kochtopf Töpfe Blumentopf für ohne',
  ko: '한국어 검색 한국어검색 가방 여행가방 손가방 여행 가죽가방 국어 국어사전 한국어사전 사전 라면 컵라면 짜장라면 라',
  ja: 'らーめん ラーメン らあめん 味噌らーめん 味噌ラーメン りんご リンゴ ﾘﾝｺﾞ かめら カメラ キヤノン キャノン めん ー 赤いくつ クツ すまほけーす スマホケース',
  zh: '漢字 汉字 漢 汉字輸入法 藍牙耳機 蓝牙耳机 耳机 機 机 電視機 电视机 頭髮 头发 髮夾 發 后 後',
}

const arbitraryLife = fc.constantFrom(...Object.keys(WORDS)).chain((language) => {
  const word = fc.constantFrom(...WORDS[language]!.split(' '))
  const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
  const query = fc.record({
    text: fc.oneof(
      text,
      fc.tuple(text, fc.nat(4)).map(([one, cut]) => one.slice(0, -cut || 9)),
    ),
    prefix: fc.constantFrom('off', 'always', 'fallback'),
    infix: fc.constantFrom('off', 'off', 'always', 'fallback'),
    typoMax: fc.constantFrom(0, 1, 2),
  })
  return fc.record({
    language: fc.constant(language),
    titles: fc.array(text, { minLength: 1, maxLength: 20 }),
    removed: fc.array(fc.nat(19), { maxLength: 6 }),
    merged: fc.boolean(),
    queries: fc.array(query, { minLength: 1, maxLength: 6 }),
  })
})

suite('in languages with compounds, and with words in two scripts', () => {
  test('both engines agree, whatever was added, removed and merged', () => {
    fc.assert(
      fc.property(arbitraryLife, ({ language, titles, removed, merged, queries }) => {
        const analyzer = createAnalyzer(language)
        const naive = new NaiveIndex(TITLE_SCHEMA, analyzer)
        const index = new EmbeddedIndexForTest(TITLE_SCHEMA, language)
        titles.forEach((title, i) => {
          const document = { docKey: i + 1, id: String(i + 1), values: [title] }
          naive.add(document)
          index.add(document)
          if (i % 7 === 6) index.commit()
        })
        for (const i of removed) {
          naive.remove(i + 1)
          index.remove(i + 1)
        }
        if (merged) {
          index.merge()
          index.buildTrie()
        }
        for (const { text, ...options } of queries) {
          const plan = planForTest(text, TITLE_SCHEMA, analyzer, {
            ...options,
            explain: true,
            size: 50,
          } as Parameters<typeof planForTest>[3])
          assertAgreement(naive, index, plan)
        }
      }),
      { numRuns: RUNS },
    )
  })
})
