import { readHeaders } from '@aisle/testing'
import { post, type Requests, type Tenant } from './neighbours-load.ts'
import { openLoop, type StreamReport } from './open-loop.ts'

/** The searches of a store while another one sends one kind of heavy search. */
export interface HeavyRow {
  readonly search: StreamReport
  readonly heavy: StreamReport
}

const WORDS = 'black cotton leather shoes women men blue steel case set warm light'.split(' ')
const MISSPELT = 'blakc cottno lether shoos womne stele casse sett wram lihgt'
const FACETS = 16
const CORNERS = 1_000
/** Different requests of each kind, so that few come from a cache. */
const VARIANTS = 50
/** Heavy searches per second. */
const HEAVY_PER_SECOND = 20

const field = (name: string, type: string, roles: object = {}): object => ({ name, type, ...roles })

export const HEAVY_FIELDS = [
  field('title', 'string', { searchable: true }),
  field('unique', 'string', { searchable: true, facet: true, sort: true }),
  field('price', 'float', { facet: true, sort: true }),
  field('place', 'geopoint'),
  field('shops', 'geopoint[]'),
  ...facetNames().map((name) => field(name, 'string', { facet: true })),
]

/** Every search below matches most of these documents. */
export function heavyLines(count: number): string[] {
  const place = (i: number): [number, number] => [
    ((i * 7_919) % 180_000) / 1_000 - 90,
    ((i * 104_729) % 360_000) / 1_000 - 180,
  ]
  return Array.from({ length: count }, (_, i) => {
    const title = Array.from({ length: 6 }, (_, w) => WORDS[(i * (w + 3) + w) % WORDS.length])
    return JSON.stringify({
      id: `h${i}`,
      title: `${title.join(' ')} ${i % 5_000}`,
      unique: `${title.slice(0, 3).join(' ')} number ${i}`,
      price: (i * 37) % 10_000,
      place: place(i),
      shops: [place(i + 1), place(i + 2), place(i + 3)],
      ...Object.fromEntries(facetNames().map((name, f) => [name, `value ${(i * (f + 1)) % 997}`])),
    })
  })
}

/** The heaviest legal searches, by name. */
export function heavySearches(tenant: Tenant): Readonly<Record<string, Requests>> {
  const headers = readHeaders(tenant)
  const any = { q: WORDS.slice(0, 10).join(' '), require_all_terms: false, cache_results: false }
  const facets = { facet_by: ['unique', 'price', ...facetNames()], max_values: 10_000 }
  const deep = { page: 40, per_page: 250 }
  const kind = (body: (i: number) => object): Requests =>
    Array.from({ length: VARIANTS }, (_, i) => post('/v1/search', headers, JSON.stringify(body(i))))
  const priced = (i: number): string => `price:>${i}`
  return {
    'ten words, all facets, groups, page 40': kind((i) => ({
      ...any,
      ...facets,
      ...deep,
      group_by: 'unique',
      group_limit: 10,
      facet_count: 'groups',
      filter_by: priced(i),
    })),
    'ten misspelt words, all facets': kind((i) => ({
      ...any,
      ...facets,
      q: `${MISSPELT} ${i}`,
      facet_mode: 'disjunctive',
      filter_by: priced(i),
    })),
    '_eval over 20,000 values, page 40': kind((i) => ({
      ...any,
      ...deep,
      sort_by: [`_eval(unique:${WORDS[i % WORDS.length]} || price:>${i}):desc`, 'unique:desc'],
    })),
    'facet query over 20,000 values': kind((i) => ({
      ...any,
      q: '*',
      facet_by: 'unique',
      facet_query: `unique:blakc shoos numbr ${i}`,
      filter_by: priced(i),
    })),
    'polygons of 1,000 corners': kind((i) => ({
      ...any,
      q: '*',
      filter_by: `${i % 2 === 0 ? 'shops' : 'place'}:(${corners(i)})`,
    })),
    'nearest of all, page 40': kind((i) => ({
      ...any,
      ...deep,
      sort_by: `place(${i}, ${i}):desc`,
    })),
    'ten of these at once': Array.from({ length: VARIANTS }, (_, i) =>
      post(
        '/v1/multi-search',
        headers,
        JSON.stringify({
          queries: Array.from({ length: 10 }, (_, k) => ({
            ...any,
            ...facets,
            filter_by: priced(10 * i + k),
          })),
        }),
      ),
    ),
  }
}

/** @param search requests of the neighbour */
export async function heavyRows(
  port: number,
  search: { readonly requests: Requests; readonly perSecond: number },
  searches: Readonly<Record<string, Requests>>,
  seconds: number,
  perSecond = HEAVY_PER_SECOND,
): Promise<Record<string, HeavyRow>> {
  const rows: Record<string, HeavyRow> = {}
  for (const [name, requests] of Object.entries(searches)) {
    const heavyStream = { name: 'heavy', requests, perSecond }
    const streams = [{ name: 'search', ...search }, heavyStream]
    const { search: beside, heavy } = await openLoop(port, streams, seconds * 1_000)
    rows[name] = { search: beside!, heavy: heavy! }
  }
  return rows
}

/** A star, whose border passes through as many cells of the map as possible; 17,000 characters. */
function corners(shift: number): string {
  return Array.from({ length: CORNERS }, (_, i) => {
    const angle = (2 * Math.PI * (i + shift / VARIANTS)) / CORNERS
    const radius = i % 2 === 0 ? 40 : 60
    const lat = radius * Math.sin(angle)
    const lon = 2 * radius * Math.cos(angle)
    return `${lat.toFixed(2)}, ${lon.toFixed(2)}`
  }).join(', ')
}

function facetNames(): string[] {
  return Array.from({ length: FACETS }, (_, i) => `f${i}`)
}
