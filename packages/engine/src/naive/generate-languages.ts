import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import type { SearchPlan } from '../query/plan.ts'
import type { Schema } from '../schema/schema.ts'
import type { History, IndexStep } from './generate.ts'
import { planForTest, type SlotOptions } from './plan-for-test.ts'

const SCHEMA: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

/**
 * Words of titles and queries by language: compounds of known and unknown parts, words in two
 * scripts, words that a dictionary splits.
 */
const WORDS: Readonly<Record<string, string>> = {
  de:
    'Schuhe Schuh Turnschuhe Turnschuh Handschuhe Hand Boxhandschuhe urnschuhe Leder Lederschuhe Lederner Tisch Esstisch automatisch elastisch ' +
    'Wein Schwein Rotwein rot ring Hering Arbeit Arbeitshandschuhe Beispiel Spiel Kochtopf Töpfe Blumentopf für ohne',
  ko: '한국어 검색 한국어검색 가방 여행가방 손가방 여행 가죽가방 국어 국어사전 한국어사전 사전 라면 컵라면 짜장라면 라 LG그램 LG 그램 갤럭시S24케이스 가 갑 값 가바 강남 강ㄴ 고 과자 ㄱ',
  ja: 'らーめん ラーメン らあめん 味噌らーめん 味噌ラーメン りんご リンゴ ﾘﾝｺﾞ かめら カメラ キヤノン キャノン めん ー 赤いくつ クツ すまほけーす スマホケース アイフォンケース ケース',
  zh: '漢字 汉字 漢 汉字輸入法 藍牙耳機 蓝牙耳机 耳机 機 机 電視機 电视机 頭髮 头发 髮夾 發 后 後 媽媽 妈 媽',
}

const DOCUMENTS_MAX = 20

/** A history of a store with titles in one of these languages, and searches in it. */
export interface LanguageLife {
  readonly language: string
  readonly history: History
  readonly plans: readonly SearchPlan[]
}

export function arbitraryLanguageLife(): fc.Arbitrary<LanguageLife> {
  return fc.constantFrom(...Object.keys(WORDS)).chain((language) => {
    const analyzer = createAnalyzer(language)
    const word = fc.constantFrom(...WORDS[language]!.split(' '))
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const begun = fc.tuple(text, fc.nat(4)).map(([one, cut]) => one.slice(0, one.length - cut))
    const options: fc.Arbitrary<SlotOptions> = fc.record({
      prefix: fc.constantFrom('off', 'always', 'fallback'),
      infix: fc.constantFrom('off', 'off', 'always', 'fallback'),
      typoMax: fc.constantFrom(0, 1, 2),
    })
    const plan = fc
      .tuple(fc.oneof(text, begun), options)
      .map(([q, how]) => planForTest(q, SCHEMA, analyzer, { ...how, explain: true, size: 50 }))
    return fc.record({
      language: fc.constant(language),
      history: fc
        .tuple(
          fc.array(text, { minLength: 1, maxLength: DOCUMENTS_MAX }),
          fc.uniqueArray(fc.nat(DOCUMENTS_MAX - 1), { maxLength: 6 }),
          fc.boolean(),
        )
        .map(([titles, removed, isMerged]) => historyOf(titles, removed, isMerged)),
      plans: fc.array(plan, { minLength: 1, maxLength: 6 }),
    })
  })
}

/** @param removed indexes of titles, some out of range */
function historyOf(
  titles: readonly string[],
  removed: readonly number[],
  isMerged: boolean,
): History {
  const steps = titles.flatMap((title, i): IndexStep[] => [
    { kind: 'add', document: { docKey: i + 1, id: String(i + 1), values: [title] } },
    ...(i % 7 === 6 ? [{ kind: 'commit' } as const] : []),
  ])
  for (const i of removed) {
    if (i < titles.length) steps.push({ kind: 'remove', id: String(i + 1), docKey: i + 1 })
  }
  steps.push({ kind: 'commit' })
  if (isMerged) steps.push({ kind: 'merge' })
  return { initialSchema: SCHEMA, schema: SCHEMA, steps }
}
