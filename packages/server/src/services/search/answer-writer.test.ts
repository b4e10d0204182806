import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { escapeHtml } from '@aisle/engine'
import fc from 'fast-check'
import { AnswerWriter, giveBack } from './answer-writer.ts'

const text = fc.oneof(
  fc
    .array(
      fc.constantFrom(...'plain text & < > " \' \\ \n \r é 手 👍🏽 \u0000 \u2028 /'.split(' '), ' '),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

/** Returns the same text with more escapes than necessary. */
function escaped(plain: string): string {
  return plain.replaceAll(/[^]/g, (unit) =>
    unit === '/' ? '\\/' : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  )
}

suite('HTML in JSON', () => {
  // Goal: a browser gets the escaped text, in any JSON spelling.
  test('is the text escaped for HTML, with its length', () => {
    fc.assert(
      fc.property(text, fc.boolean(), fc.boolean(), (plain, isEscaped, isNearlyFull) => {
        const value = isEscaped ? escaped(plain) : JSON.stringify(plain).slice(1, -1)
        const json = Buffer.from(`"${value}"`)
        const answer = new AnswerWriter()
        // The memory must grow within the text.
        if (isNearlyFull) answer.bytes(Buffer.alloc(65_536 - (value.length >> 1), 0x20))
        const from = answer.length
        const units = answer.html(json, 1, json.length - 1)
        const written = answer.written(from).toString()
        assert.equal(JSON.parse(`"${written}"`), escapeHtml(plain))
        assert.equal(units, written.length)
        // Within an answer they are unchanged.
        assert.doesNotMatch(written.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, ''), /[<>&'"]/)
        giveBack(answer.written())
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3_000) },
    )
  })

  test('written bytes can be taken back', () => {
    const answer = new AnswerWriter()
    answer.text('kept')
    const { length } = answer
    answer.text(' gone')
    answer.cut(length)
    assert.equal(answer.written().toString(), 'kept')
  })
})
