import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { CLUSTER_HAS_SCRIPTS, NEEDS_CLUSTER, TEST_CLUSTER, testIndexName } from '@aisle/testing'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { createProductIndex, poolName } from '../opensearch/product-index.ts'
import { requireScripts } from './vector-check.ts'

suite('A schema with vectors', NEEDS_CLUSTER, () => {
  test('is refused with the reason where a cluster runs no scripts', async () => {
    const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    after(() => cluster.close())
    const prefix = testIndexName()
    await createProductIndex(cluster, poolName(prefix, 0), { shards: 1, isPool: true })
    const [title, meaning] = [
      { name: 'title', type: 'string' },
      { name: 'meaning', type: 'vector' },
    ] as const
    await requireScripts(cluster, prefix, [title])
    const checked = requireScripts(cluster, prefix, [title, meaning])
    if (CLUSTER_HAS_SCRIPTS) await checked
    else {
      await assert.rejects(checked, {
        code: 'invalid_schema',
        message: /"meaning": this cluster cannot compare vectors.*lang-painless/,
      })
    }
    await cluster.request({ method: 'DELETE', path: `/${poolName(prefix, 0)}` })
  })
})
