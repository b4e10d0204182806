import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import type { Field } from '@aisle/engine'
import fc from 'fast-check'
import type { DocumentWrite } from '../../ports/catalog/catalog-writer.ts'
import { Harness } from './test/harness.ts'

const FIELDS: Field[] = [{ name: 'n', type: 'int32', searchable: false, facet: true, sort: true }]

const write = (id: string, n: number): DocumentWrite => ({
  id,
  action: 'upsert',
  json: Buffer.from(JSON.stringify({ n })),
})

async function shop(harness: Harness, id: string): Promise<void> {
  await harness.writer.createStore({ name: 'Shop', id })
  await harness.writer.changeSchema(id, 'additive', FIELDS)
}

/** Saves the index of a store, lets time go by, and closes what rests. */
async function rest(harness: Harness, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    const row = harness.documents.stores().find(({ storeId }) => storeId === id)
    harness.host.opened.get(row!.index)?.save()
  }
  harness.now += 60_000
  await harness.writer.rest()
}

const isClosed = (harness: Harness, id: string): boolean =>
  harness.replicas.every((replica) => {
    const { index } = replica.store(id)!
    return index !== undefined && index.searcher === undefined
  })

suite('indexes of small stores that rest', () => {
  test('one that nobody asks for is closed, and the next search opens it on every thread', async () => {
    await using harness = await Harness.start(0)
    await shop(harness, 'shop')
    await harness.writer.writeDocuments('shop', [write('a', 1)])
    const { version } = harness.replicas[0]!.store('shop')!
    await rest(harness, 'shop')
    assert.ok(isClosed(harness, 'shop'))
    assert.equal(harness.replicas[0]!.store('shop')!.statistics.indexBytes, 0)
    const [one, other] = harness.replicas
    const both = [1, 2, 3].map(() => harness.foundWhenOpen('shop', one))
    assert.deepEqual(
      await Promise.all(both),
      [1, 2, 3].map(() => ['a={"n":1}']),
    )
    assert.deepEqual(harness.found('shop', other), ['a={"n":1}'])
    // Cached responses stay valid.
    assert.equal(other!.store('shop')!.version, version)
  })

  test('a write opens it: what was acknowledged is found at once', async () => {
    await using harness = await Harness.start(0)
    await shop(harness, 'shop')
    await harness.writer.writeDocuments('shop', [write('a', 1)])
    await rest(harness, 'shop')
    const two = [write('b', 2), write('c', 3)].map((one) =>
      harness.writer.writeDocuments('shop', [one]),
    )
    await Promise.all(two)
    assert.deepEqual(harness.found('shop'), ['c={"n":3}', 'b={"n":2}', 'a={"n":1}'])
  })

  test('what is not in the files, was used a moment ago, or fits, stays open', async () => {
    await using harness = await Harness.start(2)
    for (const id of ['a', 'b', 'c']) {
      await shop(harness, id)
      await harness.writer.writeDocuments(id, [write('x', 1), write('y', 2)])
    }
    await rest(harness)
    assert.equal(['a', 'b', 'c'].filter((id) => isClosed(harness, id)).length, 0)
    await rest(harness, 'b')
    assert.ok(isClosed(harness, 'b'))
    harness.now += 60_000
    harness.found('a')
    harness.now -= 60_000
    await rest(harness, 'c')
    assert.ok(isClosed(harness, 'c'))
    assert.ok(!isClosed(harness, 'a'))
    await rest(harness, 'a')
    assert.ok(!isClosed(harness, 'a'), 'two documents fit')
  })

  test('after a start it stays closed until there is time, and is searched all the same', async () => {
    await using harness = await Harness.start(0)
    await shop(harness, 'shop')
    await harness.writer.writeDocuments('shop', [write('a', 1)])
    await rest(harness, 'shop')
    await harness.close()
    await harness.open()
    assert.deepEqual(harness.replicas[0]!.starting(), [])
    assert.ok(isClosed(harness, 'shop'))
    assert.deepEqual(await harness.foundWhenOpen('shop'), ['a={"n":1}'])
  })

  test('missing files are rebuilt', async () => {
    await using harness = await Harness.start(0)
    await shop(harness, 'shop')
    await harness.writer.writeDocuments('shop', [write('a', 1)])
    await rest(harness, 'shop')
    harness.host.files.clear()
    assert.deepEqual(await harness.foundWhenOpen('shop'), ['a={"n":1}'])
  })

  test('no life of a store tells that its index was closed now and then', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('write'), id: fc.nat(5) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), id: fc.nat(5) }) },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constantFrom('rest', 'search', 'reap', 'clear', 'restart', 'fail', 'rename'),
          id: fc.constant(0),
        }),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await using harness = await Harness.start(0)
        await shop(harness, 'shop')
        const model = new Map<string, number>()
        let n = 0
        let pending: Promise<unknown>[] = []
        const check = async (): Promise<void> => {
          const expected = [...model].map(([id, value]) => `${id}={"n":${value}}`).toSorted()
          for (const replica of harness.replicas) {
            assert.deepEqual((await harness.foundWhenOpen('shop', replica)).toSorted(), expected)
            assert.equal(replica.store('shop')!.statistics.docCount, model.size)
          }
        }
        for (const { kind, id } of steps) {
          const name = `d${id}`
          if (kind === 'write') {
            model.set(name, ++n)
            pending.push(harness.writer.writeDocuments('shop', [write(name, n)]))
          } else if (kind === 'delete') {
            model.delete(name)
            pending.push(harness.writer.deleteDocument('shop', name))
          } else if (kind === 'clear') {
            model.clear()
            pending.push(harness.writer.clearDocuments('shop'))
          } else if (kind === 'rename') {
            pending.push(harness.writer.renameStore('shop', `Shop ${++n}`))
          } else {
            await Promise.all(pending)
            pending = []
            if (kind === 'rest') await rest(harness, 'shop')
            if (kind === 'search') await check()
            if (kind === 'reap') await harness.writer.reap()
            if (kind === 'fail') {
              harness.failCommit = new Error('on purpose')
              await assert.rejects(harness.writer.writeDocuments('shop', [write('d0', 100)]))
            }
            if (kind === 'restart') {
              await harness.close()
              await harness.open()
            }
          }
        }
        await Promise.all(pending)
        await check()
        assert.deepEqual(harness.crashes, [])
      }),
      { numRuns: 60 },
    )
  })
})
