import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { SnapshotRepository } from '../opensearch/snapshot-repository.ts'
import { NEEDS_CLUSTER, TEST_CLUSTER } from '@aisle/testing'
import { filled, snapshotKeeperConformance } from '@aisle/server/test'
import { CLUSTER_SNAPSHOT_READER } from './cluster-snapshot-reader.ts'
import { ClusterSnapshots } from './cluster-snapshots.ts'
import { openNodes } from '../documents/test/cluster-nodes.ts'

const NAME = 'Snapshots in a repository of a cluster'

/** A separate repository, on the disk of the cluster that the tests have started. */
async function openSnapshots() {
  const nodes = await openNodes(1)
  const node = nodes.nodes[0]!
  const name = `${nodes.prefix}-repository`
  const { nodes: all } = (await node.connection.request({
    method: 'GET',
    path: '/_nodes/settings?filter_path=**.path.repo',
  })) as { nodes: Record<string, { settings: { path: { repo: string | string[] } } }> }
  const [path] = [Object.values(all)[0]!.settings.path.repo].flat()
  const location = join(path!, name)
  mkdirSync(location, { recursive: true })
  await node.connection.request({
    method: 'PUT',
    path: `/_snapshot/${name}`,
    body: { type: 'fs', settings: { location } },
  })
  await filled(async () => ({ ...node, [Symbol.asyncDispose]: async () => undefined }))
  const keeperOf = (repository: string | undefined): ClusterSnapshots =>
    new ClusterSnapshots({
      repository:
        repository === undefined ? undefined : new SnapshotRepository(node.connection, repository),
      prefix: nodes.prefix,
      version: '1.0.0',
      clock: { now: () => Date.now() },
      count: async () => ({ stores: 1, documents: 3 }),
    })
  return {
    node,
    failures: nodes.failures,
    keeperOf,
    keeper: keeperOf(name),
    location,
    async [Symbol.asyncDispose]() {
      await node.connection.request({ method: 'DELETE', path: `/_snapshot/${name}/snapshot-*` })
      await node.connection.request({ method: 'DELETE', path: `/_snapshot/${name}` })
      rmSync(location, { recursive: true, force: true })
      await nodes[Symbol.asyncDispose]()
    },
  }
}

if (TEST_CLUSTER.length === 0) {
  test(`${NAME}, conform`, NEEDS_CLUSTER)
} else {
  snapshotKeeperConformance(NAME, async () => {
    const made = await openSnapshots()
    const dispose = { [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() }
    return Object.assign(made.keeper, dispose)
  })
}

suite(NAME, NEEDS_CLUSTER, () => {
  const opened: AsyncDisposable[] = []
  after(async () => {
    for (const one of opened) await one[Symbol.asyncDispose]()
  })

  test('without a repository, or with a missing one, the reason is reported', async () => {
    const made = await openSnapshots()
    opened.push(made)
    for (const [keeper, reason] of [
      [made.keeperOf(undefined), /set --opensearch-snapshots to a snapshot repository/],
      [made.keeperOf('nowhere'), /has no snapshot repository "nowhere"; register it/],
    ] as const) {
      const asked = [
        () => keeper.create(),
        () => keeper.list(),
        () => keeper.verify('snapshot-20260101T000000Z'),
      ]
      for (const one of asked) {
        await assert.rejects(one(), { code: 'unavailable', message: reason })
      }
    }
  })

  test('what was deleted comes back; damage is found', async () => {
    const made = await openSnapshots()
    opened.push(made)
    const { keeper, node, location } = made
    const { name, bytes } = await keeper.create()
    assert.ok(bytes > 0)
    const [before] = node.stores.list()
    const indices = `${node.documents.places.prefix}-*`
    await node.connection.request({ method: 'DELETE', path: `/${indices}` })
    const repository = readdirSync(location)
    assert.ok(repository.length > 0)
    const path = `/_snapshot/${node.documents.places.prefix}-repository/${name.toLowerCase()}/_restore`
    await node.connection.request({
      method: 'POST',
      path: `${path}?wait_for_completion=true`,
      body: { indices, include_global_state: false },
    })
    assert.equal(await node.documents.docCount(before!.storeId), 3)
    // Failures of nodes that looked while nothing existed.
    made.failures.splice(0)
    const files = readdirSync(location, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name.startsWith('__'))
      .map((file) => join(file.parentPath, file.name))
    for (const file of files) writeFileSync(file, 'damaged')
    await assert.rejects(keeper.verify(name), { code: 'snapshot_failed' })
  })
})

test('a store of a snapshot of a cluster cannot be restored alone', async () => {
  const refused = { code: 'restore_unsupported', message: /restored as a whole/ }
  await assert.rejects(CLUSTER_SNAPSHOT_READER.stores('snapshot-20260101T000000Z'), refused)
})
