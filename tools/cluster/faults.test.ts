import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { ClusterConnection } from '../../packages/cluster/src/opensearch/cluster-connection.ts'
import { ControlIndex } from '../../packages/cluster/src/opensearch/control-index.ts'
import { NEEDS_CLUSTER, until } from '@aisle/testing'
import { clusterChaosLines, runClusterChaos } from '../chaos/cluster.ts'
import { Cluster } from './cluster.ts'
import type { Release } from './distribution.ts'

const release = (process.env['AISLE_TEST_CLUSTER_RELEASE'] ?? '2.19') as Release
const WRITERS = 4
const NO_FAULTS = {
  partitions: 0,
  restarts: 0,
  partitionRestarts: 0,
  frozenApiKills: 0,
  fullApiKills: 0,
}

// Three Java processes take a minute of processor time to start: one cluster for all tests.
suite('A cluster with faults', NEEDS_CLUSTER, () => {
  let cluster: Cluster
  before(async () => {
    cluster = await Cluster.start({ release, processes: 'each', heapMib: 512 })
  })
  after(() => cluster.stop())

  test('kill -9 of the node with the primary of control documents: acknowledged writes are kept, nothing conflicts with itself', async () => {
    const connection = new ClusterConnection({ urls: cluster.urls })
    const index = await ControlIndex.open(connection, 'control')
    await cluster.complete()

    const acknowledged: string[] = []
    const conflicts: string[] = []
    let failedCount = 0
    let isOver = false
    const write = async (writer: number): Promise<void> => {
      for (let i = 0; !isOver; i++) {
        const id = `${writer}-${i}`
        const put = { id, kind: 'thing', json: id }
        // Only a failed write may be stored without an acknowledgement.
        const [outcome] = await index.commit([{ put, expected: 'absent' }]).catch(() => ['failed'])
        if (outcome === 'failed') failedCount++
        else if (outcome === 'conflict') conflicts.push(id)
        else acknowledged.push(id)
      }
    }
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
    await until('some writes', () => acknowledged.length > 40)
    const primary = await nodeOfPrimary(cluster.urls[0]!)
    const process = cluster.processes[primary]!
    process.signal('SIGKILL')
    await until('the end of the node', () => process.ended)
    const before = acknowledged.length
    await until('writes without the node', () => acknowledged.length > before + 40, {
      timeoutMs: 90_000,
    })
    process.start()
    await cluster.complete()
    isOver = true
    await Promise.all(writers)

    assert.deepEqual(conflicts, [])
    const stored = new Set((await index.all('thing')).map(({ id }) => id))
    assert.deepEqual(
      acknowledged.filter((id) => !stored.has(id)),
      [],
    )
    assert.ok(stored.size <= acknowledged.length + failedCount)
    await connection.close()
  })

  test('killed, frozen and full nodes lose no acknowledged write of API nodes', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const faults = { ...NO_FAULTS, kills: 1, freezes: 1, apiKills: 1, fullDisks: 1 }
    const report = await runClusterChaos({ faults, seed, cluster })
    assert.deepEqual(report.problems, [], `seed ${seed}`)
    assert.equal(report.faults.size, 4)
    assert.match(clusterChaosLines(report).join('\n'), /1 kills: without a write/)
  })
})

/** The node with the primary of the control index. */
async function nodeOfPrimary(url: string): Promise<number> {
  const answer = await fetch(`${url}/_cat/shards/control?format=json`)
  const shards = (await answer.json()) as { prirep: string; node: string }[]
  return Number(shards.find(({ prirep }) => prirep === 'p')!.node.split('-')[1])
}
