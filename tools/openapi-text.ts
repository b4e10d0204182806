import { buildApp, type AppDependencies } from '../packages/server/src/app.ts'
import { readSource } from './lib/source-files.ts'

/** The answer of `/openapi.json` in this version, formatted for people. Starts no service. */
export async function openApiText(): Promise<string> {
  const { version } = JSON.parse(readSource('package.json').text) as { version: string }
  type Inert = AppDependencies['writer'] &
    AppDependencies['reader'] &
    AppDependencies['events'] &
    AppDependencies['access'] &
    AppDependencies['directory'] &
    AppDependencies['audit'] &
    AppDependencies['snapshots'] &
    AppDependencies['edits'] &
    AppDependencies['activity'] &
    AppDependencies['snapshotReader'] &
    AppDependencies['answers'] &
    AppDependencies['usage'] &
    AppDependencies['reports'] &
    AppDependencies['embedders'] &
    AppDependencies['queryVectors'] &
    AppDependencies['sources']
  const inert = new Proxy({} as Inert, {
    get: () => () => {
      throw new Error('Describing the API reads and writes nothing')
    },
  })
  await using app = buildApp({
    resources: { of: () => ({ get: () => undefined, list: () => [] }) },
    registry: {
      find: () => undefined,
      list: () => [],
      statistics: () => ({
        docCount: 0,
        indexBytes: 0,
        diskBytes: 0,
        documentBytes: 0,
        segmentCount: 0,
        language: 'en',
      }),
    },
    reader: inert,
    writer: inert,
    edits: inert,
    snapshots: inert,
    snapshotReader: inert,
    activity: inert,
    access: inert,
    directory: inert,
    audit: inert,
    backend: { view: () => undefined },
    clock: { now: () => 0 },
    events: inert,
    answers: inert,
    usage: inert,
    suggestions: { of: () => Promise.resolve(undefined), popularity: () => undefined },
    reports: inert,
    embedders: inert,
    queryVectors: inert,
    sources: inert,
    addressKey: '',
    health: () => ({ ok: true, starting: [] }),
    options: { trustProxy: false, logger: false, processMetrics: false },
    version,
  })
  const answer = await app.inject('/openapi.json')
  return `${JSON.stringify(answer.json(), null, 2)}\n`
}
