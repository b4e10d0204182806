import type { Field, IndexDocument, Schema } from '@aisle/engine'
import { packPlace } from '@aisle/engine'
import { SeededRandom } from '@aisle/testing'
import { planSearch, type PlanRequest } from '../../packages/server/src/domain/plan/plan-search.ts'
import { textTable } from '../../tools/lib/text-table.ts'
import type { BenchCatalog } from './bench-catalog.ts'
import { toIndexDocument } from './bench-catalog.ts'
import type { EngineUnderTest } from './engine-level.ts'
import { measure, type Latency } from './measure.ts'

/** A kind of query, and its latency. */
export interface PlacesReport {
  readonly title: string
  /** Mean number of matching documents. */
  readonly found: number
  readonly latency: Latency
}

const PLACE_FIELD: Field = {
  name: 'location',
  type: 'geopoint',
  searchable: false,
  facet: false,
  sort: false,
}
const BATCH_DOCUMENTS = 500
const CITIES = 400
/** Radius in degrees that contains most documents of a city. */
const CITY_DEGREES = 0.2
/** Share of documents at random places. */
const SCATTERED = 0.3
/** Shift in degrees from one run to the next, so that no cached filter answers. */
const DRIFT = 1e-6

/**
 * Filters by circle and sorting by distance, on a catalog whose documents lie around 400 cities.
 *
 * @param texts queries of two words
 */
export async function placesLevel(
  create: (schema: Schema) => Promise<EngineUnderTest>,
  catalog: BenchCatalog,
  texts: readonly string[],
): Promise<PlacesReport[]> {
  const schema = { fields: [catalog.fields.find(({ searchable }) => searchable)!, PLACE_FIELD] }
  const engine = await create(schema)
  const random = new SeededRandom(19)
  const cities = Array.from({ length: CITIES }, () => ({
    lat: random.next() * 120 - 55,
    lon: random.next() * 360 - 180,
  }))
  let batch: IndexDocument[] = []
  let docKey = 0
  for await (const line of catalog.lines()) {
    const { id, values } = toIndexDocument(line, schema.fields.slice(0, 1), ++docKey)
    batch.push({ docKey, id, values: [...values, packPlace(somewhere(random, cities))] })
    if (batch.length < BATCH_DOCUMENTS) continue
    engine.add(batch)
    batch = []
  }
  if (batch.length > 0) engine.add(batch)
  await engine.finish()

  const questions = texts.map((q, i) => ({ q, city: cities[i % CITIES]! }))
  let run = 0
  const ask = async (
    title: string,
    request: (q: string, at: string) => PlanRequest,
  ): Promise<PlacesReport> => {
    let found = 0
    let runs = 0
    const latency = await measure(questions, ({ q, city }) => {
      const at = `${city.lat + ++run * DRIFT}, ${city.lon}`
      const context = { schema, analyzer: engine.analyzer, nowMs: performance.now() }
      found += engine.search(planSearch(request(q, at), context).plan).found
      runs++
    })
    return { title, found: found / runs, latency }
  }
  const within = (km: number) => (_: string, at: string) => ({
    q: '*',
    filter_by: `location:(${at}, ${km} km)`,
  })
  return [
    await ask('*, within 5 km', within(5)),
    await ask('*, within 50 km', within(50)),
    await ask('*, within 2,000 km', within(2_000)),
    await ask('2 terms, within 50 km, nearest first', (q, at) => ({
      q,
      filter_by: `location:(${at}, 50 km)`,
      sort_by: `location(${at}):asc`,
    })),
    await ask('2 terms, nearest first', (q, at) => ({ q, sort_by: `location(${at}):asc` })),
    await ask('*, nearest first', (_, at) => ({ q: '*', sort_by: `location(${at}):asc` })),
  ]
}

function somewhere(
  random: SeededRandom,
  cities: readonly { lat: number; lon: number }[],
): { lat: number; lon: number } {
  if (random.next() < SCATTERED) {
    return { lat: random.next() * 180 - 90, lon: random.next() * 360 - 180 }
  }
  const { lat, lon } = cities[random.below(cities.length)]!
  // The sum of three is dense in the middle.
  const away = () => (random.next() + random.next() + random.next() - 1.5) * CITY_DEGREES
  return { lat: lat + away(), lon: Math.max(-180, Math.min(180, lon + away())) }
}

export function placesText(reports: readonly PlacesReport[]): string {
  const ms = (value: number) => value.toFixed(3)
  return textTable([
    ['milliseconds', 'found', 'best p50', 'best p99', 'p50', 'p99'],
    ...reports.map(({ title, found, latency }) => [
      title,
      Math.round(found).toLocaleString('en-US'),
      ms(latency.bestP50),
      ms(latency.bestP99),
      ms(latency.p50),
      ms(latency.p99),
    ]),
  ])
}
