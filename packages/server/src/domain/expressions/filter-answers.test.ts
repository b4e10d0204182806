import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError } from '@aisle/contract'
import { createAnalyzer, IndexWriter, Searcher } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import type { IndexDocument, SearchPlan } from '@aisle/engine'
import fc from 'fast-check'
import { EMPTY_PLAN } from '@aisle/testing'
import { parseFilter } from './filter-parser.ts'
import { shopSchema } from '../plan/plan-fixture.ts'

const analyzer = createAnalyzer()

const BRANDS = ['Nike', 'nike air', 'Über', 'T-Shirt House', '']
const TAGS = [['sale'], ['sale', 'red shoe'], ['new', 'Sale'], [], ['t-shirt']]
const TITLES = ['Red running shoes', 'red shoe', 'T-shirt', 'table 10mm', 'hat']
const PRICES = [0, 1.5, -2.25, 19.99, 1e21]
const SERIALS = [0n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n) + 1n]

/** A small catalog; some documents lack a field. */
function documentOf(docKey: number): IndexDocument {
  const pick = <T>(values: readonly T[], salt: number): T | undefined =>
    values[(docKey * (salt + 3) + salt * salt) % (values.length + 1)]
  const values = [
    pick(TITLES, 1),
    pick(BRANDS, 2),
    'same description',
    pick(TAGS, 3),
    pick(PRICES, 4),
    pick([-5, 0, 3, 2 ** 31 - 1], 5),
    pick(SERIALS, 6),
    pick([true, false], 7),
    pick([[38, 40], [], [41]], 8),
    'picture.svg',
    pick(['odd one', 'other'], 9),
    pick([1, 2], 10),
    pick([1999, 2024], 11),
  ]
  return { docKey, id: `doc-${docKey}`, values }
}

const STRINGS = ['nike', 'Nike', '"nike air"', 'uber', '`T-Shirt House`', 'sale', 'SALE', 'shoe']
const MORE_STRINGS = ['running red', '"odd one"', 'same', 't-shirt', '"---"', '1', 'sh']
const BEYOND = ['2147483648', '-3000000000', '9223372036854775808', '-1e30', '1e400', '-1e400']
const INTEGERS = ['0', '3', '-5', '1', '41', '2024', '2147483647', '1999-12-31', '2.0', '1.5']
const LARGE_INTEGERS = [...SERIALS.map(String), '9223372036854775807', '9007199254740993.0']
const FLOATS = [...PRICES.map(String), '-0', '1e3', '19.990000001']

/** Clauses, most of which fit the type of their field. */
const clause = fc.constantFrom('id', ...shopSchema.fields.map(({ name }) => name)).chain((name) => {
  const type = shopSchema.fields.find((field) => field.name === name)?.type
  const values: readonly string[] =
    name === 'id'
      ? ['doc-3', 'doc-11', 'doc-99', '"doc-4"']
      : type === 'bool'
        ? ['true', 'false']
        : type === 'float'
          ? [...FLOATS, ...BEYOND]
          : type === 'int64'
            ? [...INTEGERS, ...LARGE_INTEGERS, ...BEYOND]
            : type?.startsWith('int') === true
              ? [...INTEGERS, ...BEYOND]
              : [...STRINGS, ...MORE_STRINGS]
  const isOrdered = type !== undefined && /^(?:int|float)/.test(type)
  const value = fc.constantFrom(...values)
  const operator = fc.constantFrom('', '=', '!=', ...(isOrdered ? ['>', '>=', '<', '<='] : []))
  const range = fc
    .tuple(fc.option(value), fc.option(value))
    .map(([a, b]) => `${a ?? ''}..${b ?? ''}`)
  const beginning = fc.constantFrom(
    's*',
    'sh*',
    't-sh*',
    'ru*',
    '1*',
    'nike a*',
    '"Über"*',
    '"T-"*',
  )
  const comparison = fc
    .tuple(fc.constantFrom('<', '<=', '>', '>='), value)
    .map((parts) => parts.join(''))
  const item = isOrdered
    ? fc.oneof({ arbitrary: value, weight: 3 }, range, comparison)
    : fc.oneof({ arbitrary: value, weight: 3 }, beginning)
  const equals = fc.constantFrom('', '=', '!=')
  const test = fc.oneof(
    { arbitrary: fc.tuple(operator, value).map((parts) => parts.join('')), weight: 4 },
    fc
      .tuple(equals, fc.array(item, { minLength: 1, maxLength: 4 }))
      .map(([operator, list]) => `${operator}[${list.join(', ')}]`),
    isOrdered
      ? range.map((written) => `[${written}]`)
      : fc.tuple(equals, beginning).map((parts) => parts.join('')),
    name === 'id' ? value : fc.constantFrom('exists', 'null'),
  )
  return test.map((written) => `\`${name}\`:${written}`)
})

/** Expressions up to four levels deep, most of them meaningful. */
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4 },
    clause,
    tie('expression').map((inner) => `!(${inner})`),
    tie('expression').map((inner) => `NOT (${inner})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `${a} && ${b}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} || ${b})`),
  ),
}))

suite('filter expressions, answered', () => {
  // Goal: a filter means the same in both engines. Method: generated texts, compared.
  test('the embedded engine and the naive twin keep the same documents', () => {
    const naive = new NaiveIndex(shopSchema, analyzer)
    const writer = new IndexWriter(shopSchema, 'en')
    const keys = new Map<string, number>()
    for (let docKey = 1; docKey <= 60; docKey++) {
      const document = documentOf(docKey)
      naive.add(document)
      keys.set(document.id, docKey)
      writer.apply({ added: [document], removed: [] })
    }
    for (const docKey of [5, 30, 31]) {
      naive.remove(docKey)
      writer.apply({ added: [], removed: [documentOf(docKey)] })
    }
    const searcher = new Searcher()
    searcher.update(writer.snapshot())

    let parsed = 0
    let partial = 0
    const numRuns = Number(process.env['FUZZ_RUNS'] ?? 3_000)
    fc.assert(
      fc.property(expression, (text) => {
        let filter
        try {
          filter = parseFilter(text, shopSchema, analyzer)
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          return
        }
        parsed++
        const plan: SearchPlan = {
          ...EMPTY_PLAN,
          fieldWeights: shopSchema.fields.map(() => 1),
          lengthNorms: shopSchema.fields.map(() => 0.5),
          titleField: 0,
          filter,
          size: 100,
        }
        const wanted = naive.search(plan)
        const found = searcher.search(plan, (id) => keys.get(id))
        assert.deepEqual(
          found.hits.map(({ docKey }) => docKey),
          wanted.hits.map(({ docKey }) => docKey),
          text,
        )
        assert.equal(found.found, wanted.found)
        if (found.found > 0 && found.found < 57) partial++
      }),
      { numRuns },
    )
    assert.ok(parsed > numRuns / 5, `${parsed} of ${numRuns} texts are filters`)
    assert.ok(partial > parsed / 4, `${partial} of ${parsed} filters keep some documents`)
  })
})
