import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { test } from 'node:test'
import { INTERPRETED_FIELDS_MAX, INTERPRETED_VALUES_MAX } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import { PHRASE_WORDS } from './phrase-words.ts'
import { Announcers, queryWords, valueRuns } from './value-runs.ts'

const WORDS = 'alpha bravo carmine delta echo foxtrot golf hotel indigo juliet'.split(' ')

// Goal: the values of a query hold up no other request. Method: the largest legal input, long
// values of several words of the query in eight fields and the phrases of all languages, in steps.
test('values are compared in many short steps', () => {
  const analyzer = createAnalyzer('en')
  const q = WORDS.join(' ')
  const tokens = analyzer.analyze(q)
  const fold = (text: string): string => analyzer.fold(text)
  const announcers = new Announcers(Object.values(PHRASE_WORDS), fold)
  const known = Array.from({ length: INTERPRETED_FIELDS_MAX }, (_, ordinal) => ({
    field: { name: `f${ordinal}`, ordinal, role: 'color' as const },
    values: Array.from({ length: INTERPRETED_VALUES_MAX }, (_, i) =>
      Array.from({ length: 1 + (i % 14) }, (_, k) => WORDS[(i + ordinal + k) % 10]).join(' '),
    ),
  }))
  const words = queryWords(tokens, analyzer, () => false)
  const steps = valueRuns(words, tokens, known, announcers, analyzer)
  let [count, longest, sum] = [0, 0, 0]
  for (let isDone = false; !isDone; count++) {
    const startMs = performance.now()
    isDone = steps.next().done === true
    const ms = performance.now() - startMs
    longest = Math.max(longest, ms)
    sum += ms
  }
  if (process.env['SHOW'] !== undefined) console.log({ count, longest, sum })
  assert.ok(count > (INTERPRETED_FIELDS_MAX * INTERPRETED_VALUES_MAX) / 100, `${count} steps`)
})

const SIZES = { field: { name: 'sizes', ordinal: 0, role: 'size' as const }, values: ['42', '12'] }

/** Texts of the runs that are sizes. */
function sizesIn(q: string): string[] {
  const analyzer = createAnalyzer('en')
  const announcers = new Announcers([PHRASE_WORDS['en']!], (text) => analyzer.fold(text))
  const tokens = analyzer.analyze(q)
  const words = queryWords(tokens, analyzer, () => false)
  const steps = valueRuns(words, tokens, [SIZES], announcers, analyzer)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value.map(({ start, end }) => q.slice(start, end))
  }
}

// A random query failed: the number was read as inches.
test('a size before a small word is not a measure, and one before a unit is', () => {
  const cases: readonly (readonly [string, string[]])[] = [
    ['size 42 in black', ['size 42']],
    ['boots size 42 in', ['size 42']],
    ['in size 12 in black', ['size 12']],
    ['size 42 inches', []],
    ['size 42" black', []],
    ['size 42in black', []],
    ['size 42 cm black', []],
    ['42 in black', []],
  ]
  for (const [q, expected] of cases) assert.deepEqual(sizesIn(q), expected, q)
})
