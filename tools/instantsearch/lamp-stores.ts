import { AisleClient, type FacetDisplay } from '@aisle/client'
import { ServerProcess } from '@aisle/testing'
import { createEventStore, type EventStore } from '../events/event-store.ts'

/** A product of the shop, with a field for every kind of widget. */
export interface Lamp {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly brand: string
  readonly room: string
  readonly shade: string
  readonly 'kind.lvl0': string
  readonly 'kind.lvl1': string
  readonly colors: readonly string[]
  readonly price: number
  readonly watts: number
  readonly rating: number
  readonly in_stock: boolean
  readonly url: string
}

const BRANDS = ['Lumen', 'Glow', 'Norrby & Söhne', 'Fells: Light', '-Minus', '`Tick\\']
const ROOMS = ['Kitchen', 'Hall', 'Study']
const KINDS = ['Desk', 'Floor', 'Wall']
const COLORS = ['black', 'white', 'brass']

export const LAMPS: readonly Lamp[] = Array.from({ length: 60 }, (_, i) => {
  const place = i % 4 === 0 ? 'Outdoor' : 'Indoor'
  return {
    id: `lamp-${i}`,
    title: `${KINDS[i % 3]} lamp ${i}${i === 0 ? ' <i>new</i> & <b>bright</b>' : ''}`,
    about: `A lamp from our own workshop for those who read late: ${KINDS[i % 3]} lamps like this one give warm light, last for years, and cost little to run in winter.`,
    // The first brand has the most products, the last one the fewest.
    brand: BRANDS[Math.min(i % 8, i % 6)]!,
    room: ROOMS[i % 3]!,
    shade: i % 2 === 0 ? 'Glass' : 'Linen',
    'kind.lvl0': place,
    'kind.lvl1': `${place} > ${KINDS[i % 3]}`,
    colors: [COLORS[i % 3]!, COLORS[(i + 1) % 3]!],
    price: 10 + i * 2.5,
    watts: (i % 6) * 10,
    rating: 1 + (i % 5),
    in_stock: i % 3 !== 0,
    url: `/lamps/${i}`,
  }
})

const GUIDES = Array.from({ length: 9 }, (_, i) => ({ id: `guide-${i}`, name: `Lamp guide ${i}` }))

const text = { type: 'string', searchable: true } as const
const facet = { type: 'string', facet: true } as const
const number = { facet: true, sort: true } as const

export interface LampStores {
  readonly server: ServerProcess
  /** Keys of the store `lamps`. */
  readonly store: EventStore
  /** Read secrets by store id, for the adapter. */
  readonly stores: Readonly<Record<string, string>>
  /** Allows pages of this origin to search. */
  allow(origin: string): Promise<void>
  /** Sets how the facets of the lamps are shown. */
  arrange(display: FacetDisplay | null): Promise<void>
}

/** A service with a shop of lamps, and guides about them. */
export async function startLampStores(): Promise<LampStores> {
  const server = await ServerProcess.start({ threads: 1 })
  const lamps = await createEventStore(server, 'lamps')
  const guides = await createEventStore(server, 'guides')
  const client = new AisleClient({ url: server.url })
  const shop = client.store('lamps', lamps)
  const advice = client.store('guides', guides)
  await shop.changeSchema({
    fields: [
      { name: 'title', ...text, sort: true },
      { name: 'about', ...text },
      { name: 'brand', ...text, facet: true },
      { name: 'room', ...facet },
      { name: 'shade', ...facet },
      { name: 'kind.lvl0', ...facet },
      { name: 'kind.lvl1', ...facet },
      { name: 'colors', type: 'string[]', facet: true },
      { name: 'price', type: 'float', ...number },
      { name: 'watts', type: 'int32', ...number },
      { name: 'rating', type: 'int32', ...number },
      { name: 'in_stock', type: 'bool', facet: true },
      { name: 'url', type: 'string' },
    ],
  })
  await shop.importDocuments(LAMPS)
  await shop.changeSettings({
    product_card: { title: 'title', url: 'url', price: 'price', category: 'room', brand: 'brand' },
  })
  await shop.putResource('rules', 'winter', {
    when: [{ query: 'winter', match: 'contains' }],
    banner: { title: 'Winter week', image: '/winter.webp', link: '/winter' },
    metadata: { theme: 'snow' },
    redirect: '/winter-lamps',
  })
  await shop.putResource('rules', 'study', {
    when: [{ contexts: ['ais-room-Study'] }],
    metadata: { theme: 'study' },
  })
  await advice.changeSchema({ fields: [{ name: 'name', ...text }] })
  await advice.importDocuments(GUIDES)
  return {
    server,
    store: lamps,
    stores: { lamps: lamps.readSecret, guides: guides.readSecret },
    allow: async (origin) => {
      for (const one of [shop, advice]) await one.changeSettings({ cors_origins: [origin] })
    },
    arrange: async (display) => {
      await shop.changeSettings({ facet_display: null })
      await shop.changeSettings({ facet_display: display })
    },
  }
}
