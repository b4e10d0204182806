import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { POLYGON_CORNERS_MAX } from '@aisle/contract'
import { onGrid } from '@aisle/engine'
import fc from 'fast-check'
import { plainAnalyzer, refusal } from '../plan/plan-fixture.ts'
import { checkSchemaFields, mergeSchema } from '../documents/schema-rules.ts'
import { parseFacets } from './facet-language.ts'
import { parseFilter } from './filter-parser.ts'
import { parseFiltersObject } from './filters-object.ts'
import { parseSort } from './sort-language.ts'

const { schema } = mergeSchema(
  undefined,
  'additive',
  checkSchemaFields([
    { name: 'title', type: 'string', searchable: true },
    { name: 'location', type: 'geopoint' },
    { name: 'shops', type: 'geopoint[]' },
  ]),
)
const parse = (text: string) => parseFilter(text, schema, plainAnalyzer)
const parseObject = (filters: unknown) => parseFiltersObject(filters, schema, plainAnalyzer)
const sort = (text: string) => parseSort(text, schema, plainAnalyzer)
const circle = (lat: number, lon: number, meters: number, field = 1) => ({
  kind: 'within',
  field,
  area: { kind: 'circle', center: onGrid({ lat, lon }), meters },
})
const polygon = (...corners: [number, number][]) => ({
  kind: 'within',
  field: 1,
  area: { kind: 'polygon', corners: corners.map(([lat, lon]) => onGrid({ lat, lon })) },
})

suite('areas in filters', () => {
  test('circles with every unit, polygons, lists and negations', () => {
    const paris = circle(48.85, 2.35, 5_000)
    const box = polygon([48, 2], [48, 3], [49, 3])
    for (const [text, node] of [
      ['location:(48.85, 2.35, 5 km)', paris],
      ['location : ( 48.85 ,2.35 ,5KM )', paris],
      ['location:=(48.85,2.35,5000m)', paris],
      ['location:(48.85, 2.35, 5.1 mi)', circle(48.85, 2.35, 5.1 * 1609.344)],
      ['location:(-.5, +2e1, 0 m)', circle(-0.5, 20, 0)],
      ['location:!=(48.85, 2.35, 5 km)', { kind: 'not', node: paris }],
      ['!location:(48.85, 2.35, 5 km)', { kind: 'not', node: paris }],
      ['location:(48, 2, 48, 3, 49, 3)', box],
      ['location:(48, 2, 49, 3)', polygon([48, 2], [48, 3], [49, 3], [49, 2])],
      ['location:(48, 178, 49, 182)', polygon([48, 178], [48, -178], [49, -178], [49, 178])],
      ['location:(48, 178, 49, -178)', polygon([48, 178], [48, -178], [49, -178], [49, 178])],
      ['location:(0, 178, 0, 181, 9, 181)', polygon([0, 178], [0, -179], [9, -179])],
      ['location:(48.85, 362.35, 5 km)', paris],
      ['location:[(48.85, 2.35, 5 km), (48,2,48,3,49,3)]', { kind: 'or', nodes: [paris, box] }],
      ['location:[(48.85, 2.35, 5 km)]', paris],
      ['shops:(1, 2, 3 km)', circle(1, 2, 3_000, 2)],
      ['location:exists', { kind: 'exists', field: 1 }],
      ['location:null', { kind: 'not', node: { kind: 'exists', field: 1 } }],
    ] as const) {
      assert.deepEqual(parse(text), node, text)
    }
    assert.deepEqual(parse('(location:(48.85, 2.35, 5 km) && title:x) || shops:exists').kind, 'or')
  })

  test('the filters object takes the same areas as texts', () => {
    const paris = circle(48.85, 2.35, 5_000)
    assert.deepEqual(parseObject({ location: '(48.85, 2.35, 5 km)' }), paris)
    assert.deepEqual(parseObject({ location: ['(48.85, 2.35, 5 km)', '(1, 2, 3 km)'] }), {
      kind: 'or',
      nodes: [paris, circle(1, 2, 3_000)],
    })
    assert.deepEqual(parseObject({ location: { not: '(48.85, 2.35, 5 km)' } }), {
      kind: 'not',
      node: paris,
    })
    assert.deepEqual(parseObject({ location: { exists: true } }), { kind: 'exists', field: 1 })
  })

  test('a mistake is named with its column', () => {
    for (const [text, message] of [
      ['location:(48.85, 2.35)', /column 10: expected a radius after the place, as in/],
      ['location:(48.85, 2.35, 5)', /expected `,` and a longitude, found `\)`/],
      ['location:(48.85, 2.35, 5 miles)', /expected `,` and a longitude, found `miles/],
      ['location:(48.85, 2.35, -5 km)', /expected a distance from 0/],
      ['location:(48.85, 2.35, 5 km, 7)', /expected `,` or `\)`/],
      ['location:(3, 2, 1, 4)', /column 10: expected the south-western corner of the box/],
      ['location:(0,176, 0,-178, 9,-178)', /write 182 instead of -178 if it crosses the date line/],
      ['location:(0,0, 0,400, 9,400)', /round the earth more than once/],
      ['location:(1, 2, 3, 4, 5)', /expected `,` and a longitude/],
      ['location:(91, 2, 5 km)', /expected a latitude from -90 to 90/],
      ['location:(2.35, 1e999, 5 km)', /expected a latitude from -90 to 90/],
      ['location:(x, 2, 5 km)', /expected a latitude, found `x/],
      ['location:(1e999, 2, 5 km)', /expected a latitude from/],
      ['location:[(1, 2, 3 km)', /expected `,` or `\]`/],
      ['location:[]', /expected an area such as/],
      ['location:[1..2]', /expected an area such as/],
      ['location:Paris', /field `location` is geopoint: expected an area such as/],
      ['location:>5', /expected an area such as/],
      ['title:(1, 2, 3 km)', /expected a value/],
    ] as const) {
      assert.match(refusal(() => parse(text), 'invalid_filter').message, message, text)
    }
    const corners = Array.from({ length: POLYGON_CORNERS_MAX + 1 }, (_, i) => `${i / 100}, 1`)
    const huge = `location:(${corners.join()})`
    assert.match(refusal(() => parse(huge), 'invalid_filter').message, /more than 1000 corners/)
    for (const [filters, param, message] of [
      [{ location: 'Paris' }, 'filters.location', /expected an area/],
      [{ location: 5 }, 'filters.location', /expected an area/],
      [{ location: ['(1, 2)'] }, 'filters.location[0]', /expected a radius/],
      [{ location: '(1, 2, 3 km) x' }, 'filters.location', /expected the end/],
      [{ location: { min: 5 } }, 'filters.location.min', /expected an area/],
    ] as const) {
      const error = refusal(() => parseObject(filters), 'invalid_filter')
      assert.equal(error.param, param)
      assert.match(error.message, message)
    }
  })

  test('any text in parentheses is an area or refused', () => {
    const part = fc.constantFrom('(', ')', '[', ']', ',', ' ', '1', '-2.5', '48', 'km', 'mi', 'x')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        try {
          assert.ok(parse(`location:(${parts.join('')}`))
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'invalid_filter', String(error))
        }
      }),
    )
  })
})

suite('the order by distance', () => {
  test('a place, a direction, an excluded radius, a precision', () => {
    const from = onGrid({ lat: 48.85, lon: 2.35 })
    const key = { kind: 'distance', field: 1, from, descending: false, missing: 'last' } as const
    const exact = { ...key, excludeMeters: 0, precisionMeters: 0 }
    for (const [text, expected] of [
      ['location(48.85, 2.35)', exact],
      ['location(48.85,2.35):asc', exact],
      ['location( 48.85 , 2.35 ) : DESC', { ...exact, descending: true }],
      ['location(48.85, 2.35, exclude_radius: 2 km)', { ...exact, excludeMeters: 2_000 }],
      ['location(48.85, 2.35, precision: 1mi)', { ...exact, precisionMeters: 1_609.344 }],
      [
        'location(48.85, 2.35, precision:500m, Exclude_Radius : 1 km, missing: first):desc',
        {
          ...exact,
          precisionMeters: 500,
          excludeMeters: 1_000,
          missing: 'first',
          descending: true,
        },
      ],
      ['location(48.85, 362.35)', exact],
      ['shops(48.85, 2.35)', { ...exact, field: 2 }],
    ] as const) {
      assert.deepEqual(sort(text), [expected], text)
    }
    assert.equal(sort('location(1, 2):asc, shops(3, 4), _text_match').length, 3)
  })

  test('a mistake is named with its column', () => {
    for (const [text, message] of [
      ['location', /`location\(48.85, 2.35\):asc`/],
      ['location:asc', /is sorted by the distance from a place/],
      ['location()', /expected a latitude/],
      ['location(48.85)', /expected `,` and a longitude/],
      ['location(48.85, 2.35, 5 km)', /expected `exclude_radius:`, `precision:` or `missing:`/],
      ['location(48.85, 2.35, precision: 5)', /expected a distance such as `5 km`/],
      ['location(48.85, 2.35, missing: never)', /expected `first` or `last`/],
      ['location(98.85, 2)', /expected a latitude from -90 to 90/],
      ['location(48.85, 2.35', /expected `,` or `\)`/],
      ['location(48.85, 2.35):up', /expected `asc` or `desc`/],
    ] as const) {
      assert.match(refusal(() => sort(text), 'invalid_sort').message, message, text)
    }
  })
})

test('places are not counted', () => {
  const facets = () => parseFacets('location', {}, schema, plainAnalyzer)
  assert.match(refusal(facets, 'field_not_facetable').message, /places are not counted/)
  assert.deepEqual(parseFacets('*', {}, schema, plainAnalyzer), [])
})
