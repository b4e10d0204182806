import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createAnalyzer } from '@aisle/engine'
import type { Schema, SearchPlan } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import { assertSameOutcome } from '@aisle/engine/naive/agreement'
import { arbitraryHistory, arbitrarySchema } from '@aisle/engine/naive/generate'
import type { History, IndexStep } from '@aisle/engine/naive/generate'
import { arbitraryFilter } from '@aisle/engine/naive/generate-filter'
import { arbitraryLanguageLife } from '@aisle/engine/naive/generate-languages'
import {
  arbitraryGroupedPlan,
  arbitraryPlan,
  arbitrarySlots,
} from '@aisle/engine/naive/generate-plan'
import { EMPTY_PLAN, generatedRuns, NEEDS_CLUSTER, plainSlot } from '@aisle/testing'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { SearchedStoreForTest } from './searched-store-for-test.ts'

const analyzer = createAnalyzer('en')

/** Lives of a store of at most 200 documents: their order is ours to the last one. */
const arbitraryCase = arbitrarySchema().chain((schema) =>
  fc.record({
    history: arbitraryHistory(schema, 6),
    plans: fc.array(
      fc.oneof(arbitraryPlan(schema, analyzer), arbitraryGroupedPlan(schema, analyzer)),
      { minLength: 1, maxLength: 8 },
    ),
  }),
)

/** Lives, and plans with groups of which the order is exact on a cluster: by fields alone. */
const arbitraryGroups = arbitrarySchema().chain((schema) =>
  fc.record({
    history: arbitraryHistory(schema, 6),
    plans: fc
      .array(arbitraryGroupedPlan(schema, analyzer), { minLength: 1, maxLength: 8 })
      .map((plans) => plans.map((plan) => byFieldsAlone(schema, plan))),
    shards: fc.constantFrom(1, 2),
    sizes: fc.record({
      first: fc.constantFrom(1, 3, 20),
      step: fc.constantFrom(1, 4),
      except: fc.constantFrom(2, 100),
      listed: fc.constantFrom(1, 3, 100),
    }),
  }),
)

/** Without int64: the least and the greatest are with documents that have none. */
function byFieldsAlone({ fields }: Schema, plan: SearchPlan): SearchPlan {
  const sort = plan.sort.filter(
    (key) => key.kind === 'field' && fields[key.field]!.type !== 'int64',
  )
  const { minRelevance: _, popularity: __, personal: ___, ...rest } = plan
  return { ...rest, slots: [], boosts: [], exactValue: [], sort }
}

const runs = generatedRuns(25)

suite('Searching a store on a cluster', { ...NEEDS_CLUSTER, timeout: 600_000 }, () => {
  test('answers as the naive twin does: found, hits, scores, facets, expansions', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    await fc.assert(
      fc.asyncProperty(arbitraryCase, async ({ history, plans }) => {
        const naive = live(history)
        const store = await cluster.store(history, analyzer)
        for (const plan of plans) {
          assertSameOutcome(naive.search(plan), await store.search(plan), plan)
        }
      }),
      { numRuns: runs, endOnFailure: process.env['FUZZ_SHRINK'] === undefined },
    )
  })

  test('answers so after further writes, and the second time that it is asked', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    await fc.assert(
      fc.asyncProperty(arbitraryCase, async ({ history, plans }) => {
        const [first, second] = inTwo(history)
        const store = await cluster.store(first, analyzer)
        const agrees = async (naive: NaiveIndex): Promise<void> => {
          for (const plan of plans) {
            assertSameOutcome(naive.search(plan), await store.search(plan), plan)
          }
        }
        await agrees(live(first))
        await cluster.write(store, second)
        await agrees(live(history))
        await agrees(live(history))
      }),
      { numRuns: runs, endOnFailure: process.env['FUZZ_SHRINK'] === undefined },
    )
  })

  test('answers so while nothing changes, and after the change that ends this', async () => {
    await using one = await SearchedStoreForTest.openIndex()
    await using two = await SearchedStoreForTest.openIndex(2)
    await fc.assert(
      fc.asyncProperty(arbitraryCase, fc.boolean(), async ({ history, plans }, isOne) => {
        const cluster = isOne ? one : two
        const [first, second] = inTwo(history)
        const store = await cluster.store(first, analyzer)
        const agrees = async (naive: NaiveIndex): Promise<void> => {
          for (const plan of plans) {
            assertSameOutcome(naive.search(plan), await store.search(plan), plan)
          }
        }
        const before = live(first)
        // Learns its words, then its version, then words as of that version, then uses them.
        for (let pass = 0; pass < 4; pass++) {
          await agrees(before)
          cluster.rest()
        }
        await cluster.write(store, second)
        const after = live(history)
        await agrees(after)
        cluster.rest()
        await agrees(after)
      }),
      { numRuns: runs, endOnFailure: process.env['FUZZ_SHRINK'] === undefined },
    )
  })

  test('finds compounds, and words in two scripts, as the naive twin does', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    await fc.assert(
      fc.asyncProperty(arbitraryLanguageLife(), async ({ language, history, plans }) => {
        const own = createAnalyzer(language)
        const naive = live(history, own)
        const store = await cluster.store(history, own)
        for (const plan of plans) {
          assertSameOutcome(naive.search(plan), await store.search(plan), plan)
        }
      }),
      { numRuns: runs, endOnFailure: process.env['FUZZ_SHRINK'] === undefined },
    )
  })

  test('groups as the naive twin does, however much of it is asked for at once', async () => {
    await using one = await SearchedStoreForTest.openIndex()
    await using several = await SearchedStoreForTest.openIndex(2)
    await fc.assert(
      fc.asyncProperty(arbitraryGroups, async ({ history, plans, shards, sizes }) => {
        const naive = live(history)
        const store = await (shards === 1 ? one : several).store(history, analyzer, sizes)
        for (const plan of plans) {
          assertSameOutcome(naive.search(plan), await store.search(plan), plan)
        }
      }),
      { numRuns: runs, endOnFailure: process.env['FUZZ_SHRINK'] === undefined },
    )
  })

  test('completes, and finds the keys of a filter, as the naive twin does', async () => {
    await using cluster = await SearchedStoreForTest.openIndex(2)
    await fc.assert(
      fc.asyncProperty(arbitraryQuestions, async ({ history, plan, filter, request }) => {
        const naive = live(history)
        const store = await cluster.store(history, analyzer)
        assert.deepEqual(await store.complete(plan, request), naive.complete(plan, request))
        assert.deepEqual(await store.matchingKeys(filter), naive.matchingKeys(filter))
        assert.equal(await store.docCount(), naive.docCount)
        const stems = request.words.flat()
        assert.deepEqual(
          await store.holds(stems),
          stems.map((stem) => naive.holds(stem)),
        )
      }),
      { numRuns: runs, endOnFailure: true },
    )
  })

  test('a store of a pool has the same words and scores whatever others have', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    const [first] = fc.sample(arbitraryCase, { numRuns: 1, seed: 7 })
    const { history, plans } = first!
    const store = await cluster.store(history, analyzer)
    const alone = await Promise.all(plans.map((plan) => store.search(plan)))
    for (const other of fc.sample(arbitraryCase, { numRuns: 5, seed: 8 })) {
      await cluster.store(other.history, analyzer)
    }
    const again = cluster.again(store)
    for (const [i, plan] of plans.entries()) {
      assert.deepEqual(await again.search(plan), alone[i])
    }
  })

  test('a page behind the candidates goes on where the one before ended', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    const history = shoes(330)
    const naive = live(history)
    const store = await cluster.store(history, analyzer)
    const slots = [plainSlot('red', 'red'), plainSlot('shoe', 'shoe')]
    const plan = { ...EMPTY_PLAN, slots, fieldWeights: [1], lengthNorms: [0.5], titleField: 0 }
    const pages: number[] = []
    for (let from = 0; from < 330; from += 55) {
      const { found, hits } = await store.search({ ...plan, from, size: 55 })
      assert.equal(found, 330)
      pages.push(...hits.map((hit) => hit.docKey))
    }
    const all = naive.search({ ...plan, size: 330 }).hits.map((hit) => hit.docKey)
    assert.deepEqual(pages.slice(0, 40), all.slice(0, 40), 'the best are the best')
    assert.deepEqual(new Set(pages), new Set(all), 'each once')
    assert.equal(pages.length, 330)
  })

  test('the best come first when there are more than candidates since the last time', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    const whole = shoes(330)
    const [few, more] = [whole.steps.slice(0, 150), whole.steps.slice(150)]
    const store = await cluster.store({ ...whole, steps: few }, analyzer)
    const slots = [plainSlot('red', 'red'), plainSlot('shoe', 'shoe')]
    const plan = { ...EMPTY_PLAN, slots, fieldWeights: [1], lengthNorms: [0.5], titleField: 0 }
    for (const steps of [few, few]) {
      assertSameOutcome(live({ ...whole, steps }).search(plan), await store.search(plan), plan)
    }
    await cluster.write(store, { ...whole, steps: more })
    const best = { ...plan, size: 40 }
    for (let time = 0; time < 2; time++) {
      const { found, hits } = await store.search(best)
      assert.equal(found, 330)
      assert.deepEqual(hits, live(whole).search(best).hits)
    }
  })

  test('pages of the same matches count their facets once, until documents change', async (t) => {
    await using cluster = await SearchedStoreForTest.openIndex(2)
    const whole = cups(60)
    const [most, last] = [whole.steps.slice(0, 59), whole.steps.slice(59)]
    const store = await cluster.store({ ...whole, steps: most }, analyzer)
    const requests = t.mock.method(ClusterConnection.prototype, 'request')
    const facets = [{ field: 0, limit: 2, order: 'count', stats: false } as const]
    /** Whether the facets of a page had to be counted. */
    const isCounted = async (from: number, steps = most): Promise<boolean> => {
      requests.mock.resetCalls()
      const plan = { ...EMPTY_PLAN, fieldWeights: [0], lengthNorms: [0.5], from, size: 10, facets }
      assertSameOutcome(live({ ...whole, steps }).search(plan), await store.search(plan), plan)
      const sent = requests.mock.calls.map(({ arguments: [request] }) => JSON.stringify(request))
      return sent.some((text) => text.includes('"values0"'))
    }
    // The first one finds the version, the second one counts as of it.
    for (const from of [0, 10]) {
      assert.ok(await isCounted(from))
      cluster.rest()
    }
    for (const from of [20, 0, 30]) assert.ok(!(await isCounted(from)))
    await cluster.write(store, { ...whole, steps: last })
    assert.ok(await isCounted(0, [...whole.steps]))
  })

  test('a cluster that cannot answer is an error, never fewer hits', async () => {
    await using cluster = await SearchedStoreForTest.openIndex()
    const history: History = { initialSchema: TITLES, schema: TITLES, steps: [] }
    const store = await cluster.store(history, analyzer)
    await cluster.close()
    await assert.rejects(store.search({ ...EMPTY_PLAN, fieldWeights: [1], lengthNorms: [0.5] }), {
      name: 'ClusterError',
      kind: 'refused',
    })
    await cluster.open()
  })
})

/** A life of this number of shoes. */
function shoes(count: number): History {
  const words = ['red', 'blue', 'green', 'old']
  const steps = Array.from({ length: count }, (_, i): IndexStep => {
    const values = [`${words[i % 4]} shoe ${words[i % 3]}`]
    return { kind: 'add', document: { docKey: i + 1, id: `p${i}`, values } }
  })
  return { initialSchema: TITLES, schema: TITLES, steps }
}

/** A life of this number of cups, of five brands. */
function cups(count: number): History {
  const brand = {
    name: 'brand',
    type: 'string',
    searchable: false,
    facet: true,
    sort: false,
  } as const
  const schema: Schema = { fields: [brand] }
  const steps = Array.from({ length: count }, (_, i): IndexStep => {
    const document = { docKey: i + 1, id: `c${i}`, values: [`brand ${Math.min(i % 9, 4)}`] }
    return { kind: 'add', document }
  })
  return { initialSchema: schema, schema, steps }
}

const TITLES: Schema = {
  fields: [{ name: 'title', type: 'string', searchable: true, facet: false, sort: false }],
}

const arbitraryQuestions = arbitrarySchema().chain((schema) =>
  fc.record({
    history: arbitraryHistory(schema, 6),
    plan: arbitraryPlan(schema, analyzer),
    filter: arbitraryFilter(schema, analyzer),
    request: fc
      .record({
        slots: arbitrarySlots(analyzer),
        fields: fc.option(fc.tuple(...schema.fields.map(() => fc.boolean())), { nil: undefined }),
        prefix: fc.option(fc.constantFrom('s', 'sho', 're', 'b', 'tab', 'x', '1'), {
          nil: undefined,
        }),
        limit: fc.constantFrom(1, 5, 50),
        countMax: fc.constantFrom(undefined, 1, 3),
      })
      .map(({ slots, fields, prefix, limit, countMax }) => ({
        words: slots.map(({ stem }) => [stem, 'shoe']),
        ...(fields === undefined ? {} : { fields }),
        ...(prefix === undefined ? {} : { prefix }),
        ...(countMax === undefined ? {} : { countMax }),
        limit,
      })),
  }),
)

/** A life in two parts, the first of them with the last schema. */
function inTwo({ initialSchema, schema, steps }: History): [History, History] {
  const lastSchema = steps.findLastIndex(({ kind }) => kind === 'schema')
  const end = Math.max(lastSchema + 1, Math.floor(steps.length / 2))
  return [
    { initialSchema, schema, steps: steps.slice(0, end) },
    { initialSchema: schema, schema, steps: steps.slice(end) },
  ]
}

/** The naive twin at the end of a life. */
function live(history: History, own = analyzer): NaiveIndex {
  const naive = new NaiveIndex(history.initialSchema, own)
  for (const step of history.steps) {
    if (step.kind === 'add') naive.add(step.document)
    else if (step.kind === 'remove') naive.remove(step.docKey)
    else if (step.kind === 'schema') naive.setSchema(step.schema)
  }
  return naive
}
