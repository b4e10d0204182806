import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '@aisle/contract'
import type { DocumentWrite, WriteOutcome } from '../../ports/catalog/catalog-writer.ts'
import type { ServicePorts } from '../service-ports.ts'
import { indexBulk } from './index-documents.ts'

test('a long bulk lets others on its thread have their turns, and answers in order', async () => {
  const sizes: number[] = []
  const ports = {
    backend: { view: () => ({ schema: { fields: [] } }) },
    writer: {
      writeDocuments: (_storeId: string, writes: readonly DocumentWrite[]) => {
        sizes.push(writes.length)
        const outcomes = writes.map(({ id }): WriteOutcome => ({ status: 'created', id: id! }))
        return Promise.resolve(outcomes)
      },
    },
  } as unknown as ServicePorts
  const documents = Array.from({ length: 1_200 }, (_, i) => ({ id: String(i), data: {} }))
  let turns = 0
  let isDone = false
  const others = (async () => {
    for (; !isDone && turns < 10_000; turns++) await nextTurn()
  })()
  const toApiError = (error: unknown) => new ApiError('internal', String(error))
  let json = ''
  const body = Buffer.from(JSON.stringify({ documents }))
  for await (const piece of indexBulk(ports, 'store', body, toApiError)) json += piece.json
  isDone = true
  await others
  assert.deepEqual(sizes, [500, 500, 200])
  assert.ok(turns >= 1_200 / 100, `${turns} turns`)
  const { results } = JSON.parse(json) as { results: { id: string }[] }
  assert.deepEqual(
    results.map(({ id }) => id),
    documents.map(({ id }) => id),
  )
})
