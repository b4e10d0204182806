import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagTable } from './experiment-tags.ts'

const none = { live: null, draft: null, difference: null, low: null, high: null }

test('a split experiment has both arms and their difference for each tag', () => {
  const text = tagTable([
    {
      tag: 'device:phone',
      visitors: { live: 1_200, draft: 1_180 },
      searches: { live: 3_000, draft: 2_900 },
      currency: 'EUR',
      figures: {
        click: { live: 0.4, draft: 0.425, difference: 0.025, low: -0.01, high: 0.06 },
        add_to_cart: none,
        order: none,
        revenue: { live: 1.5, draft: 2, difference: 0.5, low: -1, high: 2 },
      },
    },
  ])
  assert.deepEqual(text.split('\n'), [
    'tag           arm         visitors  click            add_to_cart  order  revenue',
    'device:phone  live        1,200     40.0 %           -            -      1.50 EUR',
    '              draft       1,180     42.5 %           -            -      2.00 EUR',
    '              difference            -1.0 % to 6.0 %  -            -      -1.00 EUR to 2.00 EUR',
    '',
  ])
})

test('an interleaved one has the votes', () => {
  const both = { live: 900, draft: 900 }
  const votes = { draft: 60, live: 40, ties: 5, draft_share: 0.6, low: 0.45, high: 0.74 }
  const text = tagTable([{ tag: 'nl', visitors: both, searches: both, votes }])
  assert.match(text, /nl +900 +60 +40 +5 +60\.0 % +45\.0 % to 74\.0 %/)
  assert.equal(tagTable([]), 'No tags.\n')
})
