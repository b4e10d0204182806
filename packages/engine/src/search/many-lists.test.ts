import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { assertAgreement } from '../naive/agreement.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import { planForTest } from '../naive/plan-for-test.ts'
import type { Schema } from '../schema/schema.ts'
import { EmbeddedIndexForTest } from './embedded-index-for-test.ts'
import { BITS_FOR_ALL_LISTS } from './view/list-bits.ts'

const analyzer = createAnalyzer('en')

const plain = { facet: false, sort: false }
const SCHEMA: Schema = {
  fields: [
    { ...plain, name: 'title', type: 'string', searchable: true },
    { ...plain, name: 'text', type: 'string', searchable: true },
    { name: 'price', type: 'int32', searchable: false, facet: true, sort: true },
  ],
}

/** Several words to most beginnings, and beginnings that only some forms of a stem have. */
const WORDS =
  'run runs running runner runway rung red reds reddish rope ropes roped shoe shoes shop shops shopping sh s6 ro p3'.split(
    ' ',
  )
const TYPED =
  'r ru run runn running runing rnner s sh sho shop shopp shopping shoeropes red reds redd rop roep p p3'.split(
    ' ',
  )

const arbitraryText = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '))

const arbitraryPlan = fc
  .record({
    text: fc
      .array(fc.constantFrom(...TYPED), { minLength: 1, maxLength: 7 })
      .map((words) => words.join(' ')),
    options: fc.record({
      prefix: fc.constantFrom('off' as const, 'always' as const, 'fallback' as const),
      typoMax: fc.constantFrom(0, 1, 2),
      size: fc.constantFrom(1, 2, 5, 300),
      from: fc.constantFrom(0, 0, 3),
      requireAllTerms: fc.boolean(),
      explain: fc.boolean(),
    }),
    isByPrice: fc.boolean(),
    hasFacets: fc.boolean(),
    weights: fc.constantFrom(undefined, [5, 1, 0], [1, 0, 0]),
  })
  .map(({ text, options, isByPrice, hasFacets, weights }) => ({
    ...planForTest(text, SCHEMA, analyzer, {
      ...options,
      ...(isByPrice
        ? { sort: [{ kind: 'field', field: 2, descending: false, missing: 'last' }] as const }
        : {}),
      ...(hasFacets
        ? { facets: [{ field: 2, limit: 9, order: 'count', stats: true }] as const }
        : {}),
    }),
    ...(weights === undefined ? {} : { fieldWeights: weights }),
  }))

suite('words with many lists', () => {
  // Few documents are ranked, and the others counted, when a word of the query follows or is a gate
  // (slot-roles.ts); here such words have several lists, lists of which some forms match, phrases
  // and short beginnings.
  test('are found, counted and ranked as by the naive twin', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(arbitraryText, fc.option(arbitraryText, { nil: undefined })), {
          minLength: 20,
          maxLength: 90,
          size: 'max',
        }),
        fc.array(arbitraryPlan, { minLength: 4, maxLength: 8, size: 'max' }),
        fc.record({
          commitEach: fc.constantFrom(7, 40, 100),
          removeEach: fc.constantFrom(9, 1_000),
          rankAllMax: fc.constantFrom(0, 2),
          listBits: fc.constantFrom(undefined, BITS_FOR_ALL_LISTS),
        }),
        (texts, plans, { commitEach, removeEach, rankAllMax, listBits }) => {
          const naive = new NaiveIndex(SCHEMA, analyzer)
          const embedded = new EmbeddedIndexForTest(SCHEMA, 'en', listBits, rankAllMax)
          texts.forEach(([title, text], i) => {
            const docKey = i + 1
            const document = { docKey, id: String(docKey), values: [title, text, docKey % 5] }
            naive.add(document)
            embedded.add(document)
            if (docKey % commitEach === 0) embedded.commit()
            if (docKey % removeEach !== 0) return
            naive.remove(docKey - 4)
            embedded.remove(docKey - 4)
          })
          embedded.buildTrie()
          // Twice: what words stand for, and their lists, are kept for the next search.
          for (const plan of [...plans, ...plans]) assertAgreement(naive, embedded, plan)
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 150) },
    )
  })

  test('a short beginning alone: only the newest of equal documents are ranked', () => {
    const naive = new NaiveIndex(SCHEMA, analyzer)
    const embedded = new EmbeddedIndexForTest(SCHEMA)
    for (let docKey = 1; docKey <= 300; docKey++) {
      const word = (salt: number) => WORDS[(docKey * salt) % WORDS.length]!
      const title = docKey % 5 === 0 ? `sh ${word(3)}` : `${word(3)} ${word(7)}`
      const document = { docKey, id: String(docKey), values: [title, word(11), docKey % 5] }
      naive.add(document)
      embedded.add(document)
      if (docKey % 130 === 0) embedded.commit()
    }
    for (const text of ['sh', 's', 'ro', 'r', 'p']) {
      for (const changes of [{ size: 1 }, { size: 3, from: 20 }, { size: 2, explain: true }]) {
        const plan = planForTest(text, SCHEMA, analyzer, { prefix: 'always', ...changes })
        assertAgreement(naive, embedded, plan)
        assertAgreement(naive, embedded, { ...plan, fieldWeights: [1, 0, 0] })
      }
    }
  })
})
