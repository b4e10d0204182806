import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Gradual, type Steps } from './gradual.ts'

suite('a value made step by step', () => {
  test('takes one step per turn at least, and all who ask take the same steps', () => {
    let steps = 0
    const sum = new Gradual(function* (): Steps<number> {
      for (; steps < 3; steps++) yield
      return steps
    })
    assert.equal(
      sum.advance(() => true),
      false,
    )
    assert.equal(steps, 0)
    assert.equal(
      sum.advance(() => true),
      false,
    )
    assert.equal(steps, 1)
    assert.equal(sum.value, 3)
    assert.ok(sum.isMade)
    assert.ok(sum.advance(() => true))
  })

  test('a step that throws does not leave half a value', () => {
    let attempts = 0
    const fragile = new Gradual(function* (): Steps<number> {
      yield
      if (attempts++ === 0) throw new Error('once')
      return 7
    })
    assert.throws(() => fragile.value, /once/)
    assert.equal(fragile.isMade, false)
    assert.equal(fragile.value, 7)
  })
})
