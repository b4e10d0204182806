import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  changeOf,
  FIGURES,
  revenueChanges,
  revenueText,
  type Totals,
  withChange,
} from './figures.ts'

const NONE: Totals = {
  searches: 0,
  users: 0,
  sessions: 0,
  no_result_searches: 0,
  no_result_rate: null,
  clicks: 0,
  click_through_rate: null,
  average_click_position: null,
  conversions: 0,
  conversion_rate: null,
  orders: 0,
  revenue: [],
  revenue_per_search: null,
  average_order_value: null,
}
const figure = (id: string) => FIGURES.find((one) => one.id === id)!

suite('figures of the overview', () => {
  test('have their own ids', () => {
    assert.equal(new Set(FIGURES.map(({ id }) => id)).size, FIGURES.length)
  })

  test('without anything to divide by are a dash, not 0%', () => {
    for (const id of [
      'no_result_rate',
      'click_through_rate',
      'average_click_position',
      'revenue',
    ]) {
      assert.equal(figure(id).text(NONE), '–')
      assert.equal(figure(id).value(NONE), null)
    }
    assert.equal(figure('searches').text(NONE), '0')
  })

  test('change in percent, shares in points, and say whether that is good', () => {
    const change = (id: string, now: Partial<Totals>, before: Partial<Totals>) =>
      changeOf(figure(id), { ...NONE, ...now }, { ...NONE, ...before })
    assert.deepEqual(change('searches', { searches: 150 }, { searches: 100 }), {
      text: '+50%',
      amount: '+50',
      news: 'good',
    })
    assert.deepEqual(change('no_result_rate', { no_result_rate: 0.08 }, { no_result_rate: 0.05 }), {
      text: '+3.0 points',
      news: 'bad',
    })
    assert.deepEqual(
      change(
        'average_click_position',
        { average_click_position: 3 },
        { average_click_position: 4 },
      ),
      { text: '−25%', amount: '−1.0', news: 'good' },
    )
    assert.deepEqual(change('searches', { searches: 7 }, { searches: 7 }), {
      text: 'no change',
      news: 'none',
    })
    // From zero there is a difference but no percentage; from an unknown value there is neither.
    assert.deepEqual(change('searches', { searches: 7 }, {}), { text: '+7', news: 'good' })
    assert.deepEqual(change('searches', {}, { searches: 7 }), {
      text: '−100%',
      amount: '−7',
      news: 'bad',
    })
    assert.deepEqual(change('searches', {}, {}), { text: 'no change', news: 'none' })
    const eur = (amount: number) => ({ revenue: [{ currency: 'EUR', amount }] })
    assert.match(change('revenue', eur(12), eur(10))?.amount ?? '', /^\+.*2/)
    assert.equal(change('revenue', eur(12), {}), undefined)
    assert.equal(change('click_through_rate', { click_through_rate: 0.2 }, {}), undefined)
  })

  test('never add or compare sums of different currencies', () => {
    const eur = { currency: 'EUR', amount: 10 }
    const usd = { currency: 'USD', amount: 5 }
    assert.match(revenueText([eur, usd]), / \+ /)
    assert.equal(revenueText([eur, usd, usd]), 'EUR 10.00 + 2 more')
    const changes = revenueChanges([eur, usd], [{ currency: 'EUR', amount: 8 }])
    assert.deepEqual(changes, [
      { text: 'EUR 10.00', change: { text: '+25%', news: 'good' } },
      { text: 'USD 5.00' },
    ])
    assert.equal(figure('revenue').value({ ...NONE, revenue: [eur, usd] }), null)
    assert.equal(
      changeOf(figure('revenue'), { ...NONE, revenue: [eur] }, { ...NONE, revenue: [usd] }),
      undefined,
    )
  })
})

test('an earlier value says how much has changed since', () => {
  assert.equal(withChange('80', 100, 80), '80 (+25%)')
  assert.equal(withChange('80', 60, 80), '80 (−25%)')
  assert.equal(withChange('1,000', 1_001, 1_000), '1,000 (no change)')
  assert.equal(withChange('0', 5, 0), '0')
  assert.equal(withChange('–', null, undefined), '–')
})
