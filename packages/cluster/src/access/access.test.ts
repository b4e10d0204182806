import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ClusterConnection } from '../opensearch/cluster-connection.ts'
import { ControlIndex } from '../opensearch/control-index.ts'
import { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName, until } from '@aisle/testing'
import { accessConformance, accessOver } from '@aisle/server/test'
import type { AccessPorts } from '@aisle/server/test'
import { OpenSearchAccessStore } from './access-store.ts'

const PASSWORD = 'correct horse battery'
const FROM = { address: '192.0.2.1', userAgent: 'test' }

if (TEST_CLUSTER.length === 0) test('The OpenSearch adapter conforms', NEEDS_CLUSTER)
else accessConformance('The OpenSearch adapter', async () => (await openNodes(1))[0]!)

suite('Users on several nodes of a cluster', NEEDS_CLUSTER, () => {
  test('what one node changes, another one obeys', async () => {
    await using nodes = await openNodes(2)
    const [here, there] = nodes
    await here!.access.createUser({ login: 'ada', rights: { role: 'owner' }, password: PASSWORD })
    await until('the user on the other node', () => there!.directory.user('ada'))
    const { session } = await there!.access.logIn({ login: 'ada', password: PASSWORD, ...FROM })
    await until('the session on the first node', () => here!.directory.session(session.digest))
    assert.equal(await here!.access.endSessions({ login: 'ada' }), 1)
    await until('the end of the session', () => !there!.directory.session(session.digest))
    await here!.access.deleteUser({ login: 'ada' })
    await until('the end of the user', () => !there!.directory.user('ada'))
    await there!.access.createUser({
      login: 'ada',
      rights: { role: 'analyst' },
      password: PASSWORD,
    })
    await until('the next user', () => here!.directory.user('ada')?.role === 'analyst')
  })

  test('of many nodes that create one user at the same time, one does', async () => {
    await using nodes = await openNodes(4)
    const request = { login: 'ada', rights: { role: 'editor' }, password: PASSWORD } as const
    const outcomes = await Promise.allSettled(nodes.map(({ access }) => access.createUser(request)))
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
    )
    assert.deepEqual(refusals, ['user_exists', 'user_exists', 'user_exists'])
  })

  test('changes of one user on all nodes at the same time are all done', async () => {
    await using nodes = await openNodes(3)
    await nodes[0]!.access.createUser({
      login: 'ada',
      rights: { role: 'owner' },
      password: PASSWORD,
    })
    for (const { directory } of nodes) await until('the user', () => directory.user('ada'))
    await Promise.all(
      nodes.map(({ access }) => access.logIn({ login: 'ada', password: PASSWORD, ...FROM })),
    )
    for (const { directory } of nodes) {
      await until('three sessions', () => directory.sessionsOf('ada').length === 3)
    }
  })

  test('every entry of the audit log has a unique number across nodes', async () => {
    await using nodes = await openNodes(3)
    const entry = (i: number) => ({
      at: new Date(i).toISOString(),
      actor: 'admin_token' as const,
      action: 'createStore',
      target: String(i),
      result: 'done' as const,
      status: 201,
      address: '192.0.2.1',
      user_agent: '',
      request_id: String(i),
    })
    await Promise.all(Array.from({ length: 12 }, (_, i) => nodes[i % 3]!.access.record(entry(i))))
    const { entries } = await nodes[0]!.audit.page({ filter: {}, limit: 50 })
    assert.deepEqual(
      entries.map(({ target }) => Number(target)).toSorted((a, b) => a - b),
      Array.from({ length: 12 }, (_, i) => i),
    )
    assert.equal(new Set(entries.map(({ id }) => id)).size, 12)
  })

  test('a node that starts later knows everything', async () => {
    await using nodes = await openNodes(1)
    const { access, open } = nodes[0]!
    await access.createUser({ login: 'ada', rights: { role: 'owner' }, password: PASSWORD })
    const { session } = await access.logIn({ login: 'ada', password: PASSWORD, ...FROM })
    await using later = await open()
    assert.equal(later.directory.user('ada')?.role, 'owner')
    assert.deepEqual(later.directory.session(session.digest), session)
  })
})

interface Node extends AccessPorts, AsyncDisposable {
  /** Another one of the same cluster. */
  readonly open: () => Promise<AccessPorts & AsyncDisposable>
}

/** API nodes over a separate index, which is removed with the first. */
async function openNodes(count: number): Promise<Node[] & AsyncDisposable> {
  const name = testIndexName()
  const open = async (at: number): Promise<AccessPorts & AsyncDisposable> => {
    const cluster = new ClusterConnection({ urls: [TEST_CLUSTER[at % TEST_CLUSTER.length]!] })
    const failures: unknown[] = []
    const index = await ControlIndex.open(cluster, name)
    const store = await OpenSearchAccessStore.open(index, (error) => failures.push(error))
    const ports = accessOver(store)
    return {
      ...ports,
      async [Symbol.asyncDispose]() {
        await ports.access.close()
        store.close()
        if (at === 0) await cluster.request({ method: 'DELETE', path: `/${name}` })
        await cluster.close()
        assert.deepEqual(failures, [])
      },
    }
  }
  const nodes: Node[] = []
  for (let at = 0; at < count; at++) nodes.push({ ...(await open(at)), open: () => open(count) })
  return Object.assign(nodes, {
    async [Symbol.asyncDispose]() {
      for (const node of nodes.toReversed()) await node[Symbol.asyncDispose]()
    },
  })
}
