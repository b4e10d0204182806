import assert from 'node:assert/strict'
import test from 'node:test'
import { Progress } from './progress.ts'
import { textTable } from './text-table.ts'

test('on a terminal the bar is overwritten, and the end is one line', () => {
  let output = ''
  const progress = new Progress('shop', 10, { tty: true, write: (text) => (output += text) })
  progress.advance(10)
  assert.ok(progress.finish() > 0)
  assert.ok(output.startsWith('\r\u001b[K'))
  assert.match(output, /shop: 10 documents in \d+\.\d s, [\d,]+\/s\n$/)
})

test('without a terminal there are only plain lines', () => {
  let output = ''
  const progress = new Progress('shop', 0, { tty: false, write: (text) => (output += text) })
  progress.advance(3)
  progress.finish()
  assert.equal(output.includes('\r'), false)
  assert.match(output, /^shop: 3 documents in .*\n$/)
})

test('tables align and are Markdown', () => {
  assert.equal(
    textTable([
      ['set', 'NDCG'],
      ['icecat', '0.76'],
      ['hd', '12.5'],
    ]),
    ['| set    | NDCG |', '|--------|-----:|', '| icecat | 0.76 |', '| hd     | 12.5 |'].join('\n'),
  )
})
