import assert from 'node:assert/strict'
import test from 'node:test'
import { toApiError } from './errors.ts'

// A full disk may end LMDB while reads are answered: found by the campaign of two faults at once.
test('a read after the failure that ends the process is told to come again', () => {
  const error = new Error('Invalid argument: MDB_PANIC: Update of meta page failed')
  const { code, retryAfterSeconds } = toApiError(error)
  assert.deepEqual([code, retryAfterSeconds], ['unavailable', 1])
  assert.equal(toApiError(new Error('a bug')).code, 'internal')
})
