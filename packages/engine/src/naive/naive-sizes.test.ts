import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SearchPlan } from '../query/plan.ts'
import type { NaiveIndex } from './naive-index.ts'
import { shopIndex, shopPlan } from './index-for-test.ts'

/** Without the split pairs of tests, which separate letters from digits too. */
function planOf(text: string, changes: Partial<SearchPlan> = {}): SearchPlan {
  const plan = shopPlan(text, changes)
  return { ...plan, slots: plan.slots.map((slot) => ({ ...slot, splits: [] })) }
}

function keysFor(index: NaiveIndex, text: string, changes: Partial<SearchPlan> = {}): number[] {
  return index.search(planOf(text, changes)).hits.map((hit) => hit.docKey)
}

suite('letters and digits, sizes', () => {
  test('a word of letters and digits matches its parts written apart, even if it is common', () => {
    const index = shopIndex(['iPhone 15 case', 'iPhone15 case', '15 case iPhone', 'case'])
    assert.deepEqual(keysFor(index, 'iphone15'), [2, 1])
    const { found, expansions } = index.search(planOf('iphone15'))
    assert.equal(found, 2)
    assert.deepEqual(expansions[0]!.apart, [['iphone', '15']])
    assert.equal(expansions[0]!.known, true)
  })

  test('a document with both spellings has the word once', () => {
    const index = shopIndex(['PS/2 mouse', 'PS2 mouse', 'PS 2 mouse'])
    const { hits } = index.search(planOf('ps2', { explain: true }))
    assert.deepEqual(
      hits.map(({ docKey, explanation }) => [
        docKey,
        explanation!.slots[0]!.alternatives.map(({ variant }) => variant),
      ]),
      [
        [2, ['exact']],
        [1, ['exact']],
        [3, ['split']],
      ],
    )
  })

  test('a frequent unit does not outrank the unit with its number', () => {
    const words = ['cable mm mm mm mm', ...Array.from({ length: 6 }, (_, i) => `tube 3.5 x${i}`)]
    const index = shopIndex([...words, 'adapter 3.5 mm with a long title of words'])
    const { hits } = index.search(shopPlan('adapter cable 3.5mm'))
    assert.equal(hits[0]!.docKey, 8)
    assert.deepEqual(keysFor(index, '3.5mm')[0], 8)
  })
})
