import type { ServerProcess, ThinClient } from '@aisle/testing'
import { loadBatches } from '../../lib/bulk-load.ts'
import type { Attacker } from './attack-request.ts'

/** Facets with few values. */
export const FACETS = Array.from({ length: 32 }, (_, i) => `f${i}`)
const WORDS = Array.from({ length: 400 }, (_, i) => `word${(i * 7_919) % 4_001}`)

/** A store with everything that makes requests heavy. */
const ATTACKER_FIELDS: readonly object[] = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'text', type: 'string', searchable: true },
  { name: 'unique', type: 'string', searchable: true, facet: true },
  { name: 'brand', type: 'string', searchable: true, facet: true },
  ...FACETS.map((name) => ({ name, type: 'string', facet: true })),
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'stock', type: 'int32', facet: true, sort: true },
  { name: 'made', type: 'date', facet: true, sort: true },
  { name: 'place', type: 'geopoint' },
  { name: 'shops', type: 'geopoint[]' },
  { name: 'variants', type: 'object[]' },
  { name: 'variants.color', type: 'string', searchable: true, facet: true },
  { name: 'variants.size', type: 'string', facet: true },
  { name: 'variants.price', type: 'float', facet: true },
  { name: 'specs', type: 'object' },
  { name: 'specs.*', type: 'auto', searchable: true, facet: true },
]

export function attackerDocument(i: number, id = `d${i}`): string {
  const word = (k: number): string => WORDS[(i * 31 + k * 17) % WORDS.length]!
  const point = (k: number): object => ({
    lat: 45 + ((i * k) % 997) / 200,
    lng: 5 + (i % 991) / 150,
  })
  return JSON.stringify({
    id,
    title: `${word(1)} ${word(2)} of brand ${i % 500}`,
    text: Array.from({ length: 40 }, (_, k) => word(k)).join(' '),
    unique: `Value k${i} of ${word(3)}`,
    brand: `Brand ${i % 500}`,
    ...Object.fromEntries(FACETS.map((name, f) => [name, `value ${(i * (f + 1)) % 211}`])),
    price: (i % 10_007) / 3,
    stock: i % 1_000,
    made: 1_600_000_000 + i * 60,
    place: point(1),
    shops: Array.from({ length: 10 }, (_, k) => point(k + 2)),
    variants: Array.from({ length: 10 }, (_, k) => ({
      color: `color ${(i + k) % 31}`,
      size: `size ${(i * k) % 13}`,
      price: ((i + k * 7) % 1_009) / 2,
    })),
    specs: Object.fromEntries(
      Array.from({ length: 10 }, (_, k) => [`s${(i + k * 3) % 60}`, `spec ${(i * k) % 47}`]),
    ),
  })
}

export async function createAttacker(
  server: ServerProcess,
  client: ThinClient,
  documents: number,
): Promise<Attacker> {
  const keys = await client.createStore({ name: 'Attacker', id: 'attacker' })
  await client.setSchema(keys, { fields: ATTACKER_FIELDS })
  const outcome = await loadBatches(client, keys, lines(documents))
  if (outcome.failedCount > 0) throw new Error(JSON.stringify(outcome.reasons[0]))
  return { ...keys, adminToken: server.adminToken }
}

async function* lines(count: number): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) yield attackerDocument(i)
}
