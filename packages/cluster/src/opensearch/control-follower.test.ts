import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName, until } from '@aisle/testing'
import { ClusterConnection } from './cluster-connection.ts'
import type { StoredControl } from './control-document.ts'
import { catchUpOn, ControlFollower } from './control-follower.ts'
import { ControlIndex } from './control-index.ts'

const stored = (id: string, seqNo: number): StoredControl => ({
  id,
  kind: 'thing',
  json: `${seqNo}`,
  version: { seqNo, primaryTerm: 1 },
})
const fail = (error: unknown): never => {
  throw error
}

suite('What follows the control documents', () => {
  /** An index of what is visible now, and all that was told. */
  const watched = () => {
    const visible: StoredControl[] = []
    const told: string[] = []
    const since = async (seqNo: number) =>
      visible
        .filter(({ version }) => version.seqNo > seqNo)
        .toSorted((a, b) => a.version.seqNo - b.version.seqNo)
    let nowMs = 0
    const follower = new ControlFollower(
      { since },
      -1,
      {
        onChanges: (documents) => told.push(...documents.map(({ id, json }) => `${id}=${json}`)),
        onFailure: fail,
      },
      () => nowMs,
    )
    const poll = async (): Promise<void> => {
      nowMs += 500
      await follower.poll()
    }
    return { visible, told, poll, follower }
  }

  test('it tells of each change once', async () => {
    const { visible, told, poll } = watched()
    visible.push(stored('a', 0), stored('b', 1))
    for (let i = 0; i < 50; i++) await poll()
    assert.deepEqual(told, ['a=0', 'b=1'])
    visible[0] = stored('a', 2)
    for (let i = 0; i < 50; i++) await poll()
    assert.deepEqual(told, ['a=0', 'b=1', 'a=2'])
  })

  test('a change that becomes visible after a later one is not missed', async () => {
    const { visible, told, poll, follower } = watched()
    visible.push(stored('late', 5))
    await poll()
    for (let i = 0; i < 15; i++) await poll()
    // Those that requests wait for come in between.
    for (let i = 0; i < 100; i++) await follower.poll()
    visible.push(stored('early', 4))
    await poll()
    assert.deepEqual(told, ['late=5', 'early=4'])
    for (let i = 0; i < 50; i++) await poll()
    assert.equal(follower.from, 5, 'not read again for ever')
  })

  test('followers of an index poll together, each with what it does not know', async () => {
    let polls = 0
    const since = async (seqNo: number) => {
      polls++
      if (polls === 2) throw new Error('away')
      return [stored('a', 1_500), stored('b', 3_500)].filter(({ version }) => version.seqNo > seqNo)
    }
    const index = { since }
    const failures: unknown[] = []
    const follow = (from: number): { told: string[]; follower: ControlFollower } => {
      const told: string[] = []
      const follower = new ControlFollower(index, from, {
        onChanges: (documents) => told.push(...documents.map(({ id }) => id)),
        onFailure: (error) => failures.push(error),
      })
      follower.start()
      return { told, follower }
    }
    const all = follow(-1)
    const later = follow(3_000)
    await until('both', () => later.told.length > 0 && all.told.length > 1)
    assert.deepEqual([all.told, later.told, polls], [['a', 'b'], ['b'], 1])
    await until('the failure', () => failures.length === 2)
    all.follower.close()
    later.follower.close()
  })

  test('who catches up knows what was written before, and shares polls with others', async () => {
    const visible: StoredControl[] = []
    let polls = 0
    const since = async (seqNo: number) => {
      polls++
      const all = visible.filter(({ version }) => version.seqNo > seqNo)
      await new Promise(setImmediate)
      return all
    }
    const index = { since }
    const told = new Set<string>()
    const follower = new ControlFollower(index, -1, {
      onChanges: (documents) => documents.forEach(({ id }) => told.add(id)),
      onFailure: fail,
    })
    follower.start()
    const caughtUp: Promise<void>[] = []
    for (let at = 0; at < 100; at++) {
      visible.push(stored(`${at}`, at))
      caughtUp.push(
        catchUpOn(index).then(() => assert.ok(told.has(`${at}`), `${at} was written before`)),
      )
      await Promise.resolve()
    }
    await Promise.all(caughtUp)
    assert.ok(polls < 20, String(polls))
    follower.close()
  })
})

suite('What follows the control documents of a cluster', NEEDS_CLUSTER, () => {
  test('a change on one node is told on another within a second', async () => {
    const name = testIndexName()
    const [here, there] = [TEST_CLUSTER[0]!, TEST_CLUSTER.at(-1)!].map(
      (url) => new ClusterConnection({ urls: [url] }),
    )
    const index = await ControlIndex.open(here!, name)
    const told = new Map<string, number>()
    const follower = new ControlFollower(await ControlIndex.open(there!, name), -1, {
      onChanges: (documents) => {
        for (const { id } of documents) told.set(id, performance.now())
      },
      onFailure: fail,
    })
    follower.start()
    const delaysMs: number[] = []
    // A busy machine may delay many of them, not all.
    for (let i = 0; i < 40 && !delaysMs.some((ms) => ms < 1_000); i++) {
      await index.commit([{ put: { id: `${i}`, kind: 'thing', json: '' }, expected: 'absent' }])
      const acknowledgedMs = performance.now()
      const toldMs = await until(`change ${i}`, () => told.get(`${i}`))
      delaysMs.push(toldMs - acknowledgedMs)
    }
    assert.ok(Math.min(...delaysMs) < 1_000, delaysMs.join(' '))
    follower.close()
    await here!.request({ method: 'DELETE', path: `/${name}` })
    await Promise.all([here!.close(), there!.close()])
  })
})
