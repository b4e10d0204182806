import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from './create-analyzer.ts'
import { PART_LENGTH, textParts } from './text-parts.ts'

const WORDS = `red shoes Café x usb3.0 16gb AB-12/3 t-shirt 2.5 1,000 5 m mm 4x6 1 ½ men's " ' - 東京、タワー。 \n 캠핑 🙂`
const PIECES = [...WORDS.split(' '), 'plain words of a text', 'and more of them']

suite('parts of a long text', () => {
  // The reference: the text as a whole.
  test('have its tokens, at the same positions', () => {
    const analyzers = ['en', 'de', 'ja'].map((language) => createAnalyzer(language))
    const text = fc
      .array(fc.constantFrom(...PIECES), { minLength: 40, maxLength: 40 })
      .map((pieces) => `${pieces.join(' ')} `.repeat(300))
    fc.assert(
      fc.property(text, fc.constantFrom(...analyzers), (whole, analyzer) => {
        const parts = [...textParts(whole)]
        assert.ok(parts.length >= whole.length / PART_LENGTH / 2, `${parts.length} parts`)
        let position = 0
        const tokens = parts.flatMap((part) => {
          const own = analyzer.analyze(part).map(({ form, kind, span, ...token }) => {
            return { form, kind, span, position: position + token.position }
          })
          for (const token of own) position = Math.max(position, token.position + token.span)
          return own
        })
        assert.deepEqual(
          tokens,
          analyzer.analyze(whole).map(({ form, kind, span, position: at }) => {
            return { form, kind, span, position: at }
          }),
        )
      }),
      { numRuns: 15 },
    )
  })

  test('of a short text are the text', () => {
    assert.deepEqual([...textParts('red shoes')], ['red shoes'])
    assert.deepEqual([...textParts('')], [])
  })
})
