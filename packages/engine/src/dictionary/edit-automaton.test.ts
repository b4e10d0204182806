import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { editDistance } from '../rescoring/edit-distance.ts'
import { EditAutomaton, PATTERN_MAX, STATE_SIZE } from './edit-automaton.ts'

const codePoints = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0)!)

/** The automaton's distance of a whole text; -1 also after an early stop. */
function distanceBy(pattern: string, edits: number, text: string): number {
  const automaton = new EditAutomaton(codePoints(pattern), edits)
  const labels = codePoints(text)
  const states = new Int32Array((labels.length + 1) * STATE_SIZE)
  automaton.start(states, 0)
  for (let i = 0; i < labels.length; i++) {
    const from = i * STATE_SIZE
    if (!automaton.step(states, from, from + STATE_SIZE, labels[i]!, labels[i - 1] ?? -1)) return -1
  }
  return automaton.distance(states, labels.length * STATE_SIZE)
}

const unit = fc.constantFrom('a', 'b', 'c', 'é', '東', '𐐀', '😀')

/** Texts that are mostly a few edits apart. */
const arbitraryPair = fc
  .tuple(
    fc.array(unit, { maxLength: PATTERN_MAX }),
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('drop', 'insert', 'replace', 'swap'), unit), {
      maxLength: 4,
    }),
  )
  .map(([pattern, changes]) => {
    const text = [...pattern]
    for (const [where, change, letter] of changes) {
      const at = where % (text.length + 1)
      if (change === 'drop') text.splice(at, 1)
      else if (change === 'insert') text.splice(at, 0, letter)
      else if (change === 'replace') text.splice(at, 1, letter)
      else text.splice(at, 2, ...text.slice(at, at + 2).toReversed())
    }
    return [pattern.join(''), text.join('')] as const
  })

suite('edit automaton', () => {
  test('agrees with the table of distances, and stops only out of reach', () => {
    fc.assert(
      fc.property(arbitraryPair, fc.constantFrom(0, 1, 2), ([pattern, text], edits) => {
        const distance = editDistance(pattern, text)
        assert.equal(distanceBy(pattern, edits, text), distance <= edits ? distance : -1)
      }),
      { numRuns: 3_000 },
    )
  })

  test('swapped neighbours are one edit, and no part is edited twice', () => {
    assert.equal(distanceBy('hosue', 2, 'house'), 1)
    assert.equal(distanceBy('ca', 2, 'abc'), -1)
    assert.equal(distanceBy('𐐀b', 1, 'b𐐀'), 1)
    assert.equal(distanceBy('', 2, 'ab'), 2)
  })

  test('a pattern of maximum length works up to its last letter', () => {
    const pattern = 'abcdefghij'.repeat(3)
    assert.equal(pattern.length, PATTERN_MAX)
    assert.equal(distanceBy(pattern, 2, pattern), 0)
    assert.equal(distanceBy(pattern, 2, pattern.slice(0, -2)), 2)
    assert.equal(distanceBy(pattern, 2, `${pattern}xy`), 2)
    assert.equal(distanceBy(pattern, 2, `${pattern.slice(0, -2)}ji`), 1)
    assert.equal(distanceBy(pattern, 2, `${pattern}xyz`), -1)
  })
})
