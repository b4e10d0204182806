import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { allocateSlots } from '../opensearch/field-slots.ts'
import { productBody } from '../opensearch/product-body.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { createAnalyzer } from '@aisle/engine'
import type { Schema, SearchPlan } from '@aisle/engine'
import type { CandidateDocument } from '@aisle/engine/rescoring'
import { EMPTY_PLAN, plainSlot } from '@aisle/testing'
import { CandidateCache } from './candidate-cache.ts'
import { CandidateReader, SOURCE } from './candidate-reader.ts'

const field = { type: 'string', searchable: true, facet: false, sort: false } as const
const SCHEMA: Schema = { fields: [{ ...field, name: 'title' }] }
const PLACE = { scope: '1a', index: 'pool', routing: 'shop', slots: [], language: 'en' }
const MAIN = { size: 200, _source: SOURCE, query: { match_all: {} }, sort: [{ key: 'desc' }] }
const analyzer = createAnalyzer('en')
const WITH_WORDS: SearchPlan = { ...EMPTY_PLAN, slots: [plainSlot('red', 'red')] }

interface Body {
  readonly _source: unknown
  readonly docvalue_fields?: readonly string[]
  readonly query: { readonly bool?: { readonly filter: [object, { terms: { key: number[] } }] } }
}

function titleOf(key: number): string {
  return `Shoe ${key}`
}

function stemsOf({ tokens }: CandidateDocument): string[] {
  return tokens[0]!.map(({ stem }) => stem)
}

/** As the cluster keeps them. */
function wordsOf(key: number): string {
  const slots = allocateSlots(SCHEMA, [])
  const shape = { scope: '1a', schema: SCHEMA, slots, analyzer }
  const values = [titleOf(key)]
  const product = { id: `p${key}`, docKey: key, inserted: key, json: '', writtenMs: 1, values }
  return (JSON.parse(productBody(shape, product, 'test')) as { tokens: string }).tokens
}

interface Documents {
  readonly docKeys: readonly number[]
  /** When their hits are out, these have other docKeys. */
  readonly replaced?: ReadonlyMap<number, number>
  /** They were written before words were kept. */
  readonly areOld?: boolean
}

/** A cluster that says what it is asked for: documents, words, or docKeys alone. */
function clusterOf({ docKeys, replaced = new Map<number, number>(), areOld }: Documents) {
  let live = [...docKeys]
  const asked: string[] = []
  const answer = (body: Body): object => {
    const wanted = body.query.bool?.filter[1].terms.key
    const hasWords = body.docvalue_fields !== undefined
    const parts = [...(body._source === false ? [] : ['json']), ...(hasWords ? ['words'] : [])]
    asked.push(`${parts.join(' and ') || 'keys'} of ${wanted?.length ?? 'all'}`)
    const found = wanted === undefined ? live : live.filter((key) => wanted.includes(key))
    const hits = found.map((key) => ({
      sort: [key],
      ...(body._source === false
        ? {}
        : { _source: { id: `p${key}`, key, json: JSON.stringify({ title: titleOf(key) }) } }),
      ...(hasWords && areOld !== true ? { fields: { tokens: [wordsOf(key)] } } : {}),
    }))
    if (wanted === undefined) live = live.map((key) => replaced.get(key) ?? key)
    return { hits: { total: { value: live.length }, hits } }
  }
  const request = async ({ lines }: { lines: Body[] }): Promise<object> => ({
    responses: lines.filter((_, at) => at % 2 === 1).map(answer),
  })
  return { connection: { request } as unknown as ClusterConnection, asked }
}

function readerOf(connection: ClusterConnection, cache: CandidateCache, plan = WITH_WORDS) {
  const candidates = cache.of('1a')
  const store = { place: PLACE, schema: SCHEMA, analyzer, candidates }
  return new CandidateReader(connection, store as never, { ...plan, explain: true })
}

/** Of a node that has known most documents lately. */
function cacheInUse(): CandidateCache {
  const cache = new CandidateCache()
  const kept = cache.of('1a')
  kept.add({ docKey: 99, words: wordsOf(99) }, { schema: SCHEMA, analyzer })
  for (let documents = 0; documents < 5_000; documents++) kept.count(true)
  return cache
}

suite('Documents of hits', () => {
  test('a node that knows few documents gets their words with the hits', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2, 3] })
    const reader = readerOf(connection, new CandidateCache())
    const [answer] = await reader.ask([MAIN])
    assert.deepEqual(
      reader.read(answer!, []).map((read) => [read.docKey, read.id, stemsOf(read)]),
      [1, 2, 3].map((key) => [key, `p${key}`, ['shoe', String(key)]]),
    )
    assert.deepEqual(asked, ['words of all'])
  })

  test('of searches that lead to others, nothing else is read', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2, 3] })
    const reader = readerOf(connection, cacheInUse())
    const { answers } = await reader.find([MAIN], [])
    assert.deepEqual(asked, ['keys of all'])
    await reader.complete([MAIN], answers)
    assert.deepEqual(asked, ['keys of all', 'words of 3'])
  })

  test('a node reads the words of each once, and the JSON of those that are shown', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2, 3] })
    const cache = cacheInUse()
    for (let search = 0; search < 2; search++) {
      const reader = readerOf(connection, cache)
      const [answer] = await reader.ask([MAIN])
      assert.deepEqual(
        reader.read(answer!, []).map((read) => [read.docKey, read.id, stemsOf(read)]),
        [1, 2, 3].map((key) => [key, `p${key}`, ['shoe', String(key)]]),
      )
      const documents = await reader.documents([2])
      assert.deepEqual(documents!.get(2), { id: 'p2', key: 2, json: '{"title":"Shoe 2"}' })
    }
    const shown = 'json of 1'
    assert.deepEqual(asked, ['keys of all', 'words of 3', shown, 'keys of all', shown])
  })

  test('words that the cluster has not kept are made of the JSON', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2], areOld: true })
    for (const cache of [new CandidateCache(), cacheInUse()]) {
      const reader = readerOf(connection, cache)
      const [answer] = await reader.ask([MAIN])
      const read = reader.read(answer!, [])
      assert.deepEqual(stemsOf(read[0]!), ['shoe', '1'])
      await reader.documents([1])
    }
    const [whole, few] = [['words of all'], ['keys of all', 'words of 2']]
    assert.deepEqual(asked, [...whole, 'json and words of 2', ...few, 'json and words of 2'])
  })

  test('values are read with the words, where they say something about the order', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2] })
    const sort = [{ kind: 'field', field: 0, descending: false, missing: 'last' }] as const
    const reader = readerOf(connection, new CandidateCache(), { ...WITH_WORDS, sort })
    const [answer] = await reader.ask([MAIN])
    assert.deepEqual(
      reader.read(answer!, []).map(({ values }) => values),
      [['Shoe 1'], ['Shoe 2']],
    )
    assert.deepEqual(asked, ['keys of all', 'json and words of 2'])
  })

  test('nothing is read where nothing but newness puts documents in order', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2] })
    const reader = readerOf(connection, new CandidateCache(), EMPTY_PLAN)
    const [answer] = await reader.ask([MAIN])
    assert.deepEqual(
      reader.read(answer!, []).map(({ docKey }) => docKey),
      [1, 2],
    )
    assert.deepEqual(asked, ['keys of all'])
  })

  test('a document that is replaced meanwhile: hits and documents of the same moment', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2, 3], replaced: new Map([[2, 9]]) })
    const reader = readerOf(connection, cacheInUse())
    const [answer] = await reader.ask([MAIN])
    assert.deepEqual(
      reader.read(answer!, []).map(({ docKey, id }) => [docKey, id]),
      [
        [1, 'p1'],
        [9, 'p9'],
        [3, 'p3'],
      ],
    )
    assert.equal(asked.at(-1), 'json and words of all')
  })

  test('one that is replaced before it is shown is told of', async () => {
    const { connection } = clusterOf({ docKeys: [1, 2], replaced: new Map([[2, 9]]) })
    const reader = readerOf(connection, new CandidateCache(), EMPTY_PLAN)
    await reader.ask([MAIN])
    assert.ok((await reader.documents([1])) !== undefined)
    assert.equal(await reader.documents([1, 2]), undefined)
  })

  test('what goes from the cache while a search runs is still there for it', async () => {
    const { connection } = clusterOf({ docKeys: [1, 2, 3] })
    const reader = readerOf(connection, new CandidateCache(300))
    const [answer] = await reader.ask([MAIN])
    assert.deepEqual(
      reader.read(answer!, []).map(({ id }) => id),
      ['p1', 'p2', 'p3'],
    )
  })

  test('hits that were not to bring documents are left alone', async () => {
    const { connection, asked } = clusterOf({ docKeys: [1, 2] })
    const reader = readerOf(connection, new CandidateCache())
    await reader.ask([{ ...MAIN, _source: false }])
    assert.equal(asked.length, 1)
  })
})
