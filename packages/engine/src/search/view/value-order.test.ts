import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Column } from '../../columns/column-reader.ts'
import { finish } from './steps.ts'
import { valueOrder, valueOrderInSteps } from './value-order.ts'

suite('order of documents by value', () => {
  test('takes many steps for a million documents, with the same outcome', () => {
    const docCount = 1_000_000
    const ords32 = Uint32Array.from({ length: docCount }, (_, i) => (i * 7_919) % 5_003)
    const column = { ordBits: 32, ordCount: 5_003, ords32 } as Column
    const keys = Float64Array.from({ length: docCount }, (_, i) => i + 1)
    const insertions = { keys, base: 0, docOrds: undefined }
    const steps = valueOrderInSteps(column, insertions, {
      checkDeadline: () => undefined,
      isTurnOver: () => true,
    })
    let count = 0
    let step = steps.next()
    for (; step.done !== true; count++) step = steps.next()
    assert.ok(count >= 14, `${count} steps`)
    const { docOrds, missing } = step.value
    const expected = Array.from({ length: docCount }, (_, i) => i)
    const inOrder = expected.toSorted((a, b) => ords32[a]! - ords32[b]! || a - b)
    assert.deepEqual([...missing, ...docOrds], inOrder)
    const late = {
      checkDeadline: () => {
        throw new Error('late')
      },
    }
    assert.throws(() => finish(valueOrderInSteps(column, insertions, late)), /late/)
    assert.deepEqual(valueOrder(column, insertions), step.value)
  })
})
