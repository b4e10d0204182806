import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import {
  losingFirstAnswer,
  NEEDS_CLUSTER,
  TEST_CLUSTER,
  testIndexName,
  until,
} from '@aisle/testing'
import { ClusterConnection } from './cluster-connection.ts'
import type { ControlDocument, ControlQuery, ControlVersion } from './control-document.ts'
import { ControlIndex } from './control-index.ts'

const document = (id: string, json = '{}'): ControlDocument => ({ id, kind: 'thing', json })
const THINGS: ControlQuery = { kind: 'thing', order: 'ascending', limit: 10 }

suite('Control documents on a cluster', NEEDS_CLUSTER, () => {
  const name = testIndexName()
  let cluster: ClusterConnection
  let index: ControlIndex
  before(async () => {
    cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    index = await ControlIndex.open(cluster, name)
  })
  after(async () => {
    await cluster.request({ method: 'DELETE', path: `/${name}` })
    await cluster.close()
  })

  test('several nodes open the same index', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ControlIndex.open(cluster, name)))
  })

  test('a document comes back as it is, to the byte', async () => {
    const put: ControlDocument = {
      id: 'exact',
      kind: 'thing',
      json: '{"n":9007199254740993, "__proto__":{"é":"\\u0000"}}',
      keys: ['login=ada', 'ä=b'],
      number: 7,
      atMs: 1_700_000_000_000,
    }
    const [version] = await index.commit([{ put, expected: 'absent' }])
    assert.deepEqual(await index.get('exact'), { ...put, version })
  })

  test('of many who create at the same time one does', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        index.commit([{ put: document('once', `${i}`), expected: 'absent' }]),
      ),
    )
    const done = outcomes.flat().flatMap((outcome, i) => (outcome === 'conflict' ? [] : [i]))
    assert.equal(done.length, 1)
    assert.equal((await index.get('once'))?.json, `${done[0]}`)
  })

  test('who has seen an older version changes nothing', async () => {
    const put = (json: string) => document('seen', json)
    const [first] = await index.commit([{ put: put('1'), expected: 'absent' }])
    const seen = first as ControlVersion
    const [second] = await index.commit([{ put: put('2'), expected: seen }])
    assert.ok((second as ControlVersion).seqNo > seen.seqNo)
    assert.deepEqual(await index.commit([{ put: put('3'), expected: seen }]), ['conflict'])
    assert.equal((await index.get('seen'))?.json, '2')
    await index.commit([{ put: put('4'), expected: 'any' }])
    assert.equal((await index.get('seen'))?.json, '4')
  })

  test('each write of a commit is independent, and a removal succeeds even twice', async () => {
    await index.commit([{ put: document('there'), expected: 'absent' }])
    const outcomes = await index.commit([
      { put: document('new'), expected: 'absent' },
      { put: document('there'), expected: 'absent' },
      { remove: 'there' },
      { remove: 'never' },
    ])
    assert.deepEqual(outcomes.slice(1), ['conflict', 'removed', 'removed'])
    assert.equal(await index.get('there'), undefined)
    assert.deepEqual(await index.commit([]), [])
  })

  test('a removal of an older version is refused', async () => {
    const [created] = await index.commit([{ put: document('kept'), expected: 'absent' }])
    const expected = created as ControlVersion
    const [changed] = await index.commit([{ put: document('kept'), expected }])
    assert.deepEqual(await index.commit([{ remove: 'kept', expected }]), ['conflict'])
    assert.ok(await index.get('kept'))
    const removal = { remove: 'kept', expected: changed as ControlVersion }
    assert.deepEqual(await index.commit([removal]), ['removed'])
    assert.equal(await index.get('kept'), undefined)
  })

  test('a change that is not shown is read at once, and found by searches soon', async () => {
    const [version] = await index.commit([{ put: document('quiet'), expected: 'absent' }], false)
    const { seqNo } = version as ControlVersion
    assert.equal((await index.get('quiet'))?.version.seqNo, seqNo)
    await until('searches find it', async () => (await index.since(seqNo - 1)).length > 0)
  })

  test('what is acknowledged is found, by its words, its number and its time', async () => {
    const made = Array.from({ length: 6 }, (_, i) => ({
      ...document(`found-${i}`),
      kind: 'found',
      keys: [i % 2 === 0 ? 'even' : 'odd'],
      number: i,
      atMs: i * 1_000,
    }))
    await index.commit(made.map((put) => ({ put, expected: 'absent' as const })))
    const numbers = async (query: Partial<ControlQuery>) =>
      (await index.find({ ...THINGS, kind: 'found', ...query })).map(({ number }) => number)
    assert.deepEqual(await numbers({}), [0, 1, 2, 3, 4, 5])
    assert.deepEqual(await numbers({ keys: ['even'], order: 'descending' }), [4, 2, 0])
    assert.deepEqual(await numbers({ fromNumber: 2, beforeNumber: 4 }), [2, 3])
    assert.deepEqual(await numbers({ fromMs: 3_000, toMs: 5_000, limit: 1 }), [3])
    assert.equal((await index.all('found')).length, 6)
    assert.deepEqual(await index.find({ ...THINGS, kind: 'none' }), [])
  })

  test('a create whose answer was lost recognises its own write, and only that', async () => {
    await using proxy = await losingFirstAnswer(TEST_CLUSTER[0]!)
    const shaky = new ClusterConnection({ urls: [proxy.url] })
    const behind = await ControlIndex.open(shaky, name)
    proxy.loseNext()
    const [version] = await behind.commit([{ put: document('lost', 'ours'), expected: 'absent' }])
    assert.deepEqual((await index.get('lost'))?.version, version)
    proxy.loseNext()
    const again = await behind.commit([{ put: document('lost', 'other'), expected: 'absent' }])
    assert.deepEqual(again, ['conflict'])
    assert.equal((await index.get('lost'))?.json, 'ours')
    await shaky.close()
  })
})
