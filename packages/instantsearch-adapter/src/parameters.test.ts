import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AlgoliaParameters } from './algolia-types.ts'
import { allOf, conditionsOf } from './filters.ts'
import { facetValuesParameters, searchParameters, withoutEffect } from './parameters.ts'

const of = (params: AlgoliaParameters, indexName = 'lamps') =>
  searchParameters({ indexName, params })

suite('converting a query of InstantSearch', () => {
  test('without parameters: all documents, with the defaults of Algolia', () => {
    assert.deepEqual(of({}), { q: '*', page: 1, per_page: 20, highlight: true })
  })

  test('the name of the index contains the sort order', () => {
    assert.equal(of({}, 'lamps/sort/price:asc').sort_by, 'price:asc')
  })

  test('pages count from 0, and a query for facets alone asks for no hits', () => {
    const { page, per_page, highlight } = of({ page: 2, hitsPerPage: '0' })
    assert.deepEqual([page, per_page, highlight], [3, 0, false])
  })

  test('the query of Autocomplete is next to the parameters', () => {
    assert.equal(searchParameters({ indexName: 'lamps', query: 'desk', params: {} }).q, 'desk')
  })

  test('fields, snippets and marks', () => {
    const { return_fields, omit_fields } = of({ attributesToRetrieve: ['title', 'title'] })
    assert.deepEqual([return_fields, omit_fields], [['id', 'title'], undefined])
    assert.deepEqual(of({ attributesToRetrieve: ['*', '-secret'] }).omit_fields, ['secret'])
    assert.deepEqual(of({ attributesToRetrieve: [] }).return_fields, ['id'])
    const snippets = of({ attributesToSnippet: ['about:8', 'odd:name:30', 'title'] })
    assert.deepEqual(snippets.snippet_fields, ['about', 'odd:name', 'title'])
    assert.deepEqual([snippets.include_snippets, snippets.snippet_token_limit], [true, 30])
    assert.equal(of({ attributesToSnippet: ['*:5'] }).snippet_fields, undefined)
    assert.equal(of({ attributesToHighlight: [] }).highlight, false)
    // Highlight tags are fixed, even if a preset sets others.
    const marks = (asked: ReturnType<typeof of>) => [
      asked.highlight_prefix,
      asked.highlight_suffix,
      asked.snippet_prefix,
    ]
    assert.deepEqual(marks(of({})), [undefined, undefined, undefined])
    assert.deepEqual(marks(of({ preset_name: 'shop' })), ['<mark>', '</mark>', '<mark>'])
    assert.deepEqual(marks(of({ highlight_prefix: '[' })), ['<mark>', '</mark>', '<mark>'])
  })

  test('facets', () => {
    assert.deepEqual(of({ facets: ['brand', 'odd, name'] }).facet_by, ['`brand`', '`odd, name`'])
    assert.deepEqual(of({ facets: 'brand', maxValuesPerFacet: 5 }).max_values, 5)
    assert.equal(of({ facets: ['brand', '*'] }).facet_by, '*')
  })

  test('matching of words', () => {
    const { typo_max, prefix_mode, require_all_terms, apply_rules, synonym_sets } = of({
      typoTolerance: false,
      queryType: 'prefixNone',
      removeWordsIfNoResults: 'none',
      enableRules: false,
      synonyms: false,
    })
    assert.deepEqual(
      [typo_max, prefix_mode, require_all_terms, apply_rules, synonym_sets],
      [0, 'off', true, false, []],
    )
  })

  test('parameters of the service are passed on, and win', () => {
    assert.deepEqual(
      of({ min_relevance: 0.5, sort_by: 'price' }, 'lamps/sort/name').sort_by,
      'price',
    )
    assert.equal(of({ min_relevance: 0.5 }).min_relevance, 0.5)
  })

  test('searches by place', () => {
    const near = of({ aroundLatLng: '48.85, 2.35' })
    assert.equal(near.sort_by, '`_geoloc`(48.85,2.35):asc,_text_match:desc')
    assert.equal(near.filter_by, undefined)
    const within = of({ aroundLatLng: '1,2', aroundRadius: 500, aroundPrecision: 100 })
    assert.equal(within.sort_by, '`_geoloc`(1,2, precision: 100 m):asc,_text_match:desc')
    assert.equal(within.filter_by, '`_geoloc`:[(1,2, 500 m)]')
    assert.equal(of({ aroundLatLng: '1,2', aroundRadius: 'all' }).filter_by, undefined)
    assert.equal(of({ aroundLatLng: '1,2' }, 'lamps/sort/price').sort_by, 'price')
    const polygons = of({ insidePolygon: [[1, 2, 3, 4, 5, 6], '7,8,9,10,11,12'], filters: 'a:b' })
    assert.equal(polygons.filter_by, '(`a`:=`b`) && `_geoloc`:[(1,2,3,4,5,6),(7,8,9,10,11,12)]')
    const placed = searchParameters(
      { indexName: 'lamps', params: { insideBoundingBox: '49,3,48,2', aroundLatLng: '1,2' } },
      () => true,
      'shop',
    )
    assert.equal(placed.filter_by, '`shop`:[(48,2,49,3)]')
    assert.equal(placed.sort_by, undefined)
    const elsewhere = searchParameters(
      { indexName: 'lamps', params: { aroundLatLng: '1,2', aroundRadius: 5 } },
      () => false,
    )
    assert.deepEqual([elsewhere.filter_by, elsewhere.sort_by], ['(id:=`a` && id:=`b`)', undefined])
  })

  test('a box may cross the date line, and be wider than half of the earth', () => {
    const box = (...corners: number[]) => of({ insideBoundingBox: [corners] }).filter_by
    // North-east and south-west, in the order of the widget.
    assert.equal(box(-15, -178, -20, 176), '`_geoloc`:[(-20,176,-15,-178)]')
    assert.equal(box(2, 100, 1, -100), '`_geoloc`:[(1,-100,2,100)]')
    // A map that repeats.
    assert.equal(box(-15, 182, -20, 176), '`_geoloc`:[(-20,176,-15,182)]')
    assert.equal(box(60, 300, -60, -300), '`_geoloc`:[(-60,-300,60,300)]')
    // South-west and north-east, and the other two corners.
    assert.equal(box(48, 2, 49, 3), '`_geoloc`:[(48,2,49,3)]')
    assert.equal(box(49, 2, 48, 3), '`_geoloc`:[(48,2,49,3)]')
  })

  test('an invalid place is refused, and parameters without effect are named', () => {
    assert.throws(() => of({ aroundLatLng: 'here' }), /aroundLatLng "here": expected latitudes/)
    assert.throws(() => of({ aroundLatLngViaIP: true }), /set aroundLatLng/)
    assert.deepEqual(
      withoutEffect({ distinct: false, offset: 3, tagFilters: [], optionalFilters: ['a:b'] }),
      ['optionalFilters', 'offset'],
    )
    assert.deepEqual(withoutEffect({ distinct: 3 }), ['the number of distinct'])
    for (const distinct of [true, 1, '1', 0]) assert.deepEqual(withoutEffect({ distinct }), [])
  })

  test('distinct uses the groups of the store; without it there are none', () => {
    for (const distinct of [undefined, true, 'true', 1, 2]) {
      assert.equal('group_by' in of({ distinct }), false, String(distinct))
    }
    for (const distinct of [false, 'false', 0, '0']) {
      assert.deepEqual(of({ distinct }).group_by, [], String(distinct))
    }
    assert.equal(of({ distinct: false, group_by: 'brand' }).group_by, 'brand')
  })

  test('a search inside a facet ignores the filter of that facet', () => {
    const request = {
      indexName: 'lamps',
      params: { facetName: 'brand', facetQuery: 'no:r', maxFacetHits: 3, facetFilters: ['a:b'] },
    }
    assert.deepEqual(facetValuesParameters(request, 'brand'), {
      q: '*',
      filter_by: '`a`:=`b`',
      per_page: 0,
      highlight: false,
      analytics: false,
      facet_mode: 'disjunctive',
      facet_by: ['`brand`(limit:3,sort:count)'],
      facet_query: '`brand`:no:r',
    })
  })
})

suite('converting filters of InstantSearch', () => {
  const filterBy = (params: AlgoliaParameters) => allOf(conditionsOf(params))
  const cases: readonly [params: AlgoliaParameters, expression: string][] = [
    [{ facetFilters: ['brand:A: b'] }, '`brand`:=`A: b`'],
    [{ facetFilters: 'brand:A' }, '`brand`:=`A`'],
    [{ facetFilters: [['brand:A', 'brand:B']] }, '`brand`:=[`A`,`B`]'],
    [{ facetFilters: [['brand:A', 'kind:B']] }, '(`brand`:=`A` || `kind`:=`B`)'],
    [{ facetFilters: [['brand:A', 'brand:-B']] }, '(`brand`:=`A` || `brand`:!=`B`)'],
    [{ facetFilters: ['brand:-A', 'size:\\-5'] }, '`brand`:!=`A` && `size`:=`-5`'],
    [{ facetFilters: ['brand:`a\\b`'] }, '`brand`:=`\\`a\\\\b\\``'],
    [{ facetFilters: [[]] }, ''],
    [{ numericFilters: ['price>=10', 'price<=50'] }, '`price`:>=10 && `price`:<=50'],
    [{ numericFilters: [['price<10', 'price > 50']] }, '(`price`:<10 || `price`:>50)'],
    [{ numericFilters: ['price!=1', 'price=-2'] }, '`price`:!=1 && `price`:=-2'],
    [{ numericFilters: 'price:10 TO 20' }, '`price`:=[10..20]'],
    [
      { filters: 'brand:"Red Wing" AND NOT price > 10' },
      '(`brand`:=`Red Wing` AND NOT `price`:>10)',
    ],
    [
      { filters: "(a:b OR a:'c') AND price:1 TO 5" },
      '(( `a`:=`b` OR `a`:=`c` ) AND `price`:[1..5])',
    ],
    [{ filters: 'price:[1..5] && brand:Red Wing' }, '(price:[1..5] && brand:Red Wing)'],
    [{ filters: 'a:=1 OR b:=2', facetFilters: ['c:d'] }, '(a:=1 OR b:=2) && `c`:=`d`'],
    [{ filters: ' ' }, ''],
  ]
  for (const [params, expression] of cases) {
    test(JSON.stringify(params), () => assert.equal(filterBy(params), expression))
  }

  test('an invalid filter is refused with its text', () => {
    assert.throws(() => filterBy({ facetFilters: ['brand'] }), /"brand": expected field:value/)
    assert.throws(() => filterBy({ numericFilters: ['price'] }), /"price": expected an operator/)
  })
})
