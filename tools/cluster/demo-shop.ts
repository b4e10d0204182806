import { until } from '@aisle/testing'
import { DEMO_SETTINGS, demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'

const STORE = 'demo'

export interface DemoKeys {
  readonly readSecret: string
  readonly writeSecret: string
}

/** Loads the demo shop through the API, like a shop. */
export async function loadDemoShop(url: string, adminToken: string): Promise<DemoKeys> {
  const created = (await ask(`${url}/api/v1/admin/stores`, 'POST', {
    headers: { authorization: `Bearer ${adminToken}` },
    body: { name: 'Demo shop', id: STORE },
  })) as { read_secret: string; write_secret: string }
  const headers = { 'x-storeid': STORE, 'x-store-write-secret': created.write_secret }
  const { schema, documents } = demoCatalog()
  const store = `${url}/api/v1/stores/${STORE}`
  // Other nodes know a store, and its schema, within a second.
  await until('the store', () =>
    ask(`${store}/schema`, 'POST', { headers, body: { fields: schema.fields } }).catch(() => false),
  )
  await until('the schema', () =>
    ask(`${store}/documents/bulk`, 'POST', {
      headers,
      body: { documents: documents.map(({ id, data }) => ({ id, data })) },
    }).catch(() => false),
  )
  await ask(`${store}/settings`, 'PATCH', { headers, body: DEMO_SETTINGS })
  return { readSecret: created.read_secret, writeSecret: created.write_secret }
}

async function ask(
  url: string,
  method: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: object },
): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
