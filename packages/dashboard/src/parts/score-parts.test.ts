import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ScoreExplanation } from '@aisle/contract'
import { whyBefore } from './score-comparison.ts'
import { meaningSentence, scoreSummary, sum } from './score-parts.ts'

type Word = ScoreExplanation['words'][number]

function word(name: string, points: number, changes: Partial<Word> = {}): Word {
  const field = { field: 'title', weight: 5, term_freq: 1, length: 3, average_length: 3 }
  return {
    word: name,
    known: true,
    stopword: false,
    documents: 2,
    weight: 1,
    quality: points === 0 ? 0 : 1,
    evidence: 5,
    saturation: 1.5,
    points,
    alternatives: [
      {
        variant: 'exact',
        forms: [name],
        quality: 1,
        evidence: 5,
        counted: true,
        fields: [{ ...field, length_norm: 0.5, evidence: 5 }],
      },
    ],
    ...changes,
  }
}

const TIER = 2 ** 40
const plain: ScoreExplanation = {
  tier: TIER,
  exact_value: 0,
  words: [word('red', 3_000), word('shoe', 4_000)],
  pairs: [{ words: ['red', 'shoe'], points: 1_400 }],
}

suite('the parts of a score', () => {
  test('they add up to the points', () => {
    const { parts, points, hasAllWords, isExact } = scoreSummary(plain)
    assert.equal(points, 8_400)
    assert.equal(sum(parts), 8_400)
    assert.deepEqual([hasAllWords, isExact], [true, false])
    assert.match(parts[0]!.sentence, /red.*title/)
  })

  test('a title that is for what was searched for loses a part of its words', () => {
    const { parts, points } = scoreSummary({ ...plain, purpose: { factor: 0.75 } })
    const { kind, points: lost, sentence } = parts.at(-1)!
    assert.deepEqual([kind, lost, points], ['purpose', -1_750, 6_650])
    assert.match(sentence, /title says it is made for/)
  })

  test('what rules bury is a negative part, and popularity comes on top of it', () => {
    const { parts, points } = scoreSummary({
      ...plain,
      boost: { factor: 0.5, rules: [{ id: 'old', filter_by: 'stock:0', weight: 0.5 }] },
      popularity: { factor: 1.1, level: 64, appeal: 0.25 },
    })
    assert.deepEqual(
      parts.map(({ kind, points: own }) => [kind, own]),
      [
        ['word', 3_000],
        ['word', 4_000],
        ['pair', 1_400],
        ['boost', -4_200],
        ['popularity', 420],
      ],
    )
    assert.equal(points, 4_620)
    assert.equal(sum(parts), 4_620)
  })

  test('what was learned is its own part, and says what visitors did', () => {
    const learning = { factor: 1.1, lift: 0.5, clicks: 12.4, expected: 3.14 }
    const { parts, points } = scoreSummary({ ...plain, learning })
    assert.equal(points, 9_240)
    const { kind, points: own, sentence } = parts.at(-1)!
    assert.deepEqual([kind, own], ['learning', 840])
    assert.match(sentence, /^Clicked 12 times for this query, 3\.9 times as often/)
  })

  test('shows a word that the product lacks, and one that no product has', () => {
    const { parts, missing } = scoreSummary({
      ...plain,
      words: [word('red', 0), word('xyz', 0, { known: false })],
    })
    assert.deepEqual(missing, ['red'])
    assert.match(parts[0]!.sentence, /red/)
    assert.match(parts[1]!.sentence, /xyz/)
  })

  test('a word before what the product is for is its own part', () => {
    const { parts, points } = scoreSummary({ ...plain, leading: [{ word: 'red', points: 90 }] })
    assert.equal(points, 8_490)
    assert.match(parts.at(-1)!.label, /^red/)
  })

  test('without words a boost starts from the same points for all', () => {
    const { points } = scoreSummary({
      tier: 0,
      exact_value: 0,
      words: [],
      pairs: [],
      boost: { factor: 2, rules: [] },
    })
    assert.equal(points, 2_097_152)
  })
})

suite('why one hit is before another', () => {
  const full = { position: 1, summary: scoreSummary(plain) }

  test('the tier decides before points do', () => {
    const part: ScoreExplanation = {
      ...plain,
      tier: 0,
      words: [word('red', 9_000), word('shoe', 0)],
      pairs: [],
    }
    const [first, second] = whyBefore(full, { position: 2, summary: scoreSummary(part) })
    assert.match(first!, /#1.*#2.*shoe/)
    assert.match(second!, /#2.*600/)
  })

  test('shows an exact value, a pin and another order first', () => {
    const exact = { position: 1, summary: scoreSummary({ ...plain, exact_value: 2 ** 41 }) }
    assert.match(whyBefore(exact, { ...full, position: 2 })[0]!, /#1/)
    assert.match(whyBefore({ position: 1, summary: undefined }, full)[0]!, /pins #1/)
    assert.match(whyBefore(full, { ...full, position: 2 }, 'price')[0]!, /sorted by price/)
  })

  test('equal points leave it to the order among equals', () => {
    assert.match(whyBefore(full, { ...full, position: 2 })[0]!, /^Both have the same points/)
  })

  test('a nearer meaning comes before points', () => {
    const near = scoreSummary({ ...plain, meaning: { similarity: 0.712, weight: 0.3 } })
    const far = scoreSummary({ ...plain, meaning: { similarity: 0.4, weight: 0.3 } })
    const [reason, ...others] = whyBefore(
      { position: 1, summary: near },
      { position: 2, summary: far },
    )
    assert.equal(reason, '#1 is nearer in meaning: it has 0.71, the other has 0.40')
    assert.deepEqual(others, [])
    const without = { position: 2, summary: scoreSummary(plain) }
    assert.match(whyBefore({ position: 1, summary: near }, without)[0]!, /other has no vector/)
    const asked = scoreSummary({
      ...plain,
      meaning: { similarity: 0.8, weight: 0.3, question: true },
    })
    const [why] = whyBefore({ position: 1, summary: asked }, { position: 2, summary: far })
    assert.match(why!, /is a question/)
    assert.match(meaningSentence({ similarity: 0.6, weight: 0.3, alone: true }), /without any word/)
  })
})
