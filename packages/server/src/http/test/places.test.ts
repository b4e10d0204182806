import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createTestApp } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const store = await testApp.createStore('shops')
const admin = `/api/v1/stores/${store.id}`

const write = async (url: string, body: unknown, method: 'POST' | 'PUT' = 'POST') => {
  const answer = await testApp.call({ method, url: `${admin}${url}`, headers: store.write, body })
  assert.ok(answer.statusCode < 300, answer.body)
  return answer
}
await write('/schema', {
  fields: [
    { name: 'title', type: 'string', searchable: true },
    { name: 'location', type: 'geopoint' },
    { name: 'branches', type: 'geopoint[]' },
    { name: 'kind', type: 'string', facet: true },
  ],
})
const documents = [
  { id: 'louvre', title: 'Louvre shop', kind: 'museum', location: [48.8606, 2.3376] },
  { id: 'orsay', title: 'Orsay shop', kind: 'museum', location: { lat: 48.86, lon: 2.3266 } },
  { id: 'eiffel', title: 'Eiffel shop', kind: 'tower', location: { lat: 48.8584, lng: 2.2945 } },
  { id: 'london', title: 'London shop', kind: 'tower', location: [51.5055, -0.0754] },
  { id: 'fiji', title: 'Fiji shop', kind: 'beach', location: [-16.5, 179.99] },
  { id: 'taveuni', title: 'Taveuni shop', kind: 'beach', location: [-16.5, -179.99] },
  {
    id: 'web',
    title: 'Web shop',
    kind: 'web',
    branches: [
      [48.85, 2.35],
      [90, 0],
    ],
  },
]
await write('/documents/bulk', { documents })

type Hit = { id: string; geo_distance_meters?: Record<string, number> }
const post = (body: unknown) =>
  testApp.call({ method: 'POST', url: '/v1/search', headers: store.read, body })
const get = (query: Record<string, string>) =>
  testApp.call({
    method: 'GET',
    url: `/v1/search?${new URLSearchParams(query).toString()}`,
    headers: store.read,
  })
const search = async (body: Record<string, unknown>) => {
  const answer = await post({ q: '*', ...body })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const found = async (filterBy: string) => {
  const { hits } = await search({ filter_by: filterBy })
  return (hits as Hit[]).map(({ id }) => id).toSorted()
}

suite('places', () => {
  test('a circle, in kilometres, miles and metres', async () => {
    assert.deepEqual(await found('location:(48.86, 2.33, 1 km)'), ['louvre', 'orsay'])
    assert.deepEqual(await found('location:(48.86, 2.33, 3 km)'), ['eiffel', 'louvre', 'orsay'])
    assert.deepEqual(await found('location:(48.86, 2.33, 1.7 mi)'), ['eiffel', 'louvre', 'orsay'])
    assert.deepEqual(await found('location:(48.86, 2.3266, 10 m)'), ['orsay'])
    assert.deepEqual(await found('location:(-16.5, 180, 2 km)'), ['fiji', 'taveuni'])
    assert.deepEqual(await found('location:(0, 0, 30000 km)'), [
      'eiffel',
      'fiji',
      'london',
      'louvre',
      'orsay',
      'taveuni',
    ])
  })

  test('polygons, several areas, negation, existence, other conditions beside them', async () => {
    const paris = '(48.8, 2.32, 48.8, 2.4, 48.9, 2.4, 48.9, 2.32)'
    assert.deepEqual(await found(`location:${paris}`), ['louvre', 'orsay'])
    assert.deepEqual(await found('location:(-20, 176, -20, 182, -15, 182, -15, 176)'), [
      'fiji',
      'taveuni',
    ])
    assert.deepEqual(await found(`location:[${paris}, (51.5, 0, 10 km)]`), [
      'london',
      'louvre',
      'orsay',
    ])
    assert.deepEqual(await found(`location:!=${paris} && location:exists && kind:=tower`), [
      'eiffel',
      'london',
    ])
    assert.deepEqual(await found('location:null'), ['web'])
    assert.deepEqual(await found('branches:(89.9, 77, 20 km)'), ['web'])
    const { hits } = await search({ filters: { location: '(48.86, 2.33, 1 km)' } })
    assert.equal(hits.length, 2)
  })

  test('the order by distance, told in metres', async () => {
    const answer = await search({ sort_by: 'location(48.86, 2.3266):asc' })
    assert.deepEqual(
      (answer.hits as Hit[]).map(({ id, geo_distance_meters: far }) => [id, far?.['location']]),
      [
        ['orsay', 0],
        ['louvre', 807],
        ['eiffel', 2355],
        ['london', 340_228],
        ['fiji', 16_410_603],
        ['taveuni', 16_410_710],
        ['web', undefined],
      ],
    )
    const far = await search({ sort_by: 'location(48.86, 2.3266):desc', per_page: 2 })
    assert.deepEqual(
      far.hits.map(({ id }: Hit) => id),
      ['taveuni', 'fiji'],
    )
    const branch = await search({ sort_by: 'branches(48.85, 2.35)', per_page: 1 })
    assert.deepEqual(branch.hits[0].geo_distance_meters, { branches: 0 })
  })

  test('what is near enough counts as equally near', async () => {
    const ids = async (sortBy: string) => {
      const { hits } = await search({ filter_by: 'kind:!=beach', sort_by: sortBy })
      return (hits as Hit[]).map(({ id }) => id).join(' ')
    }
    // Among equals the newest comes first.
    assert.equal(
      await ids('location(48.86, 2.3266, exclude_radius: 1 km):asc'),
      'orsay louvre eiffel london web',
    )
    assert.equal(
      await ids('location(48.86, 2.3266, exclude_radius: 3 km):asc'),
      'eiffel orsay louvre london web',
    )
    assert.equal(
      await ids('location(48.86, 2.3266, precision: 2 km):asc'),
      'orsay louvre eiffel london web',
    )
    assert.equal(
      await ids('location(48.86, 2.3266, precision: 1000 mi):asc'),
      'london eiffel orsay louvre web',
    )
    assert.equal(
      await ids('location(48.86, 2.3266, missing: first):asc'),
      'web orsay louvre eiffel london',
    )
  })

  test('with a circle and another order, hits tell the distance from its center', async () => {
    const answer = await search({ q: 'orsay', filter_by: 'location:(48.86, 2.33, 1 km)' })
    assert.deepEqual(answer.hits[0].geo_distance_meters, { location: 249 })
    const flat = await search({
      q: 'orsay',
      filter_by: 'location:(48.86, 2.33, 1 km)',
      hit_format: 'flat',
      return_fields: ['title'],
    })
    assert.deepEqual(flat.hits[0]._geo_distance_meters, { location: 249 })
    assert.equal(flat.hits[0].location, undefined)
    const omitted = await search({
      q: 'orsay',
      filter_by: 'location:(48.86, 2.33, 1 km)',
      omit_fields: ['location'],
    })
    assert.equal(omitted.hits[0].geo_distance_meters, undefined)
    const plain = await search({ q: 'orsay' })
    assert.equal(plain.hits[0].geo_distance_meters, undefined)
    assert.deepEqual(plain.hits[0].document.location, { lat: 48.86, lon: 2.3266 })
  })

  test('GET takes the same expressions', async () => {
    const answer = await get({
      q: 'shop',
      filter_by: 'location:(48.86, 2.33, 1 km)',
      sort_by: 'location(48.86, 2.3376):asc,_text_match',
    })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(
      answer.json().hits.map(({ id }: Hit) => id),
      ['louvre', 'orsay'],
    )
  })

  test('the order within groups, presets, rules and facets of a search by place', async () => {
    const near = 'location(48.86, 2.3266):asc'
    const grouped = await search({ group_by: 'kind', sort_by: near, group_limit: 1 })
    assert.deepEqual(
      grouped.grouped_hits.map(({ hits }: { hits: Hit[] }) => hits[0]?.id),
      ['orsay', 'eiffel', 'fiji', 'web'],
    )
    await write('/presets/nearby', { value: { filter_by: 'location:(48.86, 2.33, 3 km)' } }, 'PUT')
    const preset = await search({ preset_name: 'nearby', facet_by: 'kind' })
    assert.deepEqual(preset.facets.kind, [
      { value: 'museum', count: 2 },
      { value: 'tower', count: 1 },
    ])
    const rule = {
      when: [{ query: 'tower', match: 'exact' }],
      filter_by: 'location:(51.5, 0, 20 km)',
      boost: [{ filter_by: 'location:(51.5, 0, 20 km)', weight: 2 }],
      sort_by: near,
    }
    await write('/rules/london', rule, 'PUT')
    await write('/documents/bulk', {
      documents: [{ id: 'tower', title: 'Tower', kind: 'tower', location: [51.508, -0.076] }],
    })
    const ruled = await search({ q: 'tower' })
    assert.deepEqual(
      ruled.hits.map(({ id }: Hit) => id),
      ['tower'],
    )
    const evaluated = await search({ q: 'shop', sort_by: '_eval(location:(51.5, 0, 20 km)):desc' })
    assert.equal(evaluated.hits[0].id, 'london')
  })

  test('export and deletion by filter', async () => {
    await write('/documents/bulk', {
      documents: [{ id: 'pole', title: 'Pole', location: [-90, 12] }],
    })
    const url = `${admin}/documents?filter_by=${encodeURIComponent('location:(-90, 0, 5 km)')}`
    const exported = await testApp.call({ method: 'GET', url, headers: store.write })
    assert.equal(exported.body, '{"id":"pole","data":{"title":"Pole","location":[-90,12]}}\n')
    const deleted = await testApp.call({ method: 'DELETE', url, headers: store.write })
    assert.equal(deleted.json().documents_deleted, 1, deleted.body)
    assert.deepEqual(await found('location:(-90, 0, 5 km)'), [])
  })

  test('bad requests are refused with the parameter', async () => {
    for (const [body, code, param] of [
      [{ filter_by: 'location:(48.85, 2.35)' }, 'invalid_filter', 'filter_by'],
      [{ filter_by: 'location:Paris' }, 'invalid_filter', 'filter_by'],
      [{ filters: { location: '(1, 2)' } }, 'invalid_filter', 'filters.location'],
      [{ sort_by: 'location:asc' }, 'invalid_sort', 'sort_by'],
      [{ sort_by: 'location(91, 0)' }, 'invalid_sort', 'sort_by'],
      [{ facet_by: 'location' }, 'field_not_facetable', 'facet_by'],
      [{ group_by: 'location' }, 'invalid_parameter', 'group_by'],
      [{ search_fields: ['location'] }, 'field_not_searchable', 'search_fields[0]'],
    ] as const) {
      const answer = await post({ q: '*', ...body })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.equal(answer.json().code, code, answer.body)
      assert.ok(answer.json().details[0].param.startsWith(param), answer.body)
    }
    const byGet = await get({ q: '*', filter_by: 'location:(48.85, 2.35, 5 leagues)' })
    assert.equal(byGet.statusCode, 400)
    assert.match(byGet.body, /leagues/)
  })
})
