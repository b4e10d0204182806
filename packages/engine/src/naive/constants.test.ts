import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import * as corrections from '../scoring/corrections.ts'
import * as formula from '../scoring/formula.ts'
import * as meaning from '../scoring/meaning.ts'
import { CORRECTIONS, MEANING, QUALITIES, SCORE } from './constants.ts'
import { inPoints, saturation, wordWeight } from './naive-formula.ts'

/** The numbers among what a module exports. */
function numbersOf(module: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(module).filter(([, value]) => typeof value === 'number'))
}

suite('the numbers of docs/ranking.md', () => {
  for (const [name, module, wanted] of [
    ['formula', formula, { ...QUALITIES, ...SCORE }],
    ['corrections', corrections, CORRECTIONS],
    ['meaning', meaning, MEANING],
  ] as const) {
    test(`are those of scoring/${name}, all of them`, () => {
      assert.deepEqual(numbersOf(module), numbersOf(wanted))
    })
  }

  const docCount = fc.integer({ min: 1, max: 1_000_000 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test('are in the weight of a word, and in what it adds', () => {
    fc.assert(
      fc.property(docCount, share, share, (n, part, weight) => {
        const docFreq = Math.floor(part * n)
        assert.equal(formula.slotWeight(weight, docFreq, n), wordWeight(weight, docFreq, n))
        const evidence = 10 * part
        assert.equal(formula.saturate(evidence), saturation(evidence))
        assert.equal(formula.leadingPoints(weight), inPoints(0.17 * 1.8 * weight))
        assert.equal(formula.unitWeightMax(weight), 0.8 * weight)
        assert.equal(formula.countedMin(true), 0.2)
        assert.equal(formula.countedMin(false), 0.02)
      }),
    )
  })

  test('are in what counts as rare, as a neighbour, and as a correction', () => {
    fc.assert(
      fc.property(docCount, fc.integer({ min: 1, max: 20 }), share, (n, letters, cost) => {
        assert.equal(corrections.rareDocFreqMax(n), n / 10_000)
        assert.equal(corrections.neighbourDocFreqMax(n), Math.max(5, n / 1_000))
        assert.equal(corrections.splitDocFreqMax(n), Math.max(100, n / 10_000))
        assert.equal(corrections.correctionScore(cost, n), 0.4 * Math.log(1 + n) - cost)
        const alone = corrections.correctionLikelihood('a'.repeat(letters), cost, [], n)
        assert.equal(alone, cost + 0.6 * Math.min(12, letters))
        const company = { docFreq: n, otherDocFreq: n, bothDocFreq: n }
        const beside = corrections.correctionLikelihood('a'.repeat(letters), cost, [company], n)
        assert.ok(Math.abs(beside - alone) < 1e-9, 'as often as by chance')
        const often = { docFreq: 1, otherDocFreq: 1, bothDocFreq: 1 }
        const more = corrections.correctionLikelihood('a', cost, [often], n) - cost - 0.6
        assert.ok(Math.abs(more - 0.55 * Math.log(2 / (1 + 1 / n))) < 1e-9)
      }),
    )
    assert.deepEqual([corrections.isLikely(0.5), corrections.isLikely(0.4999)], [true, false])
    const unlikely = [0, -0.5, -1, -1.1].map((likelihood, i) => ({ text: `${i}`, likelihood }))
    assert.deepEqual(corrections.namedUnlikely(unlikely), ['0', '1', '2'])
    assert.deepEqual(corrections.namedUnlikely(unlikely.slice(2)), ['2'])
    assert.ok(Math.abs(corrections.begunCost('jaket', 'jacket') - 1.2 - 1.5) < 1e-9)
  })

  test('are in the levels of lengths and frequencies', () => {
    const lengths = [
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 21, 24, 28, 32, 38, 45, 54, 64, 80,
      100, 128, 176, 256, 400, 700, 1400,
    ]
    const frequencies = [1, 2, 3, 4, 6, 8, 12, 18]
    const below = (levels: readonly number[], value: number) =>
      levels.findLast((level) => level <= value)
    for (let value = 1; value <= 2_000; value++) {
      assert.equal(formula.lengthLevel(value), below(lengths, value))
      const impact = formula.encodeImpact(value, 1)
      assert.equal(formula.impactTermFreq(impact), below(frequencies, value))
    }
  })
})
