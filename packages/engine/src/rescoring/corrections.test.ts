import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TIER_STEP } from '../scoring/formula.ts'
import { keysFor, shopIndex, shopPlan } from '../naive/index-for-test.ts'
import type { NaiveIndex } from '../naive/naive-index.ts'
import type { SlotOptions } from '../naive/plan-for-test.ts'

function expansionOf(index: NaiveIndex, text: string, options: SlotOptions) {
  return index.search(shopPlan(text, options)).expansions[0]!
}

function times(count: number, text: string): string[] {
  return new Array<string>(count).fill(text)
}

suite('words that the catalog lacks', () => {
  const typoMax = 2

  test('are not corrected to unlikely words, but these are named', () => {
    const index = shopIndex([...times(22, 'touch screen'), ...times(40, 'sweaters'), 'trench'])
    const torch = expansionOf(index, 'torch', { typoMax })
    assert.deepEqual([torch.known, torch.corrections, torch.unlikely], [false, [], ['touch']])
    assert.deepEqual(keysFor(index, 'torch', { typoMax }), [])
    // Two letters replaced: not even a question.
    const sneakers = expansionOf(index, 'sneakers', { typoMax })
    assert.deepEqual([sneakers.corrections, sneakers.unlikely], [[], []])
  })

  test('are corrected to a word that is frequent enough', () => {
    const index = shopIndex([...times(40, 'touch')])
    assert.deepEqual(expansionOf(index, 'torch', { typoMax }).corrections, ['touch'])
  })

  test('company above chance makes a correction likely, and below chance unlikely', () => {
    const meeting = [...times(12, 'touch screen'), ...times(80, 'chair')]
    const met = expansionOf(shopIndex(meeting), 'torch screen', { typoMax })
    assert.deepEqual([met.corrections, met.unlikely], [['touch'], []])
    const apart = [...times(12, 'touch'), ...times(12, 'screen'), ...times(80, 'chair')]
    const alone = expansionOf(shopIndex(apart), 'torch screen', { typoMax })
    assert.deepEqual([alone.corrections, alone.unlikely], [[], ['touch']])
    // A word in every document co-occurs with everything.
    const everywhere = shopIndex([...times(12, 'touch shop'), ...times(80, 'chair shop')])
    assert.deepEqual(expansionOf(everywhere, 'torch shop', { typoMax }).corrections, [])
  })

  test('an unlikely correction of a word in few documents is its neighbour', () => {
    const filler = times(9_970, 'chair')
    const index = shopIndex(['torch', ...times(25, 'touch'), ...filler])
    const { corrections, unlikely } = expansionOf(index, 'torch', { typoMax })
    assert.deepEqual([corrections, unlikely], [['touch'], []])
    const { hits } = index.search(shopPlan('torch', { typoMax }))
    const upper = hits.filter(({ textMatchScore }) => textMatchScore >= TIER_STEP)
    assert.deepEqual(
      upper.map(({ docKey }) => docKey),
      [1],
    )
    assert.equal(keysFor(index, 'torch', { typoMax }).length, 26)
  })

  test('offers no question for a word found in another way', () => {
    const index = shopIndex([...times(22, 'touch'), 'torchlight'])
    const options = { typoMax, prefix: 'always' } as const
    assert.deepEqual(expansionOf(index, 'torch', options).unlikely, [])
    assert.deepEqual(expansionOf(index, 'torch', { typoMax }).unlikely, ['touch'])
    const inside = shopIndex([...times(22, 'touch'), 'flatorchid'])
    assert.deepEqual(expansionOf(inside, 'torch', { typoMax, infix: 'fallback' }).unlikely, [])
  })
})
