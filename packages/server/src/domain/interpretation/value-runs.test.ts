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
