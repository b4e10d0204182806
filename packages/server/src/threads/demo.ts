import { DEMO_RULES, DEMO_SETTINGS, demoCatalog } from '../demo/demo-catalog.ts'
import { DEMO_STORE_ID, DEMO_STORE_NAME } from '../services/store/demo-store.ts'
import { versionResource } from '../services/store/store-settings.ts'
import type { Service } from './service.ts'

const DEMO_STATE = 'demo'
const BATCH_DOCUMENTS = 500

/**
 * Loads the demo shop into a data folder that has never been used, or finishes an interrupted load.
 * @returns the write secret if the store was created now
 */
export async function loadDemo(service: Service): Promise<string | undefined> {
  const state = service.settings.get(DEMO_STATE)
  const stores = service.documents.stores()
  if (state === 'loaded' || (state === undefined && stores.length > 0)) return undefined
  if (stores.some((store) => store.storeId === DEMO_STORE_ID)) {
    await service.writer.deleteStore(DEMO_STORE_ID)
  }
  await service.settings.set(DEMO_STATE, 'loading')
  const { schema, documents } = demoCatalog()
  const { writer } = service
  const { writeSecret } = await writer.createStore({ name: DEMO_STORE_NAME, id: DEMO_STORE_ID })
  await writer.changeSchema(DEMO_STORE_ID, 'additive', schema.fields)
  const changedAt = new Date().toISOString()
  const settings = versionResource({ version: 1, changedAt, settings: DEMO_SETTINGS })
  const rules = Object.entries(DEMO_RULES).map(([name, rule]) => ({
    kind: 'rule' as const,
    name,
    json: JSON.stringify({ enabled: true, priority: 0, ...rule }),
  }))
  await writer.changeResources(DEMO_STORE_ID, { puts: [settings, ...rules], removes: [] })
  for (let i = 0; i < documents.length; i += BATCH_DOCUMENTS) {
    const writes = documents.slice(i, i + BATCH_DOCUMENTS).map(({ id, data }) => ({
      id,
      action: 'upsert' as const,
      json: Buffer.from(JSON.stringify(data)),
    }))
    await writer.writeDocuments(DEMO_STORE_ID, writes)
  }
  await service.settings.set(DEMO_STATE, 'loaded')
  return writeSecret
}

/** The fields worth showing to a person; the pictures of the demo shop are long data URIs. */
const SHOWN_FIELDS = ['title', 'brand', 'price']

/** The address of the service for a person on this machine. */
export function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Requests to paste for the demo store; none if it was deleted. */
export function demoTour(service: Service, host: string): string[] {
  const store = service.documents.stores().find((row) => row.storeId === DEMO_STORE_ID)
  if (store === undefined) return []
  const url = `${addressOf(host, service.port)}/v1/search`
  const curl = (body: object): string =>
    `curl -s ${url} -H 'x-storeid: ${DEMO_STORE_ID}' -H 'x-storesecret: ${store.readSecret}' -H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  return [
    'Search:',
    curl({ q: 'tent', per_page: 3, return_fields: SHOWN_FIELDS }),
    'Filter and facets:',
    curl({
      q: 'jacket',
      filter_by: 'price:<200 && in_stock:true',
      facet_by: 'brand,color',
      per_page: 3,
      return_fields: SHOWN_FIELDS,
    }),
    'The cheapest tents (without products that only mention one):',
    curl({ q: 'tent', sort_by: 'price:asc', per_page: 3, return_fields: SHOWN_FIELDS }),
    'A misspelt word:',
    curl({ q: 'sleping bag', per_page: 3, return_fields: SHOWN_FIELDS }),
  ]
}
