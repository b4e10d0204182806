import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { chineseLettersSource } from './lib/chinese-letters-source.ts'

test('the table of Chinese characters matches its generator', () => {
  const path = new URL('../packages/engine/src/analysis/chinese-letters.ts', import.meta.url)
  assert.equal(readFileSync(path, 'utf8'), chineseLettersSource())
})
