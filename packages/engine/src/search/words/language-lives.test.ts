import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../../analysis/create-analyzer.ts'
import { assertAgreement } from '../../naive/agreement.ts'
import { arbitraryLanguageLife } from '../../naive/generate-languages.ts'
import { NaiveIndex } from '../../naive/naive-index.ts'
import { EmbeddedIndexForTest } from '../embedded-index-for-test.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)

suite('in languages with compounds, and with words in two scripts', () => {
  test('both engines agree after any additions, removals and merges', () => {
    fc.assert(
      fc.property(arbitraryLanguageLife(), ({ language, history, plans }) => {
        const naive = new NaiveIndex(history.schema, createAnalyzer(language))
        const index = new EmbeddedIndexForTest(history.schema, language)
        for (const step of history.steps) {
          if (step.kind === 'add') {
            naive.add(step.document)
            index.add(step.document)
          } else if (step.kind === 'remove') {
            naive.remove(step.docKey)
            index.remove(step.docKey)
          } else if (step.kind === 'commit') index.commit()
          else if (step.kind === 'merge') {
            index.merge()
            index.buildTrie()
          }
        }
        for (const plan of plans) assertAgreement(naive, index, plan)
      }),
      { numRuns: RUNS },
    )
  })
})
