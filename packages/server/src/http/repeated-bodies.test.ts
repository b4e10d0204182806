import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { parseExact } from '../domain/json/json-scan.ts'
import { RepeatedBodies } from './repeated-bodies.ts'

suite('repeated bodies', () => {
  test('a body parses to the same value as without the cache', () => {
    const bodies = new RepeatedBodies()
    const value = fc.record({ cache_results: fc.boolean(), q: fc.string({ unit: 'binary' }) })
    fc.assert(
      fc.property(value, ({ q, ...rest }) => {
        const bytes = Buffer.from(JSON.stringify({ q: q.toWellFormed(), ...rest, n: [1] }))
        assert.deepEqual(bodies.parse(bytes), parseExact(bytes))
        assert.equal(bodies.parse(Buffer.from(bytes)), bodies.parse(bytes))
      }),
    )
  })

  test('cached bodies cannot be changed', () => {
    const parsed = new RepeatedBodies().parse(Buffer.from('{"cache_results":true,"x":{"y":[1]}}'))
    const { x } = parsed as { readonly x: { readonly y: number[] } }
    assert.throws(() => x.y.push(2), TypeError)
  })

  test('bodies that differ in a byte are cached separately, others are not cached', () => {
    const bodies = new RepeatedBodies()
    const parse = (text: string) => bodies.parse(Buffer.from(text))
    assert.notDeepEqual(parse('{"cache_results":1,"q":"é"}'), parse('{"cache_results":1,"q":"è"}'))
    assert.notEqual(parse('{"q":"a"}'), parse('{"q":"a"}'))
    const long = `{"cache_results":1,"q":"${'x'.repeat(2_000)}"}`
    assert.notEqual(parse(long), parse(long))
  })

  test('an error is thrown each time', () => {
    const bodies = new RepeatedBodies()
    for (let i = 0; i < 2; i++) {
      assert.throws(() => bodies.parse(Buffer.from('{"cache_results":tru}')), /JSON/)
    }
  })

  test('the cache is emptied when there are too many different bodies', () => {
    const bodies = new RepeatedBodies()
    const first = bodies.parse(Buffer.from('{"cache_results":1,"n":-1}'))
    for (let n = 0; n < 3_000; n++) bodies.parse(Buffer.from(`{"cache_results":1,"n":${n}}`))
    assert.notEqual(bodies.parse(Buffer.from('{"cache_results":1,"n":-1}')), first)
  })
})
