import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { measureCompounds } from './measure-compounds.ts'
import type { Pair } from './measure-compounds.ts'
import { WRONG_PAIRS } from './wrong-pairs.ts'

// Goal: rules of compounds do not regress unnoticed. docs/languages.md has these figures.
const LISTS = [
  { name: 'german', language: 'de', precisionMin: 0.88, recallMin: 0.97 },
  { name: 'dutch', language: 'nl', precisionMin: 0.94, recallMin: 0.95 },
  { name: 'swedish', language: 'sv', precisionMin: 0.98, recallMin: 0.93 },
  { name: 'finnish', language: 'fi', precisionMin: 1, recallMin: 0.91 },
  { name: 'korean', language: 'ko', precisionMin: 0.98, recallMin: 0.83 },
]

suite('compounds of product titles', () => {
  for (const { name, language, precisionMin, recallMin } of LISTS) {
    test(`${name}: most parts find their compounds, and few false ones`, (t) => {
      const wrong = new Set(WRONG_PAIRS[name]!.split(' '))
      const isRight = ({ word, compound }: Pair) => !wrong.has(`${word}<${compound}`)
      const { possible, known, alone, absent } = measureCompounds(name, language)
      const all = possible.filter(isRight).length
      const recall = (found: readonly Pair[]) => found.filter(isRight).length / all
      const share = (found: readonly Pair[]) => found.filter(isRight).length / found.length
      const precision = share(alone)
      t.diagnostic(
        `${all} pairs: ${recall(known).toFixed(3)} with two known parts, ${recall([...known, ...alone]).toFixed(3)} with one, ` +
          `of whose ${alone.length} ${precision.toFixed(3)} are right`,
      )
      assert.ok(precision >= precisionMin, String(precision))
      if (absent.length > 0) assert.ok(share(absent) >= precisionMin, String(share(absent)))
      assert.ok(recall([...known, ...alone]) >= recallMin)
    })
  }
})
