import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterError } from '../opensearch/cluster-error.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import type { ControlWrite } from '../opensearch/control-document.ts'
import { NEEDS_CLUSTER, until } from '@aisle/testing'
import { checkSchemaFields } from '@aisle/server/domain'
import { filled, STORE, upsert } from '@aisle/server/test'
import { ClusterStores } from '../stores/cluster-stores.ts'
import { DocumentKeeper } from './document-keeper.ts'
import { Leases } from '../control/leases.ts'
import { openNodes } from './test/cluster-nodes.ts'
import type { ClusterNode, ClusterNodes } from './test/cluster-nodes.ts'

const OTHER = 'next'
const FIELDS = checkSchemaFields([{ name: 'title', type: 'string', searchable: true }])
const PRESET = { kind: 'preset', name: 'of-next', json: '{"per_page":1}' } as const

suite('Swaps of stores on several nodes of a cluster', NEEDS_CLUSTER, () => {
  test('the other node sees all of it in one instant', async () => {
    await using all = await openStores()
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    for (let turn = 0; turn < 4; turn++) {
      const before = seenBy(there)
      await here.writer.swapStores(STORE, OTHER)
      await until('the swap', () => {
        const seen = seenBy(there)
        // Either content, but a whole one.
        assert.ok([FIRST, SWAPPED].includes(seen), seen)
        return seen !== before
      })
    }
  })

  test('a node that has not heard of a swap writes into the right store', async () => {
    await using all = await openStores()
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    there.documents.close()
    there.stores.close()
    await here.writer.swapStores(STORE, OTHER)
    await there.writer.writeDocuments(STORE, [upsert('late', '{"title":"late"}')])
    assert.equal(await there.writer.deleteDocument(OTHER, 'a'), true)
    await there.writer.changeResources(STORE, { puts: [{ ...PRESET, name: 'b' }], removes: [] })
    await there.writer.changeSchema(STORE, 'additive', [
      ...FIELDS,
      ...checkSchemaFields([{ name: 'size', type: 'int32', facet: true }]),
    ])
    assert.deepEqual(await idsIn(here, STORE), ['late', 'x'])
    assert.deepEqual(await idsIn(here, OTHER), ['b', 'c'])
    await until('the preset', () => here.resources.of(STORE).list('preset').length === 2)
    await until('the field', () => here.backend.view(STORE)!.schema!.fields.length === 2)
  })

  test('a write in flight during a swap is in one store; a retried one is refused', async () => {
    await using all = await openStores()
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    const { requests } = there.documents
    const send = requests.write.bind(requests)
    requests.write = async (writes) => {
      requests.write = send
      await here.writer.swapStores(STORE, OTHER)
      return send(writes)
    }
    const [outcome] = await there.writer.writeDocuments(STORE, [upsert('w', '{"title":"w"}')])
    assert.equal(outcome!.status, 'created')
    // As if it had come before: it went along with the documents.
    assert.deepEqual(await idsIn(here, OTHER), ['a', 'b', 'c', 'w'])
    assert.deepEqual(await idsIn(here, STORE), ['x'])
    requests.write = async () => {
      requests.write = send
      await here.writer.swapStores(STORE, OTHER)
      throw new ClusterError('unreachable', 'no answer')
    }
    await assert.rejects(there.writer.writeDocuments(STORE, [upsert('v', '{"title":"v"}')]), {
      code: 'unavailable',
    })
    assert.deepEqual(await idsIn(here, OTHER), ['x'])
    assert.deepEqual(await idsIn(here, STORE), ['a', 'b', 'c', 'w'])
    await there.writer.writeDocuments(STORE, [upsert('v', '{"title":"v"}')])
    assert.deepEqual(await idsIn(here, STORE), ['a', 'b', 'c', 'v', 'w'])
  })

  test('a swap that is cut off is done or not, of both stores, and can be repeated', async () => {
    for (const isSent of [false, true]) {
      await using all = await openStores()
      const [here, there] = all.nodes as [ClusterNode, ClusterNode]
      await crashing(here, 1, isSent, () => here.writer.swapStores(STORE, OTHER))
      const expected = isSent ? SWAPPED : FIRST
      await until('what was done', () => seenBy(there) === expected)
      await until('what was done', () => seenBy(here) === expected)
      await here.writer.swapStores(STORE, OTHER)
      assert.equal(seenBy(here), isSent ? FIRST : SWAPPED)
    }
  })

  test('a crash in any step of a deletion or a new store leaves the other one whole', async () => {
    for (const step of [1, 2, 3]) {
      for (const isSent of [false, true]) {
        await using all = await openStores()
        const [here, there] = all.nodes as [ClusterNode, ClusterNode]
        await here.writer.swapStores(STORE, OTHER)
        await crashing(here, step, isSent, () => here.writer.deleteStore(OTHER))
        const isGone = step > 1 || isSent
        await until('the deletion', () => (there.registry.find(OTHER) === undefined) === isGone)
        if (!isGone) continue
        const made = { name: 'Again', id: OTHER }
        await crashing(there, step, isSent, () => there.writer.createStore(made))
        await there.writer.createStore(made).catch((error: { code: string }) => {
          assert.equal(error.code, 'store_exists')
        })
        await there.writer.changeSchema(OTHER, 'additive', FIELDS)
        await there.writer.writeDocuments(OTHER, [upsert('n', '{"title":"n"}')])
        for (let tick = 0; tick < 3; tick++) await keeperOf(here, all).tick()
        assert.deepEqual(await idsIn(there, STORE), ['x'])
        assert.deepEqual(await idsIn(there, OTHER), ['n'])
        assert.equal(there.resources.of(STORE).list('preset').length, 1)
        assert.equal(there.resources.of(OTHER).list('preset').length, 0)
      }
    }
  })

  test('a node that has not heard of a swap purges nothing that lives', async () => {
    await using all = await openStores()
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    await until('the other store', () => there.documents.places.known(OTHER)?.place !== undefined)
    there.documents.close()
    const stale = there.stores
    stale.close()
    await here.writer.swapStores(STORE, OTHER)
    await here.writer.deleteStore(OTHER)
    // It has heard of the deletion alone.
    const deleted = await here.index.get(`store:${OTHER}`)
    stale.take(deleted!)
    for (let tick = 0; tick < 3; tick++) await keeperOf(there, all).tick()
    assert.deepEqual(await idsIn(here, STORE), ['x'])
    await here.writer.writeDocuments(STORE, [upsert('y', '{"title":"y"}')])
    assert.deepEqual(await idsIn(here, STORE), ['x', 'y'])
  })

  test('while a node of an older version lives, nothing is swapped', async () => {
    await using all = await openStores()
    const [here] = all.nodes as [ClusterNode]
    const older = await ClusterStores.open(
      await ControlIndex.open(here.connection, `${all.prefix}-control-v1`),
      { now: () => Date.now() },
      (error) => all.failures.push(error),
      () => 1,
    )
    await assert.rejects(older.swapStores(STORE, OTHER), { code: 'unavailable' })
    older.close()
    assert.equal(seenBy(here), FIRST)
  })
})

/** Fields and presets of both stores as a node has them, which belong together. */
function seenBy({ backend }: ClusterNode): string {
  return [STORE, OTHER]
    .map((storeId) => {
      const view = backend.view(storeId)!
      return `${view.schema?.fields.length} ${view.resources.list('preset').length}`
    })
    .join(', ')
}

const FIRST = '4 0, 1 1'
const SWAPPED = '1 1, 4 0'

/** Two stores that both nodes know. */
async function openStores(): Promise<ClusterNodes> {
  const all = await openNodes(2)
  const [here] = all.nodes as [ClusterNode]
  await filled(async () => ({ ...here, [Symbol.asyncDispose]: async () => undefined }))
  await here.writer.createStore({ name: 'Next', id: OTHER })
  await here.writer.changeSchema(OTHER, 'additive', FIELDS)
  await here.writer.writeDocuments(OTHER, [upsert('x', '{"title":"x"}')])
  await here.writer.changeResources(OTHER, { puts: [PRESET], removes: [] })
  for (const node of all.nodes) {
    await until('both stores', () => node.registry.list().length === 2 && seenBy(node) === FIRST)
  }
  return all
}

/** The answer of one commit never comes, whether it was made or not: this node is gone. */
async function crashing(
  { index }: ClusterNode,
  step: number,
  isSent: boolean,
  run: () => Promise<unknown>,
): Promise<void> {
  const commit = index.commit.bind(index)
  let commits = 0
  index.commit = async (writes: readonly ControlWrite[]) => {
    if (++commits < step) return commit(writes)
    if (commits === step && isSent) await commit(writes)
    throw new ClusterError('unreachable', 'gone')
  }
  try {
    await run().catch((error: { code: string }) => assert.equal(error.code, 'unavailable'))
  } finally {
    index.commit = commit
  }
}

async function idsIn({ backend, documents }: ClusterNode, storeId: string): Promise<string[]> {
  const view = backend.view(storeId)!
  const ids: string[] = []
  for (const docKey of await view.matchingKeys({ kind: 'not', node: { kind: 'ids', ids: [] } })) {
    ids.push((await documents.fetch(storeId, [docKey], view.content))(docKey)!.id)
  }
  return ids.toSorted()
}

function keeperOf({ documents, connection, index }: ClusterNode, all: ClusterNodes) {
  return new DocumentKeeper({
    documents,
    cluster: connection,
    leases: new Leases(index, { nodeId: crypto.randomUUID(), nowMs: () => performance.now() }),
    clock: { now: () => Date.now() },
    onFailure: (error) => all.failures.push(error),
    purgeAfterMs: 0,
  })
}
