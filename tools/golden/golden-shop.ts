import { AisleClient, type SearchParameters, type StoreClient } from '@aisle/client'

/** The store of the golden folders: the data it was given, and must keep forever. */
export const SHOP = 'golden'

export const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', facet: true, searchable: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'serial', type: 'int64', facet: true, sort: true },
  { name: 'tags', type: 'string[]', facet: true },
]

export const DOCUMENTS = [
  { id: 'a', title: 'Red running shoes', brand: 'Ålpine', price: 49.5, tags: ['sale'] },
  { id: 'b', title: 'Blue shoe', brand: 'Northfold', price: 60, serial: 2 },
  { id: 'c', title: 'Dome tent', brand: 'Ålpine', price: 199, tags: ['new', 'camping'] },
  { id: 'd', title: 'Mug 10 cm', brand: 'Northfold', price: 9.9, serial: 4 },
]

export const SETTINGS = { cors_origins: ['https://shop.example'] }
export const RESOURCES = {
  presets: { value: { per_page: 3 } },
  'synonym-sets': { items: [{ id: 'one', synonyms: ['cup', 'mug'] }] },
  'stopword-sets': { stopwords: ['of', 'the'] },
  rules: { when: [{ query: 'dome tent' }], pin: [{ id: 'b', position: 1 }] },
} as const
export const RESOURCE = 'kept'
/** Number of clicks, each by a different visitor. */
export const CLICKS = 12

export function shopOf(url: string, secrets: { readSecret: string; writeSecret: string }) {
  const { readSecret, writeSecret } = secrets
  return new AisleClient({ url, readSecret, writeSecret }).store(SHOP)
}

/**
 * @returns everything that a service reports about the store, always in the same form
 * @param day of its events, `2026-11-22`
 */
export async function told(shop: StoreClient, day: string) {
  const search = async (parameters: Partial<SearchParameters>) => {
    const { found, hits } = await shop.search({ q: '*', ...parameters })
    return `${found}: ${hits.map(({ id }) => id).join(' ')}`
  }
  const resources: Record<string, unknown> = {}
  for (const kind of Object.keys(RESOURCES) as (keyof typeof RESOURCES)[]) {
    resources[kind] = (await shop.resource(kind, RESOURCE)).value
  }
  const to = new Date(Date.parse(day) + 86_400_000).toISOString()
  const events = await shop.reportCsv('events', { from: `${day}T00:00:00.000Z`, to })
  return {
    searches: [
      await search({ q: 'shoes' }),
      await search({ q: 'alpine', sort_by: 'price:asc' }),
      await search({ filter_by: 'serial:>1', sort_by: 'serial:desc' }),
      await search({ filter_by: 'tags:=camping' }),
      await search({ q: 'dome tent' }),
      await search({ q: 'tnet' }),
    ],
    document: (await shop.document('c')).data,
    origins: (await shop.settings()).cors_origins,
    resources,
    clicks: clicksIn(events),
  }
}

/** The number of clicks in the events report. */
function clicksIn(csv: string): number {
  return Number(/^"Object Clicked","accepted","(\d+)"$/m.exec(csv)?.[1] ?? -1)
}
