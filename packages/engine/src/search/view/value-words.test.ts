import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { tinyAnalyzer } from '../../naive/tiny-analyzer.ts'
import { ValueWords } from './value-words.ts'

test('a scan of many values evicts those that nobody asks for, and not those in use', () => {
  const analyzed: string[] = []
  const analyzer: Analyzer = {
    ...tinyAnalyzer,
    analyze: (text) => {
      analyzed.push(text)
      return tinyAnalyzer.analyze(text)
    },
  }
  const words = new ValueWords(20)
  for (const text of ['red shoe', 'blue hat']) words.formsOf(text, analyzer)
  for (let i = 0; i < 100; i++) {
    words.formsOf(`value ${i}`, analyzer)
    assert.deepEqual(words.formsOf('red shoe', analyzer), ['red', 'shoe'])
  }
  words.formsOf('blue hat', analyzer)
  const count = (text: string) => analyzed.filter((one) => one === text).length
  assert.deepEqual([count('red shoe'), count('blue hat'), count('value 7')], [1, 2, 1])
})
