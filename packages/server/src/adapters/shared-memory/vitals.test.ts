import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVitals, ThreadVitals, VitalsView } from './vitals.ts'

test('a fingerprint is of this process: nobody can find another text that has it', () => {
  const [one, other] = [createVitals(1), createVitals(1)]
  const of = (vitals: typeof one, text: string) =>
    new ThreadVitals(vitals, 0, () => 0).fingerprint(text)
  assert.equal(of(one, 'a search'), of(one, 'a search'))
  assert.notEqual(of(one, 'a search'), of(one, 'another'))
  assert.notEqual(of(one, 'a search'), of(other, 'a search'))
})

test('what is quarantined is refused for its time: a search, or all of an origin', () => {
  const vitals = createVitals(1)
  let nowSeconds = 10
  const thread = new ThreadVitals(vitals, 0, () => nowSeconds)
  const main = new VitalsView(vitals)
  thread.workOn({ request: 1n, origin: 2n })
  assert.deepEqual(main.takeWorkOf(0), { request: 1n, origin: 2n })
  assert.deepEqual(main.takeWorkOf(0), { request: 0n, origin: 0n })
  main.quarantine(1n, 70)
  assert.equal(thread.quarantineSeconds({ request: 1n, origin: 5n }), 60)
  assert.equal(thread.quarantineSeconds({ request: 3n, origin: 2n }), 0)
  main.quarantine(2n, 70)
  assert.equal(thread.quarantineSeconds({ request: 3n, origin: 2n }), 60)
  nowSeconds = 70
  assert.equal(thread.quarantineSeconds({ request: 1n, origin: 2n }), 0)
})
