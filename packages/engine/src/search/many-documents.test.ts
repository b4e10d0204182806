import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { performIndexTask } from '../indexer/index-task.ts'
import { IndexWriter } from '../indexer/index-writer.ts'
import { assertSameOutcome } from '../naive/agreement.ts'
import { NaiveIndex } from '../naive/naive-index.ts'
import { planForTest } from '../naive/plan-for-test.ts'
import type { SearchPlan } from '../query/plan.ts'
import type { IndexDocument } from '../schema/document.ts'
import { fieldValue, type Schema } from '../schema/schema.ts'
import { EXACT_VALUE_STEP } from '../scoring/formula.ts'
import { WINDOW_SIZE } from '../postings/postings-format.ts'
import { BITS_FOR_ALL_LISTS, EmbeddedIndexForTest } from './embedded-index-for-test.ts'
import { GOODS, goodsDocument, goodsPlans } from './goods-for-test.ts'
import { Searcher } from './searcher.ts'

/**
 * Cases that small generated indexes never reach: frequent words, many candidates for bonuses, two
 * windows.
 */
const analyzer = createAnalyzer('en')

const PAGES: readonly Partial<SearchPlan>[] = [
  { size: 3 },
  { size: 10, from: 30 },
  { size: 3, requireAllTerms: true },
  { size: 3, requireAllTerms: 'auto' },
]

suite('many documents', () => {
  test('with 1,500 documents and frequent words both engines agree', () => {
    const naive = new NaiveIndex(GOODS, analyzer)
    const embedded = new EmbeddedIndexForTest(GOODS)
    const withBits = new EmbeddedIndexForTest(GOODS, 'en', BITS_FOR_ALL_LISTS)
    const both = [embedded, withBits]
    for (let docKey = 1; docKey <= 1_500; docKey++) {
      const document = goodsDocument(docKey)
      naive.add(document)
      for (const index of both) {
        index.add(document)
        if (docKey % 400 === 0) index.commit()
        if (docKey === 900) index.buildTrie()
        if (docKey % 17 === 0) index.remove(docKey - 8)
      }
      if (docKey % 17 === 0) naive.remove(docKey - 8)
    }
    const texts = [
      'red running shoe',
      'light heavy',
      'green wooden w42',
      'blue tent nordfell',
      'sh',
    ]
    const plans = texts.flatMap((text) => [
      planForTest(text, GOODS, analyzer, { typoMax: 2, prefix: 'always', size: 25 }),
      planForTest(text, GOODS, analyzer, { requireAllTerms: true, size: 1_000, from: 5 }),
      planForTest(text, GOODS, analyzer, { requireAllTerms: 'auto', typoMax: 2, size: 25 }),
      planForTest(text, GOODS, analyzer, { infix: 'always', size: 10 }),
      planForTest(text, GOODS, analyzer, {
        synonyms: [
          { text: texts[0]!, span: 2 },
          { text: texts.at(-1)!.split(' ')[0]!, at: 1 },
        ],
        size: 10,
      }),
    ])
    const phrase = (text: string, inflected: boolean) => ({
      inflected,
      spellings: [text.split(' ').map((form) => ({ form, stem: analyzer.stem(form) }))],
    })
    const conditions: Partial<SearchPlan>[] = [
      { phrases: [phrase('red shoe', false)] },
      { phrases: [phrase('shoe', true)], exclusions: [phrase('red', false)] },
      { exactValue: ['nordfell'], explain: true },
      { exactValue: ['shoe'], fieldWeights: [0, 0, 1, 0, 0] },
      { exactValue: ['red', 'shoe', 'red', 'w1'], size: 300, explain: true },
    ]
    const conditioned = conditions.flatMap((changes) => [
      planForTest('red shoe nordfell', GOODS, analyzer, { size: 1_000, ...changes }),
      planForTest('', GOODS, analyzer, { facets: goodsPlans()[0]!.facets, ...changes }),
    ])
    // Small pages, for which few documents are ranked; boosts may raise any of the others.
    const has = (field: number, ...forms: string[]) => ({ kind: 'words', field, forms }) as const
    const merchandise: Partial<SearchPlan>[] = [
      { boosts: [{ filter: has(0, 'wooden'), factor: 1.5 }] },
      { boosts: [{ filter: has(0, 'red'), factor: 0.1 }], explain: true },
      {
        boosts: [
          { filter: has(0, 'green'), factor: 1_000 },
          { filter: has(0, 'light'), factor: 0.5 },
        ],
      },
      { pins: [1, 2, 9, 30].map((position) => ({ id: `g${position * 40}`, position })) },
      { minRelevance: 0.6 },
      { minRelevance: 0.9, sort: [{ kind: 'random', seed: 7, descending: false }] },
    ]
    const merchandised = merchandise.flatMap((changes) =>
      [...texts, ''].flatMap((text) => [
        planForTest(text, GOODS, analyzer, { size: 5, ...changes }),
        planForTest(text, GOODS, analyzer, { size: 20, from: 20, ...changes }),
        planForTest(text, GOODS, analyzer, { facets: goodsPlans()[0]!.facets, ...changes }),
        planForTest('oode', GOODS, analyzer, { infix: 'always', size: 5, ...changes }),
      ]),
    )
    // Small pages without facets, for which matches are counted without being listed.
    const frequent = ['red shoe', 'red shoe lamp', 'green wooden tent light', 'heavy heavy rope']
    const counted = frequent.flatMap((text) =>
      PAGES.flatMap((page) => [
        planForTest(text, GOODS, analyzer, page),
        planForTest(text, GOODS, analyzer, { ...page, ...conditions[1] }),
        planForTest(text, GOODS, analyzer, { ...page, pins: [{ id: 'g80', position: 2 }] }),
      ]),
    )
    // Single words with alternatives of several qualities, only the best of which are ranked.
    const single = ['red', 'shoe', 'shoed', 'sh', 'rde', 'woden', 'hea', 'nordfel', 'w4', 'lihgt']
    const alone = single.flatMap((text) =>
      [{ size: 3 }, { size: 10, from: 30 }, { size: 2, explain: true }].flatMap((page) =>
        (['off', 'always'] as const).flatMap((prefix) => {
          const options = { ...page, prefix, typoMax: 2 } as const
          return [
            planForTest(text, GOODS, analyzer, options),
            planForTest(text, GOODS, analyzer, { ...options, exactValue: [text] }),
            planForTest(text, GOODS, analyzer, { ...options, ...conditions[1] }),
            planForTest(text, GOODS, analyzer, { ...options, ...merchandise[2] }),
            planForTest(`${text} lamp`, GOODS, analyzer, options),
          ]
        }),
      ),
    )
    // Small pages in the order of a field, which are filled by iterating its values in order.
    const sorted = [1, 3, 4].flatMap((field) =>
      [false, true].flatMap((descending) =>
        (['first', 'last'] as const).flatMap((missing) =>
          PAGES.map((page) =>
            planForTest('red shoe lamp', GOODS, analyzer, {
              ...page,
              sort: [{ kind: 'field', field, descending, missing }],
              ...(descending ? conditions[1] : {}),
            }),
          ),
        ),
      ),
    )
    // In groups by brand and stock, far after the first 200 documents.
    const grouped = [goodsPlans(), plans, merchandised, counted, sorted].flat().map((plan, i) => {
      const missing = i % 2 === 0 ? ('together' as const) : ('apart' as const)
      const fields = [[1], [4], [4, 1], [1, 4]][i % 4]!
      const facetCount = i % 5 < 3 ? ('groups' as const) : ('documents' as const)
      return { ...plan, groups: { fields, limit: [1, 3, 99][i % 3]!, missing, facetCount } }
    })
    const one = [goodsPlans(), plans, conditioned, merchandised, counted, alone, sorted]
    const all = [...one.flat(), ...grouped]
    for (const plan of all) {
      const outcome = naive.search(plan)
      for (const index of both) assertSameOutcome(outcome, index.search(plan), plan)
    }
  })

  const schema: Schema = {
    fields: [
      { name: 'title', type: 'string', searchable: true, facet: false, sort: false },
      { name: 'group', type: 'int32', searchable: false, facet: true, sort: true },
    ],
  }
  const WORDS = ['red', 'blue', 'shoe', 'lamp', 'tent', 'rope', 'table']

  /** Three words. The rarest are in documents on both sides of the window border. */
  const small = (docKey: number): IndexDocument => {
    const mixed = Math.imul(docKey, 2_654_435_761) >>> 8
    const rare = docKey % 4_999 === 0 || docKey === WINDOW_SIZE || docKey === WINDOW_SIZE + 1
    const title = `${WORDS[mixed % 7]} ${WORDS[(mixed >> 4) % 7]} ${rare ? 'unicorn' : `n${docKey % 50}`}`
    return { docKey, id: String(docKey), values: [title, mixed % 20] }
  }

  test('70,000 documents give the same answers in one segment of two windows and in several', () => {
    const COUNT = 70_000
    const documents = Array.from({ length: COUNT }, (_, i) => small(i + 1))
    const dead = documents.filter(
      ({ docKey }) => docKey % 1_000 === 7 || docKey === WINDOW_SIZE - 1,
    )
    const writerOf = (batchSize: number): IndexWriter => {
      const writer = new IndexWriter(schema, 'en')
      for (let from = 0; from < COUNT; from += batchSize) {
        writer.apply({ added: documents.slice(from, from + batchSize), removed: [] })
      }
      writer.apply({ added: [], removed: dead })
      return writer
    }
    const one = new Searcher(undefined, 0)
    one.update(writerOf(COUNT).snapshot())
    const several = new Searcher(BITS_FOR_ALL_LISTS, 0)
    const writer = writerOf(30_000)
    several.update(writer.snapshot())
    const merged = new Searcher(undefined, 0)
    const ids = writer.segments.map(({ id }) => id)
    const run = { from: 0, to: ids.length }
    writer.replace(ids, performIndexTask(writer.mergeTask(run))!)
    merged.update(writer.snapshot())

    const facets = [{ field: 1, limit: 30, order: 'count' as const, stats: true }]
    const plan = (text: string, changes: Partial<SearchPlan> = {}): SearchPlan => ({
      ...planForTest(text, schema, analyzer, { typoMax: 2, prefix: 'always', size: 300, facets }),
      ...changes,
    })
    const filter = { kind: 'range', field: 1, low: 3, high: 9 } as const
    const exactly = (...words: string[]) => ({
      inflected: false,
      spellings: [words.map((form) => ({ form, stem: analyzer.stem(form) }))],
    })
    const plans = [
      plan(''),
      plan('', { filter, sort: [{ kind: 'field', field: 1, descending: true, missing: 'last' }] }),
      plan('unicorn'),
      plan('unicron tent'),
      planForTest('nico amp', schema, analyzer, { infix: 'always', size: 300, facets }),
      planForTest('red ent', schema, analyzer, { infix: 'fallback', size: 300, facets }),
      planForTest('armchair red', schema, analyzer, {
        synonyms: [{ text: 'blue shoe' }, { text: 'unicorn', span: 2 }],
        size: 300,
        facets,
      }),
      plan('red shoe'),
      plan('blue lamp n7', { filter }),
      plan('tabel rope', { requireAllTerms: true }),
      plan('t', { from: 20_000 }),
      plan('red', { from: 1e12 }),
      plan('red shoe', { from: 1e12, sort: [{ kind: 'textMatch', descending: false }] }),
      plan('red', { exclusions: [exactly('shoe')] }),
      plan('', { phrases: [exactly('red', 'shoe')], exclusions: [exactly('n7')] }),
      plan('red shoe', { phrases: [exactly('red', 'shoe')], explain: true }),
      plan('red red n5', { exactValue: ['red', 'red', 'n5'], size: 3_000 }),
      plan('red shoe', { boosts: [{ filter, factor: 3 }], size: 10 }),
      plan('', { boosts: [{ filter, factor: 3 }], pins: [{ id: '65536', position: 2 }] }),
      plan('unicorn', {
        pins: [
          { id: '1', position: 1 },
          { id: '66000', position: 900 },
        ],
      }),
      plan('red shoe', { facets: [], size: 5 }),
      plan('red shoe lamp', { facets: [], size: 5 }),
      plan('unicorn tent red', { facets: [], size: 5, exclusions: [exactly('shoe')] }),
      plan('red unicorn', { facets: [], size: 5, requireAllTerms: true }),
      plan('red shoe lamp', { size: 5, requireAllTerms: 'auto' }),
      plan('red shoe lamp', { size: 5, requireAllTerms: 'auto', filter, scope: filter }),
      plan('red shoe n4', { size: 5, requireAllTerms: 'auto', filter }),
      plan('red shoe lamp rope', { facets: [], size: 10, from: 20 }),
      plan('red n4', { sort: [{ kind: 'field', field: 1, descending: false, missing: 'first' }] }),
    ]
    for (const each of plans) {
      const find = (searcher: Searcher) => searcher.search(each, Number)
      assertSameOutcome(find(one), find(several), each)
      assertSameOutcome(find(one), find(merged), each)
    }
    // For a small page few documents are scored, for one with all hits every document.
    for (const requireAllTerms of [false, true, 'auto'] as const) {
      for (const descending of [false, true]) {
        const sort = [{ kind: 'field', field: 1, descending, missing: 'last' } as const]
        const ordered = (changes: Partial<SearchPlan>) =>
          several.search(plan('red shoe n4', { requireAllTerms, sort, filter, ...changes }), Number)
        const everything = ordered({ from: 0, size: COUNT })
        assert.equal(everything.hits.length, everything.found)
        for (const from of [0, 40]) {
          const page = ordered({ from, size: 10 })
          assert.equal(page.found, everything.found)
          assert.deepEqual(page.hits, everything.hits.slice(from, from + 10))
        }
      }
    }
    const unicorns = one.search(plan('unicorn'), () => undefined)
    const wanted = documents.filter(({ values }) =>
      String(fieldValue(values, 0)).includes('unicorn'),
    )
    assert.equal(unicorns.found, wanted.length - dead.filter((d) => wanted.includes(d)).length)
    const exact = one.search(
      plan('red red n5', { exactValue: ['red', 'red', 'n5'], size: 3_000 }),
      () => undefined,
    )
    const raised = exact.hits.filter(({ textMatchScore }) => textMatchScore >= EXACT_VALUE_STEP)
    const same = documents.filter((document) => document.values[0] === 'red red n5')
    assert.ok(same.length > 20 && same.some(({ docKey }) => docKey > WINDOW_SIZE))
    assert.equal(raised.length, same.filter((document) => !dead.includes(document)).length)
    assert.deepEqual(exact.hits.slice(0, raised.length), raised)
    const everything = one.search(plan('', { size: 0 }), () => undefined)
    assert.equal(everything.found, COUNT - dead.length)

    // Every long loop checks the deadline: with no time left nothing is found, and nothing hangs.
    for (const each of plans) {
      const { cutoff, found } = one.search(
        { ...each, deadlineMs: performance.now() - 1 },
        () => undefined,
      )
      assert.deepEqual([cutoff, found], [true, 0])
    }
  })
})
