import assert from 'node:assert/strict'
import test from 'node:test'
import { finalQueries } from '@aisle/event-log'
import fc from 'fast-check'
import { BURST_HOLD_MS, OpenBursts, type BurstSearch } from './open-bursts.ts'

test('event by event, the same searches are final as in the whole list', () => {
  const event = fc.record({
    session: fc.constantFrom('a', 'b'),
    query: fc.option(fc.constantFrom('s', 'sh', 'sho', 'Shoe ', 'shoe', 'b', 'boot'), {
      nil: undefined,
    }),
    waitMs: fc.constantFrom(0, 100, 2_999, 3_000, 6_000),
  })
  fc.assert(
    fc.property(fc.array(event), (steps) => {
      let atMs = 0
      const events = steps.map(({ session, query, waitMs }) => {
        atMs += waitMs
        return { session, query, atMs, receivedMs: atMs }
      })
      type Numbered = BurstSearch & { readonly place: number }
      const final: number[] = []
      const bursts = new OpenBursts<Numbered>(({ place }) => final.push(place))
      for (const [place, { query, ...event }] of events.entries()) {
        bursts.endBefore(event.receivedMs - BURST_HOLD_MS)
        if (query === undefined) bursts.end(event.session)
        else bursts.search({ ...event, query, place })
      }
      bursts.endBefore(Infinity)
      const places = finalQueries(
        events.map(({ session, ...rest }) => ({ visitor: session, ...rest })),
      )
      assert.deepEqual(
        final.toSorted((a, b) => a - b),
        places,
      )
    }),
  )
})
