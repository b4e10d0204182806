import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { movingDates, parseDateMs, parsePeriod } from './date-literal.ts'

const context = { nowMs: Date.parse('2026-03-31T22:15:30.500Z'), timeZone: 'UTC' }
const berlin = { ...context, timeZone: 'Europe/Berlin' }

/** `start/end`, the end exclusive. */
function period(text: string, of = context): string | undefined {
  const found = parsePeriod(text, of)
  if (found === undefined) return undefined
  return [found.startMs, found.endMs].map((ms) => new Date(ms).toJSON()).join('/')
}

suite('dates of requests', () => {
  for (const [text, start, end, of] of [
    ['2026-01', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['2026-01-31T12:30', '2026-01-31T12:30:00.000Z', '2026-01-31T12:31:00.000Z'],
    ['2026-01-31 12:30', '2026-01-31T12:30:00.000Z', '2026-01-31T12:31:00.000Z'],
    ['2026-01-31T12:30:05Z', '2026-01-31T12:30:05.000Z', '2026-01-31T12:30:06.000Z'],
    ['2026-01-31T12:30:05.25+02:00', '2026-01-31T10:30:05.250Z', '2026-01-31T10:30:05.251Z'],
    ['1769862605', '2026-01-31T12:30:05.000Z', '2026-01-31T12:30:05.001Z'],
    ['1769862605.2509', '2026-01-31T12:30:05.250Z', '2026-01-31T12:30:05.251Z'],
    ['-0.0001', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'],
    ['now', '2026-03-31T22:15:30.000Z', '2026-03-31T22:15:31.000Z'],
    ['now-7d', '2026-03-24T22:15:30.000Z', '2026-03-24T22:15:31.000Z'],
    ['now/d', '2026-03-31T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
    ['now/d', '2026-03-31T22:00:00.000Z', '2026-04-01T22:00:00.000Z', berlin],
    ['now-1M', '2026-02-28T22:15:30.000Z', '2026-02-28T22:15:31.000Z'],
    ['now+1M/M', '2026-04-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z'],
    ['now/w', '2026-03-30T00:00:00.000Z', '2026-04-06T00:00:00.000Z'],
    ['now/y-1y', '2025-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    ['now/h+30m', '2026-03-31T22:30:00.000Z', '2026-03-31T23:30:00.000Z'],
    ['now-d/d', '2026-03-30T00:00:00.000Z', '2026-03-31T00:00:00.000Z'],
    ['2026-01-31||+1M/M', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['2026-01-31', '2026-01-30T23:00:00.000Z', '2026-01-31T23:00:00.000Z', berlin],
    // The clocks of Berlin skip it.
    ['2026-03-29T02:30', '2026-03-29T01:30:00.000Z', '2026-03-29T01:31:00.000Z', berlin],
  ] as const) {
    test(`${text} in ${(of ?? context).timeZone} is from ${start} to ${end}`, () => {
      assert.equal(period(text, of), `${start}/${end}`)
    })
  }

  test('nothing else is a date', () => {
    const others = [
      '',
      'today',
      'nowx',
      'now+',
      'now/',
      'now/D',
      'now/q',
      'now-7',
      'now -7d',
      'Now',
      '2026-13-01',
      '2026-02-30',
      '26-01-01',
      '2026-01-01+1d',
      '||now',
      '2026-01-01||now',
      '0x10',
      '1.',
      '٣',
      '2026-W01',
      'now'.repeat(9),
      `now${'+1d'.repeat(17)}`,
    ]
    for (const text of others) {
      assert.equal(period(text), undefined, text)
    }
    assert.equal(parsePeriod('now'), undefined)
  })

  test('steps that leave the calendar stay at its end', () => {
    assert.ok(parsePeriod('now+999999999y/y', context)!.startMs > Date.UTC(9999, 0))
    assert.ok(parsePeriod('now-999999999y/y-1s', context)!.endMs < Date.UTC(-9999, 0))
    assert.equal(parsePeriod('1e400', context)!.startMs, Infinity)
  })

  // Method: an ISO text cut after any part names exactly the moments whose texts begin so.
  test('a text names the moments whose texts begin with it', () => {
    const from = Date.UTC(1900, 0)
    const to = Date.UTC(2100, 0)
    const moment = fc.integer({ min: from, max: to })
    const nearby = fc.oneof(moment, fc.integer({ min: -90_000_000, max: 90_000_000 }))
    fc.assert(
      fc.property(moment, nearby, fc.constantFrom(7, 10, 16, 19, 23), (ms, other, length) => {
        const text = new Date(ms).toJSON().slice(0, length)
        const { startMs, endMs } = parsePeriod(text, context)!
        for (const at of [ms, other >= from ? other : ms + other]) {
          const isIn = at >= startMs && at < endMs
          assert.equal(isIn, new Date(at).toJSON().startsWith(text), `${text} ${at}`)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  test('the meaning of `now` in texts is equal while the texts mean the same', () => {
    const at = (time: string) => ({ nowMs: Date.parse(time), timeZone: 'UTC' })
    const texts = ['a:>=now/d && brand:acme && b:<now+1M/M', undefined, '{"a":{"lt":"now-1w"}}']
    const days = [texts[0]]
    const morning = movingDates(days, at('2026-01-01T08:00:00Z'))
    assert.equal(morning.length, 2)
    assert.deepEqual(movingDates(days, at('2026-01-01T18:00:00Z')), morning)
    assert.notDeepEqual(movingDates(days, at('2026-01-02T08:00:00Z')), morning)
    assert.equal(movingDates(texts, at('2026-01-02T08:00:00Z')).length, 3)
    assert.notDeepEqual(
      movingDates(texts, at('2026-01-02T08:00:00Z')),
      movingDates(texts, at('2026-01-02T08:00:01Z')),
    )
    assert.deepEqual(movingDates(['a:>2026', 'no w', 'brand:=Snow', 'known'], context), [])
  })
})

test('dates of documents are in UTC, to the millisecond', () => {
  for (const [text, isNumber, iso] of [
    ['2026-01-31', false, '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:30:05.2509+02:00', false, '2026-01-31T10:30:05.250Z'],
    ['1769862605', true, '2026-01-31T12:30:05.000Z'],
    ['1.769862605e9', true, '2026-01-31T12:30:05.000Z'],
  ] as const) {
    assert.equal(new Date(parseDateMs(text, isNumber)!).toJSON(), iso)
  }
  assert.equal(parseDateMs('1769862605', false), undefined)
  assert.equal(parseDateMs('now', false), undefined)
})
