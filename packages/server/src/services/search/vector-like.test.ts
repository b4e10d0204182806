import assert from 'node:assert/strict'
import test from 'node:test'
import { DeadlineReached } from '@aisle/engine'
import type { SearchView } from '../../ports/search/search-backend.ts'
import type { ServicePorts } from '../service-ports.ts'
import { withVectorOf } from './vector-like.ts'

test('a document like which to find is looked for within the time of the request', async () => {
  const fields = [{ name: 'meaning', type: 'vector', vector: { dimensions: 2, metric: 'dot' } }]
  const deadlines: unknown[] = []
  const view = {
    schema: { fields },
    // The filter of a token takes too long.
    matchingKeys: (_filter: unknown, deadlineMs: number) => {
      deadlines.push(deadlineMs)
      throw new DeadlineReached()
    },
  } as unknown as SearchView
  const request = { vector: { field: 'meaning', like: 'pan' } }
  const pace = { startMs: 1_000, timeoutMaxMs: 50 }
  await assert.rejects(withVectorOf({} as ServicePorts, 'shop', view, request, pace), {
    code: 'unavailable',
    retryAfterSeconds: 1,
  })
  assert.deepEqual(deadlines, [1_050])
})
