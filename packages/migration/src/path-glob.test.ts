import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { matchesGlob } from './path-glob.ts'

suite('patterns of names', () => {
  test('match any text for the wildcard', () => {
    const cases: readonly (readonly [string, string, boolean])[] = [
      ['.*_facet', 'color_facet', true],
      ['.*_facet', 'color_facets', false],
      ['.*', 'anything', true],
      ['price_.*', 'price_eur', true],
      ['price_.*', 'old_price_eur', false],
      ['a.*b.*c', 'a-b-b-c', true],
      ['a.*a', 'a', false],
      ['title', 'title', true],
      ['title', 'titles', false],
    ]
    for (const [pattern, name, isMatch] of cases) {
      assert.equal(matchesGlob(name, pattern, '.*'), isMatch, `${pattern} ${name}`)
    }
  })

  test('agree with a regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 })
    fc.assert(
      fc.property(text, pattern, (name, glob) => {
        const expected = new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(name)
        assert.equal(matchesGlob(name, glob, '*'), expected)
      }),
    )
  })
})
