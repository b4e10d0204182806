import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER, until } from '@aisle/testing'
import {
  STORE,
  filled,
  idsOf,
  languageConformance,
  keptInsertionConformance,
  redefinitionConformance,
  textOf,
  upsert,
  write,
} from '@aisle/server/test'
import type { CatalogPorts } from '@aisle/server/test'
import { DocumentKeeper } from './document-keeper.ts'
import { Leases } from '../control/leases.ts'
import { openNodes } from './test/cluster-nodes.ts'
import type { ClusterNode, ClusterNodes } from './test/cluster-nodes.ts'

suite('Documents on several nodes of a cluster', NEEDS_CLUSTER, () => {
  test('two writers at once: each document is that of one of them, and each outcome true', async () => {
    await using all = await openStore(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    const inserted = await Promise.all(
      [here, there].flatMap(({ writer }, node) =>
        Array.from({ length: 20 }, (_, i) =>
          writer.writeDocuments(STORE, [write('insert', `n${i}`, `{"title":"by ${node}"}`)]),
        ),
      ),
    )
    const created = inserted.flat().filter(({ status }) => status === 'created')
    assert.equal(created.length, 20, 'each id is created once')
    // Merges of different fields by both: none is lost.
    await Promise.all(
      Array.from({ length: 5 }, (_, i) => [
        here.writer.writeDocuments(STORE, [write('update', 'n0', `{"price":${i}}`)]),
        there.writer.writeDocuments(STORE, [write('update', 'n0', `{"sku":${i}}`)]),
      ]).flat(),
    )
    const merged = JSON.parse((await textOf(here, 'n0'))!) as object
    assert.ok('price' in merged && 'sku' in merged)
  })

  test('an update is made even when another node is quicker 25 times', async () => {
    await using all = await openStore(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    const { requests } = here.documents
    const send = requests.write.bind(requests)
    let quicker = 0
    requests.write = async (writes) => {
      if (quicker < 25) {
        quicker++
        await there.writer.writeDocuments(STORE, [write('update', 'a', `{"sku":${quicker}}`)])
      }
      return send(writes)
    }
    const [outcome] = await here.writer.writeDocuments(STORE, [write('update', 'a', '{"price":7}')])
    assert.deepEqual([outcome?.status, quicker], ['updated', 25])
    const merged = JSON.parse((await textOf(here, 'a'))!) as { price: number; sku: number }
    assert.deepEqual([merged.price, merged.sku], [7, 25], 'nothing of either is lost')
  })

  test('what a node writes is found on the other one, newest first', async () => {
    await using all = await openStore(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    const before = (await here.reader.get(STORE, 'c'))!.docKey
    await there.writer.writeDocuments(STORE, [upsert('c', '{"title":"new"}')])
    assert.equal(await textOf(here, 'c'), '{"title":"new"}')
    assert.ok((await here.reader.get(STORE, 'c'))!.docKey > before)
  })

  test('a node that has not heard of a clear does not write into what was cleared', async () => {
    await using all = await openStore(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    await until('the schema', () => there.documents.places.known(STORE)?.place !== undefined)
    there.documents.close()
    there.stores.close()
    assert.equal(await here.writer.clearDocuments(STORE), 3)
    const [outcome] = await there.writer.writeDocuments(STORE, [write('insert', 'a', '{}')])
    assert.equal(outcome?.status, 'created')
    assert.deepEqual(await idsOf(here), ['a'])
  })

  test('writes during repeated clears exist, or were cleared', async () => {
    await using all = await openStore(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    let isOver = false
    let last = -1
    const writing = (async () => {
      for (let i = 0; !isOver; i++) {
        await there.writer.writeDocuments(STORE, [upsert(`w${i}`, '{}')])
        last = i
      }
    })()
    for (let i = 0; i < 5; i++) await here.writer.clearDocuments(STORE)
    const firstAfter = last + 2
    await until('more writes', () => last > firstAfter + 5)
    isOver = true
    await writing
    const ids = new Set(await idsOf(here))
    for (let i = firstAfter; i <= last; i++) assert.ok(ids.has(`w${i}`), `w${i} is lost`)
  })
})

suite('Moves of stores on a cluster', NEEDS_CLUSTER, () => {
  test(
    'a store gets a separate index while it is read and written',
    { timeout: 600_000 },
    async () => {
      await using all = await openStore(2)
      const [here, there] = all.nodes as [ClusterNode, ClusterNode]
      const model = new Map<string, string>()
      const ids = Array.from({ length: 1_500 }, (_, i) => `d${i}`)
      for (const id of ids) model.set(id, `{"title":"first ${id}"}`)
      await here.writer.writeDocuments(
        STORE,
        [...model].map(([id, json]) => upsert(id, json)),
      )
      for (const id of ['a', 'b', 'c']) model.set(id, (await textOf(here, id))!)

      let isOver = false
      const reads: string[] = []
      // Each writer has its own documents, so what was acknowledged last is what must be there.
      const writer = async (node: ClusterNode, at: number): Promise<void> => {
        for (let i = 0; !isOver; i++) {
          const id = ids[(i * 2 + at * 7) % ids.length]!
          const own = `${at}-${id}`
          const json = `{"title":"again ${i}"}`
          if (i % 5 === 4) {
            await node.writer.deleteDocument(STORE, own)
            model.delete(own)
          } else {
            await node.writer.writeDocuments(STORE, [upsert(own, json)])
            model.set(own, json)
          }
          if ((await textOf(node, 'a')) !== model.get('a')) reads.push(own)
        }
      }
      const removing = async (): Promise<void> => {
        for (const id of ids.toReversed()) {
          if (isOver) return
          await here.writer.deleteDocument(STORE, id)
          model.delete(id)
        }
      }
      const working = [writer(here, 0), writer(there, 1), writer(there, 2), removing()]
      await using keeper = keeperOf(there, all, { promoteDocuments: 1_000 })
      const pool = here.documents.places.known(STORE)!.place!
      await keeper.tick()
      await until(
        'the other index',
        () => here.documents.places.known(STORE)!.place!.routing === undefined,
      )
      const later = model.size
      await until('more writes', () => model.size !== later)
      isOver = true
      await Promise.all(working)

      assert.deepEqual(reads, [], 'every document was there all the time')
      assert.deepEqual(await idsOfAll(here), [...model.keys()].toSorted())
      for (const [id, json] of model) assert.equal(await textOf(here, id), json)
      // The pool is empty once it is purged, and nothing comes back by a second look.
      await keeper.tick()
      assert.equal((await here.documents.requests.totals(pool)).docCount, 0)
      assert.equal((await here.registry.statistics(STORE)).docCount, model.size)
    },
  )

  test('a move that its node has left is begun again by another one', async () => {
    await using all = await openStore(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    await here.documents.changeLanguage(STORE, 'tlh')
    await here.documents.places.change(STORE, (before) => ({
      ...before,
      move: {
        to: { ...before.place!, scope: 'dead', language: 'tlh' },
        documentsDone: 0,
        documentsTotal: 0,
      },
    }))
    await here.writer.writeDocuments(STORE, [upsert('both', '{"title":"shoes"}')])
    await until('the move', () => there.documents.places.known(STORE)?.move !== undefined)
    const { reanalysis } = await there.registry.statistics(STORE)
    assert.equal(reanalysis?.documentsTotal, 4, 'as nobody has counted them')
    await using keeper = keeperOf(there, all)
    await keeper.tick()
    const { place, move, left } = there.documents.places.known(STORE)!
    assert.equal(move, undefined)
    assert.equal(place!.language, 'tlh')
    assert.ok(left.some(({ scope }) => scope === 'dead'))
    assert.deepEqual(await idsOf(there), ['a', 'b', 'both', 'c'])
  })

  test('documents of an older version are rewritten when all nodes have this one', async () => {
    let areAlike = true
    await using all = await openNodes(1, undefined, () => areAlike)
    const [node] = all.nodes as [ClusterNode]
    await filled(async () => ({ ...node, [Symbol.asyncDispose]: async () => undefined }))
    const { places } = node.documents
    const known = () => places.known(STORE)!
    const { place: first } = known()
    await using keeper = keeperOf(node, all)
    await keeper.tick()
    assert.deepEqual(known().place, first, 'there is nothing to do')

    // As a node with another stemmer would have left it.
    await places.change(STORE, (before) => ({
      ...before,
      place: { ...before.place!, rules: { en: 1 } },
    }))
    areAlike = false
    await keeper.tick()
    assert.equal(known().place!.scope, first!.scope, 'older nodes still write')
    assert.equal((await node.registry.statistics(STORE)).reanalysis, undefined)
    areAlike = true
    const { reanalysis } = await node.registry.statistics(STORE)
    assert.deepEqual([reanalysis?.language, reanalysis?.documentsTotal], ['en', 3])
    await keeper.tick()
    assert.notEqual(known().place!.scope, first!.scope)
    assert.deepEqual(known().place!.rules, first!.rules)
    assert.deepEqual(await idsOf(node), ['a', 'b', 'c'])
    assert.equal((await node.registry.statistics(STORE)).reanalysis, undefined)

    // What is made while there are two versions may have the terms of either.
    areAlike = false
    await node.writer.clearDocuments(STORE)
    assert.equal(known().place!.rules, undefined)
    await node.writer.writeDocuments(STORE, [upsert('d', '{"title":"shoes"}')])
    areAlike = true
    await keeper.tick()
    assert.deepEqual(known().place!.rules, first!.rules)
    assert.deepEqual(await idsOf(node), ['d'])
  })

  test('a field in another language has the rules of that', async () => {
    await using all = await openStore(1)
    const [node] = all.nodes as [ClusterNode]
    const text = { type: 'string', searchable: true, facet: false, sort: false } as const
    const german = { ...text, name: 'titel', language: 'de' }
    await node.writer.changeSchema(STORE, 'additive', [german])
    const { rules } = node.documents.places.known(STORE)!.place!
    assert.deepEqual(Object.keys(rules!).toSorted(), ['de', 'en'])
    assert.notEqual(rules!['de'], rules!['en'])
    assert.equal(node.documents.places.isOutdated(node.documents.places.known(STORE)!), false)
  })

  test('a store that is deleted, and one that is cleared, leave nothing', async () => {
    await using all = await openStore(1)
    const [node] = all.nodes as [ClusterNode]
    const scopeOf = () => node.documents.places.known(STORE)!.place!.scope
    const cleared = scopeOf()
    await node.writer.clearDocuments(STORE)
    await node.writer.writeDocuments(STORE, [upsert('a', '{}')])
    const scopes = [cleared, scopeOf()]
    await node.writer.deleteStore(STORE)
    await using keeper = keeperOf(node, all)
    await keeper.tick()
    await keeper.tick()
    const answer = (await node.connection.request({
      method: 'POST',
      path: `/${all.prefix}-pool-00-v2/_count`,
      body: { query: { terms: { scope: scopes } } },
    })) as { count: number }
    assert.equal(answer.count, 0)
  })

  test('a store that is deleted when it is to be moved is let be', async () => {
    await using all = await openStore(2)
    const [here, there] = all.nodes as [ClusterNode, ClusterNode]
    const { places } = here.documents
    const before = { ...places.known(STORE)!, language: 'de' }
    const listed = places.all()
    await there.writer.deleteStore(STORE)
    // This node has not seen it yet.
    places.known = () => before
    places.all = () => listed
    await using keeper = keeperOf(here, all)
    await keeper.tick()
  })
})

if (NEEDS_CLUSTER.skip === undefined) {
  const withKeeper = async () => {
    const all = await openNodes(1)
    const [node] = all.nodes as [ClusterNode]
    const keeper = keeperOf(node, all)
    let isOver = false
    const ticking = (async () => {
      while (!isOver) {
        await keeper.tick()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    })()
    const ports: CatalogPorts = node
    return {
      ...ports,
      [Symbol.asyncDispose]: async () => {
        isOver = true
        await ticking
        await all[Symbol.asyncDispose]()
      },
    }
  }
  languageConformance('The OpenSearch adapter', withKeeper)
  redefinitionConformance('The OpenSearch adapter', withKeeper)
  keptInsertionConformance('The OpenSearch adapter', withKeeper)
}

/** Nodes of which each knows the filled store. */
async function openStore(count: number): Promise<ClusterNodes> {
  const all = await openNodes(count)
  await filled(async () => ({ ...all.nodes[0]!, [Symbol.asyncDispose]: async () => undefined }))
  for (const { documents } of all.nodes) {
    await until('the store', () => documents.places.known(STORE)?.place !== undefined)
  }
  return all
}

function keeperOf(
  { documents, connection, index }: ClusterNode,
  all: ClusterNodes,
  { promoteDocuments }: { promoteDocuments?: number } = {},
): DocumentKeeper & AsyncDisposable {
  const keeper = new DocumentKeeper({
    documents,
    cluster: connection,
    leases: new Leases(index, { nodeId: crypto.randomUUID(), nowMs: () => performance.now() }),
    clock: { now: () => Date.now() },
    onFailure: (error) => all.failures.push(error),
    purgeAfterMs: 0,
    ...(promoteDocuments === undefined ? {} : { promoteDocuments }),
  })
  return Object.assign(keeper, { [Symbol.asyncDispose]: async () => keeper.close() })
}

async function idsOfAll({ reader }: CatalogPorts): Promise<string[]> {
  const scan = (await reader.scan(STORE))!
  const ids: string[] = []
  for (let page = await scan.next(1e6); page.length > 0; page = await scan.next(1e6)) {
    ids.push(...page.map(({ id }) => id))
  }
  scan.close()
  return ids.toSorted()
}
