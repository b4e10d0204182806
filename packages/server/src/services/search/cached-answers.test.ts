import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import {
  openEmbeddedCatalog,
  type EmbeddedCatalog,
} from '../../adapters/embedded/test/embedded-catalog.ts'
import {
  createAnswerChannel,
  SharedAnswerCache,
} from '../../adapters/shared-memory/answer-cache.ts'
import { upsert } from '../../ports/catalog/catalog-fixture.ts'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import type { AnswerCache } from '../../ports/search/answer-cache.ts'
import type { SearchBackend } from '../../ports/search/search-backend.ts'
import { servicePortsOver } from '../service-ports-for-test.ts'
import type { ServicePorts } from '../service-ports.ts'
import { patchSettings } from '../store/change-settings.ts'
import { putRule } from '../store/put-rule.ts'
import { putPreset } from './put-preset.ts'
import { putStopwordSet, putSynonymSet } from '../store/put-sets.ts'
import { soloPace } from './request-pace.ts'
import { search } from './search.ts'
import { withResourcesOf } from './view-with-resources.ts'

// Goal: the cache returns what a search would return now. Method: run every query twice,
// with and without the cache, between random changes to everything that affects the response.

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 60)
const WORDS = ['red', 'blue', 'shoe', 'boot', 'tent', 'trail'] as const
const word = fc.constantFrom(...WORDS)
const id = fc.constantFrom('a', 'b', 'c', 'd')

const change = fc.oneof(
  fc.record({
    kind: fc.constant('write' as const),
    id,
    words: fc.array(word, { maxLength: 4 }),
    price: fc.nat(9),
  }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('clear' as const) }),
  fc.record({ kind: fc.constant('synonyms' as const), pair: fc.tuple(word, word) }),
  fc.record({
    kind: fc.constant('stopwords' as const),
    words: fc.array(word, { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    kind: fc.constant('preset' as const),
    perPage: fc.integer({ min: 1, max: 3 }),
    sort: fc.constantFrom('price:asc', 'price:desc'),
  }),
  fc.record({
    kind: fc.constant('sort' as const),
    sort: fc.constantFrom('price:asc', 'price:desc'),
  }),
  fc.record({ kind: fc.constant('later' as const) }),
  fc.record({
    kind: fc.constant('rule' as const),
    query: word,
    sort: fc.constantFrom('price:asc', 'price:desc'),
    fromSecond: fc.nat(30),
  }),
  fc.record({ kind: fc.constant('other store' as const) }),
)
const query = fc.record(
  {
    kind: fc.constant('search' as const),
    q: fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
    filter_by: fc.constantFrom('price:>3', 'price:[2..6]'),
    sort_by: fc.constantFrom('price:asc', '_text_match:desc'),
    facet_by: fc.constant('price'),
    per_page: fc.integer({ min: 0, max: 3 }),
    page: fc.integer({ min: 1, max: 2 }),
    preset_name: fc.constant('p'),
    include_suggestions: fc.boolean(),
    include_snippets: fc.boolean(),
    unknown: fc.nat(3),
  },
  { requiredKeys: ['kind', 'q'] },
)
type Step =
  | (typeof change extends fc.Arbitrary<infer T> ? T : never)
  | { kind: 'search'; q: string }

const FIELDS = checkSchemaFields([
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'int32', facet: true, sort: true },
])

/** Reset for each story. */
const time = { nowMs: 0 }

async function perform(
  ports: ServicePorts,
  step: Exclude<Step, { kind: 'search' }>,
): Promise<void> {
  const { writer } = ports
  switch (step.kind) {
    case 'write': {
      const json = JSON.stringify({ title: step.words.join(' '), price: step.price })
      await writer.writeDocuments('shop', [upsert(step.id, json)])
      break
    }
    case 'delete':
      await writer.deleteDocument('shop', step.id)
      break
    case 'clear':
      await writer.clearDocuments('shop')
      break
    case 'synonyms':
      await putSynonymSet(
        ports,
        'shop',
        's',
        { items: [{ synonyms: step.pair }], default: true },
        undefined,
        soloPace(),
      )
      break
    case 'stopwords':
      await putStopwordSet(
        ports,
        'shop',
        's',
        { stopwords: step.words, default: true },
        undefined,
        soloPace(),
      )
      break
    case 'preset':
      await putPreset(ports, 'shop', 'p', {
        value: { per_page: step.perPage, sort_by: step.sort },
      })
      break
    case 'sort':
      await patchSettings(ports, 'shop', { ranking: { sort_by: step.sort } })
      break
    case 'later':
      time.nowMs += 5_000
      break
    case 'rule':
      await putRule(ports, 'shop', 'r', {
        when: [{ query: step.query, match: 'contains' }],
        sort_by: step.sort,
        pin: [{ id: 'tent', position: 1 }],
        schedule: [{ from: new Date(step.fromSecond * 1_000).toISOString() }],
      })
      break
    case 'other store':
      await writer.writeDocuments('other', [upsert('x', '{"title":"red tent"}')])
      break
  }
}

/** Searches as on a cluster: their answers are kept although nobody asks for that. */
function asOnCluster({ backend, answers, ...ports }: ServicePorts): ServicePorts & {
  readonly hits: () => number
} {
  let hits = 0
  const view: SearchBackend['view'] = (storeId, turns) => {
    const view = backend.view(storeId, turns)
    if (view === undefined) return undefined
    const version = async () => view.version
    const { resources } = view
    return { ...withResourcesOf(view, resources), askVersion: version, repeatVersion: version }
  }
  return {
    ...ports,
    backend: { ...backend, view },
    answers: {
      get: (question) => {
        const kept = answers.get(question)
        if (kept !== undefined) hits++
        return kept
      },
      put: (question, answer) => answers.put(question, answer),
    },
    hits: () => hits,
  }
}

/** @returns how many responses came from the cache, asked for and not asked for */
async function compare(
  kept: EmbeddedCatalog,
  caches: readonly AnswerCache[],
  steps: readonly Step[],
): Promise<readonly [number, number]> {
  time.nowMs = 0
  const clock = { now: () => time.nowMs }
  const withCaches = caches.map((answers) => ({ ...servicePortsOver(kept, clock), answers }))
  const [ports] = withCaches
  // With separate answers, so that none was asked for.
  await using own = openCache()
  const onCluster = asOnCluster({ ...ports!, answers: own.cache })
  for (const store of ['shop', 'other']) {
    await ports!.writer.createStore({ name: store, id: store })
    await ports!.writer.changeSchema(store, 'additive', FIELDS)
  }
  await putPreset(ports!, 'shop', 'p', { value: { per_page: 2 } })
  await ports!.writer.writeDocuments(
    'shop',
    WORDS.map((title, price) => upsert(title, JSON.stringify({ title, price }))),
  )
  await perform(ports!, { kind: 'rule', query: 'red', sort: 'price:desc', fromSecond: 7 })
  let repeats = 0
  for (const [i, step] of steps.entries()) {
    if (step.kind !== 'search') {
      await perform(ports!, step)
      continue
    }
    const { kind: _, ...parameters } = step
    const asked = withCaches[i % withCaches.length]!
    const cached = await search(asked, 'shop', asRepeated({ ...parameters, cache_results: true }))
    const fresh = await search(asked, 'shop', parameters)
    assert.deepEqual(withoutNovelty(cached.json), withoutNovelty(fresh.json))
    if (cached.cached) repeats++
    const kept = await search(onCluster, 'shop', parameters)
    assert.match(String(kept.json), /"cached":false/)
    assert.deepEqual(withoutNovelty(kept.json), withoutNovelty(fresh.json))
  }
  await ports!.writer.deleteStore('shop')
  await ports!.writer.deleteStore('other')
  return [repeats, onCluster.hits()]
}

function openCache(): { readonly cache: SharedAnswerCache } & AsyncDisposable {
  const cache = new SharedAnswerCache(createAnswerChannel(), 1_000_000, () => undefined)
  return { cache, [Symbol.asyncDispose]: async () => cache.close() }
}

/** One frozen object for equal parameters, as the route passes repeated ones. */
function asRepeated(parameters: object): object {
  const text = JSON.stringify(parameters)
  const known = repeated.get(text) ?? Object.freeze(parameters)
  repeated.set(text, known)
  return known
}

const repeated = new Map<string, object>()

function withoutNovelty(json: string | Buffer): object {
  const { search_id: _, search_time_ms: _ms, cached: _cached, ...rest } = JSON.parse(String(json))
  return rest
}

suite('an answer from the cache equals that of a search', () => {
  // Few different queries, so that they repeat.
  const story = fc
    .array(query, { minLength: 1, maxLength: 3 })
    .chain((queries) =>
      fc.array(
        fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...queries) },
          { weight: 1, arbitrary: change },
        ),
        { maxLength: 25 },
      ),
    )

  test('with two threads that share answers', async () => {
    await using ports = await openEmbeddedCatalog()
    let [repeats, unasked] = [0, 0]
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const channel = createAnswerChannel()
        const caches = [0, 1].map(() => new SharedAnswerCache(channel, 1_000_000, () => undefined))
        const hits = await compare(ports, caches, steps as Step[])
        repeats += hits[0]
        unasked += hits[1]
        for (const cache of caches) cache.close()
      }),
      { numRuns: RUNS },
    )
    assert.ok(repeats > 0 && unasked > 0, `${repeats}, ${unasked} of them unasked`)
  })
})
