import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  checkStoreId,
  checkStoreName,
  digestOf,
  matchingKey,
  newKey,
  newStoreId,
  rotateKeys,
} from './store-keys.ts'

const isOpen = (...given: Parameters<typeof matchingKey>) => matchingKey(...given) !== undefined

suite('store keys', () => {
  test('secrets have 32 random bytes after their prefix, the events key is a UUID', () => {
    assert.match(newKey('read'), /^rs_[\w-]{43}$/)
    assert.match(newKey('write'), /^ws_[\w-]{43}$/)
    assert.match(newKey('events'), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.notEqual(newKey('read'), newKey('read'))
    assert.equal(digestOf('abc').slice(0, 16), 'ba7816bf8f01cfea')
  })

  test('a secret opens the keys whose digest it has, as long as they are valid', () => {
    const [current, previous] = [newKey('write'), newKey('write')]
    const keys = [
      { digest: digestOf(current) },
      { digest: digestOf(previous), validUntilMs: 1_000 },
    ]
    assert.equal(isOpen(keys, current, 5_000), true)
    assert.equal(isOpen(keys, previous, 999), true)
    assert.equal(isOpen(keys, previous, 1_000), false)
    assert.equal(isOpen(keys, '', 0), false)
    assert.equal(isOpen(keys, digestOf(current), 0), false)
  })

  test('nothing opens a store that does not exist', () => {
    assert.equal(isOpen(undefined, newKey('read'), 0), false)
    assert.equal(isOpen([], '', 0), false)
  })

  test('a rotation keeps the replaced key valid for the grace period, and at most two keys', () => {
    const first = { digest: digestOf('1') }
    const once = rotateKeys([first], digestOf('2'), { graceSeconds: 60, nowMs: 1_000 })
    assert.deepEqual(once.keys, [
      { digest: digestOf('2'), createdMs: 1_000 },
      { ...first, validUntilMs: 61_000 },
    ])
    assert.equal(once.previousValidUntil, '1970-01-01T00:01:01.000Z')
    const twice = rotateKeys(once.keys, digestOf('3'), { graceSeconds: 60, nowMs: 2_000 })
    assert.deepEqual(
      twice.keys.map((key) => key.digest),
      [digestOf('3'), digestOf('2')],
    )
    const revoked = rotateKeys(twice.keys, digestOf('4'), { graceSeconds: 0, nowMs: 3_000 })
    assert.deepEqual(revoked.keys, [{ digest: digestOf('4'), createdMs: 3_000 }])
    for (const graceSeconds of [-1, NaN, Infinity, 604_801]) {
      assert.throws(() => rotateKeys([first], digestOf('2'), { graceSeconds, nowMs: 0 }), {
        code: 'invalid_parameter',
      })
    }
  })

  test('store ids are 1 to 64 characters that are safe everywhere', () => {
    for (const id of ['a', 'A-b_9', 'x'.repeat(64), newStoreId()])
      assert.equal(checkStoreId(id), id)
    for (const id of ['', 'x'.repeat(65), 'a b', 'ä', '../x', 'a\n', 'a/b']) {
      assert.throws(() => checkStoreId(id), { code: 'invalid_parameter', param: 'id' })
    }
  })

  test('store names are text', () => {
    assert.equal(checkStoreName('Ünïcode shop 🛒'), 'Ünïcode shop 🛒')
    for (const name of ['', ' ', 'x'.repeat(201), 'a\u0000', '\ud800']) {
      assert.throws(() => checkStoreName(name), { code: 'invalid_parameter', param: 'name' })
    }
  })
})
