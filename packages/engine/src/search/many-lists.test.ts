import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { assertAgreement } from '../naive/agreement.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import { planForTest } from '../naive/plan-for-test.ts'
import type { SearchPlan } from '../query/plan.ts'
import type { Schema } from '../schema/schema.ts'
import {
  BITS_FOR_ALL_LISTS,
  EmbeddedIndexForTest,
  SOME_LISTS_COPIED,
} from './embedded-index-for-test.ts'

const analyzer = createAnalyzer('en')

const plain = { facet: false, sort: false }
const SCHEMA: Schema = {
  fields: [
    { ...plain, name: 'title', type: 'string', searchable: true },
    { ...plain, name: 'text', type: 'string', searchable: true },
    { name: 'price', type: 'int32', searchable: false, facet: true, sort: true },
  ],
}

/** Most prefixes have several words, and some only match some forms of a stem. */
const WORDS =
  'run runs running runner runway rung red reds reddish rope ropes roped shoe shoes shop shops shopping sh s6 ro p3'.split(
    ' ',
  )
const TYPED =
  'r ru run runn running runing rnner s sh sho shop shopp shopping shoeropes red reds redd rop roep p p3'.split(
    ' ',
  )

/** A query of only these has one tier. */
const STOPWORDS = 'for you with the and'.split(' ')

const arbitraryText = (words: readonly string[], minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...words), { minLength, maxLength }).map((all) => all.join(' '))

const planOf = fc
  .record({
    options: fc.record({
      prefix: fc.constantFrom('off' as const, 'always' as const, 'fallback' as const),
      typoMax: fc.constantFrom(0, 1, 2),
      size: fc.constantFrom(1, 2, 5, 300),
      from: fc.constantFrom(0, 0, 3),
      requireAllTerms: fc.boolean(),
      explain: fc.boolean(),
    }),
    isWhole: fc.boolean(),
    // Without bonuses, only the page is kept.
    hasBonus: fc.boolean(),
    isByPrice: fc.boolean(),
    hasFacets: fc.boolean(),
    weights: fc.constantFrom(undefined, [5, 1, 0], [1, 0, 0]),
  })
  .map(
    ({ options, isWhole, hasBonus, isByPrice, hasFacets, weights }) =>
      (text: string): SearchPlan => ({
        ...planForTest(text, SCHEMA, analyzer, {
          ...options,
          ...(isWhole ? { exactValue: analyzer.analyze(text).map(({ form }) => form) } : {}),
          ...(isByPrice
            ? { sort: [{ kind: 'field', field: 2, descending: false, missing: 'last' }] as const }
            : {}),
          ...(hasFacets
            ? { facets: [{ field: 2, limit: 9, order: 'count', stats: true }] as const }
            : {}),
        }),
        ...(hasBonus ? {} : { titleField: -1 }),
        ...(weights === undefined ? {} : { fieldWeights: weights }),
      }),
  )

suite('words with many lists', () => {
  // Of a query of several words, few documents are scored and the others only counted (tiers.ts).
  // These words have several lists, lists with some matching forms, phrases and short prefixes.
  test('are found, counted and ranked like in the naive twin', () => {
    assertSame(arbitraryText(WORDS, 1, 6), arbitraryText(TYPED, 1, 7))
  })

  test('so are queries of stopwords', () => {
    const words = arbitraryText([...STOPWORDS, 'shoe', 'rope'], 1, 6)
    assertSame(words, arbitraryText(STOPWORDS, 2, 4))
  })

  test('stopwords: finds the best of the documents whose title is the query', () => {
    const naive = new NaiveIndex(SCHEMA, analyzer)
    const embedded = new EmbeddedIndexForTest(SCHEMA, 'en', undefined, 0)
    const texts = ['for', 'you', undefined, 'for the', 'for you and for you', 'shoe']
    texts.forEach((text, i) => {
      const document = { docKey: i + 1, id: String(i + 1), values: ['for you', text, 1] }
      naive.add(document)
      embedded.add(document)
      embedded.commit()
    })
    const options = { exactValue: ['for', 'you'], titleField: -1 }
    for (const size of [1, 2]) {
      const plan = { ...planForTest('for you', SCHEMA, analyzer, { size }), ...options }
      assertAgreement(naive, embedded, plan)
    }
  })

  test('a short prefix alone: ranks only the newest of equal documents', () => {
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

/** Asserts that both engines agree on documents with these texts. */
function assertSame(text: fc.Arbitrary<string>, query: fc.Arbitrary<string>): void {
  const planned = fc.tuple(planOf, query).map(([plan, typed]) => plan(typed))
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.option(text, { nil: undefined })), {
        minLength: 20,
        maxLength: 90,
        size: 'max',
      }),
      fc.array(planned, { minLength: 4, maxLength: 8, size: 'max' }),
      fc.record({
        commitEach: fc.constantFrom(7, 40, 100),
        removeEach: fc.constantFrom(9, 1_000),
        rankAllMax: fc.constantFrom(0, 2),
        listBits: fc.constantFrom(undefined, BITS_FOR_ALL_LISTS, SOME_LISTS_COPIED),
      }),
      (texts, plans, { commitEach, removeEach, rankAllMax, listBits }) => {
        const naive = new NaiveIndex(SCHEMA, analyzer)
        const embedded = new EmbeddedIndexForTest(SCHEMA, 'en', listBits, rankAllMax)
        texts.forEach(([title, other], i) => {
          const docKey = i + 1
          const document = { docKey, id: String(docKey), values: [title, other, docKey % 5] }
          naive.add(document)
          embedded.add(document)
          if (docKey % commitEach === 0) embedded.commit()
          if (docKey % removeEach !== 0) return
          naive.remove(docKey - 4)
          embedded.remove(docKey - 4)
        })
        embedded.buildTrie()
        // Twice: the alternatives of words and their lists are cached for the next search.
        for (const plan of [...plans, ...plans]) assertAgreement(naive, embedded, plan)
      },
    ),
    { numRuns: Number(process.env['FUZZ_RUNS'] ?? 150) },
  )
}
