import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FILTER_CLAUSES_MAX, FILTER_VALUES_MAX } from '@aisle/contract'
import type { FilterNode } from '@aisle/engine'
import { generatedRuns } from '@aisle/testing'
import fc from 'fast-check'
import { plainAnalyzer, refusal, shopSchema } from '../plan/plan-fixture.ts'
import { collectionsOf, movingDatesWith } from './collections.ts'
import { allOf, anyOf } from './filter-nodes.ts'
import { parseFilter } from './filter-parser.ts'

const CLAUSES = ['brand:=nike', 'price:<50', 'in_stock:true', 'tags:[red, blue]', 'id:=7']
const FILTERS = new Map([
  ['sale', 'price:<20'],
  ['new in', 'tags:new && in_stock:true'],
  ['either', 'brand:=nike || brand:=puma'],
  ['none', '!stock:>0'],
])
const collections = collectionsOf(FILTERS)
const parse = (text: string, own = collections) =>
  parseFilter(text, shopSchema, plainAnalyzer, { collections: own })
const plain = (text: string) => parseFilter(text, shopSchema, plainAnalyzer)

/** Without the alternatives that make a collection one condition, which match nothing. */
function bare(node: FilterNode): FilterNode {
  if (node.kind === 'not') return { kind: 'not', node: bare(node.node) }
  if (node.kind !== 'and' && node.kind !== 'or') return node
  const isNothing = (one: FilterNode) => one.kind === 'ids' && one.ids.length === 0
  const nodes = node.nodes.filter((one) => !isNothing(one)).map(bare)
  return node.kind === 'and' ? allOf(nodes) : anyOf(nodes)
}

suite('a filter by collections', () => {
  test('is the filter with the filters of the collections in their places', () => {
    const name = fc.constantFrom(...FILTERS.keys())
    const clause = fc.oneof(
      fc.constantFrom(...CLAUSES).map((text) => [text, text] as const),
      name.map((one) => [`_collection:\`${one}\``, `(${FILTERS.get(one)})`] as const),
      name.map((one) => [`_collection:!=\`${one}\``, `!(${FILTERS.get(one)})`] as const),
      fc
        .uniqueArray(name, { minLength: 1, maxLength: 3 })
        .map(
          (list) =>
            [
              `_collection:[${list.map((one) => `"${one}"`).join()}]`,
              `(${list.map((one) => `(${FILTERS.get(one)})`).join(' || ')})`,
            ] as const,
        ),
    )
    const { tree } = fc.letrec<{ tree: readonly [string, string] }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        clause,
        fc
          .tuple(tie('tree'), tie('tree'), fc.constantFrom('&&', '||', 'AND'))
          .map(([a, b, op]) => [`(${a[0]} ${op} ${b[0]})`, `(${a[1]} ${op} ${b[1]})`] as const),
        tie('tree').map((one) => [`!(${one[0]})`, `!(${one[1]})`] as const),
      ),
    }))
    fc.assert(
      fc.property(tree, ([named, written]) => {
        assert.deepEqual(bare(parse(named)), bare(plain(written)))
      }),
      { numRuns: generatedRuns(1_000) },
    )
  })

  test('a disjunctive facet does not ignore it: it is one condition, of no single field', () => {
    const nothing = { kind: 'ids', ids: [] }
    assert.deepEqual(parse('_collection:sale'), {
      kind: 'or',
      nodes: [plain('price:<20'), nothing],
    })
    const both = parse('_collection:sale && brand:=nike')
    assert.deepEqual(both.kind === 'and' && both.nodes[1], plain('brand:=nike'))
  })

  test('a field with the name of the operator wins', () => {
    const [brand] = [1]
    const schema = {
      fields: shopSchema.fields.map((one, i) =>
        i === brand ? { ...one, name: '_collection' } : one,
      ),
    }
    const node = parseFilter('_collection:=x', schema, plainAnalyzer, { collections })
    assert.deepEqual(node, { kind: 'equals', field: brand, value: 'x' })
  })

  test('what is wrong is refused with its place', () => {
    const table = [
      ['_collection:spring', 'unknown_collection', /column 13: there is no collection `spring`/],
      ['brand:=a && _collection:[sale, x]', 'unknown_collection', /column 32: .*`x`/],
      [`_collection:${'x'.repeat(300)}`, 'unknown_collection', /`x{100}…`/],
      ['_collection:', 'invalid_filter', /expected a value/],
      ['_collection:[]', 'invalid_filter', /expected the name of a collection/],
      ['_collection:[sale', 'invalid_filter', /expected `,` or `]`/],
      ['_collection:>sale', 'invalid_filter', /expected a value/],
      ['_collections:sale', 'unknown_field', /Did you mean `_collection`/],
    ] as const
    for (const [text, code, message] of table) {
      assert.match(refusal(() => parse(text), code).message, message, text)
    }
    const { message } = refusal(() => plain('_collection:sale'), 'invalid_filter')
    assert.match(message, /column 1: a collection cannot be named here/)
  })

  test('a collection that no longer fits the schema is named, with the reason', () => {
    const old = collectionsOf(new Map([['big', 'size:>3']]))
    const { message } = refusal(() => parse('brand:=a && _collection:big', old), 'unknown_field')
    assert.match(message, /column 25: the collection `big` cannot be used \(.*`size`/)
  })

  test('a collection cannot name another, nor itself', () => {
    const nested = collectionsOf(new Map([['a', '_collection:a']]))
    const { message } = refusal(() => parse('_collection:a', nested), 'invalid_filter')
    assert.match(message, /the collection `a` cannot be used \(.*cannot be named here/)
  })

  test('clauses and values of collections count as those of the filter', () => {
    const half = Array.from({ length: FILTER_CLAUSES_MAX / 2 }, () => 'price:<20').join(' && ')
    const ids = Array.from({ length: FILTER_VALUES_MAX / 2 }, (_, i) => i).join()
    const large = collectionsOf(
      new Map([
        ['half', half],
        ['ids', `id:[${ids}]`],
      ]),
    )
    parse('_collection:half', large)
    for (const name of ['half', 'ids']) {
      const { message } = refusal(
        () => parse(`_collection:${name} || _collection:${name} || _collection:sale`, large),
        name === 'half' ? 'invalid_filter' : 'unknown_collection',
      )
      assert.match(message, name === 'half' ? /more than 100 clauses/ : /`sale`/)
    }
    const { message } = refusal(() => parse('_collection:[ids, ids, ids]', large), 'invalid_filter')
    assert.match(message, /more than 10000 values/)
  })

  test('the moments of `now` in collections are moments of the filters that name them', () => {
    const moving = collectionsOf(new Map([['fresh', 'serial:>now-1d/d']]))
    const dates = { nowMs: Date.UTC(2026, 0, 2, 3), timeZone: '+12:00' }
    const midnight = [String(Date.UTC(2026, 0, 1))]
    assert.deepEqual(movingDatesWith(moving, ['_collection:fresh'], dates), midnight)
    assert.deepEqual(movingDatesWith(moving, ['brand:=nike'], dates), [])
    assert.deepEqual(movingDatesWith(collections, ['_collection:sale'], dates), [])
  })
})
