import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createAnalyzer } from '@aisle/engine'
import type { FieldType, FieldValue, Schema } from '@aisle/engine'
import { NEEDS_CLUSTER, TEST_CLUSTER, testIndexName } from '@aisle/testing'
import { ClusterConnection } from './cluster-connection.ts'
import { ClusterError } from './cluster-error.ts'
import { allocateSlots, SLOT_COUNTS, SlotsExhaustedError } from './field-slots.ts'
import { productBody } from './product-body.ts'
import type { ProductShape } from './product-shape.ts'
import { createProductIndex, NOTHING, openPool, poolName } from './product-index.ts'
import { ProductRequests } from './product-requests.ts'
import {
  evidenceFeature,
  fieldTerm,
  formTerms,
  productId,
  shortValue,
  valueTerm,
  wordTerm,
} from './product-terms.ts'

const field = (name: string, type: FieldType, roles: string) => ({
  name,
  type,
  searchable: roles.includes('w'),
  facet: roles.includes('f'),
  sort: roles.includes('s'),
})
const schema: Schema = {
  fields: [
    field('title', 'string', 'w'),
    field('tags', 'string[]', 'wf'),
    field('brand', 'string', 'f'),
    field('sku', 'int64', 'fs'),
    field('price', 'float', 'fs'),
    field('note', 'string', ''),
  ],
}
const [TITLE, TAGS, BRAND] = [0, 1, 2]
const shape: ProductShape = {
  scope: '1a',
  schema,
  slots: allocateSlots(schema, []),
  analyzer: createAnalyzer(),
}
const values: FieldValue[] = [
  'Red T-shirts',
  ['blue shoe', 'green', 'green'],
  'Crème Co',
  2n ** 63n - 1n,
  -0,
]

function bodyOf(given: readonly (FieldValue | undefined)[], id = 'a') {
  const product = { id, docKey: 7, inserted: 3, json: '{"n":1.0}', writtenMs: 5, values: given }
  return JSON.parse(productBody(shape, product, 'op')) as Record<string, unknown>
}

function termsOf(body: Record<string, unknown>, name: string): string[] {
  return (body[name] as string).split(' ')
}

suite('The body of a product', () => {
  test('has our tokens, prefixed with the scope, by field and for all of them', () => {
    const body = bodyOf(values)
    assert.deepEqual(
      new Set(body['words'] as string[]),
      new Set(['red', 't', 'shirts', 'tshirts', 'blue', 'shoe', 'green'].map((w) => `1a/${w}`)),
    )
    assert.deepEqual(body['groups'], '1a/red 1a/t 1a/tshirt 1a/shirt 1a/blue 1a/shoe 1a/green')
    assert.deepEqual([body['length00'], body['length01']], [3, 4])
    assert.deepEqual(termsOf(body, 'present'), ['1a/0', '1a/1', '1a/2', '1a/3', '1a/4'])
  })

  test('has joined tokens at the place of their first part, in rows above', () => {
    const body = bodyOf(values)
    assert.deepEqual(body['row0'], [
      '1a/0/red 1a/0/t 1a/0=shirts',
      '1a/1/blue 1a/1/shoe',
      '1a/1/green',
      '1a/1/green',
      // Filters find words of a facet.
      '1a/2/creme 1a/2/co',
    ])
    assert.deepEqual(body['stemRow0'], ['- - 1a/0/shirt'])
    assert.deepEqual(body['row1'], ['- 1a/0=tshirts'])
    assert.deepEqual(body['stemRow1'], ['- 1a/0/tshirt'])
    assert.deepEqual(termsOf(body, 'joined'), ['1a/0=tshirts', '1a/0~tshirt'])
  })

  test('says the same of a document, whatever was read before', () => {
    const before = bodyOf(values)
    bodyOf(['shirts t-shirt shirts', ['red'], 'Blue'])
    assert.deepEqual(bodyOf(values), before)
    const twice = bodyOf(['shirt shirts', ['shirt']])
    // By the formula of docs/ranking.md, in fields of 12 tokens on average.
    assert.deepEqual(twice['evidence'], { [evidenceFeature('shirt')]: 18.74 })
    assert.equal(twice['groups'], '1a/shirt')
    assert.deepEqual(twice['words'], ['1a/shirt', '1a/shirts'])
  })

  test('stems share features with the greatest evidence, except in places of older versions', () => {
    const words = Array.from({ length: 9_000 }, (_, i) => `w${i.toString(36)}q`)
    const other = words.find((word) => evidenceFeature(word) === evidenceFeature('shirt'))!
    const evidence = (isOutdated: boolean, text: string): Record<string, number> => {
      const product = { id: 'a', docKey: 7, inserted: 7, json: '{}', writtenMs: 5, values: [text] }
      const line = productBody({ ...shape, isOutdated }, product, 'op')
      return (JSON.parse(line) as { evidence: Record<string, number> }).evidence
    }
    const twice = evidence(false, 'shirt shirt')[evidenceFeature('shirt')]!
    const both = `${other} shirt shirt`
    assert.ok(twice > evidence(false, 'shirt')[evidenceFeature('shirt')]!)
    assert.deepEqual(Object.keys(evidence(false, both)), [evidenceFeature('shirt')])
    const own = evidence(true, `${both} a.b`)
    assert.deepEqual(Object.keys(own).slice(0, 2), [`1a/${other}`, '1a/shirt'])
    assert.ok(Object.keys(own).every((name) => !name.includes('.')))
    assert.equal(evidence(false, both)[evidenceFeature('shirt')], evidence(true, both)['1a/shirt'])
  })

  test('has values as written and folded, exact numbers, and no -0', () => {
    const product = { id: 'a', docKey: 7, inserted: 7, json: '{}', writtenMs: 5, values }
    const line = productBody(shape, product, 'op')
    assert.match(line, /"long00":\[9223372036854775807\]/)
    const body = bodyOf(values)
    assert.deepEqual(body['raw00'], ['blue shoe', 'green'])
    assert.deepEqual([body['raw01'], body['folded01']], [['Crème Co'], ['1a/creme co']])
    assert.deepEqual(body['double00'], [0])
    assert.ok(!line.includes('"double00":[-0'))
  })

  test('has terms that are short enough, and different for different texts', () => {
    const long = 'x'.repeat(40_000)
    assert.notEqual(wordTerm('1a', `${long}a`), wordTerm('1a', `${long}b`))
    assert.ok(fieldTerm('zzzzzz', 499, long).length < 255)
    assert.ok(!/\s/.test(fieldTerm('1a', 0, 'a b')))
    assert.ok(Buffer.byteLength(valueTerm('1a', 'é'.repeat(40_000))) < 32_766)
    assert.notEqual(shortValue(`${long}a`), shortValue(`${long}b`))
    assert.equal(productId('1a', 'é'), '1a=é')
    assert.notEqual(productId('1a', `${'x'.repeat(511)}a`), productId('1a', `${'x'.repeat(511)}b`))
    assert.ok(Buffer.byteLength(productId('1a', 'é'.repeat(256))) <= 512)
  })
})

suite('Slots of fields', () => {
  test('fields that are added get further slots, the others keep theirs', () => {
    const more = { fields: [...schema.fields, field('size', 'string', 'ws')] }
    const slots = allocateSlots(more, shape.slots)
    assert.deepEqual(slots.slice(0, -1), shape.slots)
    assert.deepEqual(slots.at(-1), { length: 2, column: { kind: 'text', slot: 2 } })
    assert.equal(allocateSlots(schema, shape.slots), shape.slots)
  })

  test('a schema that needs more than there are is refused by name', () => {
    const fields = Array.from({ length: SLOT_COUNTS.double + 1 }, (_, i) =>
      field(`f${i}`, 'float', 'f'),
    )
    assert.throws(
      () => allocateSlots({ fields }, []),
      (error: unknown) =>
        error instanceof SlotsExhaustedError &&
        error.field === `f${SLOT_COUNTS.double}` &&
        error.message ===
          'float and date fields that are facets or sort keys can be at most 64 on a cluster',
    )
    assert.doesNotThrow(() => allocateSlots({ fields: fields.slice(1) }, []))
  })
})

/** Makes an index as nodes did before empty places were skipped. */
async function withEmptyPlaces(cluster: ClusterConnection, name: string): Promise<void> {
  const path = `/${name}`
  const made = (await cluster.request({ method: 'GET', path })) as Record<
    string,
    { mappings: object; settings: { index: { number_of_shards: string; analysis: object } } }
  >
  const { mappings, settings } = made[name]!
  assert.ok(settings.index.analysis !== undefined)
  const { number_of_shards } = settings.index
  await cluster.request({ method: 'DELETE', path })
  await cluster.request({ method: 'PUT', path, body: { settings: { number_of_shards }, mappings } })
}

for (const isOlder of [false, true]) {
  const made = isOlder ? 'made by an older node' : 'made by this version'
  suite(`The index of products on a cluster, ${made}`, NEEDS_CLUSTER, () => productIndex(isOlder))
}

function productIndex(isOlder: boolean): void {
  const name = testIndexName()
  let cluster: ClusterConnection
  before(async () => {
    cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    await createProductIndex(cluster, name, { shards: 2, isPool: true })
    await createProductIndex(cluster, name, { shards: 2, isPool: true })
    if (isOlder) await withEmptyPlaces(cluster, name)
    const write = (id: string, given: readonly (FieldValue | undefined)[], docKey: number) => [
      { create: { _id: productId('1a', id), routing: 'shop' } },
      productBody(
        shape,
        { id, docKey, inserted: docKey, json: '{"n":1.0}', writtenMs: 5, values: given },
        'op',
      ),
    ]
    const answer = (await cluster.request({
      method: 'POST',
      path: `/${name}/_bulk?refresh=true`,
      lines: [
        ...write('a', values, 1),
        ...write('b', ['x t-shirt', ['blue', 'shoe'], 'Crème', 2n ** 53n + 1n, 2.5], 2),
        ...write('c', ['nothing', [], undefined, -(2n ** 63n)], 3),
      ],
    })) as { errors: boolean }
    assert.equal(answer.errors, false, JSON.stringify(answer))
  })
  after(async () => {
    await cluster.request({ method: 'DELETE', path: `/${name}` })
    await cluster.close()
  })

  async function found(query: object, sort: object = { key: 'asc' }): Promise<string[]> {
    const { hits } = (await cluster.request({
      method: 'POST',
      path: `/${name}/_search?routing=shop`,
      body: { query, sort: [sort], size: 10 },
    })) as { hits: { hits: { _source: { id: string } }[] } }
    return hits.hits.map(({ _source }) => _source.id)
  }
  /** Words side by side, joined ones too. */
  const inRow = (words: readonly string[], slop = 0, inOrder = true) => ({
    span_near: {
      clauses: words.map((word) => ({
        span_or: {
          clauses: [0, 1, 2, 3].flatMap((layer) =>
            formTerms('1a', word === 'blue' || word === 'shoe' ? TAGS! : TITLE!, word).map(
              (term) => {
                const query = { span_term: { [`row${layer}`]: term } }
                return layer === 0 ? query : { field_masking_span: { query, field: 'row0' } }
              },
            ),
          ),
        },
      })),
      slop,
      in_order: inOrder,
    },
  })

  test('words are found by form, by stem, by field and in a row', async () => {
    assert.deepEqual(await found({ term: { words: wordTerm('1a', 'shirts') } }), ['a'])
    assert.deepEqual(await found({ term: { groups: wordTerm('1a', 'shirt') } }), ['a', 'b'])
    assert.deepEqual(await found({ term: { row0: fieldTerm('1a', TAGS!, 'shoe') } }), ['a', 'b'])
    assert.deepEqual(await found({ prefix: { words: wordTerm('1a', 'sh') } }), ['a', 'b'])
    assert.deepEqual(await found(inRow(['x', 't', 'shirt'])), ['b'])
    assert.deepEqual(await found(inRow(['x', 'tshirt'])), ['b'])
    assert.deepEqual(await found(inRow(['red', 'tshirts', 'shirts'])), ['a'])
    assert.deepEqual(await found(inRow(['blue', 'shoe'])), ['a'], 'not across two values')
    assert.deepEqual(await found(inRow(['shoe', 'blue'], 4_094, false)), ['a'], 'in one value')
  })

  test('an empty place of a row is a term in older indices alone', async () => {
    for (const row of ['row1', 'stemRow0', 'stemRow1']) {
      const those = await found({ term: { [row]: NOTHING } })
      assert.equal(those.includes('a'), isOlder, row)
      if (!isOlder) assert.deepEqual(those, [], row)
    }
  })

  test('values are found, sorted and there, exactly', async () => {
    assert.deepEqual(await found({ term: { folded01: valueTerm('1a', 'creme') } }), ['b'])
    assert.deepEqual(await found({ prefix: { folded01: valueTerm('1a', 'cr') } }), ['a', 'b'])
    assert.deepEqual(await found({ term: { long00: '9007199254740993' } }), ['b'])
    assert.deepEqual(await found({ match_all: {} }, { long00: 'asc' }), ['c', 'b', 'a'])
    assert.deepEqual(await found({ match_all: {} }, { folded01: 'desc' }), ['a', 'b', 'c'])
    assert.deepEqual(await found({ exists: { field: 'double00' } }), ['a', 'b'])
    assert.deepEqual(await found({ term: { present: `1a/${BRAND}` } }), ['a', 'b'])
  })

  test('what is kept of a document comes back, what is made of it does not', async () => {
    const answer = (await cluster.request({
      method: 'GET',
      path: `/${name}/_doc/${encodeURIComponent(productId('1a', 'a'))}?routing=shop`,
    })) as { _source: object }
    assert.deepEqual(answer._source, {
      scope: '1a',
      id: 'a',
      key: 1,
      json: '{"n":1.0}',
      operation: '1 op',
      writtenMs: 5,
    })
  })
}

test('an index from before there were geopoints gets their slots', NEEDS_CLUSTER, async () => {
  const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
  const prefix = testIndexName()
  const own = `${prefix}-store-old-1a`
  const mappings = { dynamic: 'strict', properties: { scope: { type: 'keyword' } } }
  await cluster.request({ method: 'PUT', path: `/${own}`, body: { mappings } })
  await openPool(cluster, prefix)
  await openPool(cluster, prefix)
  const answer = (await cluster.request({ method: 'GET', path: `/${own}/_mapping` })) as {
    [index: string]: { mappings: { properties: Record<string, { type: string }> } }
  }
  const { properties } = answer[own]!.mappings
  assert.equal(properties['place00']?.type, 'geo_point')
  assert.equal(properties['placed15']?.type, 'integer')
  assert.equal(properties['tokens']?.type, 'binary')
  await cluster.request({ method: 'DELETE', path: `/${own},${poolName(prefix, 0)}` })
  await cluster.close()
})

test(
  'an index that an older node makes meanwhile gets them with a write',
  NEEDS_CLUSTER,
  async () => {
    const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
    const index = testIndexName()
    const older = { scope: { type: 'keyword' }, id: { type: 'keyword' } }
    const mappings = { dynamic: 'strict', properties: older }
    await cluster.request({ method: 'PUT', path: `/${index}`, body: { mappings } })
    const place = { scope: '1a', index, routing: undefined }
    const write = (id: string, rest: object) =>
      ({
        place,
        id,
        expected: 'absent',
        body: JSON.stringify({ scope: '1a', id, ...rest }),
      }) as const
    const outcomes = await new ProductRequests(cluster).write([
      write('a', {}),
      write('b', { tokens: 'AQ==' }),
      write('c', { unheardOf: 1 }),
    ])
    assert.deepEqual(outcomes.slice(0, 2), ['done', 'done'])
    assert.equal((outcomes[2] as ClusterError).kind, 'refused')
    await cluster.request({ method: 'DELETE', path: `/${index}` })
    await cluster.close()
  },
)

test('documents of an earlier version are refused, with the way out', NEEDS_CLUSTER, async () => {
  const cluster = new ClusterConnection({ urls: TEST_CLUSTER })
  const prefix = testIndexName()
  const older = poolName(prefix, 0, 1)
  await cluster.request({ method: 'PUT', path: `/${older}` })
  await assert.rejects(
    openPool(cluster, prefix),
    (error: unknown) =>
      error instanceof ClusterError &&
      error.kind === 'unfit' &&
      error.message.includes(`"${older}"`) &&
      error.message.includes('aisle cluster export'),
  )
  await cluster.request({ method: 'DELETE', path: `/${older}` })
  await cluster.close()
})
