import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER } from '@aisle/testing'
import { clusterChaosLines, runClusterChaos } from '../chaos/cluster.ts'
import type { Release } from './distribution.ts'

const release = (process.env['AISLE_TEST_CLUSTER_RELEASE'] ?? '2.19') as Release

suite('API nodes on a cluster with faults', NEEDS_CLUSTER, () => {
  test('killed, frozen and full nodes lose no acknowledged write', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const faults = { kills: 1, freezes: 1, partitions: 0, apiKills: 1, restarts: 0, fullDisks: 1 }
    const report = await runClusterChaos({ faults, seed, release })
    assert.deepEqual(report.problems, [], `seed ${seed}`)
    assert.equal(report.faults.size, 4)
    assert.match(clusterChaosLines(report).join('\n'), /1 kills: without a write/)
  })
})
