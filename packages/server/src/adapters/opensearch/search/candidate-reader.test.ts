import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ClusterConnection } from '@aisle/opensearch'
import { createAnalyzer } from '@aisle/engine'
import { EMPTY_PLAN } from '@aisle/testing'
import { CandidateCache } from './candidate-cache.ts'
import { CandidateReader, SOURCE } from './candidate-reader.ts'

const PLACE = { scope: '1a', index: 'pool', routing: 'shop', slots: [], language: 'en' }
const MAIN = { size: 200, _source: SOURCE, query: { match_all: {} }, sort: [{ key: 'desc' }] }

interface Body {
  readonly _source: unknown
  readonly query: { readonly bool?: { readonly filter: [object, { terms: { key: number[] } }] } }
}

/** A cluster with documents by docKey, some of which are replaced when their hits are out. */
function clusterOf(docKeys: readonly number[], replaced: ReadonlyMap<number, number> = new Map()) {
  let live = [...docKeys]
  const asked: Body[] = []
  const answer = (body: Body): object => {
    asked.push(body)
    const wanted = body.query.bool?.filter[1].terms.key
    const found = wanted === undefined ? live : live.filter((key) => wanted.includes(key))
    const hits = found.map((key) => ({
      sort: [key],
      ...(body._source === false ? {} : { _source: { id: `p${key}`, key, json: `{"a":${key}}` } }),
    }))
    if (wanted === undefined) live = live.map((key) => replaced.get(key) ?? key)
    return { hits: { total: { value: live.length }, hits } }
  }
  const request = async ({ lines }: { lines: Body[] }): Promise<object> => ({
    responses: lines.filter((_, at) => at % 2 === 1).map(answer),
  })
  return { connection: { request } as unknown as ClusterConnection, asked }
}

function readerOf(connection: ClusterConnection, cache: CandidateCache): CandidateReader {
  const candidates = cache.of('1a')
  const analyzer = createAnalyzer('en')
  const store = { place: PLACE, schema: { fields: [] }, analyzer, candidates }
  return new CandidateReader(connection, store as never, EMPTY_PLAN)
}

suite('Documents of hits', () => {
  test('a node reads each document once', async () => {
    const { connection, asked } = clusterOf([1, 2, 3])
    const cache = new CandidateCache()
    for (const requests of [2, 3]) {
      const reader = readerOf(connection, cache)
      const [answer] = await reader.ask([MAIN])
      assert.deepEqual(
        reader.read(answer!).map(({ docKey }) => docKey),
        [1, 2, 3],
      )
      assert.equal(Buffer.from(reader.document(2).json).toString(), '{"a":2}')
      assert.equal(asked.length, requests)
    }
    assert.deepEqual(
      asked.map(({ _source }) => _source),
      [false, true, false],
    )
  })

  test('a document that is replaced meanwhile: hits and documents of the same moment', async () => {
    const { connection, asked } = clusterOf([1, 2, 3], new Map([[2, 9]]))
    const reader = readerOf(connection, new CandidateCache())
    const [answer] = await reader.ask([MAIN])
    assert.deepEqual(
      reader.read(answer!).map(({ docKey, id }) => [docKey, id]),
      [
        [1, 'p1'],
        [9, 'p9'],
        [3, 'p3'],
      ],
    )
    assert.equal(asked.length, 3)
    assert.equal(asked[2]!._source, SOURCE)
  })

  test('what goes from the cache while a search runs is still there for it', async () => {
    const { connection } = clusterOf([1, 2, 3])
    const reader = readerOf(connection, new CandidateCache(700))
    const [answer] = await reader.ask([MAIN])
    assert.equal(reader.read(answer!).length, 3)
    assert.equal(reader.document(1).id, 'p1')
  })

  test('hits that were not to bring documents are left alone', async () => {
    const { connection, asked } = clusterOf([1, 2])
    const reader = readerOf(connection, new CandidateCache())
    await reader.ask([{ ...MAIN, _source: false }])
    assert.equal(asked.length, 1)
  })
})
