import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseExact } from './json-scan.ts'
import { refuseLargeObjects } from './object-sizes.ts'

/** The most keys of an object in a value. */
function mostKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Math.max(own, ...Object.values(value).map(mostKeys))
}

test('refuses what has an object with too many keys, and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(4), fc.boolean(), (value, max, isWide) => {
      const bytes = Buffer.from(JSON.stringify(value, null, isWide ? 2 : 0))
      if (mostKeys(value) <= max) refuseLargeObjects(bytes, max)
      else assert.throws(() => refuseLargeObjects(bytes, max), { code: 'invalid_parameter' })
    }),
    { numRuns: 500 },
  )
})

test('names the limit and the first key, and counts repeated keys', () => {
  const body = `{"list": [{"a:{": 1}, {"é\\"b": ${'[1],"x":'.repeat(5)} 2}]}`
  refuseLargeObjects(Buffer.from(body), 6)
  assert.throws(
    () => parseExact(Buffer.from(body), 5),
    /^ApiError: An object of the body has more than 5 keys; the first one is `é\\`$/,
  )
})
