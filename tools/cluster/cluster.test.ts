import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER, until } from '@aisle/testing'
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
    const { version } = (await get(cluster.urls[0]!)) as { version: { number: string } }
    assert.equal(version.number, RELEASES[release].version)
    const [process] = cluster.processes
    assert.equal(cluster.processes.length, 1)
    await cluster.stop()
    assert.ok(process!.ended)
    assert.ok(!existsSync(cluster.logFile))
  })

  test('a node with a separate process is killed and returns with its data', async () => {
    await using cluster = await Cluster.start({
      release,
      nodes: 2,
      processes: 'each',
      heapMib: 512,
    })
    const [first, second] = cluster.urls
    const index = { settings: { number_of_shards: 1, number_of_replicas: 1 } }
    await send('PUT', `${first}/things`, index)
    await send('PUT', `${first}/things/_doc/1?refresh=true`, { name: 'tent' })
    const node = cluster.processes[1]!
    node.signal('SIGKILL')
    await until('the end of the node', () => node.ended)
    node.start()
    await cluster.complete()
    assert.deepEqual(((await get(`${second}/things/_doc/1`)) as { _source: object })._source, {
      name: 'tent',
    })
  })
})

async function get(url: string): Promise<unknown> {
  return (await fetch(url)).json()
}

async function send(method: string, url: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  assert.ok(answer.ok, await answer.text())
}
