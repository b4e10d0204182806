import type { AppDependencies } from '../packages/server/src/app.ts'
import { buildApp } from '../packages/server/src/app.ts'

/** The text of docs/openapi.json: what `/openapi.json` answers, laid out for people. */
export async function openApiText(version: string): Promise<string> {
  type Inert = AppDependencies['writer'] &
    AppDependencies['reader'] &
    AppDependencies['events'] &
    AppDependencies['snapshots']
  const inert = new Proxy({} as Inert, {
    get: () => () => {
      throw new Error('Describing the API reads and writes nothing')
    },
  })
  await using app = buildApp({
    resources: { get: () => undefined, list: () => [] },
    registry: {
      find: () => undefined,
      list: () => [],
      statistics: () => ({
        docCount: 0,
        indexBytes: 0,
        documentBytes: 0,
        segmentCount: 0,
        language: 'en',
      }),
    },
    reader: inert,
    writer: inert,
    snapshots: inert,
    backend: { view: () => undefined },
    clock: { now: () => 0 },
    events: inert,
    addressKey: '',
    adminTokenDigest: '',
    health: () => ({ ok: true, starting: [] }),
    options: { rateLimitPerSecond: 0, trustProxy: false, logger: false, processMetrics: false },
    version,
  })
  const answer = await app.inject('/openapi.json')
  return `${JSON.stringify(answer.json(), null, 2)}\n`
}
