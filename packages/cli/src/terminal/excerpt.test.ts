import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { excerptOf } from './excerpt.ts'
import type { Piece } from './excerpt.ts'

const plain = (text: string): Piece => ({ text, isMarked: false })
const marked = (text: string): Piece => ({ text, isMarked: true })
const shown = (pieces: readonly Piece[], max: number): string =>
  excerptOf(pieces, max)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')

suite('long texts on a terminal', () => {
  test('what fits stays, what does not ends with an ellipsis', () => {
    assert.equal(shown([plain('red '), marked('shoe')], 8), 'red [shoe]')
    assert.equal(shown([plain('data:image/png;base64,AAAA')], 10), 'data:image…')
    assert.equal(shown([marked('red'), plain(' shoe')], 5), '[red] s…')
    assert.equal(shown([], 5), '')
  })

  test('a mark far from the beginning is shown with the text around it', () => {
    const text = shown([plain('x'.repeat(500)), marked('shoe'), plain('y'.repeat(500))], 100)
    assert.equal(text, `…${'x'.repeat(40)}[shoe]${'y'.repeat(56)}…`)
    assert.equal(
      shown([plain('x'.repeat(500)), marked('shoe')], 100),
      `…${'x'.repeat(96)}[shoe]`,
      'the end is shown whole',
    )
  })

  test('no character is cut in two', () => {
    assert.equal(shown([plain('👟'.repeat(10))], 3), '👟👟👟…')
  })
})
