import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { comesFirst, reordered, type PlacedRule } from './rule-order.ts'

const PRIORITY_MAX = 60

const idsInOrder = (rules: readonly PlacedRule[]): string[] =>
  rules.toSorted((a, b) => (comesFirst(a, b) ? -1 : 1)).map(({ id }) => id)

function applied(order: readonly PlacedRule[], changed: readonly PlacedRule[]): PlacedRule[] {
  const next = new Map(changed.map(({ id, priority }) => [id, priority]))
  return order.map(({ id, priority }) => ({ id, priority: next.get(id) ?? priority }))
}

suite('the order of rules', () => {
  test('is what was asked for, whatever the priorities were', () => {
    const rules = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1, maxLength: 2 }),
        priority: fc.integer({ min: -PRIORITY_MAX, max: PRIORITY_MAX }),
      }),
      { selector: ({ id }) => id, maxLength: 6 },
    )
    fc.assert(
      fc.property(rules, (order) => {
        const changed = reordered(order, PRIORITY_MAX)
        const after = applied(order, changed)
        assert.deepEqual(
          idsInOrder(after),
          order.map(({ id }) => id),
        )
        assert.ok(after.every(({ priority }) => Math.abs(priority) <= PRIORITY_MAX))
        assert.ok(
          changed.every(({ id, priority }) => {
            return order.find((rule) => rule.id === id)!.priority !== priority
          }),
        )
      }),
      { numRuns: 2_000 },
    )
  })

  test('changes only the rule that was moved, if there is room', () => {
    const [a, b, c] = [10, 20, 30].map((priority) => ({ id: `r${priority}`, priority }))
    assert.deepEqual(reordered([c!, b!, a!], 1_000), [])
    assert.deepEqual(reordered([a!, c!, b!], 1_000), [{ id: 'r10', priority: 40 }])
    assert.deepEqual(reordered([c!, a!, b!], 1_000), [{ id: 'r10', priority: 25 }])
  })

  test('numbers all rules again where there is no room', () => {
    const order = ['b', 'c', 'a'].map((id) => ({ id, priority: 1 }))
    const after = applied(order, reordered(order, 1_000))
    assert.deepEqual(idsInOrder(after), ['b', 'c', 'a'])
  })
})
