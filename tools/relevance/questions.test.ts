import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuestions } from './questions.ts'

test('each of the 40 questions about the demo catalog has enough good products', () => {
  const questions = readQuestions()
  assert.equal(questions.length, 40)
  assert.equal(new Set(questions.map(({ text }) => text)).size, 40)
  for (const { text, judgments } of questions) {
    const best = [...judgments.values()].filter((grade) => grade === 3)
    assert.ok(best.length >= 10, `${text}: ${best.length}`)
  }
})
