import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { companyScore, correctionScore, rareDocFreqMax } from '../scoring/corrections.ts'
import { editCost } from '../scoring/edit-cost.ts'
import { TIER_STEP, WEIGHT_NEIGHBOUR } from '../scoring/formula.ts'
import { ascending, keysFor, shopIndex, shopPlan } from '../naive/index-for-test.ts'
import type { NaiveIndex } from '../naive/naive-index.ts'
import type { SlotOptions } from '../naive/plan-for-test.ts'

function expansionOf(index: NaiveIndex, text: string, options: SlotOptions = {}, slot = 0) {
  return index.search(shopPlan(text, options)).expansions[slot]!
}

function times(count: number, text: string): string[] {
  return new Array<string>(count).fill(text)
}

/** The documents with the word, best first: those of the upper tier. */
function upperTier(index: NaiveIndex, word: string): number[] {
  const { hits } = index.search(shopPlan(word, { typoMax: 1 }))
  const upper = hits.filter(({ textMatchScore }) => textMatchScore >= TIER_STEP)
  assert.deepEqual(upper, hits.slice(0, upper.length))
  return upper.map(({ docKey }) => docKey)
}

suite('the word itself', () => {
  test('inflections match, the typed form first', () => {
    const index = shopIndex(['shoe', 'shoes', 'shirt'])
    assert.deepEqual(keysFor(index, 'shoe'), [1, 2])
    assert.deepEqual(keysFor(index, 'shoes'), [2, 1])
    assert.equal(expansionOf(index, 'shoes').known, true)
  })

  test('a word in no document is unknown and ignored', () => {
    const index = shopIndex(['shoe', 'shirt'])
    assert.deepEqual(keysFor(index, 'shoe zzzz'), [1])
    assert.deepEqual(keysFor(index, 'zzzz'), [])
    assert.deepEqual(expansionOf(index, 'zzzz'), {
      known: false,
      corrections: [],
      unlikely: [],
      prefix: false,
      splits: [],
      apart: [],
      respelt: [],
      joined: [],
      compounds: [],
      infix: false,
      synonyms: [],
      explained: [],
    })
  })

  test('removed documents do not count', () => {
    const index = shopIndex(['shoe', 'shirt'])
    index.remove(1)
    assert.equal(expansionOf(index, 'shoe').known, false)
    assert.equal(index.docCount, 1)
  })

  test('searchable numbers and booleans are found by their text', () => {
    const index = shopIndex([{ sizes: [42, -7] }, { new: true }, { sizes: [-0], new: false }])
    assert.deepEqual(keysFor(index, '42'), [1])
    assert.deepEqual(keysFor(index, '7'), [1])
    assert.deepEqual(keysFor(index, '0'), [3])
    assert.deepEqual(keysFor(index, 'true'), [2])
  })

  test('a field that is not searchable is not searched', () => {
    assert.deepEqual(keysFor(shopIndex([{ brand: 'nike' }]), 'nike'), [])
  })
})

suite('joined spellings', () => {
  test('two neighbouring words and their joined spelling find each other', () => {
    const index = shopIndex(['bedspread', 'bedspreads', 'bed', 'spread'])
    assert.deepEqual(keysFor(index, 'bed spread').toSorted(ascending), [1, 2, 3, 4])
    assert.deepEqual(expansionOf(index, 'bed spread', {}, 1).joined, ['bedspread'])
  })

  test('t-shirt and tshirt find each other', () => {
    const index = shopIndex(['t-shirt', 'tshirt', 't shirt'])
    assert.deepEqual(keysFor(index, 't-shirt').toSorted(ascending), [1, 2, 3])
    assert.deepEqual(keysFor(index, 'tshirt'), [2, 1, 3])
  })

  test('a joined spelling makes a word known that is in no document', () => {
    const index = shopIndex(['bedspread'])
    assert.deepEqual(expansionOf(index, 'bed spread'), {
      known: true,
      corrections: [],
      unlikely: [],
      prefix: false,
      splits: [],
      apart: [],
      respelt: [],
      joined: ['bedspread'],
      compounds: [],
      infix: false,
      synonyms: [],
      explained: [],
    })
  })
})

suite('split pairs', () => {
  const common = ['bed', 'beds', 'bed', 'bed', 'spread', 'spread', 'spreads', 'spread']

  test('an unknown word finds its halves side by side, in order', () => {
    const index = shopIndex([
      ...common,
      'a bed spread',
      'beds spreads',
      'spread bed',
      'bed a spread',
    ])
    assert.deepEqual(keysFor(index, 'bedspread').toSorted(ascending), [9, 10])
    assert.deepEqual(expansionOf(index, 'bedspread').splits, [{ left: 'bed', right: 'spread' }])
    assert.equal(expansionOf(index, 'bedspread').known, false)
  })

  test('some document must have exactly the form of the left half', () => {
    const index = shopIndex(['beds', 'spread', 'beds spread'])
    assert.deepEqual(keysFor(index, 'bedspread'), [])
    assert.deepEqual(keysFor(shopIndex(['bed spread']), 'bedspreads'), [1])
    assert.deepEqual(keysFor(shopIndex(['bed spread']), 'bedspread'), [1])
  })

  test('documents with the unsplit word come first and are not split', () => {
    const index = shopIndex([...common, 'bed spread', 'a bedspreads', 'bed-spread'])
    assert.deepEqual(keysFor(index, 'bedspread'), [11, 10, 9])
  })

  test('a word common in one piece is not split', () => {
    const index = shopIndex(['bed spread', ...Array.from({ length: 101 }, () => 'bedspread')])
    assert.equal(keysFor(index, 'bedspread').length, 101)
  })

  test('the halves must be in one searched field, in one array element', () => {
    const index = shopIndex([
      ...common,
      { tags: ['bed', 'spread'] },
      { title: 'bed', tags: ['spread'] },
      { tags: ['red', 'bed spread'] },
    ])
    assert.deepEqual(keysFor(index, 'bedspread'), [11])
    assert.deepEqual(keysFor(index, 'bedspread', { fieldWeights: [1, 0, 0, 0, 0, 0, 0] }), [])
  })
})

suite('prefixes', () => {
  const index = shopIndex(['tablet', 'table', 'tables', 'stable', 'tab'])

  test('`always` adds words with the prefix, below the word itself', () => {
    const plan = shopPlan('tab', { prefix: 'always' })
    assert.deepEqual(index.search(plan).hits.map((hit) => hit.docKey)[0], 5)
    assert.deepEqual(keysFor(index, 'tab', { prefix: 'always' }).toSorted(ascending), [1, 2, 3, 5])
    assert.equal(expansionOf(index, 'tab', { prefix: 'always' }).prefix, true)
  })

  test('`fallback` adds them only if nothing else matches', () => {
    assert.deepEqual(keysFor(index, 'tab', { prefix: 'fallback' }), [5])
    assert.equal(expansionOf(index, 'tab', { prefix: 'fallback' }).prefix, false)
    assert.deepEqual(keysFor(index, 'tabl', { prefix: 'fallback' }).toSorted(ascending), [1, 2, 3])
  })

  test('`fallback` depends on the whole index, regardless of the searched fields', () => {
    const index = shopIndex([{ tags: ['tab'] }, 'table'])
    const titleOnly = [1, 0, 0, 0, 0, 0, 0]
    assert.deepEqual(keysFor(index, 'tab', { prefix: 'fallback', fieldWeights: titleOnly }), [])
    assert.deepEqual(keysFor(index, 'tab', { prefix: 'always', fieldWeights: titleOnly }), [2])
  })

  test('other inflections of a word with the prefix do not match', () => {
    const index = shopIndex(['running', 'run', 'runs'])
    assert.deepEqual(keysFor(index, 'runn', { prefix: 'always' }), [1])
  })

  test('a form counts in any field, if its group is in a searched one', () => {
    const index = shopIndex([{ title: 'run', tags: ['running'] }])
    const titleOnly = [1, 0, 0, 0, 0, 0, 0]
    assert.deepEqual(keysFor(index, 'runn', { prefix: 'always', fieldWeights: titleOnly }), [1])
    assert.deepEqual(
      keysFor(index, 'ru', { prefix: 'always', fieldWeights: [0, 0, 0, 0, 0, 1, 0] }),
      [],
    )
  })

  test('one or two letters have the same weight for any number of words', () => {
    const index = shopIndex(['table tablet tables', 'table', { tags: ['tables'] }])
    const scores = index.search(shopPlan('ta', { prefix: 'always' })).hits
    assert.deepEqual(
      scores.map((hit) => hit.docKey),
      [3, 2, 1],
    )
    assert.equal(new Set(scores.map((hit) => hit.textMatchScore)).size, 1)
  })
})

suite('corrections', () => {
  test('a misspelt word finds the words within reach, and all their inflections', () => {
    const index = shopIndex(['table', 'tables', ...times(20, 'tablet'), 'chair'])
    assert.deepEqual(keysFor(index, 'tabel', { typoMax: 1 }).toSorted(ascending), [1, 2])
    assert.deepEqual(expansionOf(index, 'tabel', { typoMax: 1 }).corrections, ['table'])
    assert.deepEqual(keysFor(index, 'tabel', { typoMax: 0 }), [])
    assert.equal(keysFor(index, 'tabel', { typoMax: 2, typoMinLengths: [3, 5] }).length, 22)
  })

  test('a word with a digit is corrected only on request, and no other word to one', () => {
    assert.deepEqual(keysFor(shopIndex(['ab123']), 'ab124', { typoMax: 2 }), [])
    assert.deepEqual(keysFor(shopIndex(['ab123']), 'ab124', { typoMax: 2, typoNumbers: true }), [1])
    assert.deepEqual(keysFor(shopIndex(['abcd1']), 'abcde', { typoMax: 2, typoNumbers: true }), [])
    assert.deepEqual(keysFor(shopIndex(['abcd1']), 'abcde', { typoMax: 2 }), [])
  })

  test('a word is corrected to a plural if there is nothing else', () => {
    const index = shopIndex(['jackets', 'racket sets'])
    assert.deepEqual(keysFor(index, 'jakcet', { typoMax: 2 }), [1])
    assert.deepEqual(expansionOf(index, 'jakcet', { typoMax: 2 }).corrections, ['jackets'])
    assert.deepEqual(keysFor(shopIndex(['jacket', 'jakcots']), 'jakcet', { typoMax: 2 }), [1])
  })

  test('a plural is meant if nearer words are unlikely', () => {
    const index = shopIndex([...times(9, 'towels'), ...times(3, 'bowl')])
    assert.deepEqual(expansionOf(index, 'towl', { typoMax: 1 }).corrections, ['towels'])
  })

  test('stopwords are not corrections', () => {
    const index = shopIndex(['with'])
    assert.deepEqual(keysFor(index, 'wiht', { typoMax: 1 }), [])
  })

  test('in a large catalog, a rare word is also corrected, to words twenty times as frequent', () => {
    const filler = times(9_990, 'chair')
    const rare = shopIndex(['tabel', ...times(20, 'table'), ...filler])
    const outcome = rare.search(shopPlan('tabel', { typoMax: 1 }))
    assert.equal(outcome.found, 21)
    assert.ok(outcome.hits.every(({ textMatchScore }) => textMatchScore > TIER_STEP))
    assert.equal(outcome.hits[0]!.docKey, 1)
    assert.equal(outcome.expansions[0]!.known, true)
    const twice = shopIndex(['tabel', 'tabel', ...times(40, 'table'), ...filler])
    assert.equal(rareDocFreqMax(twice.docCount) < 2, true)
    assert.equal(upperTier(twice, 'tabel').length, 2)
  })

  test('a word known only by its stem is corrected, unless it is a plural', () => {
    const index = shopIndex(['cell', 'cell', ...times(40, 'ceiling')])
    assert.equal(keysFor(index, 'celling', { typoMax: 1 }).length, 42)
    assert.equal(expansionOf(index, 'celling', { typoMax: 1 }).known, true)
    assert.equal(upperTier(index, 'celling').length, 42)
    const less = shopIndex(['cell', 'cell', ...times(39, 'ceiling')])
    assert.deepEqual(upperTier(less, 'celling'), [2, 1])
    const plural = shopIndex(['drill', 'drill', ...times(40, 'grills')])
    assert.deepEqual(upperTier(plural, 'drills'), [2, 1])
  })

  test('a mere prefix is corrected to a word much more frequent than all its continuations', () => {
    const options = { typoMax: 1, typoMinLengths: [4, 9], prefix: 'always' } as const
    const few = shopIndex(['aerator', 'aerator', ...times(9, 'area')])
    assert.deepEqual(expansionOf(few, 'aera', options).corrections, [])
    assert.deepEqual(expansionOf(few, 'aera', { ...options, prefix: 'off' }).corrections, ['area'])
    const many = shopIndex(['aerator', 'aerator', ...times(10, 'area')])
    assert.deepEqual(expansionOf(many, 'aera', options).corrections, ['area'])
  })

  test('the frequent word is the better correction, then the first by code point', () => {
    const index = shopIndex(['bonnet', 'bannet', 'bannet', 'bunnet'])
    assert.deepEqual(expansionOf(index, 'bennet', { typoMax: 1 }).corrections, [
      'bannet',
      'bonnet',
      'bunnet',
    ])
  })

  test('the likelier typo is the better correction, unless the other word is much more frequent', () => {
    const likely = shopIndex(['hammock', ...times(9, 'hassock')])
    assert.deepEqual(expansionOf(likely, 'hamock', { typoMax: 2 }).corrections, ['hammock'])
    const swapped = shopIndex(['trial', ...times(3, 'trill')])
    assert.equal(expansionOf(swapped, 'trail', { typoMax: 1 }).corrections[0], 'trial')
    const frequent = shopIndex(['minor', ...times(60, 'miner')])
    assert.deepEqual(expansionOf(frequent, 'minir', { typoMax: 1 }).corrections, ['miner', 'minor'])
  })

  test('company with the other words of the query outweighs frequency', () => {
    const index = shopIndex(['red bonnet', 'red bonnet', 'red bonnet', ...times(5, 'bannet')])
    assert.deepEqual(expansionOf(index, 'bennet', { typoMax: 1 }).corrections, ['bannet', 'bonnet'])
    assert.deepEqual(expansionOf(index, 'bennet red', { typoMax: 1 }).corrections, [
      'bonnet',
      'bannet',
    ])
    const bonnet = correctionScore(editCost('bennet', 'bonnet'), 3) + companyScore([3])
    const bannet = correctionScore(editCost('bennet', 'bannet'), 5) + companyScore([0])
    assert.ok(bonnet > bannet)
  })

  test('names at most eight, only those that count; all of them match', () => {
    const words = [...'abcdefghijkl'].map((letter) => `armchai${letter}x`)
    const index = shopIndex(words)
    const outcome = index.search(shopPlan('armchaix', { typoMax: 1 }))
    assert.equal(outcome.found, 12)
    assert.deepEqual(outcome.expansions[0]!.corrections, [
      'armchaiix',
      'armchaiax',
      'armchaiex',
      'armchaibx',
      'armchaicx',
      'armchaidx',
      'armchaifx',
      'armchaigx',
    ])
    // Another first letter and a second edit cost 8: e^-8 is below the minimum.
    const poor = shopIndex([...times(3, 'shoelaces'), ...times(40, 'thoelaces')])
    const plan = shopPlan('shoelacse', { typoMax: 2 })
    assert.deepEqual(poor.search(plan).expansions[0]!.corrections, ['shoelaces'])
  })
})

suite('words split at the wrong place', () => {
  const respeltOf = (index: NaiveIndex, text: string, options: SlotOptions = { typoMax: 2 }) =>
    index.search(shopPlan(text, options)).expansions.map(({ respelt }) => respelt.join())

  test('the misspelt joined word matches both', () => {
    const index = shopIndex(['sunflower', 'sun', 'sun', 'sunflowers'])
    assert.deepEqual(respeltOf(index, 'sun flawer'), ['sunflower', 'sunflower'])
    assert.deepEqual(keysFor(index, 'sun flawer', { typoMax: 2 }), [1, 4, 3, 2])
    const requireAllTerms = true
    assert.deepEqual(keysFor(index, 'sun flawer', { typoMax: 2, requireAllTerms }), [1, 4])
    assert.deepEqual(respeltOf(index, 'sun flawer', { typoMax: 0 }), ['', ''])
  })

  test('the two, split elsewhere, match both', () => {
    const index = shopIndex(['sun flower', 'lower', 'flower sun'])
    assert.deepEqual(respeltOf(index, 'sunf lower'), ['sun flower', 'sun flower'])
    assert.equal(keysFor(index, 'sunf lower', { typoMax: 0 })[0], 1)
  })

  test('two known words are not respelt', () => {
    const index = shopIndex(['sun', 'flower', 'sunflowers', 'sunf', 'lower', 'sun flower'])
    assert.deepEqual(respeltOf(index, 'sunf lower'), ['', ''])
  })

  test('a word with an existing spelling is still corrected', () => {
    const index = shopIndex(['sunflawer', 'flower'])
    assert.deepEqual(expansionOf(index, 'sun flawer', { typoMax: 1 }, 1).corrections, ['flower'])
    // Only a word ten times as frequent corrects both.
    const few = shopIndex(['sunflawer', ...times(9, 'sunflower')])
    assert.deepEqual(respeltOf(few, 'sun flawer'), ['', ''])
    const many = shopIndex(['sunflawer', ...times(10, 'sunflower')])
    assert.deepEqual(respeltOf(many, 'sun flawer'), ['sunflower', 'sunflower'])
  })
})

suite('neighbours', () => {
  test('a known word ten times as rare as one an edit away also finds it, after all documents with the word', () => {
    // The neighbour in a short title, the word in a long one.
    const index = shopIndex(['addidas in the middle of a long long title', ...times(12, 'adidas')])
    assert.equal(keysFor(index, 'addidas', { typoMax: 1 }).length, 13)
    assert.deepEqual(upperTier(index, 'addidas'), [1])
    const { known, corrections } = expansionOf(index, 'addidas', { typoMax: 1 })
    assert.deepEqual({ known, corrections }, { known: true, corrections: ['adidas'] })
    assert.deepEqual(keysFor(index, 'addidas', { typoMax: 0 }), [1])
  })

  test('less frequent words, and those two edits away, are not neighbours', () => {
    const less = shopIndex(['addidas', ...times(9, 'adidas')])
    assert.deepEqual(keysFor(less, 'addidas', { typoMax: 2 }), [1])
    const far = shopIndex(['addiddas', ...times(12, 'adidas')])
    assert.deepEqual(keysFor(far, 'addiddas', { typoMax: 2 }), [1])
    assert.deepEqual(
      keysFor(shopIndex(['prom', ...times(50, 'with')]), 'prom', { typoMax: 1 }),
      [1],
    )
  })

  test('a word in five documents may have neighbours, in six only in a catalog of thousands', () => {
    const five = shopIndex([...times(5, 'carry'), ...times(60, 'harry')])
    assert.equal(keysFor(five, 'carry', { typoMax: 1 }).length, 65)
    assert.deepEqual(upperTier(five, 'carry'), [5, 4, 3, 2, 1])
    const six = [...times(6, 'carry'), ...times(60, 'harry')]
    assert.equal(keysFor(shopIndex(six), 'carry', { typoMax: 1 }).length, 6)
    const large = shopIndex([...six, ...times(6_000, 'chair')])
    assert.equal(keysFor(large, 'carry', { typoMax: 1 }).length, 66)
  })

  test('neighbours earn no pair, and add nothing to a document with the word', () => {
    const titles = [...times(30, 'adidas shoe'), 'addidas', 'addidas adidas']
    const index = shopIndex(titles)
    const plan = shopPlan('addidas shoe', { typoMax: 1, explain: true })
    const { hits } = index.search(plan)
    const explanationOf = (key: number) => hits.find(({ docKey }) => docKey === key)!.explanation!
    assert.deepEqual(explanationOf(1).pairs, [])
    assert.equal(explanationOf(1).tier, 0)
    const [neighbour] = explanationOf(1).slots[0]!.alternatives
    assert.deepEqual([neighbour!.variant, neighbour!.quality], ['neighbour', WEIGHT_NEIGHBOUR])
    assert.deepEqual(
      explanationOf(32).slots[0]!.alternatives.map(({ variant, counted }) => [variant, counted]),
      [
        ['exact', true],
        ['neighbour', false],
      ],
    )
  })
})

suite('an unfinished word with a typo', () => {
  const index = shopIndex(['jacket', 'jackets', 'jam', 'jackal', 'tent'])
  const typing = { prefix: 'always', typoMax: 1 } as const

  test('is completed and corrected if nothing else matches it', () => {
    assert.deepEqual(keysFor(index, 'jakc', typing).toSorted(ascending), [1, 2, 4])
    assert.deepEqual(keysFor(index, 'jakce', typing).toSorted(ascending), [1, 2])
    assert.deepEqual(keysFor(index, 'jakc', { ...typing, prefix: 'off' }), [])
    assert.deepEqual(keysFor(index, 'jakc', { prefix: 'always' }), [])
  })

  test('is not corrected with a wrong first or last letter', () => {
    assert.deepEqual(keysFor(index, 'jacx', typing), [])
    assert.deepEqual(keysFor(index, 'xackb', typing), [])
  })

  test('applies only to the last word of a query', () => {
    assert.deepEqual(keysFor(index, 'jakc tent', typing), [5])
  })
})
