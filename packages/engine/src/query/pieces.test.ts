import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isPieceOf } from './pieces.ts'

suite('pieces of numbers', () => {
  const cases: readonly (readonly [piece: string, form: string, isPiece: boolean])[] = [
    ['gtx1080', 'gtx1080ti', true],
    ['rv34', 'rv345p', true],
    ['8705a', 'q8705a', true],
    ['720', 'lc720ab720', true],
    ['h31g', 'x264h31g', true],
    ['tx1080', 'gtx1080', false],
    ['10l', '10lb', false],
    ['10l', '110l', false],
    ['72', 'lc720', false],
    ['lc720', 'lc720', false],
  ]
  for (const [piece, form, isPiece] of cases) {
    test(`${piece} is ${isPiece ? 'a' : 'no'} piece of ${form}`, () => {
      assert.equal(isPieceOf(form, piece), isPiece)
    })
  }
})
