import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { FNV_START, fnvEnd, fnvNext } from '../codec/fnv.ts'
import { scanText, type TokenSink } from './analyzer.ts'
import { createAnalyzer } from './create-analyzer.ts'
import { fieldAnalyzer } from './field-analyzer.ts'

interface Told {
  readonly form: string
  readonly position: number
  readonly span: number
  readonly isJoined: boolean
  readonly start: number
  readonly end: number
}

/** Records what it receives and checks the hashes. */
class Notes implements TokenSink {
  readonly told: Told[] = []

  word(...[text, from, to, hash, position, start, end]: Parameters<TokenSink['word']>): void {
    const form = text.slice(from, to)
    let expected = FNV_START
    for (let i = 0; i < form.length; i++) expected = fnvNext(expected, form.charCodeAt(i))
    assert.equal(hash, fnvEnd(expected), form)
    this.told.push({ form, position, span: 1, isJoined: false, start, end })
  }

  token(...[form, position, span, isJoined, start, end]: Parameters<TokenSink['token']>): void {
    this.told.push({ form, position, span, isJoined, start, end })
  }
}

const WORDS = `red shoes Café x a usb3.0 16gb AB-12/3 t-shirt kids 2.5 1,000 5 m mm 4x6 1/2 ½ men's " ' , . -
  東京タワー 캠핑 z\u0301 الكتاب \u200b 🙂`
const PIECES = [' ', 'w'.repeat(300), ...WORDS.split(/\s+/)]

suite('scanText', () => {
  // The reference for the fast path: `analyze`, which makes an object of every token.
  test('a sink receives what analyze returns', () => {
    const analyzers = ['en', 'de', 'ja', 'und'].map((language) => createAnalyzer(language))
    analyzers.push(fieldAnalyzer(createAnalyzer('en'), { language: 'fr' }))
    analyzers.push(createAnalyzer('en +- /'))
    const texts = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string()), { maxLength: 12 })
    fc.assert(
      fc.property(texts, fc.constantFrom('', ' '), (pieces, between) => {
        const text = pieces.join(between)
        for (const analyzer of analyzers) {
          const notes = new Notes()
          scanText(analyzer, text, notes)
          const tokens = analyzer
            .analyze(text)
            .map(({ kind, bigram: _, bare: __, measure: ___, hasWhole: ____, ...token }): Told => ({
              ...token,
              isJoined: kind === 'joined',
            }))
          assert.deepEqual(notes.told, tokens)
        }
      }),
      { numRuns: 300 },
    )
  })
})
