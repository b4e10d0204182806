import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName, until } from '@aisle/testing'
import { ClusterSettings } from '../control/cluster-settings.ts'
import { readConfig } from '@aisle/server/test'
import type { Config } from '@aisle/server/test'
import { openApiNode } from './api-node.ts'
import type { ApiNode } from './api-node.ts'

suite('Older and newer API nodes of a cluster', NEEDS_CLUSTER, () => {
  test('work side by side in the older format; without the older ones the newer is in force', async () => {
    await using cluster = openCluster()
    const old = await cluster.start(1)
    const young = await cluster.start(2)
    const { storeId } = await young.ports.writer.createStore({ name: 'S', id: 's' })
    await until('the store on the older node', () => old.ports.registry.find(storeId))
    await old.ports.writer.renameStore(storeId, 'T')
    await until('the name', () => young.ports.registry.find(storeId)?.name === 'T')
    assert.equal(await cluster.format(), 1)
    // Another older one is there before the first one ends.
    const again = await cluster.start(1)
    await old.close()
    assert.equal(await cluster.format(), 1)
    await again.close()
    await until('the newer format', async () => (await cluster.format()) === 2)
    await assert.rejects(cluster.start(1), { message: /format 2, and this version knows .* to 1$/ })
    assert.equal(young.ports.registry.find(storeId)?.name, 'T')
    assert.deepEqual(cluster.unfit, [])
  })

  test('one that was away while the others went on to a newer format ends', async () => {
    await using cluster = openCluster()
    const old = await cluster.start(1)
    await cluster.raise(2)
    await until('the end', () => cluster.unfit.length > 0)
    assert.match(cluster.unfit[0]!.message, /format 2, and this version knows/)
    assert.equal(old.ports.health().ok, false)
  })
})

/** Nodes over the same indices, which go with them. */
function openCluster() {
  const prefix = testIndexName()
  const address = {
    urls: TEST_CLUSTER,
    username: undefined,
    password: undefined,
    caCertificate: undefined,
    prefix,
  }
  const config = readConfig([], {}) as Config
  const connection = new ClusterConnection(address)
  const unfit: Error[] = []
  const open = new Set<ApiNode>()
  const withSettings = async <T>(work: (settings: ClusterSettings) => T): Promise<Awaited<T>> => {
    const index = await ControlIndex.open(connection, `${prefix}-control-v1`)
    const settings = await ClusterSettings.open(index, (error) => assert.fail(String(error)))
    try {
      return await work(settings)
    } finally {
      settings.close()
    }
  }
  return {
    unfit,
    /** @param format the newest that the node knows */
    async start(format: number) {
      const node = await openApiNode(config, address, {
        version: `${format}.0.0`,
        format,
        log: (level, message) => assert.notEqual(level, 'error', message),
        clock: { now: () => Date.now() },
        onUnfit: (error) => unfit.push(error),
      })
      open.add(node)
      const close = (): Promise<void> => {
        open.delete(node)
        return node.close()
      }
      return { ...node, close }
    },
    format: () => withSettings((settings) => settings.get('format')),
    raise: (format: number) =>
      withSettings((settings) => settings.setAll(new Map([['format', format]]))),
    async [Symbol.asyncDispose]() {
      for (const node of open) await node.close()
      await connection.request({ method: 'DELETE', path: `/${prefix}*` })
      await connection.close()
    },
  }
}
