import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { CALENDAR_UNITS, isTimeZone, moved, startOf, type CalendarUnit } from './calendar.ts'

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', '+05:45']
const timeZone = fc.constantFrom(...ZONES)
/** Around the years in which these zones have known rules, many near a change of clocks. */
const moment = fc.oneof(
  fc.integer({ min: Date.UTC(1996, 0, 1), max: Date.UTC(2040, 0, 1) }),
  fc
    .tuple(
      fc.constantFrom(
        Date.UTC(2026, 2, 29, 1),
        Date.UTC(2026, 9, 25, 1),
        Date.UTC(2026, 10, 1, 6),
        Date.UTC(2026, 3, 4, 15),
      ),
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
    )
    .map(([at, ms]) => at + ms),
)

/** What a calendar on the wall shows, by the unit: computed by `Intl`, not by `Temporal`. */
function shown(ms: number, unit: CalendarUnit, zone: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const { year, month, day, hour, minute, second, timeZoneName } = parts
  // The hour that clocks show twice in autumn is two hours.
  const clock = `${day} ${hour} ${timeZoneName}`
  switch (unit) {
    case 'year':
      return year!
    case 'quarter':
      return `${year} ${Math.ceil(Number(month) / 3)}`
    case 'month':
      return `${year} ${month}`
    case 'week': {
      const dayNumber = Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000
      return String(Math.floor((dayNumber + 3) / 7))
    }
    case 'day':
      return `${year} ${month} ${day}`
    case 'hour':
      return `${year} ${month} ${clock}`
    case 'minute':
      return `${year} ${month} ${clock} ${minute}`
    case 'second':
      return `${year} ${month} ${clock} ${minute} ${second}`
  }
}

suite('calendar', () => {
  test('a unit begins where the wall begins to show it, and ends where it no longer does', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...CALENDAR_UNITS), timeZone, (ms, unit, zone) => {
        const start = startOf(ms, unit, zone)
        const end = moved(start, 1, unit, zone)
        // Lord Howe moves its clocks by half an hour: an hour is not one there.
        if (zone === 'Australia/Lord_Howe' && unit === 'hour') return
        assert.ok(start <= ms && ms < end, `${start} ${ms} ${end}`)
        const label = shown(ms, unit, zone)
        assert.equal(shown(start, unit, zone), label)
        assert.equal(shown(end - 1, unit, zone), label)
        assert.notEqual(shown(start - 1, unit, zone), label)
        assert.notEqual(shown(end, unit, zone), label)
        assert.equal(startOf(start, unit, zone), start)
      }),
      { numRuns: 2_000 },
    )
  })

  test('days keep the time of day over a change of clocks, hours are hours', () => {
    const before = Date.parse('2026-03-28T12:00:00+01:00')
    const noon = Date.parse('2026-03-29T12:00:00+02:00')
    assert.equal(moved(before, 1, 'day', 'Europe/Berlin'), noon)
    assert.equal(moved(before, 24, 'hour', 'Europe/Berlin'), noon + 3_600_000)
    const end = Date.UTC(2026, 0, 31)
    assert.equal(moved(end, 1, 'month', 'UTC'), Date.UTC(2026, 1, 28))
    assert.equal(moved(end, 1, 'quarter', 'UTC'), Date.UTC(2026, 3, 30))
  })

  test('time zones are names and offsets', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'Etc/GMT+5', '+02:00', '-03:30']) {
      assert.equal(isTimeZone(zone), true, zone)
    }
    const others = ['', 'Mars/Olympus', '2026-01-01T00:00+01:00[Europe/Berlin]', '+2', '+99:00']
    for (const zone of [...others, 'Europe/Berlin '.repeat(9), 'UTC[u-ca=iso8601]']) {
      assert.equal(isTimeZone(zone), false, zone)
    }
  })
})
