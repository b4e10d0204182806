import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  averageLength,
  pairPoints,
  saturate,
  slotPoints,
  slotWeight,
  textMatchScore,
} from '../scoring/formula.ts'
import type { SearchPlan } from '../query/plan.ts'
import { ascending, keysFor, ordinalOf, shopIndex, shopPlan } from '../naive/index-for-test.ts'
import type { NaiveIndex } from '../naive/naive-index.ts'

/** Scores by document key. */
function scoresFor(index: NaiveIndex, plan: SearchPlan): Record<number, number> {
  const { hits } = index.search(plan)
  return Object.fromEntries(hits.map((hit) => [hit.docKey, hit.textMatchScore]))
}

function times(count: number, text: string): string[] {
  return new Array<string>(count).fill(text)
}

const TITLE_ONLY = [1, 0, 0, 0, 0, 0, 0]

suite('points of a word', () => {
  test('are those of the formula: weight 3, two occurrences, four words, b 0.5', () => {
    const index = shopIndex(['red shoe red shirt', 'blue hat'])
    const evidence = Math.fround((3 * 2) / (1 - 0.5 + (0.5 * 4) / averageLength(6, 2)))
    const points = slotPoints(slotWeight(1, 1, 2), 1, saturate(evidence))
    const plan = shopPlan('red', { fieldWeights: [3, 0, 0, 0, 0, 0, 0] })
    assert.deepEqual(scoresFor(index, plan), { 1: textMatchScore(true, points) })
  })

  test('all inflections in all searched fields add to the evidence, and the best one sets q', () => {
    const index = shopIndex([{ title: 'shoes', tags: ['shoe shoes'] }, 'hat'])
    const title = 2 / (1 - 0.5 + (0.5 * 1) / averageLength(2, 2))
    const tags = (1 * 2) / (1 - 0.75 + (0.75 * 2) / averageLength(2, 1))
    const weight = slotWeight(1, 1, 2)
    const both = shopPlan('shoe', { fieldWeights: [2, 1, 0, 0, 0, 0, 0] })
    assert.deepEqual(scoresFor(index, both), {
      1: textMatchScore(true, slotPoints(weight, 1, saturate(Math.fround(title + tags)))),
    })
    // The exact form is in an unsearched field, but q is still 1.
    const titleOnly = shopPlan('shoe', { fieldWeights: [2, 0, 0, 0, 0, 0, 0] })
    assert.deepEqual(scoresFor(index, titleOnly), {
      1: textMatchScore(true, slotPoints(weight, 1, saturate(Math.fround(title)))),
    })
    const neither = shopPlan('shoe', { fieldWeights: [0, 0, 0, 0, 0, 1, 0] })
    assert.deepEqual(scoresFor(index, neither), {})
  })

  test('a prefix match adds nothing if the document has the word, and counts if not', () => {
    const index = shopIndex(['desk desktop', 'desktop', 'lamp'])
    const changes = { fieldWeights: TITLE_ONLY }
    const without = scoresFor(index, shopPlan('desk', changes))
    const withPrefix = scoresFor(index, shopPlan('desk', { ...changes, prefix: 'always' }))
    assert.equal(withPrefix[1], without[1])
    assert.deepEqual([without[2], withPrefix[2]! > 0], [undefined, true])
  })

  test('joined spellings add to the evidence but not to the length', () => {
    const index = shopIndex(['t-shirt', 'blue hat'])
    const one = Math.fround(1 / (1 - 0.5 + (0.5 * 2) / averageLength(4, 2)))
    const plan = shopPlan('t-shirt', { fieldWeights: TITLE_ONLY, titleField: -1 })
    // Both slots have their word and the joined spelling.
    const points = slotPoints(slotWeight(1, 1, 2), 1, saturate(one + one))
    assert.deepEqual(scoresFor(index, plan), { 1: textMatchScore(true, 2 * points) })
  })

  test('a pair has the smaller evidence of its halves', () => {
    const index = shopIndex([...times(3, 'bed'), ...times(3, 'spread'), 'bed bed spread hat'])
    const average = averageLength(10, 7)
    const spread = Math.fround(1 / (1 - 0.5 + (0.5 * 4) / average))
    const points = slotPoints(slotWeight(1, 1, 7), 0.9, saturate(spread))
    assert.deepEqual(scoresFor(index, shopPlan('bedspread')), { 7: textMatchScore(true, points) })
  })

  test('the n of a mere prefix is that of all words with it', () => {
    const index = shopIndex(['table tablet', 'table', 'hat', 'hat', 'hat'])
    const average = averageLength(6, 5)
    const one = Math.fround(1 / (1 - 0.5 + (0.5 * 1) / average))
    const points = slotPoints(slotWeight(1, 3, 5), 0.7, saturate(one))
    const scores = scoresFor(index, shopPlan('tab', { prefix: 'always' }))
    assert.equal(scores[2], textMatchScore(true, points))
  })
})

suite('matching', () => {
  test('one of several words is enough, unless all are required', () => {
    const index = shopIndex([{ title: 'red shoe' }, 'red hat', { title: 'red', tags: ['shoe'] }])
    assert.deepEqual(keysFor(index, 'red shoe').toSorted(ascending), [1, 2, 3])
    assert.deepEqual(
      keysFor(index, 'red shoe', { requireAllTerms: true }).toSorted(ascending),
      [1, 3],
    )
    assert.deepEqual(keysFor(index, 'red zzzz', { requireAllTerms: true }), [])
  })

  test('all significant words are required while ten documents have them', () => {
    const auto = { requireAllTerms: 'auto' } as const
    const nine = shopIndex([...times(9, 'red shoe'), 'red hat', 'blue shoe'])
    const ten = shopIndex([...times(10, 'red shoe'), 'red hat', 'blue shoe'])
    assert.equal(keysFor(nine, 'red shoe', auto).length, 11)
    assert.equal(keysFor(ten, 'red shoe', auto).length, 10)
    // Stopwords and unknown words do not matter.
    assert.equal(keysFor(ten, 'the red shoe', auto).length, 10)
    assert.equal(keysFor(ten, 'red shoe zzzz', auto).length, 10)
    assert.equal(keysFor(ten, 'the', auto).length, 0)
    assert.deepEqual(
      ['red shoe', 'red zzzz', 'the', ''].map(
        (text) => nine.search(shopPlan(text, auto)).matchedTerms,
      ),
      ['any', 'all', 'all', 'all'],
    )
  })

  test('which words are required depends only on the scope', () => {
    const index = shopIndex([
      ...times(10, 'red shoe').map((title) => ({ title, brand: 'a' })),
      { title: 'red shoe', brand: 'b' },
      { title: 'red hat', brand: 'b' },
    ])
    const filter = { kind: 'equals', field: ordinalOf('brand'), value: 'b' } as const
    const auto = { requireAllTerms: 'auto' } as const
    assert.deepEqual(keysFor(index, 'red shoe', { ...auto, filter }), [11])
    assert.deepEqual(keysFor(index, 'red shoe', { ...auto, filter, scope: filter }), [11, 12])
    const shoe = { spellings: [[{ form: 'shoe', stem: 'shoe' }]], inflected: true }
    assert.deepEqual(keysFor(index, 'red shoe', { ...auto, exclusions: [shoe] }), [])
    const hat = { spellings: [[{ form: 'hat', stem: 'hat' }]], inflected: true }
    assert.deepEqual(keysFor(index, 'red shoe', { ...auto, phrases: [hat] }), [])
  })

  test('a stopword makes no match, unless there are only stopwords', () => {
    const index = shopIndex(['the shoe', 'the hat', 'shoe'])
    assert.deepEqual(keysFor(index, 'the shoe'), [1, 3])
    assert.deepEqual(keysFor(index, 'the'), [2, 1])
    assert.deepEqual(keysFor(index, 'the zzzz'), [2, 1])
    assert.deepEqual(keysFor(index, 'the shoe', { requireAllTerms: true }), [1])
  })

  test('in 1,000 documents, a word in more than half of them makes no match alone', () => {
    const documents = [...times(501, 'shoe'), ...times(497, 'hat'), 'red shoe', 'red']
    const index = shopIndex(documents)
    assert.deepEqual(keysFor(index, 'shoe red'), [999, 1000])
    assert.equal(index.search(shopPlan('shoe')).found, 502)
    index.remove(600)
    assert.equal(index.docCount, 999)
    assert.equal(index.search(shopPlan('shoe red')).found, 503)
  })

  test('no words match everything, newest first, with score 0', () => {
    const index = shopIndex(['red', 'hat', {}])
    assert.deepEqual(index.search(shopPlan('')).hits, [
      { docKey: 3, textMatchScore: 0 },
      { docKey: 2, textMatchScore: 0 },
      { docKey: 1, textMatchScore: 0 },
    ])
  })
})

suite('tiers', () => {
  test('documents with all significant words rank above all others, regardless of score', () => {
    const index = shopIndex([
      { tags: ['red the shoe', ...times(40, 'hat')] },
      'red red red',
      ...times(50, 'shoe'),
    ])
    assert.equal(keysFor(index, 'the red shoe')[0], 1)
    const scores = scoresFor(index, shopPlan('red shoe zzzz'))
    assert.ok(scores[1]! > 2 ** 40 && scores[2]! < 2 ** 40)
  })

  test('a poor correction does not count as having the word', () => {
    const index = shopIndex(['shoelace red', 'thorlace red'])
    const scores = scoresFor(index, shopPlan('shoelacz red', { typoMax: 2 }))
    assert.ok(scores[1]! > 2 ** 40 && scores[2]! < 2 ** 40)
  })

  test('without significant words, all are in the upper tier', () => {
    const index = shopIndex(['the shoe'])
    assert.ok(scoresFor(index, shopPlan('the'))[1]! > 2 ** 40)
  })
})

suite('earlier words', () => {
  const byPopularity: SearchPlan['sort'] = [
    { kind: 'textMatch', descending: true },
    { kind: 'popularity', descending: true },
  ]

  test('among otherwise equal documents, the one with earlier words comes first', () => {
    const index = shopIndex(['lamp for desk', 'desk with lamp', 'the old lamp', 'lamp the old'])
    assert.deepEqual(keysFor(index, 'lamp'), [4, 1, 3, 2])
    assert.deepEqual(keysFor(index, 'desk lamps'), [2, 1, 4, 3])
    assert.deepEqual(keysFor(index, 'lamp', { sort: byPopularity }), [4, 1, 3, 2])
  })

  test('a title without one of the typed words is no earlier than another', () => {
    const index = shopIndex(['lamp red', 'red lamp', 'zest'])
    assert.deepEqual(keysFor(index, 'lamp zest'), [3, 2, 1])
    assert.deepEqual(keysFor(index, 'lmap', { typoMax: 1 }), [2, 1])
    // Stopwords are ignored.
    assert.deepEqual(keysFor(index, 'lamp the'), [1, 2])
  })

  test('affects neither the score nor other orders', () => {
    const index = shopIndex(['lamp red', 'red lamp'])
    assert.equal(new Set(Object.values(scoresFor(index, shopPlan('lamp')))).size, 1)
    const sort: SearchPlan['sort'] = [
      { kind: 'textMatch', descending: true },
      { kind: 'textMatch', descending: true },
    ]
    assert.deepEqual(keysFor(index, 'lamp', { sort }), [2, 1])
    assert.deepEqual(keysFor(index, 'lamp', { titleField: -1 }), [2, 1])
    assert.deepEqual(
      keysFor(index, 'lamp', { sort: [{ kind: 'popularity', descending: true }] }),
      [2, 1],
    )
  })
})

suite('pair bonus', () => {
  const index = shopIndex(['shoe red', 'red shoes', 'hat'])
  const bonus = pairPoints(slotWeight(1, 2, 3), slotWeight(1, 2, 3))

  test('words side by side and in order in the title earn it', () => {
    const apart = scoresFor(index, shopPlan('red shoe', { titleField: -1 }))
    const together = scoresFor(index, shopPlan('red shoe'))
    assert.equal(together[1], apart[1])
    assert.equal(together[2], apart[2]! + bonus)
  })

  test('applies only if the text match score is the first key, best first', () => {
    const plain = scoresFor(index, shopPlan('red shoe', { titleField: -1 }))
    const sorts: SearchPlan['sort'][] = [
      [{ kind: 'textMatch', descending: false }],
      [{ kind: 'popularity', descending: true }],
      [
        { kind: 'popularity', descending: true },
        { kind: 'textMatch', descending: true },
      ],
    ]
    for (const sort of sorts) {
      assert.deepEqual(scoresFor(index, shopPlan('red shoe', { sort })), plain)
    }
    const listed = shopPlan('red shoe', { sort: [{ kind: 'textMatch', descending: true }] })
    assert.equal(scoresFor(index, listed)[2], plain[2]! + bonus)
  })

  test('does not apply if the title is not searched', () => {
    const index = shopIndex([{ title: 'red shoe', tags: ['red shoe'] }])
    const changes = { fieldWeights: [0, 1, 0, 0, 0, 0, 0] }
    assert.deepEqual(
      scoresFor(index, shopPlan('red shoe', changes)),
      scoresFor(index, shopPlan('red shoe', { ...changes, titleField: -1 })),
    )
  })

  test('does not span an unknown word', () => {
    assert.deepEqual(
      scoresFor(index, shopPlan('red zzzz shoe')),
      scoresFor(index, shopPlan('red zzzz shoe', { titleField: -1 })),
    )
  })

  test('corrections earn it, prefix matches do not', () => {
    const earns = (text: string, changes: Parameters<typeof shopPlan>[1]) => {
      const plain = scoresFor(index, shopPlan(text, { ...changes, titleField: -1 }))
      return scoresFor(index, shopPlan(text, changes))[2]! > plain[2]!
    }
    assert.equal(earns('red sheo', { typoMax: 1 }), true)
    assert.equal(earns('red sho', { prefix: 'always' }), false)
  })

  test('applies to the best 200 matches', () => {
    const index = shopIndex(times(201, 'red shoe'))
    const found = index.search(shopPlan('red shoe')).hits
    assert.equal(found[199]!.textMatchScore, found[0]!.textMatchScore)
    assert.equal(found[0]!.docKey, 201)
    assert.deepEqual(found[200]!.docKey, 1)
    assert.ok(found[200]!.textMatchScore < found[199]!.textMatchScore)
    const filter = { kind: 'not', node: { kind: 'ids', ids: ['7'] } } as const
    const filtered = index.search(shopPlan('red shoe', { filter })).hits
    assert.equal(new Set(filtered.map((hit) => hit.textMatchScore)).size, 1)
  })
})
