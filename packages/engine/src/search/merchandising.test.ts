import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '../analysis/create-analyzer.ts'
import { arbitrarySchema, arbitraryValues } from '../naive/generate.ts'
import { arbitraryFilter } from '../naive/generate-filter.ts'
import { arbitraryPlan } from '../naive/generate-plan.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import { TIER_STEP } from '../scoring/formula.ts'
import { EmbeddedIndexForTest } from './embedded-index-for-test.ts'

/** Guarantees for merchants, regardless of the rest of the plan. */
const analyzer = createAnalyzer('en')
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 80)
const DOCUMENTS_MAX = 30

const arbitraryCase = arbitrarySchema().chain((schema) =>
  fc
    .record({
      documents: fc.array(arbitraryValues(schema), {
        minLength: 1,
        maxLength: DOCUMENTS_MAX,
        size: 'max',
      }),
      batchSize: fc.integer({ min: 1, max: DOCUMENTS_MAX }),
      plan: arbitraryPlan(schema, analyzer),
      boosted: arbitraryFilter(schema, analyzer),
      positions: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
    })
    .map(({ documents, batchSize, plan, boosted, positions }) => {
      const index = new EmbeddedIndexForTest(schema)
      documents.forEach((values, i) => {
        index.add({ docKey: i + 1, id: `id-${i}`, values })
        if ((i + 1) % batchSize === 0) index.commit()
      })
      index.commit()
      const pins = positions
        .toSorted((a, b) => a - b)
        .map((position, i) => ({ id: `id-${i * 3}`, position }))
      return { index, plan: { ...plan, pins, from: 0, size: 1_000, explain: false }, boosted }
    }),
)

const keyOf = (id: string): number => Number(id.slice(3)) + 1
const keysOf = ({ hits }: SearchOutcome): number[] => hits.map(({ docKey }) => docKey)

suite('pins', () => {
  test('consecutive pages of any size have each hit once and each pin at its position', () => {
    fc.assert(
      fc.property(arbitraryCase, fc.integer({ min: 1, max: 13 }), ({ index, plan }, size) => {
        const { found } = index.search(plan)
        const hits: SearchOutcome['hits'][number][] = []
        for (let from = 0; from < found + size; from += size) {
          const page = index.search({ ...plan, from, size })
          assert.equal(page.found, found)
          hits.push(...page.hits)
        }
        assert.equal(hits.length, found)
        assert.equal(new Set(hits.map(({ docKey }) => docKey)).size, found)
        const pinned = hits.filter((hit) => hit.pinned)
        const others = found - pinned.length
        pinned.forEach(({ docKey }, i) => {
          const { position } = plan.pins.find(({ id }) => keyOf(id) === docKey)!
          assert.equal(hits[Math.min(position - 1, others + i)]?.docKey, docKey)
        })
      }),
      { numRuns: RUNS },
    )
  })

  test('remove no other hit, and keep the order of the others', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ index, plan }) => {
        const withPins = index.search(plan)
        const without = index.search({ ...plan, pins: [] })
        const pinned = new Set(
          keysOf({ ...withPins, hits: withPins.hits.filter((hit) => hit.pinned) }),
        )
        assert.equal(withPins.found, new Set([...keysOf(without), ...pinned]).size)
        // The first 200 may earn pair bonuses: with so few documents, all of them may.
        const rest = (outcome: SearchOutcome) => keysOf(outcome).filter((key) => !pinned.has(key))
        assert.deepEqual(rest(withPins), rest(without))
      }),
      { numRuns: RUNS },
    )
  })

  test('are exactly those that the same search without words would find', () => {
    fc.assert(
      fc.property(arbitraryCase, ({ index, plan }) => {
        const open: SearchPlan = { ...plan, slots: [], exactValue: [], pins: [] }
        const reachable = new Set(keysOf(index.search(open)))
        const wanted = plan.pins.map(({ id }) => keyOf(id)).filter((key) => reachable.has(key))
        const { hits } = index.search(plan)
        assert.deepEqual(
          hits.filter((hit) => hit.pinned).map(({ docKey }) => docKey),
          wanted,
        )
      }),
      { numRuns: RUNS },
    )
  })
})

suite('boosts', () => {
  test('never change what is found or move a document to another tier', () => {
    fc.assert(
      fc.property(arbitraryCase, fc.constantFrom(1_000, 3, 0.5, 0.001), (given, factor) => {
        const { index, plan, boosted } = given
        const plain = index.search({ ...plan, sort: [], boosts: [] })
        const { hits, found } = index.search({
          ...plan,
          sort: [],
          boosts: [{ filter: boosted, factor }],
        })
        assert.equal(found, plain.found)
        const tiers = ({ docKey, textMatchScore }: SearchOutcome['hits'][number]) =>
          [docKey, Math.floor(textMatchScore / TIER_STEP)] as const
        assert.deepEqual(new Map(hits.map(tiers)), new Map(plain.hits.map(tiers)))
      }),
      { numRuns: RUNS },
    )
  })

  test('without words put boosted documents first and buried ones last, each group newest first', () => {
    fc.assert(
      fc.property(
        arbitraryCase,
        fc.constantFrom(2, 1.01, 0.99, 0.001),
        ({ index, plan, boosted }, factor) => {
          const { filter: _, ...rest } = plan
          const all: SearchPlan = {
            ...rest,
            slots: [],
            exactValue: [],
            pins: [],
            sort: [],
            facets: [],
          }
          const { hits } = index.search({ ...all, boosts: [{ filter: boosted, factor }] })
          const inside = keysOf(index.search({ ...all, boosts: [], filter: boosted }))
          const outside = keysOf(
            index.search({ ...all, boosts: [], filter: { kind: 'not', node: boosted } }),
          )
          assert.deepEqual(
            hits.map(({ docKey }) => docKey),
            factor > 1 ? [...inside, ...outside] : [...outside, ...inside],
          )
        },
      ),
      { numRuns: RUNS },
    )
  })
})
