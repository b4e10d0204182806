import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { proposalOf, tableOf, jsonOf } from './proposal/proposal-fixture.ts'
import { elementsOf } from './json-elements.ts'
import { rowToJson } from './table-rows.ts'
import { fieldNameOf } from './field-name.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

suite('elements of a JSON array', () => {
  // Goal: what the scanner cuts out is what JSON.parse finds, wherever the chunks end.
  test('are those that JSON.parse finds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.object(), fc.string(), fc.integer(), fc.array(fc.json()))),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (values, size, wrapped) => {
          const array = JSON.stringify(values, null, wrapped ? 2 : 0)
          const text = wrapped ? ` {"documents" :\n${array}}` : array
          const elements = await Array.fromAsync(elementsOf(inPieces(text, size)))
          assert.deepEqual(
            elements.map((element) => JSON.parse(element) as unknown),
            JSON.parse(array),
          )
        },
      ),
    )
  })

  for (const text of ['', '{"id":1}\n{"id":2}', '"x"', '[{"id":1}', '[{"id":"]']) {
    test(`are not to be had from ${JSON.stringify(text)}`, async () => {
      await assert.rejects(Array.fromAsync(elementsOf(inPieces(text, 10))), { kind: 'unreadable' })
    })
  }
})

suite('the guessed schema', () => {
  test('has objects with the fields inside of them', () => {
    const rows = [
      {
        title: 'a',
        variants: [
          { color: 'red', price: 1 },
          { price: 2.5, tags: ['x', 'y'] },
        ],
      },
      { title: 'b', variants: { color: 'red', maker: { city: 'Oslo' } }, box: { width: 3 } },
      { variants: [], box: null },
    ]
    const { fields } = proposalOf(jsonOf(rows))
    const types = fields.map(({ name, type }) => `${name} ${type}`)
    assert.deepEqual(types.toSorted(), [
      'box object',
      'box.width float',
      'title string',
      'variants object[]',
      'variants.color string',
      'variants.maker object',
      'variants.maker.city string',
      'variants.price float',
      'variants.tags string[]',
    ])
    const price = fields.find(({ name }) => name === 'variants.price')
    assert.deepEqual(price, { name: 'variants.price', type: 'float', facet: true })
  })

  const cases: readonly (readonly [unknown[], boolean, string])[] = [
    [['1', '-5'], true, 'int32'],
    [['1', '3000000000'], true, 'int64'],
    [['1', '2.5'], true, 'float'],
    [['1', 'x'], true, 'string'],
    [['007'], true, 'string'],
    [['true', 'FALSE'], true, 'bool'],
    [['true', '1'], true, 'bool'],
    [[1, 2.5], false, 'float'],
    [['1'], false, 'string'],
    [[['a'], 'b'], false, 'string[]'],
    [[[1], [2]], false, 'int32[]'],
    [['99999999999999999999'], true, 'string'],
    [
      [
        { lat: 48.85, lon: 2.35 },
        { lat: 1, lng: 2 },
      ],
      false,
      'geopoint',
    ],
    [[[{ lat: 48.85, lng: 2.35 }], []], false, 'geopoint[]'],
    [[[]], false, 'string[]'],
    [['2026-01-31', '2024-02-29T12:30:05.250+01:00', '2026-01-31 08:00'], false, 'date'],
    [['2026-01-31', '2026-02-01'], true, 'date'],
    [[['2026-01-31'], ['2026-02-01', '2026-02-02']], false, 'date[]'],
    [['2026-01-31', 'soon'], false, 'string'],
    [['2026-01-31', 1767225600], false, 'string'],
    [['2026-01-31', '1767225600'], true, 'string'],
    [['2026-02-30'], false, 'string'],
    [['2026-01-31T25:00'], false, 'string'],
    [['2026-01', '2026-02'], false, 'string'],
    [['2026'], true, 'int32'],
    [[1767225600], false, 'int32'],
  ]
  for (const [values, spelled, type] of cases) {
    test(`of ${JSON.stringify(values)} is ${type}`, () => {
      const rows = values.map((value) => ({ field: value }))
      const profile = spelled ? tableOf(rows as { field: string }[]) : jsonOf(rows)
      assert.equal(proposalOf(profile).fields[0]?.type, type)
    })
  }

  const lists: readonly (readonly [string[], string])[] = [
    [['tent|camp', 'kitchen'], 'string[]'],
    [['1|2', '3'], 'int32[]'],
    [['red | blue', 'blue | red', 'red | blue'], 'string[]'],
    [Array.from({ length: 900 }, (_, i) => (i % 30 === 0 ? 'red|blue' : 'red')), 'string[]'],
    [['https://a.example/1|https://a.example/2'], 'string[]'],
    [['Phone X | Black', 'Phone Y | Blue', 'Tent | 2 people'], 'string'],
    [[...Array.from({ length: 20 }, (_, i) => `Phone ${i}`), 'Tent|big'], 'string'],
    [[`${'A long description of many words '.repeat(3)}|and more`], 'string'],
  ]
  for (const [cells, type] of lists) {
    test(`of cells ${JSON.stringify(cells).slice(0, 80)} is ${type}`, () => {
      const { fields } = proposalOf(tableOf(cells.map((cell) => ({ field: cell }))))
      assert.equal(fields[0]?.type, type)
    })
  }

  test('has a pattern for an object with very many members', () => {
    const members = (count: number, value: unknown) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, value]))
    const { fields } = proposalOf(
      jsonOf([{ specs: members(61, { deep: 1 }), box: members(60, 1) }]),
    )
    const names = fields.map(({ name }) => name)
    assert.equal(names.length, 1 + 1 + 60 + 1)
    assert.deepEqual(
      names.filter((name) => name.startsWith('specs')),
      ['specs', 'specs.*'],
    )
    assert.deepEqual(
      fields.find(({ name }) => name === 'specs.*'),
      {
        name: 'specs.*',
        type: 'auto',
        searchable: true,
        facet: true,
      },
    )
  })

  test('cells of dates and places are written as such fields take them', () => {
    const write = (type: 'date' | 'date[]' | 'geopoint', cell: string) =>
      rowToJson(
        { a: cell },
        new Map([['a', 'a']]),
        new Map([['a', { name: 'a', type, searchable: false, facet: false, sort: false }]]),
        { idColumn: 'id', generateIds: true, listSeparator: '|', mapping: new Map() },
      )
    assert.equal(write('date', '2026-01-31'), '{"data":{"a":"2026-01-31"}}')
    assert.equal(write('date', '1767225600.5'), '{"data":{"a":1767225600.5}}')
    assert.equal(write('date[]', '2026-01-31|2026-02'), '{"data":{"a":["2026-01-31","2026-02"]}}')
    assert.equal(write('geopoint', '48.85, -2.35'), '{"data":{"a":[48.85,-2.35]}}')
    assert.throws(() => write('geopoint', 'Paris'), /must be geopoint/)
  })

  test('has the roles that such fields mostly have', () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      title: `Tent number ${i}`,
      brand: `Brand ${i % 3}`,
      price: i + 0.5,
      image: 'https://a.example/x',
    }))
    assert.deepEqual(proposalOf(jsonOf(rows)).fields, [
      { name: 'title', type: 'string', searchable: true },
      { name: 'brand', type: 'string', searchable: true, facet: true },
      { name: 'price', type: 'float', facet: true, sort: true },
      { name: 'image', type: 'string' },
    ])
  })
})

test('columns become fields in snake case', () => {
  const names = ['Product Name', 'productName', ' Größe (cm) ', 'SKU', 'a--b', '価格']
  assert.deepEqual(names.map(fieldNameOf), [
    'product_name',
    'product_name',
    'größe_cm',
    'sku',
    'a_b',
    '価格',
  ])
})

test('cells become JSON with the digits that they have', () => {
  const types = {
    n: 'int64',
    f: 'float',
    b: 'bool',
    l: 'int32[]',
    s: 'string',
    e: 'string',
  } as const
  const roles = { searchable: false, facet: false, sort: false }
  const fields = new Map(
    Object.entries(types).map(([name, type]) => [name, { name, type, ...roles }]),
  )
  const targets = new Map(Object.keys(types).map((name) => [name, name]))
  const options = {
    mapping: new Map<string, string>(),
    idColumn: 'id',
    generateIds: false,
    listSeparator: ';',
  }
  const row = { id: '7', n: '+009007199254740993', f: '.5', b: 'No', l: '1; 2;', s: '"x"', e: ' ' }
  assert.equal(
    rowToJson(row, targets, fields, options),
    '{"id":"7","data":{"n":9007199254740993,"f":0.5,"b":false,"l":[1,2],"s":"\\"x\\""}}',
  )
  for (const bad of [{ n: '1.5' }, { f: 'NaN' }, { b: 'maybe' }, { l: '1;x' }, { n: '1e3' }]) {
    assert.throws(() => rowToJson({ id: '8', ...bad }, targets, fields, options), {
      kind: 'row',
    })
  }
  const { id: _, ...noId } = row
  assert.throws(() => rowToJson(noId, targets, fields, options), /column "id" is empty/)
  const generated = rowToJson(noId, targets, fields, { ...options, generateIds: true })
  assert.match(generated, /^\{"data":/)
})

suite('columns of vectors', () => {
  const vectors = [0.25, -0.5, 0.125].map((first) => [first, ...new Array<number>(39).fill(1)])
  const field = { name: 'embedding', type: 'vector', dimensions: 40 }

  test('become a field of their length, from JSON and from cells', () => {
    const rows = vectors.map((embedding, i) => ({ id: String(i), title: `a ${i}`, embedding }))
    const { fields, columns } = proposalOf(jsonOf(rows))
    assert.deepEqual(fields.at(-1), field)
    assert.equal(columns.at(-1)!.isConverted, false)
    const cells = rows.map((row) => ({ ...row, embedding: JSON.stringify(row.embedding) }))
    assert.deepEqual(proposalOf(tableOf(cells)).fields.at(-1), field)
    const spaced = rows.map((row) => ({ ...row, embedding: `[${row.embedding.join(' ')}]` }))
    assert.deepEqual(proposalOf(tableOf(spaced)).fields.at(-1), field)
  })

  test('other lists of numbers stay lists', () => {
    const typeOf = (lists: readonly (readonly number[])[]): string =>
      proposalOf(jsonOf(lists.map((list, i) => ({ id: String(i), list })))).fields[0]!.type
    assert.equal(typeOf([[0.5, 1], [2]]), 'float[]')
    assert.equal(typeOf([Array.from({ length: 40 }, (_, i) => i)]), 'int32[]')
    assert.equal(typeOf([...vectors, [0.5, ...vectors[0]!]]), 'float[]')
    assert.equal(typeOf([vectors[0]!, [1.5]]), 'float[]')
  })

  test('are read for a field of the store, also short ones', () => {
    const fields = new Map([
      ['v', { name: 'v', type: 'vector', searchable: false, facet: false, sort: false } as const],
    ])
    const options = {
      mapping: new Map<string, string>(),
      idColumn: 'id',
      generateIds: false,
      listSeparator: ';',
    }
    const targets = new Map([['v', 'v']])
    const json = (v: string): string => rowToJson({ id: '1', v }, targets, fields, options)
    assert.equal(json('[0.5, -1, 2]'), '{"id":"1","data":{"v":[0.5,-1,2]}}')
    assert.equal(json('[0.5 -1  2]'), '{"id":"1","data":{"v":[0.5,-1,2]}}')
    for (const bad of ['0.5', '[0.5, "x"]', '[NaN 1]', '[1', '[]x']) {
      assert.throws(() => json(bad), /column "v" must be vector/)
    }
  })
})
