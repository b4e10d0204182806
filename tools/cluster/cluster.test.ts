import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER } from '@aisle/testing'
import { Cluster } from './cluster.ts'
import { RELEASES } from './distribution.ts'
import type { Release } from './distribution.ts'
import { findJava, NoClusterError } from './java.ts'

const release = (process.env['AISLE_TEST_CLUSTER_RELEASE'] ?? '2.19') as Release

test('a machine without a recent Java gets a message', () => {
  assert.throws(
    () => findJava(1_000),
    (error) => error instanceof NoClusterError && /needs Java 1000 or newer/.test(error.message),
  )
})

suite('A cluster for tests', NEEDS_CLUSTER, () => {
  test('nodes of one process form a cluster, and leave nothing behind', async () => {
    const cluster = await Cluster.start({ release, nodes: 2 })
    const { version } = (await (await fetch(cluster.urls[0]!)).json()) as {
      version: { number: string }
    }
    assert.equal(version.number, RELEASES[release].version)
    const [process] = cluster.processes
    assert.equal(cluster.processes.length, 1)
    await cluster.stop()
    assert.ok(process!.ended)
    assert.ok(!existsSync(cluster.logFile))
  })
})
