import { readHeaders, writeHeaders, type ThinClient } from '@aisle/testing'
import { get, post, remove, type Requests, type Tenant } from './neighbours-load.ts'
import { heavyRows, type HeavyRow } from './neighbours-searches.ts'

const BULK = 5_000
const WORDS = 900
const UNKNOWN_KEYS = 90_000
/** Different requests of each kind, so that none is answered from a cache. */
const VARIANTS = 200

/** A few requests a second that are heavy for their number. */
interface Few {
  readonly requests: Requests
  readonly perSecond: number
}

/** Fills a store with a value per document. */
export async function fillWithValues(
  client: ThinClient,
  tenant: Tenant,
  count: number,
): Promise<void> {
  await client.setSchema(tenant, { fields: [{ name: 'uniq', type: 'string', facet: true }] })
  for (let from = 0; from < count; from += BULK) {
    const lines = Array.from({ length: Math.min(BULK, count - from) }, (_, i) => {
      const number = from + i
      return JSON.stringify({ id: `u${number}`, uniq: `k${number} part ${number % 1_000} unit` })
    })
    await client.bulk(tenant, lines)
  }
}

/** @param tenant see `fillWithValues` */
function valueRequests(tenant: Tenant): Readonly<Record<string, Few>> {
  const [read, write] = [readHeaders(tenant), writeHeaders(tenant)]
  const variants = [...Array(VARIANTS).keys()]
  /** A filter by words, most of them in a single value. */
  const anyOf = (variant: number, word: string): string => {
    const words = Array.from({ length: WORDS }, (_, i) => `${word}${variant + i * 100}`)
    return `/api/v1/stores/${tenant.id}/documents?filter_by=uniq:[${words.join(',')}]`
  }
  const search = (parameters: object) =>
    post('/v1/search', read, JSON.stringify({ q: '*', per_page: 1, ...parameters }))
  const unknown = Object.fromEntries(Array.from({ length: UNKNOWN_KEYS }, (_, i) => [`k${i}`, 1]))
  return {
    'export by 900 words': {
      requests: variants.map((variant) => get(anyOf(variant, 'k'), write)),
      perSecond: 2,
    },
    // Of words that no value has, so that the store stays as it is.
    'delete by 900 words': {
      requests: variants.map((variant) => remove(anyOf(variant, 'none'), write)),
      perSecond: 2,
    },
    'ten words': {
      requests: variants.map((variant) => {
        const words = Array.from({ length: 10 }, (_, i) => `uniq:${(variant * 7 + i * 90) % 1_000}`)
        return search({ filter_by: words.join(' || ') })
      }),
      perSecond: 8,
    },
    'ten beginnings, negated': {
      requests: variants.map((variant) => {
        const words = Array.from({ length: 10 }, (_, i) => `NOT uniq:k${variant * 7 + i}*`)
        return search({ filter_by: words.join(' && ') })
      }),
      perSecond: 8,
    },
    'facet query': {
      requests: variants.map((variant) =>
        search({ facet_by: ['uniq'], facet_query: `uniq:k${variant}` }),
      ),
      perSecond: 4,
    },
    '90,000 unknown keys': { requests: [search(unknown)], perSecond: 6 },
  }
}

/** @param search requests of the neighbour */
export async function valueRows(
  port: number,
  search: Few,
  tenant: Tenant,
  seconds: number,
): Promise<Record<string, HeavyRow>> {
  const rows: Record<string, HeavyRow> = {}
  for (const [name, { requests, perSecond }] of Object.entries(valueRequests(tenant))) {
    Object.assign(rows, await heavyRows(port, search, { [name]: requests }, seconds, perSecond))
  }
  return rows
}
