import type { AppDependencies } from '../packages/server/src/app.ts'
import { buildApp } from '../packages/server/src/app.ts'

interface AccessDocument {
  readonly paths: Record<
    string,
    Record<
      string,
      {
        readonly operationId: string
        readonly 'x-access': {
          readonly class: string
          readonly role?: string
          readonly audited: boolean
        }
      }
    >
  >
}

/** The page docs/access.md with its table of operations regenerated. */
export function accessPage(page: string, openApi: string): string {
  const { paths } = JSON.parse(openApi) as AccessDocument
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, 'x-access': access }]) => {
      const { class: of, role = '', audited } = access
      return `| \`${operationId}\` | ${method.toUpperCase()} \`${path}\` | ${of} | ${role} | ${audited ? 'yes' : ''} |`
    }),
  )
  const table = ['| operation | route | class | role | audited |', '|---|---|---|---|---|', ...rows]
  return page.replace(
    /(<!-- operations -->\n)[^]*(<!-- \/operations -->)/,
    (_, start: string, end: string) => `${start}\n${table.join('\n')}\n\n${end}`,
  )
}

/** The text of docs/openapi.json: the answer of `/openapi.json`, formatted for people. */
export async function openApiText(version: string): Promise<string> {
  type Inert = AppDependencies['writer'] &
    AppDependencies['reader'] &
    AppDependencies['events'] &
    AppDependencies['access'] &
    AppDependencies['directory'] &
    AppDependencies['audit'] &
    AppDependencies['snapshots'] &
    AppDependencies['activity'] &
    AppDependencies['answers'] &
    AppDependencies['usage'] &
    AppDependencies['reports']
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
    snapshots: inert,
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
    addressKey: '',
    health: () => ({ ok: true, starting: [] }),
    options: { trustProxy: false, logger: false, processMetrics: false },
    version,
  })
  const answer = await app.inject('/openapi.json')
  return `${JSON.stringify(answer.json(), null, 2)}\n`
}
