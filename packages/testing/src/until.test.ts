import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { stays, until } from './until.ts'

suite('until', () => {
  test('returns the awaited value as soon as it exists', async () => {
    let looks = 0
    assert.equal(await until('three', () => (++looks === 3 ? 'there' : undefined)), 'there')
    assert.equal(looks, 3)
  })

  test('0 and an empty text are values', async () => {
    assert.equal(await until('a count', () => 0), 0)
    assert.equal(await until('a text', () => Promise.resolve('')), '')
  })

  test('reports the missing thing on timeout', async () => {
    const never = until('the answer', () => false, { timeoutMs: 20 })
    await assert.rejects(never, { message: 'Timed out after 20 ms: the answer' })
  })

  test('an error of the check fails the wait', async () => {
    const failing = until('the answer', () => Promise.reject(new Error('gone')))
    await assert.rejects(failing, { message: 'gone' })
  })
})

suite('stays', () => {
  test('notices a change', async () => {
    let looks = 0
    const changing = stays(1_000, () => assert.ok(++looks < 3))
    await assert.rejects(changing)
    assert.equal(looks, 3)
  })

  test('checks a last time at the end', async () => {
    let lastMs = 0
    const startMs = performance.now()
    await stays(30, () => void (lastMs = performance.now()))
    assert.ok(lastMs - startMs >= 30)
  })
})
