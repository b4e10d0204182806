import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ServerProcess, ThinClient } from '@aisle/testing'
import type { StoreKeys } from '@aisle/testing'

const STORES = { shop: { title: 'old', count: 120 }, next: { title: 'new', count: 70 } } as const
const SWAPS = 10
const KILLS = 2

suite('Swaps of stores, over HTTP', () => {
  let server: ServerProcess
  let client: ThinClient
  let keys: [StoreKeys, StoreKeys]
  before(async () => {
    server = await ServerProcess.start({ threads: 2 })
    client = clientOf(server)
    keys = await twoStores(client)
  })
  after(async () => {
    client.close()
    await server.stop({ keepData: true })
    ServerProcess.removeData(server.dataDir)
  })

  test('no search on any thread sees a part of one, and each sees the last one', async () => {
    let isOver = false
    let searchCount = 0
    const searching = [false, true, false, true].map(async (isCached, i) => {
      while (!isOver) {
        await wholeSearch(client, keys[i % 2]!, isCached)
        searchCount++
      }
    })
    for (let swap = 1; swap <= SWAPS; swap++) {
      await client.swapStores('shop', 'next')
      const expected = swap % 2 === 0 ? STORES.shop : STORES.next
      assert.equal(await wholeSearch(client, keys[0], false), expected.count)
    }
    isOver = true
    await Promise.all(searching)
    assert.ok(searchCount > SWAPS)
  })

  test('after kill -9 both stores are before a swap or both after it', async () => {
    const { dataDir } = server
    for (let kill = 0; kill < KILLS; kill++) {
      let answered = 0
      const swapping = (async () => {
        for (;;) {
          await client.swapStores('shop', 'next')
          answered++
        }
      })().catch(() => undefined)
      const before = await wholeSearch(client, keys[0], false)
      while (answered < 3 + kill) await wholeSearch(client, keys[1], false)
      await server.kill()
      // Nobody answers any more.
      await swapping
      client.close()
      server = await ServerProcess.start({ threads: 1, dataDir })
      client = clientOf(server)
      const counts = [
        await wholeSearch(client, keys[0], false),
        await wholeSearch(client, keys[1], false),
      ]
      const both = [STORES.shop.count, STORES.next.count]
      const whole = counts[0] === both[0] ? both : both.toReversed()
      assert.deepEqual(counts, whole, `${before} before, ${answered} swaps`)
    }
  })
})

function clientOf({ url, adminToken }: ServerProcess): ThinClient {
  return new ThinClient(url, { adminToken })
}

async function twoStores(client: ThinClient): Promise<[StoreKeys, StoreKeys]> {
  const made: StoreKeys[] = []
  for (const [id, { title, count }] of Object.entries(STORES)) {
    const keys = await client.createStore({ name: id, id })
    const fields = [{ name: 'title', type: 'string', searchable: true, facet: true }]
    await client.setSchema(keys, { fields })
    const ids = Array.from({ length: count }, (_, i) => `d${i}`)
    await client.bulk(
      keys,
      ids.map((one) => JSON.stringify({ id: one, data: { title } })),
    )
    made.push(keys)
  }
  return made as [StoreKeys, StoreKeys]
}

/** A search of everything, all of which must be of one store. @returns how many are found */
async function wholeSearch(
  client: ThinClient,
  keys: StoreKeys,
  isCached: boolean,
): Promise<number> {
  const parameters = { q: '*', per_page: 250, facet_by: 'title', cache_results: isCached }
  const answer = (await client.search(keys, parameters)) as unknown as {
    readonly found: number
    readonly hits: readonly { readonly document: { readonly title: string } }[]
    readonly facet_counts: readonly { readonly counts: readonly object[] }[]
  }
  const store = Object.values(STORES).find(({ count }) => count === answer.found)!
  const titles = new Set(answer.hits.map(({ document }) => document.title))
  assert.deepEqual([answer.hits.length, ...titles], [store.count, store.title])
  const [facet] = answer.facet_counts
  assert.deepEqual(facet!.counts, [{ value: store.title, count: store.count }])
  return answer.found
}
