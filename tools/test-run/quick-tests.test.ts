import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { suite, test } from 'node:test'
import { REPOSITORY } from '@aisle/testing'
import { LAWS, quickChoice } from './quick-tests.ts'

const SECONDS: Readonly<Record<string, number>> = { law: 5, own: 90, near: 4, slow: 30, far: 2 }
const distances = new Map([
  ['own', 0],
  ['slow', 1],
  ['near', 1],
  ['far', 7],
])
const choice = (secondsMax: number) =>
  quickChoice(Object.keys(SECONDS), ['law'], distances, (file) => SECONDS[file]!, secondsMax)

suite('the tests of a minute', () => {
  test('are the laws, what was changed, and the nearest that there is time for', () => {
    assert.deepEqual(choice(1_000), { chosen: ['law', 'own', 'near', 'slow', 'far'], leftOut: [] })
    assert.deepEqual(choice(101), { chosen: ['law', 'own', 'near', 'far'], leftOut: ['slow'] })
    assert.deepEqual(choice(0), { chosen: ['law', 'own'], leftOut: ['near', 'slow', 'far'] })
  })

  test('each of the laws is a test', () => {
    for (const pattern of LAWS) {
      assert.ok(globSync(pattern, { cwd: REPOSITORY }).length > 0, pattern)
    }
  })
})
