import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseTime } from './event-time.ts'

suite('times of events', () => {
  // The oracle is JavaScript's calendar, which turns a day that does not exist into another.
  test('a date that does not exist is invalid, in any year', () => {
    for (const year of [1900, 1999, 2000, 2023, 2024, 2100, 2400]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const two = (number: number) => String(number).padStart(2, '0')
          const date = `${year}-${two(month)}-${two(day)}`
          const ms = Date.parse(`${date}T00:00Z`)
          const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
          assert.equal(parseTime(date), isDay ? ms : undefined, date)
          assert.equal(parseTime(`${date}T00:00:00.000Z`), isDay ? ms : undefined, date)
        }
      }
    }
  })

  test('all spellings of a time are the same time', () => {
    const ms = Date.UTC(2026, 1, 28, 22, 30, 15, 250)
    const spellings = [
      '2026-02-28T22:30:15.250Z',
      '2026-02-28t22:30:15,25z',
      '2026-02-28 22:30:15.250',
      '2026-03-01T00:30:15.250+02:00',
      '2026-02-28T17:00:15.250-0530',
      '2026-02-28T22:30:15.250000000Z',
    ]
    for (const spelling of spellings) assert.equal(parseTime(spelling), ms, spelling)
    for (const time of [
      '2026-02-28T24:61:00.000Z',
      '2026-02-28T22:30:15.2x0Z',
      '2026-2-28',
      1e12,
    ]) {
      assert.equal(parseTime(time), undefined, String(time))
    }
  })
})
