import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVitals, ThreadVitals, VitalsView } from './vitals.ts'

const NONE = { request: 0n, origin: 0n }

/** The fingerprint that the main thread finds when a thread ends over a text. */
function fingerprintOf(vitals: ReturnType<typeof createVitals>, request: string): bigint {
  new ThreadVitals(vitals, 0, () => 0).workOn({ request, origin: '' })
  return new VitalsView(vitals).takeWorkOf(0).request
}

test('a fingerprint is of this process: nobody can find another text that has it', () => {
  const [one, other] = [createVitals(1), createVitals(1)]
  const long = 'é'.repeat(5_000)
  for (const text of ['a search', long]) {
    assert.equal(fingerprintOf(one, text), fingerprintOf(one, text))
    assert.notEqual(fingerprintOf(one, text), fingerprintOf(one, `${text}.`))
    assert.notEqual(fingerprintOf(one, text), fingerprintOf(other, text))
  }
})

test('threads write side by side, and what is written is forgotten once taken', () => {
  const vitals = createVitals(2)
  const main = new VitalsView(vitals)
  const [one, other] = [0, 1].map((slot) => new ThreadVitals(vitals, slot, () => 0))
  one!.workOn({ request: 'x'.repeat(1_024), origin: 'shop 10.0.0.1' })
  other!.workOn({ request: 'ü', origin: 'y'.repeat(1_024) })
  const [first, second] = [main.takeWorkOf(0), main.takeWorkOf(1)]
  assert.equal(new Set([first.request, first.origin, second.request, second.origin, 0n]).size, 5)
  assert.deepEqual([main.takeWorkOf(0), main.takeWorkOf(1)], [NONE, NONE])
  other!.workOn({ request: '', origin: '' })
  assert.deepEqual(main.takeWorkOf(1), NONE)
})

test('what is quarantined is refused for its time: a search, or all of an origin', () => {
  const vitals = createVitals(1)
  let nowSeconds = 10
  const thread = new ThreadVitals(vitals, 0, () => nowSeconds)
  const main = new VitalsView(vitals)
  const [request, origin] = ['tv '.repeat(1_000), 'shop 10.0.0.1']
  thread.workOn({ request, origin })
  const ended = main.takeWorkOf(0)
  main.quarantine(ended.request, 70)
  assert.equal(thread.quarantineSeconds({ request, origin: 'another' }), 60)
  assert.equal(thread.quarantineSeconds({ request: 'another', origin }), 0)
  main.quarantine(ended.origin, 70)
  assert.equal(thread.quarantineSeconds({ request: 'another', origin }), 60)
  assert.equal(thread.quarantineSeconds({ request: '', origin: 'another' }), 0)
  nowSeconds = 70
  assert.equal(thread.quarantineSeconds({ request, origin }), 0)
})
