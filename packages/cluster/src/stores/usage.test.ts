import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName, until } from '@aisle/testing'
import { searchUsageConformance } from '@aisle/server/test'
import { ClusterUsage } from './cluster-usage.ts'

const NOVEMBER = Date.UTC(2026, 10, 30)
const DECEMBER = Date.UTC(2026, 11, 1)

if (TEST_CLUSTER.length === 0) test('The OpenSearch adapter conforms', NEEDS_CLUSTER)
else {
  searchUsageConformance('The OpenSearch adapter', async () => {
    const nodes = await openUsages(['one'])
    return {
      usage: nodes.usages[0]!,
      [Symbol.asyncDispose]: () => nodes[Symbol.asyncDispose](),
    }
  })
}

suite('Searches counted by several nodes of a cluster', NEEDS_CLUSTER, () => {
  test('all count towards one limit, and a node that starts later knows it', async () => {
    await using nodes = await openUsages(['one', 'two'])
    const [one, two] = nodes.usages as [ClusterUsage, ClusterUsage]
    for (let i = 0; i < 3; i++) one.take('shop', NOVEMBER, undefined)
    for (let i = 0; i < 2; i++) two.take('shop', NOVEMBER, undefined)
    for (const usage of nodes.usages) {
      await until('the count of both', () => usage.used('shop', NOVEMBER) === 5)
    }
    assert.equal(one.take('shop', NOVEMBER, 5), false)
    assert.equal(two.take('shop', NOVEMBER, 6), true)
    await two.save()
    const three = await nodes.open('three')
    assert.equal(three.used('shop', NOVEMBER), 6)
    assert.equal(three.used('other', NOVEMBER), 0)
    assert.equal(three.used('shop', DECEMBER), 0)
  })

  test('a store that was created again starts at nothing', async () => {
    await using nodes = await openUsages(['one', 'two'])
    const [one, two] = nodes.usages as [ClusterUsage, ClusterUsage]
    one.take('shop', NOVEMBER, undefined)
    await until('the count', () => two.used('shop', NOVEMBER) === 1)
    nodes.store.createdAt = '2026-11-02T00:00:00.000Z'
    for (const usage of nodes.usages) assert.equal(usage.used('shop', NOVEMBER), 0)
    assert.equal(two.take('shop', NOVEMBER, 1), true)
  })
})

/** Nodes over one index, which goes with them. */
async function openUsages(nodeIds: readonly string[]): Promise<
  {
    readonly usages: readonly ClusterUsage[]
    readonly store: { createdAt: string }
    readonly open: (nodeId: string) => Promise<ClusterUsage>
  } & AsyncDisposable
> {
  const name = testIndexName()
  const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
  const store = { createdAt: '2026-11-01T00:00:00.000Z' }
  const failures: unknown[] = []
  const usages: ClusterUsage[] = []
  const open = async (nodeId: string): Promise<ClusterUsage> => {
    const index = await ControlIndex.open(cluster, name)
    const usage = await ClusterUsage.open(index, {
      nodeId,
      storeOf: () => store,
      onFailure: (error) => failures.push(error),
    })
    usages.push(usage)
    return usage
  }
  for (const nodeId of nodeIds) await open(nodeId)
  return {
    usages,
    store,
    open,
    async [Symbol.asyncDispose]() {
      for (const usage of usages) await usage.close()
      await cluster.request({ method: 'DELETE', path: `/${name}` })
      await cluster.close()
      assert.deepEqual(failures, [])
    },
  }
}
