import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { inTurns, ONE_TURN } from './turns.ts'

suite('work in turns', () => {
  function* steps(count: number, onEnd: () => void = () => undefined): Generator<void, string> {
    try {
      for (let i = 0; i < count; i++) yield
      return 'done'
    } finally {
      onEnd()
    }
  }

  test('what takes one turn has its result at once', () => {
    assert.equal(inTurns(steps(0), ONE_TURN), 'done')
  })

  test('rests between two turns', async () => {
    let rests = 0
    const rest = async (): Promise<void> => {
      rests++
    }
    assert.equal(await inTurns(steps(3), { ...ONE_TURN, rest }), 'done')
    assert.equal(rests, 3)
  })

  test('ends, and releases what it holds, when there is no next turn', async () => {
    let isReleased = false
    const release = (): void => {
      isReleased = true
    }
    const rest = () => Promise.reject(new Error('gone'))
    await assert.rejects(async () => inTurns(steps(3, release), { ...ONE_TURN, rest }), /gone/)
    assert.ok(isReleased)
  })
})
