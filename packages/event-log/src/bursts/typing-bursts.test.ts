import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import fc from 'fast-check'
import { BURST_PAUSE_MS, finalQueries, type BurstEvent } from './typing-bursts.ts'

/**
 * `shoe@100` is a query of visitor v at 100 ms, `w:shoe@100` one of w, `click@100` another action.
 */
function events(...texts: string[]): BurstEvent[] {
  return texts.map((text) => {
    const [, visitor = 'v', query = '', at] = /^(?:(\w):)?(.*)@(\d+)$/.exec(text) ?? []
    return { visitor, atMs: Number(at), query: query === 'click' ? undefined : query }
  })
}

function finals(...texts: string[]): string[] {
  return finalQueries(events(...texts)).map((place) => texts[place] ?? '')
}

suite('typing bursts', () => {
  test('keystrokes of one search count as its last query', () => {
    assert.deepEqual(finals('s@0', 'sh@200', 'sho@400', 'shoe@600'), ['shoe@600'])
  })

  test('deleting and typing more continues the burst', () => {
    assert.deepEqual(finals('shoes@0', 'shoe@500', 'shoe r@900', 'shoe red@1200'), [
      'shoe red@1200',
    ])
  })

  test('a pause, a click and another query end it', () => {
    assert.deepEqual(finals('shoe@0', 'shoes@3000'), ['shoe@0', 'shoes@3000'])
    assert.deepEqual(finals('shoe@0', 'shoes@2999'), ['shoes@2999'])
    assert.deepEqual(finals('shoe@0', 'click@100', 'shoes@200'), ['shoe@0', 'shoes@200'])
    assert.deepEqual(finals('shoe@0', 'boot@100'), ['shoe@0', 'boot@100'])
  })

  test('visitors do not affect one another', () => {
    assert.deepEqual(finals('sh@0', 'w:b@50', 'shoe@100', 'w:click@120', 'w:boot@150'), [
      'w:b@50',
      'shoe@100',
      'w:boot@150',
    ])
  })

  test('the same query for the next page counts once, at its first time', () => {
    assert.deepEqual(finals('sho@0', 'shoe@100', 'Shoe @200', 'shoe@300'), ['shoe@100'])
  })

  test('every search belongs to one burst: removing all but final ones changes nothing', () => {
    const event = fc.record({
      visitor: fc.constantFrom('a', 'b'),
      stepMs: fc.nat(2 * BURST_PAUSE_MS),
      query: fc.option(fc.constantFrom('s', 'sh', 'shoe', 'boot', 'b', ''), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(event), (steps) => {
        let atMs = 0
        const all = steps.map(({ visitor, stepMs, query }) => {
          atMs += stepMs
          return { visitor, atMs, query }
        })
        const final = finalQueries(all)
        const visitors = new Set(
          all.filter(({ query }) => query !== undefined).map(({ visitor }) => visitor),
        )
        assert.deepEqual(new Set(final.map((place) => all[place]?.visitor)), visitors)
        assert.equal(new Set(final).size, final.length)
        assert.ok(final.every((place) => all[place]?.query !== undefined))
      }),
    )
  })
})
