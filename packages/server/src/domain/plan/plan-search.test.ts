import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { SEARCH_TIMEOUT_DEFAULT_MS, type SearchParameters } from '@aisle/contract'
import { createAnalyzer } from '@aisle/engine'
import { plainAnalyzer, refusal, shopSchema } from './plan-fixture.ts'
import { planFilters, planSearch, type PlanRequest } from './plan-search.ts'

const context = { schema: shopSchema, analyzer: plainAnalyzer, nowMs: 1_000 }
const planOf = (request: Partial<PlanRequest> = {}) =>
  planSearch({ q: '*', ...request }, context).plan
/** The weights of title, brand and description, the first three fields. */
const weightsOf = (request: Partial<PlanRequest>) => planOf(request).fieldWeights.slice(0, 3)

suite('planning a search', () => {
  test('a request with a query alone gets the documented defaults', () => {
    const { plan, words, warnings } = planSearch({ q: 'red shoes' }, context)
    assert.deepEqual(words, plan.slots)
    assert.deepEqual(warnings, [])
    assert.deepEqual(
      { ...plan, slots: plan.slots.map(({ form, prefix, edits }) => [form, prefix, edits]) },
      {
        slots: [
          ['red', 'off', 0],
          ['shoes', 'always', 1],
        ],
        fieldWeights: [5, 2, 1, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0.5],
        lengthNorms: [0.5, ...Array.from({ length: 12 }, () => 0.75)],
        titleField: 0,
        accessoryMarks: ['for', 'with', 'compatible', 'fits'],
        requireAllTerms: 'auto',
        phrases: [],
        exclusions: [],
        exactValue: ['red', 'shoes'],
        exactValueFields: [
          true,
          true,
          true,
          false,
          false,
          false,
          false,
          false,
          false,
          false,
          false,
          false,
          false,
        ],
        pins: [{ id: 'red shoes', position: 1, byId: true }],
        boosts: [],
        sort: [
          { kind: 'textMatch', descending: true },
          { kind: 'popularity', descending: true },
        ],
        facets: [],
        disjunctiveFacets: false,
        from: 0,
        size: 10,
        explain: false,
        deadlineMs: 1_000 + SEARCH_TIMEOUT_DEFAULT_MS,
      },
    )
  })

  test('a parsed request of the HTTP interface is a plan request', () => {
    const request: SearchParameters = {
      q: 'x',
      sort_by: 'price',
      facet_by: ['brand'],
      filters: { stock: 1 },
    }
    const { plan } = planSearch(request, context)
    assert.deepEqual([plan.sort.length, plan.facets.length, plan.filter?.kind], [1, 1, 'equals'])
  })

  test('pages cover the whole result, and none is empty', () => {
    const page = (request: Partial<PlanRequest>) => [planOf(request).from, planOf(request).size]
    assert.deepEqual(page({ page: 3, per_page: 20 }), [40, 20])
    assert.deepEqual(page({ page: 3, per_page: 0 }), [0, 0])
    assert.ok(Number.isSafeInteger(planOf({ page: Number.MAX_SAFE_INTEGER, per_page: 250 }).from))
  })

  test('filter_by and filters are one conjunction of clauses', () => {
    const stock = { kind: 'equals', field: 5, value: 1 }
    const brand = { kind: 'equals', field: 1, value: 'a' }
    const price = { kind: 'range', field: 4, low: 2 }
    assert.deepEqual(
      planOf({ filter_by: 'stock:1 && brand:=a', filters: { price: { min: 2 } } }).filter,
      { kind: 'and', nodes: [stock, brand, price] },
    )
    assert.deepEqual(planOf({ filters: { stock: 1 } }).filter, stock)
    assert.equal('filter' in planOf({ filter_by: ' ', filters: {} }), false)
  })

  test('a query without words finds everything that passes the filter', () => {
    const { plan, words } = planSearch({ q: '!!!', filter_by: 'stock:1' }, context)
    assert.deepEqual([words, plan.exactValue], [[], []])
    assert.deepEqual(plan.filter, { kind: 'equals', field: 5, value: 1 })
    assert.equal('filter' in planOf({ q: ' ' }), false)
  })

  test('search_fields selects the searched fields, field_weights weights them', () => {
    assert.deepEqual(weightsOf({}), [5, 2, 1])
    assert.deepEqual(weightsOf({ search_fields: [] }), [5, 2, 1])
    assert.deepEqual(weightsOf({ search_fields: ['brand', 'title', 'brand'] }), [5, 2, 0])
    assert.deepEqual(weightsOf({ field_weights: { brand: 3 } }), [1, 3, 1])
    assert.deepEqual(weightsOf({ field_weights: { brand: 0 } }), [1, 0, 1])
    assert.deepEqual(
      weightsOf({ search_fields: ['title'], field_weights: { title: 7 } }),
      [7, 0, 0],
    )
    const { plan, warnings } = planSearch(
      { q: 'x', search_fields: ['title'], field_weights: { brand: 3 } },
      context,
    )
    assert.deepEqual(plan.fieldWeights.slice(0, 3), [1, 0, 0])
    assert.equal(warnings.length, 1)
  })

  test('fields that cannot be searched are rejected by name', () => {
    for (const [request, code, param] of [
      [{ search_fields: ['title', 'titel'] }, 'unknown_field', 'search_fields[1]'],
      [{ search_fields: ['title', 'price'] }, 'field_not_searchable', 'search_fields[1]'],
      [{ field_weights: { colour: 1 } }, 'unknown_field', 'field_weights.colour'],
      [{ field_weights: { price: 1 } }, 'field_not_searchable', 'field_weights.price'],
      [{ field_weights: { title: -1 } }, 'invalid_parameter', 'field_weights.title'],
      [{ field_weights: { title: 1001 } }, 'invalid_parameter', 'field_weights.title'],
      [{ field_weights: { title: NaN } }, 'invalid_parameter', 'field_weights.title'],
      [{ filter_by: 'x' }, 'invalid_filter', 'filter_by'],
      [{ sort_by: 'price:x' }, 'invalid_sort', 'sort_by'],
      [{ facet_by: 'brand(' }, 'invalid_facet', 'facet_by'],
    ] as const) {
      assert.equal(refusal(() => planOf(request), code).param, param)
    }
    const { message } = refusal(() => planOf({ search_fields: ['titel'] }), 'unknown_field')
    assert.equal(message, 'Field `titel` is not in the schema. Did you mean `title`?')
  })

  test('typo, prefix and widget parameters shape the slots', () => {
    const [slot] = planOf({ q: 'abc', typo_max: 1, typo_min_len_1: 2, prefix_mode: 'off' }).slots
    assert.deepEqual([slot?.edits, slot?.prefix], [1, 'off'])
    assert.equal(
      planOf({ q: 'abc', prefix_mode: 'off', widget_mode: true }).slots[0]?.prefix,
      'always',
    )
    assert.equal(planOf({ q: 'abc', require_all_terms: true }).requireAllTerms, true)
  })

  test('phrases and exclusions are conditions; words in quotes are literal', () => {
    const plan = planOf({ q: 'tent "Red shoes" -blue' })
    const word = (form: string, stem = form) => ({ form, stem })
    assert.deepEqual(plan.phrases, [
      { spellings: [[word('red'), word('shoes', 'shoe')]], inflected: false },
    ])
    assert.deepEqual(plan.exclusions, [{ spellings: [[word('blue')]], inflected: true }])
    assert.deepEqual(
      plan.slots.map(({ form, edits, prefix, splits }) => [form, edits, prefix, splits.length]),
      [
        ['tent', 1, 'off', 2],
        ['red', 0, 'off', 0],
        ['shoes', 0, 'off', 0],
      ],
    )
    assert.deepEqual(plan.exactValue, ['tent', 'red', 'shoes'])
  })

  test('a query with only exclusions finds everything else', () => {
    for (const q of ['-blue', ' -blue * ', '* -blue']) {
      const plan = planOf({ q })
      assert.deepEqual([plan.slots, plan.exclusions.length, plan.exactValue], [[], 1, []])
      assert.equal('filter' in plan, false)
    }
    assert.equal('filter' in planOf({ q: '-"!"' }), false)
  })

  test('titles that are for what is sought rank lower, unless the query has a mark itself', () => {
    const marksOf = (q: string) => planSearch({ q }, context).plan.accessoryMarks
    assert.deepEqual(marksOf('nova phone'), ['for', 'with', 'compatible', 'fits'])
    assert.equal(marksOf('case for nova phone'), undefined)
    const down = planSearch({ q: 'nova phone' }, { ...context, accessoriesDown: true }).plan
    assert.equal(down.accessoriesDown, true)
    assert.equal('accessoriesDown' in planSearch({ q: 'nova phone' }, context).plan, false)
    const german = { ...context, analyzer: createAnalyzer('de-AT') }
    assert.ok(planSearch({ q: 'Nova' }, german).plan.accessoryMarks!.includes('fur'))
    assert.equal(planSearch({ q: 'Hülle für Nova' }, german).plan.accessoryMarks, undefined)
    const polish = { ...context, analyzer: createAnalyzer('pl') }
    assert.equal('accessoryMarks' in planSearch({ q: 'nova' }, polish).plan, false)
  })

  test('exact_match_boost is on unless it is switched off, explain is off', () => {
    assert.deepEqual(planOf({ q: 'red t-shirt' }).exactValue, ['red', 't', 'shirt'])
    assert.deepEqual(planOf({ q: 'red', exact_match_boost: false }).exactValue, [])
    const fieldsOf = (exact_match_boost?: boolean) => {
      const request = { q: 'red', field_weights: { title: 9 }, exact_match_boost }
      return planOf(request).exactValueFields.flatMap((counts, i) => (counts ? [i] : []))
    }
    assert.deepEqual(fieldsOf(), [0])
    // Lists (3, tags) do not count even then; what is not searched has no weight.
    assert.deepEqual(fieldsOf(true), [0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 12])
    assert.deepEqual([planOf({}).explain, planOf({ explain: true }).explain], [false, true])
  })

  test('every search has a deadline', () => {
    assert.equal(planOf({ search_timeout_ms: 5 }).deadlineMs, 1_005)
    assert.equal(planOf({ search_timeout_ms: 1e9 }).deadlineMs, 1_000 + SEARCH_TIMEOUT_DEFAULT_MS)
  })

  test('before any schema everything can be asked for, and every named field is unknown', () => {
    const empty = { ...context, schema: { fields: [] } }
    assert.deepEqual(planSearch({ q: '*', facet_by: '*' }, empty).plan.facets, [])
    const { message } = refusal(
      () => planSearch({ q: '*', sort_by: 'price' }, empty),
      'unknown_field',
    )
    assert.match(message, /^sort_by, column 1: Field `price` is not in the schema\./)
  })
})

suite('planning /v1/filters', () => {
  test('every facet is counted over all documents, and no hit is fetched', () => {
    const { plan } = planFilters({}, context)
    assert.deepEqual([plan.slots, plan.size, plan.from], [[], 0, 0])
    assert.deepEqual(
      plan.facets.map(({ field }) => field),
      [1, 3, 4, 5, 6, 7, 8, 10, 11],
    )
    assert.deepEqual(
      plan.facets.map(({ stats }) => stats),
      [false, false, true, true, true, false, true, false, true],
    )
  })

  test('the query, the filters and the limits of the request hold', () => {
    const { plan } = planFilters(
      { q: 'shoe', filter_by: 'stock:1', filters: { price: 2 }, max_values: 3, facet_by: 'brand' },
      context,
    )
    assert.equal(plan.slots.length, 1)
    assert.equal(plan.filter?.kind, 'and')
    assert.deepEqual(
      plan.facets.map(({ field, limit }) => [field, limit]),
      [[1, 3]],
    )
  })
})
