import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { intervalOf, spanOf, spanWords, type Interval } from './facet-intervals.ts'

suite('calendar intervals of facets', () => {
  const spans: readonly (readonly [Interval, string, string, RegExp])[] = [
    ['hour', '2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00', /Mar.*29.*1:00/],
    [
      'day',
      '2026-10-25T00:00:00+02:00',
      '2026-10-26T00:00:00+01:00',
      /Oct.*25.*2026|25.*Oct.*2026/,
    ],
    ['week', '2026-01-05T00:00:00Z', '2026-01-12T00:00:00Z', /^Week of .*5.*2026/],
    ['month', '2026-03-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00', /^March 2026$/],
    ['quarter', '2026-07-01T00:00:00Z', '2026-10-01T00:00:00Z', /^Q3 2026$/],
    ['year', '2026-01-01T00:00:00+01:00', '2027-01-01T00:00:00+01:00', /^2026$/],
  ]
  for (const [interval, from, to, words] of spans) {
    test(`${from} to ${to} is a ${interval}, by the calendar of its place`, () => {
      assert.equal(intervalOf({ from, to }), interval)
      assert.match(spanWords({ from, to }), words)
    })
  }

  test('other values are not times', () => {
    assert.equal(spanOf({ value: '2026', count: 1 }), undefined)
  })
})
