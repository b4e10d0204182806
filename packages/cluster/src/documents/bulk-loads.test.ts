import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { BULK_LOAD_MIN_BYTES } from '@aisle/contract'
import { NEEDS_CLUSTER, until } from '@aisle/testing'
import { checkSchemaFields } from '@aisle/server/domain'
import { filled, idsOf, STORE, textOf, upsert } from '@aisle/server/test'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { openNodes } from './test/cluster-nodes.ts'
import type { ClusterNode, ClusterNodes } from './test/cluster-nodes.ts'

const NEXT = 'next'
const NOTHING = (): Promise<void> => Promise.resolve()
const FIELDS = checkSchemaFields([{ name: 'title', type: 'string', searchable: true }])

suite('Bulk loads on a cluster', NEEDS_CLUSTER, () => {
  test('a store is loaded without copies, finished by any node, and swapped in', async () => {
    await using all = await openLoad()
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    const written = documents(0, 120)
    for (const outcome of await here.writer.writeDocuments(NEXT, written)) {
      assert.equal(outcome.status, 'created')
    }
    const index = indexOf(here)
    assert.deepEqual(await replicasOf(here, index), '0')
    await assert.rejects(there.writer.swapStores(STORE, NEXT), { code: 'unavailable' })
    // The other store serves, and what was answered is counted and read before it is visible.
    assert.deepEqual(await idsOf(there), ['a', 'b', 'c'])
    assert.equal((await here.registry.statistics(NEXT)).docCount, 120)
    await finished(there)
    assert.notEqual(await replicasOf(here, index), '0')
    assert.equal(await repeatedWrites(here, index), 0, 'copies are made from files')
    await there.writer.swapStores(STORE, NEXT)
    assert.equal((await idsOf(there)).length, 120)
    await here.writer.writeDocuments(STORE, [upsert('late', '{"title":"late"}')])
    assert.equal(await textOf(there, 'late'), '{"title":"late"}')
    assert.equal((await idsOf(there)).length, 121, 'visible at once')
  })

  test('a node that dies before, in or after finishing loses nothing', async () => {
    for (const step of [1, 2, 3, 4, 5]) {
      await using all = await openLoad()
      const [here, there] = all.nodes as [ClusterNode, ClusterNode]
      await here.writer.writeDocuments(NEXT, documents(0, 120))
      // What follows the control documents would fail as well.
      here.stores.close()
      here.documents.close()
      await dying(here, step, () => here.writer.finishBulkLoad(NEXT))
      // Another one goes on loading, or finishes.
      await there.writer.writeDocuments(NEXT, documents(100, 200))
      await finished(there)
      await there.writer.swapStores(STORE, NEXT)
      assert.equal((await idsOf(there)).length, 200)
    }
  })

  test('a write in flight while another node finishes is visible when it is answered', async () => {
    await using all = await openLoad()
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    const { requests } = here.documents
    const send = requests.write.bind(requests)
    requests.write = async (writes) => {
      requests.write = send
      const outcomes = await send(writes)
      await finished(there)
      return outcomes
    }
    await here.writer.writeDocuments(NEXT, documents(0, 5))
    await there.writer.swapStores(STORE, NEXT)
    assert.equal((await idsOf(there)).length, 5)
  })

  test('a refused schema, and one that another node was faster with, leave no index', async () => {
    await using all = await openNodes(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    await here.writer.createStore({ name: 'Next', id: NEXT, bulkLoadBytes: BULK_LOAD_MIN_BYTES })
    await until('the store', () => there.documents.places.known(NEXT) !== undefined)
    const indices = async (): Promise<string[]> => {
      const path = `/${all.prefix}-store-*`
      return Object.keys((await here.connection.request({ method: 'GET', path })) as object)
    }
    const stamped = here.writer.changeSchema(NEXT, 'additive', FIELDS, 'another')
    await assert.rejects(stamped, { code: 'precondition_failed' })
    assert.deepEqual(await indices(), [])
    const { places } = here.documents
    const change = places.change.bind(places)
    places.change = async (...of) => {
      places.change = change
      await there.writer.changeSchema(NEXT, 'additive', FIELDS)
      return places.change(...of)
    }
    await here.writer.changeSchema(NEXT, 'additive', FIELDS)
    assert.deepEqual(await indices(), [indexOf(here)])
  })

  test('a small store, and one that is not loaded at once, is as usual', async () => {
    await using all = await openNodes(1)
    const [{ writer, documents: own }] = all.nodes as [ClusterNode]
    await writer.createStore({ name: 'Small', id: NEXT, bulkLoadBytes: BULK_LOAD_MIN_BYTES - 1 })
    await writer.changeSchema(NEXT, 'additive', FIELDS)
    assert.equal(own.places.known(NEXT)?.place?.routing, NEXT)
    assert.equal(await writer.finishBulkLoad(NEXT), true)
    await assert.rejects(writer.finishBulkLoad('none'), { code: 'store_not_found' })
  })
})

/** Two nodes, with a store that serves and one that is to be loaded. */
async function openLoad(): Promise<ClusterNodes> {
  const all = await openNodes(2)
  const [{ writer }, there] = all.nodes as [ClusterNode, ClusterNode]
  await filled(() => Promise.resolve({ ...all.nodes[0]!, [Symbol.asyncDispose]: NOTHING }))
  await writer.createStore({ name: 'Next', id: NEXT, bulkLoadBytes: BULK_LOAD_MIN_BYTES })
  await writer.changeSchema(NEXT, 'additive', FIELDS)
  await until('the store', () => there.documents.places.known(NEXT)?.place !== undefined)
  return all
}

function documents(from: number, to: number) {
  return Array.from({ length: to - from }, (_, at) =>
    upsert(`n${from + at}`, `{"title":"new ${from + at}"}`),
  )
}

async function finished({ writer }: ClusterNode): Promise<void> {
  const how = { timeoutMs: 60_000, pauseMs: 50 }
  await until('all copies', () => writer.finishBulkLoad(NEXT), how)
}

function indexOf({ documents: own }: ClusterNode): string {
  return own.places.known(NEXT)!.place!.index
}

async function replicasOf({ connection }: ClusterNode, index: string): Promise<string> {
  const path = `/${index}/_settings`
  const answer = (await connection.request({ method: 'GET', path })) as Record<
    string,
    { settings: { index: { number_of_replicas: string } } }
  >
  return answer[index]!.settings.index.number_of_replicas
}

/** Writes that a copy has analysed again, because no file had them. */
async function repeatedWrites({ connection }: ClusterNode, index: string): Promise<number> {
  const path = `/${index}/_recovery`
  const answer = (await connection.request({ method: 'GET', path })) as Record<
    string,
    { shards: { type: string; translog: { recovered: number } }[] }
  >
  return answer[index]!.shards.filter(({ type }) => type === 'PEER').reduce(
    (sum, { translog }) => sum + translog.recovered,
    0,
  )
}

/** From this request on, the cluster does not answer the node. */
async function dying(
  { connection }: ClusterNode,
  step: number,
  run: () => Promise<unknown>,
): Promise<void> {
  const request = connection.request.bind(connection)
  let requests = 0
  connection.request = (what) =>
    ++requests < step
      ? request(what)
      : Promise.reject(new ClusterError('unreachable', 'This node is gone'))
  await run().catch((error: { code: string }) => assert.equal(error.code, 'unavailable'))
  connection.request = request
}
