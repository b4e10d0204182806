import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv7 } from './uuid.ts'

test('UUIDs are of version 7, of now, and each is greater than the one before', () => {
  const before = Date.now()
  const ids = Array.from({ length: 20_000 }, uuidv7)
  for (const [i, id] of ids.entries()) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    if (i > 0) assert.ok(id > ids[i - 1]!)
  }
  const ms = Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16)
  assert.ok(ms >= before && ms <= Date.now())
})
