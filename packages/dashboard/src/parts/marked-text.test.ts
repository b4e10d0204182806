import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { markedPieces } from './marked-text.ts'

suite('marked text', () => {
  test('matched words are told apart, and markup of the text stays text', () => {
    assert.deepEqual(markedPieces('A <mark>red</mark> &lt;b&gt; shoe &amp; <mark>sock</mark>'), [
      { text: 'A ', isMarked: false },
      { text: 'red', isMarked: true },
      { text: ' <b> shoe & ', isMarked: false },
      { text: 'sock', isMarked: true },
    ])
  })

  test('text that is not escaped is taken as it is, a mark that never ends too', () => {
    assert.deepEqual(markedPieces('1 &lt; 2 <mark>open', false), [
      { text: '1 &lt; 2 ', isMarked: false },
      { text: 'open', isMarked: false },
    ])
  })

  test('marks may be those of the request', () => {
    const marks = { before: '[', after: ']' }
    assert.deepEqual(markedPieces('A [red] shoe', true, marks), [
      { text: 'A ', isMarked: false },
      { text: 'red', isMarked: true },
      { text: ' shoe', isMarked: false },
    ])
    assert.deepEqual(markedPieces('A red shoe', true, { before: '', after: '' }), [
      { text: 'A red shoe', isMarked: false },
    ])
  })
})
