import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { NEEDS_CLUSTER, stays, TEST_CLUSTER, testIndexName, until } from '@aisle/testing'
import { openAdminToken } from '@aisle/server/parts'
import { Leases } from './leases.ts'
import { ClusterSettings } from './cluster-settings.ts'
import { LiveNodes } from './live-nodes.ts'

const failed = (error: unknown): void => assert.fail(String(error))
const nowMs = (): number => performance.now()

suite('What the nodes of a cluster agree on', NEEDS_CLUSTER, () => {
  test('keys, admin token and the link for the first owner are made once', async () => {
    await using indices = await openIndices(3)
    const nodes = await Promise.all(indices.map((index) => ClusterSettings.open(index, failed)))
    try {
      const keys = await Promise.all(nodes.map((node) => node.key('deviceKey')))
      assert.equal(new Set(keys).size, 1)
      const tokens = await Promise.all(nodes.map((node) => openAdminToken(undefined, node, failed)))
      assert.equal(new Set(tokens.map(({ digest }) => digest)).size, 1)
      assert.equal(tokens.filter(({ newToken }) => newToken !== undefined).length, 1)
      const secrets = await Promise.all(nodes.map((node) => node.firstRunSecret()))
      assert.equal(new Set(secrets).size, 1)
      let changes = 0
      nodes[1]!.onChange(() => changes++)
      await nodes[0]!.setAll(new Map([['name', 'value']]))
      await until('the change', () => nodes[1]!.get('name') === 'value')
      assert.ok(changes > 0)
    } finally {
      for (const node of nodes) node.close()
    }
  })

  test('of logins that become the first owner at the same moment, one does', async () => {
    await using indices = await openIndices(3)
    const nodes = await Promise.all(indices.map((index) => ClusterSettings.open(index, failed)))
    try {
      await nodes[0]!.firstRunSecret()
      const claims = await Promise.all(nodes.map((node, i) => node.claimFirstOwner(`user${i}`)))
      assert.equal(claims.filter(Boolean).length, 1)
      const winner = `user${claims.indexOf(true)}`
      assert.equal(await nodes[0]!.claimFirstOwner(winner), true, 'it may try again')
      await nodes[0]!.endFirstRun()
      assert.equal(await nodes[0]!.claimFirstOwner(winner), false)
      await nodes[0]!.firstRunSecret()
      assert.equal(await nodes[1]!.claimFirstOwner('other'), true, 'another link, another claim')
    } finally {
      for (const node of nodes) node.close()
    }
  })

  test('nodes hear of each other, and of one that ends or dies', async () => {
    await using indices = await openIndices(2)
    const dying = new ClusterConnection({ urls: TEST_CLUSTER })
    const own = await ControlIndex.open(dying, indices.name)
    const options = { version: '1.0.0', terms: 1, format: 1, nowMs, onFailure: failed }
    const first = await LiveNodes.open(indices[0]!, { ...options, nodeId: 'n0' })
    const second = await LiveNodes.open(indices[1]!, { ...options, nodeId: 'n1' })
    const onFailure = (): void => undefined
    const third = await LiveNodes.open(own, { ...options, nodeId: 'n2', onFailure })
    try {
      await until('all nodes', () =>
        [first, second, third].every((node) => node.list().length === 3),
      )
      assert.ok(first.areAlike())
      // The second one is between two releases: an old and a new node had the same version.
      for (const other of [{ version: '1.1.0' }, { terms: 2 }]) {
        const newer = await LiveNodes.open(indices[1]!, { ...options, nodeId: 'n3', ...other })
        await until('a newer one', () => !first.areAlike() && first.list().length === 4)
        await newer.close()
        await until('it has gone', () => first.areAlike())
      }
      await second.close()
      await until('one less', () => first.list().length === 2)
      await dying.close()
      await until('the dead one is missed', () => first.list().length === 1)
    } finally {
      await Promise.allSettled([first.close(), third.close()])
    }
  })

  test('searches see the first beat of a node, its last, and those after a silence', async () => {
    await using indices = await openIndices(2)
    const [index] = indices
    const clock = { aheadMs: 0 }
    // A busy machine may keep a beat waiting for longer than a silent node counts.
    const slowMs = (): number => nowMs() / 2
    const options = { version: '1.0.0', terms: 1, format: 1, nowMs: slowMs, onFailure: failed }
    const waking = { ...options, nowMs: () => slowMs() + clock.aheadMs }
    const first = await LiveNodes.open(index!, { ...waking, nodeId: 'n0' })
    const second = await LiveNodes.open(indices[1]!, { ...options, nodeId: 'n1' })
    const seen = async (): Promise<number> =>
      (await index!.all('node')).find(({ id }) => id === 'node:n0')!.version.seqNo
    const stored = async (): Promise<number> => (await index!.get('node:n0'))!.version.seqNo
    try {
      await until('both', () => first.list().length === 2 && second.list().length === 2)
      const before = await stored()
      let unseen = 0
      await stays(9_000, async () => {
        assert.deepEqual([first.list().length, second.list().length], [2, 2])
        if ((await stored()) > (await seen())) unseen++
      })
      assert.ok((await stored()) > before, 'it beats')
      assert.ok(unseen > 5, 'searches do not see that')
      // As if it had been frozen: it has missed the beats of the other one.
      clock.aheadMs = 70_000
      const silent = await stored()
      await until('a beat that searches see', async () => (await seen()) > silent)
      await until('it is heard', () => first.isHeard() && first.list().length === 2)
      assert.ok(await index!.get('node:n1'), 'the other one is not removed')
      await index!.commit([
        { put: { id: 'node:n2', kind: 'node', json: '{"nodeId":"n2"}' }, expected: 'absent' },
      ])
      await until('an older one', () => first.list().length === 3)
      const quiet = await stored()
      await until('beats that it sees', async () => (await seen()) > quiet)
      clock.aheadMs += 70_000
      await until('it is gone', async () => (await index!.get('node:n2')) === undefined)
      assert.equal(first.list().length, 2)
    } finally {
      await Promise.allSettled([first.close(), second.close()])
    }
    assert.deepEqual(
      (await index!.all('node')).map(({ json }) => json),
      ['', ''],
    )
  })

  test('an older node that is silent may continue, and counts for a minute', async () => {
    await using indices = await openIndices(2)
    const frozen = new ClusterConnection({ urls: TEST_CLUSTER })
    const own = await ControlIndex.open(frozen, indices.name)
    const clock = { nowMs: 0 }
    const now = () => clock.nowMs
    const onFailure = (): void => undefined
    const options = { version: '1.1.0', terms: 1, format: 2, nowMs: now, onFailure }
    const older = { ...options, version: '1.0.0', format: 1 }
    const first = await LiveNodes.open(indices[0]!, { ...options, nodeId: 'n0' })
    const second = await LiveNodes.open(own, { ...older, nodeId: 'n1' })
    try {
      await until('the older one', () => first.list().length === 2)
      assert.deepEqual([first.areAlike(), first.commonFormat()], [false, 1])
      await frozen.close()
      const beats = async (ms: number): Promise<void> => {
        clock.nowMs += ms
        await until('our next beat', () => first.isHeard())
      }
      await beats(10_000)
      assert.equal(first.list().length, 1, 'its share is free')
      assert.deepEqual([first.areAlike(), first.commonFormat()], [false, 1])
      await beats(60_000)
      assert.deepEqual([first.areAlike(), first.commonFormat()], [true, 2])
    } finally {
      await Promise.allSettled([first.close(), second.close()])
    }
  })

  test('a job is run by one node at a time, and by another one when that has died', async () => {
    await using indices = await openIndices(2)
    const clock = { nowMs: 0 }
    const [here, there] = indices.map(
      (index, i) => new Leases(index, { nodeId: `n${i}`, nowMs: () => clock.nowMs }),
    ) as [Leases, Leases]
    const held = await here.take('purge', 1_000)
    assert.ok(held)
    assert.equal(await there.take('purge', 1_000), undefined)
    clock.nowMs += 999
    assert.equal(await there.take('purge', 1_000), undefined)
    assert.equal(await held.renew(), true)
    assert.equal(await there.take('purge', 1_000), undefined, 'the renewal is seen')
    clock.nowMs += 1_001
    const taken = await there.take('purge', 1_000)
    assert.ok(taken, 'who is silent for its whole time has lost it')
    assert.equal(await held.renew(), false)
    await taken.end()
    assert.ok(await here.take('purge', 1_000), 'what was ended is free at once')
  })
})

/** Ways of several nodes to one index, which goes with them. */
async function openIndices(
  count: number,
): Promise<ControlIndex[] & { readonly name: string } & AsyncDisposable> {
  const name = testIndexName()
  const clusters = Array.from(
    { length: count },
    (_, at) => new ClusterConnection({ urls: [TEST_CLUSTER[at % TEST_CLUSTER.length]!] }),
  )
  const indices: ControlIndex[] = []
  for (const cluster of clusters) indices.push(await ControlIndex.open(cluster, name))
  return Object.assign(indices, {
    name,
    async [Symbol.asyncDispose]() {
      await clusters[0]!.request({ method: 'DELETE', path: `/${name}` })
      for (const cluster of clusters) await cluster.close()
    },
  })
}
