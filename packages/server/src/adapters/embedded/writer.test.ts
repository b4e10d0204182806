import assert from 'node:assert/strict'
import test, { suite } from 'node:test'
import { ApiError } from '@aisle/contract'
import type { Field } from '@aisle/engine'
import fc from 'fast-check'
import { checkSchemaFields } from '../../domain/documents/schema-rules.ts'
import type { DocumentWrite } from '../../ports/catalog/catalog-writer.ts'
import { Harness } from './test/harness.ts'

const FIELDS: Field[] = [
  { name: 'n', type: 'int32', searchable: false, facet: true, sort: true },
  { name: 't', type: 'string', searchable: true, facet: false, sort: false },
]

const write = (
  id: string,
  data: object,
  action: DocumentWrite['action'] = 'upsert',
): DocumentWrite => ({ id, action, json: Buffer.from(JSON.stringify(data)) })

async function shop(harness: Harness, id = 'shop'): Promise<void> {
  await harness.writer.createStore({ name: 'Shop', id })
  await harness.writer.changeSchema(id, 'additive', FIELDS)
}

suite('embedded writer', () => {
  test('a write is found on every replica as soon as it is answered', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    for (let i = 0; i < 50; i++) {
      await harness.writer.writeDocuments('shop', [write(`d${i % 7}`, { n: i })])
      for (const replica of harness.replicas) {
        assert.equal(harness.found('shop', replica)[0], `d${i % 7}={"n":${i}}`)
      }
    }
    assert.equal(harness.replicas[0]!.store('shop')!.statistics.docCount, 7)
    const late = harness.connect()
    assert.equal(harness.found('shop', late).length, 7)
  })

  test('a small write of one store does not wait for a large one of another', async () => {
    await using harness = await Harness.start()
    await shop(harness, 'large')
    await shop(harness, 'small')
    const answered: string[] = []
    const bulks = Array.from({ length: 4 }, (_, i) =>
      harness.writer
        .writeDocuments(
          'large',
          Array.from({ length: 500 }, (_, k) => write(`${i} ${k}`, { n: k, t: 'a few words' })),
        )
        .then((outcomes) => answered.push(`large ${outcomes.length}`)),
    )
    const small = harness.writer
      .writeDocuments('small', [write('one', { n: 1 })])
      .then(() => answered.push('small'))
    await Promise.all([...bulks, small])
    // One may have been begun before there was anybody to share with.
    assert.ok(answered.indexOf('small') <= 1, String(answered))
    assert.equal(answered.length, 5)
    assert.equal(harness.replicas[0]!.store('large')!.statistics.docCount, 2_000)
    assert.equal(harness.found('large', harness.replicas[0]!).length, 2_000)
  })

  test('a merge that ends after its store was deleted is nobody’s business', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    const { endMerge } = harness.host
    await harness.writer.deleteStore('shop')
    endMerge()
    assert.equal(harness.replicas[0]!.store('shop'), undefined)
    await shop(harness)
    assert.deepEqual(harness.found('shop'), [])
  })

  test('cached responses stay valid when the index is merged, not when it is written to', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    const version = (): number => harness.backend().view('shop')!.version
    const before = version()
    await harness.writer.writeDocuments('shop', [write('a', { n: 1 })])
    const written = version()
    assert.ok(written > before)
    harness.host.endMerge()
    assert.equal(version(), written)
    assert.equal(harness.backend(harness.connect()).view('shop')!.version, written)
    await harness.writer.writeDocuments('shop', [write('b', { n: 2 })])
    assert.ok(version() > written)
  })

  test('writes that arrive together share a commit and keep their order', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    const { writer } = harness
    const outcomes = await Promise.all([
      writer.writeDocuments('shop', [
        write('a', { n: 1 }, 'insert'),
        write('a', { n: 2 }, 'insert'),
      ]),
      writer.deleteDocument('shop', 'a'),
      writer.deleteDocument('shop', 'a'),
      writer.writeDocuments('shop', [
        write('a', { n: 3 }, 'update'),
        write('a', { n: 4 }, 'insert'),
      ]),
      writer.writeDocuments('shop', [write('a', { t: 'x' }, 'update'), write('b', { n: 'bad' })]),
    ])
    const statuses = outcomes.map((outcome) =>
      Array.isArray(outcome)
        ? outcome.map((one) => (one.status === 'failed' ? one.code : one.status))
        : outcome,
    )
    assert.deepEqual(statuses, [
      ['created', 'document_exists'],
      true,
      false,
      ['document_not_found', 'created'],
      ['updated', 'invalid_type'],
    ])
    assert.deepEqual(harness.found('shop'), ['a={"n":4,"t":"x"}'])
    const { catalog } = harness.documents.stores()[0]!
    assert.deepEqual(harness.documents.buried(catalog, 0, 10).length <= 1, true)
  })

  test('stores are refused, opened, rotated, cleared, replaced and deleted as the port says', async () => {
    await using harness = await Harness.start()
    const { writer } = harness
    const rejects = (promise: Promise<unknown>, code: string): Promise<void> =>
      assert.rejects(promise, (error) => error instanceof ApiError && error.code === code)
    const created = await writer.createStore({ name: 'Shop', id: 'shop' })
    await rejects(writer.createStore({ name: 'Shop', id: 'shop' }), 'store_exists')
    await rejects(writer.writeDocuments('shop', [write('a', {})]), 'schema_not_defined')
    await rejects(writer.writeDocuments('none', []), 'store_not_found')
    await writer.changeSchema('shop', 'additive', FIELDS)
    assert.equal(harness.found('shop').length, 0)
    await writer.writeDocuments('shop', [write('a', { n: 1 }), write('b', { n: 2 })])
    const rotated = await writer.rotateKey('shop', 'write', 60)
    assert.notEqual(rotated.secret, created.writeSecret)
    assert.equal(harness.replicas[1]!.store('shop')!.record.keys.write.length, 2)
    assert.equal(await writer.clearDocuments('shop'), 2)
    assert.equal(await writer.clearDocuments('shop'), 0)
    assert.deepEqual(harness.found('shop'), [])
    await writer.writeDocuments('shop', [write('a', { n: 3 }, 'insert')])
    const change = await writer.changeSchema('shop', 'replace', [{ ...FIELDS[1]!, name: 'other' }])
    assert.deepEqual(change.fieldsAdded, ['other'])
    assert.deepEqual(harness.found('shop'), [])
    await writer.deleteStore('shop')
    await rejects(writer.deleteStore('shop'), 'store_not_found')
    assert.equal(harness.replicas[0]!.store('shop'), undefined)
    await writer.createStore({ name: 'Again', id: 'shop' })
    assert.equal(harness.replicas[0]!.store('shop')!.record.name, 'Again')
  })

  test('a failed commit refuses the write and what was decided on top of it, and changes nothing', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    const { writer } = harness
    await writer.writeDocuments('shop', [write('a', { n: 1 })])
    harness.failCommit = new ApiError('unavailable', 'no space')
    const first = writer.writeDocuments('shop', [write('a', { n: 2 }), write('b', { n: 2 })])
    await Promise.resolve()
    const second = writer.writeDocuments('shop', [write('b', { n: 3 }, 'update')])
    const outcomes = await Promise.allSettled([first, second])
    assert.equal(outcomes[0].status, 'rejected')
    assert.deepEqual(harness.found('shop').at(-1), 'a={"n":1}')
    const [after] = await writer.writeDocuments('shop', [write('c', { n: 4 }, 'insert')])
    assert.equal(after?.status, 'created')
    assert.equal(
      harness.replicas[0]!.store('shop')!.statistics.docCount,
      harness.found('shop').length,
    )
    assert.deepEqual(harness.crashes, [])
  })

  test('fields that a failed commit would have added are not there', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    const { writer } = harness
    const patterns = checkSchemaFields([
      { name: 's', type: 'object' },
      { name: 's.*', type: 'auto', facet: true },
    ])
    await writer.changeSchema('shop', 'additive', patterns)
    harness.failCommit = new ApiError('unavailable', 'no space')
    const first = writer.writeDocuments('shop', [write('a', { s: { x: 'text' } })])
    await Promise.resolve()
    const second = writer.writeDocuments('shop', [write('b', { s: { y: 'text', x: 'b' } })])
    const outcomes = await Promise.allSettled([first, second])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    const [after] = await writer.writeDocuments('shop', [write('c', { s: { y: 5, x: 6 } })])
    assert.equal(after?.status, 'created')
    const replica = harness.replicas[0]!
    const { fields } = replica.index(replica.store('shop')!).schema!
    assert.deepEqual(
      fields.slice(3).map(({ name, type }) => [name, type]),
      [
        ['s.y', 'float'],
        ['s.x', 'float'],
      ],
    )
    assert.deepEqual(harness.crashes, [])
  })

  test('an index that fails is rebuilt from the documents', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    const { writer, host } = harness
    await writer.writeDocuments('shop', [write('a', { n: 1 })])
    host.failNext = true
    await writer.writeDocuments('shop', [write('b', { n: 2 })])
    for (let i = 0; i < 100 && harness.replicas[0]!.starting().length > 0; i++) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.deepEqual(harness.found('shop'), ['b={"n":2}', 'a={"n":1}'])
  })

  test('rows of dead versions and left catalogs go in the second pass, unless a file holds them', async () => {
    await using harness = await Harness.start()
    await shop(harness)
    const { writer, documents, host } = harness
    await writer.writeDocuments('shop', [write('a', { n: 1 }), write('b', { n: 1 })])
    const { catalog } = documents.stores()[0]!
    host.opened.get(catalog)!.save()
    await writer.writeDocuments('shop', [write('a', { n: 2 })])
    await writer.writeDocuments('shop', [write('a', { n: 3 })])
    const buried = documents.buried(catalog, 0, 10)
    assert.equal(buried.length, 2)
    await writer.reap()
    assert.deepEqual(documents.buried(catalog, 0, 10), buried, 'the first pass removes nothing')
    await writer.reap()
    assert.deepEqual(documents.buried(catalog, 0, 10), buried.slice(0, 1), 'held by a file')
    host.opened.get(catalog)!.save()
    await writer.reap()
    await writer.reap()
    assert.deepEqual(documents.buried(catalog, 0, 10), [])
    await writer.clearDocuments('shop')
    assert.equal(documents.catalogs().length, 2)
    await writer.reap()
    await writer.reap()
    assert.deepEqual(documents.catalogs(), [documents.stores()[0]!.catalog])
  })

  test('random operations, restarts and saved files agree with a map', async () => {
    const ids = ['a', 'b', 'c', 'd']
    const operation = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({
          kind: fc.constant('write' as const),
          writes: fc.array(
            fc.record({
              id: fc.constantFrom(...ids),
              action: fc.constantFrom('upsert' as const, 'insert' as const, 'update' as const),
              n: fc.nat({ max: 99 }),
            }),
            { minLength: 1, maxLength: 4 },
          ),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('delete' as const), id: fc.constantFrom(...ids) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constantFrom('clear', 'save', 'reap', 'restart', 'fail') }),
      },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { maxLength: 4 }), { maxLength: 8 }),
        async (rounds) => {
          await using harness = await Harness.start()
          await shop(harness)
          const model = new Map<string, number>()
          for (const round of rounds) {
            // All operations of a round are in flight at once.
            const pending: Promise<unknown>[] = []
            for (const one of round) {
              const { writer } = harness
              if (one.kind === 'write' && 'writes' in one) {
                const expected = one.writes.map(({ id, action, n }) => {
                  const there = model.has(id)
                  if (action === 'insert' && there) return 'failed'
                  if (action === 'update' && !there) return 'failed'
                  model.set(id, n)
                  return there ? 'updated' : 'created'
                })
                const writes = one.writes.map(({ id, action, n }) => write(id, { n }, action))
                pending.push(
                  writer.writeDocuments('shop', writes).then((outcomes) =>
                    assert.deepEqual(
                      outcomes.map((o) => o.status),
                      expected,
                    ),
                  ),
                )
              } else if (one.kind === 'delete' && 'id' in one) {
                const there = model.delete(one.id)
                pending.push(
                  writer.deleteDocument('shop', one.id).then((found) => assert.equal(found, there)),
                )
              } else if (one.kind === 'clear') {
                const count = model.size
                model.clear()
                pending.push(
                  writer.clearDocuments('shop').then((cleared) => assert.equal(cleared, count)),
                )
              } else {
                await Promise.all(pending)
                if (one.kind === 'reap') await writer.reap()
                if (one.kind === 'save')
                  harness.host.opened.get(harness.documents.stores()[0]!.catalog)!.save()
                if (one.kind === 'fail') {
                  harness.failCommit = new ApiError('unavailable', 'on purpose')
                  await assert.rejects(writer.writeDocuments('shop', [write('a', { n: 100 })]))
                }
                if (one.kind === 'restart') {
                  await harness.close()
                  await harness.open()
                }
              }
            }
            await Promise.all(pending)
            const expected = [...model].map(([id, n]) => `${id}={"n":${n}}`).toSorted()
            for (const replica of harness.replicas) {
              assert.deepEqual(harness.found('shop', replica).toSorted(), expected)
              assert.equal(replica.store('shop')!.statistics.docCount, model.size)
            }
          }
          assert.deepEqual(harness.crashes, [])
        },
      ),
      { numRuns: 60 },
    )
  })
})
