import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { InsertionOrder } from './insertion-order.ts'

const noWait = async (): Promise<void> => undefined

test('documents come in the order of their insertion, as a plain sort has it', async () => {
  const lists = fc.oneof(
    fc.uniqueArray(fc.nat(), { maxLength: 50 }),
    fc.integer({ min: 4_000, max: 20_000 }).map((count) => mixed(count)),
  )
  await fc.assert(
    fc.asyncProperty(lists, async (inserted) => {
      const order = new InsertionOrder()
      for (const [docKey, first] of inserted.entries()) order.add(first, docKey)
      const expected = [...inserted.keys()].toSorted((a, b) => inserted[a]! - inserted[b]!)
      assert.deepEqual([...(await order.docKeys(noWait))], expected)
    }),
    { numRuns: 30 },
  )
})

test('what is sorted already needs no turns', async () => {
  const order = new InsertionOrder()
  for (let at = 0; at < 10_000; at++) order.add(at, at + 10_000)
  const docKeys = await order.docKeys(() => assert.fail('it gave way'))
  assert.deepEqual([docKeys.length, docKeys[0], docKeys.at(-1)], [10_000, 10_000, 19_999])
})

/** Numbers below `count`, in a scattered order. */
function mixed(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at).toSorted(
    (a, b) => ((a * 7_919) % 10_007) - ((b * 7_919) % 10_007) || a - b,
  )
}
