import { openReader, SourceNetworks } from '@aisle/sources'
import { PostgresServer } from '@aisle/sources/test'
import { until } from '@aisle/testing'
import { FollowedShop } from '../../tools/sources/followed-shop.ts'

/** A table of PostgreSQL as a source: its first copy, and changes that are followed. */
export interface DatabaseReport {
  readonly rows: number
  readonly megabytes: number
  /** The reader alone: the table as rows of documents. */
  readonly readSeconds: number
  /** A run of the service: read, compared, written and searchable. */
  readonly runSeconds: number
  /** All rows changed in one transaction, until the last one is found. */
  readonly followSeconds: number
  /** Milliseconds from the commit of one row until it is found: median and 99 of 100. */
  readonly foundMs: readonly [number, number]
}

const SINGLE_CHANGES = 200
const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', facet: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'tags', type: 'string[]', facet: true },
  { name: 'description', type: 'string', searchable: true },
]
const TABLE = `CREATE TABLE products (id bigint PRIMARY KEY, title text, brand text,
  price numeric(10, 2), tags text[], description text, updated_at timestamptz DEFAULT now())`
const ROWS = `INSERT INTO products SELECT n, 'product ' || n, 'brand ' || n % 500,
  (n % 10000) / 100.0, ARRAY['tag ' || n % 50, 'tag ' || n % 7],
  repeat('light, stable and quickly put up for two ' || n % 1000 || ' people ', 8), now()
  FROM generate_series(1, $1::int) AS n`

export async function databaseLevel(rows: number): Promise<DatabaseReport> {
  await using database = await PostgresServer.start()
  await database.query(TABLE)
  await database.query(ROWS, [rows])
  await using shop = await FollowedShop.start(FIELDS)
  const connection = {
    kind: 'postgres',
    host: '127.0.0.1',
    port: database.port,
    database: 'postgres',
    user: 'owner',
    tls: 'off',
    table: 'products',
    follow: { by: 'replication' },
  } as const
  const secrets = { password: PostgresServer.password }

  const options = { secrets, idColumn: 'id', owner: 'bench', isTrial: true }
  const networks = new SourceNetworks(['127.0.0.1'])
  const reader = await openReader(connection, { ...options, networks })
  let bytes = 0
  const readSeconds = await seconds(async () => {
    for await (const batch of reader.readAll(new AbortController().signal)) {
      if (batch.kind === 'rows') bytes += batch.bytes ?? 0
    }
  })
  await reader.close()

  const runSeconds = await seconds(async () => {
    const run = await shop.connect({ connection, secrets, deletions: 'remove_missing' })
    if (run.added !== rows) throw new Error(`The run added ${run.added} of ${rows} rows`)
  })
  const found = (q: string): Promise<boolean> =>
    shop.client.search(shop.keys, { q, typo_max: 0 }).then((answer) => answer.found > 0)
  // The follower starts.
  await database.query(`UPDATE products SET title = 'started' WHERE id = 1`)
  await until('the first change', () => found('started'))

  const single: number[] = []
  for (let i = 0; i < SINGLE_CHANGES; i++) {
    await database.query(`UPDATE products SET title = 'single${i}word' WHERE id = ${i + 1}`)
    single.push(1_000 * (await seconds(() => until('a change', () => found(`single${i}word`)))))
  }
  single.sort((a, b) => a - b)

  const followSeconds = await seconds(async () => {
    await database.query(`UPDATE products SET title = 'last' || id || 'word'`)
    await until('the last row', () => found(`last${rows}word`), { timeoutMs: 3_600_000 })
    const following = async (): Promise<boolean> =>
      ((await shop.source()).following?.changed ?? 0) >= rows
    await until('all rows', following, { timeoutMs: 3_600_000, pauseMs: 50 })
  })
  const at = (share: number): number => Math.round(single[Math.ceil(share * single.length) - 1]!)
  return {
    rows,
    megabytes: Math.round(bytes / 1e6),
    readSeconds,
    runSeconds,
    followSeconds,
    foundMs: [at(0.5), at(0.99)],
  }
}

export function databaseText(report: DatabaseReport): string {
  const { rows, megabytes, readSeconds, runSeconds, followSeconds, foundMs } = report
  const rate = (duration: number): string => {
    const perSecond = Math.round(rows / duration).toLocaleString('en-US')
    return `${duration.toFixed(1)} s, ${perSecond} rows/s`
  }
  return [
    `A table of PostgreSQL with ${rows.toLocaleString('en-US')} rows, ${megabytes} MB`,
    `read by COPY            ${rate(readSeconds)}`,
    `first run of a source   ${rate(runSeconds)}`,
    `all rows changed        ${rate(followSeconds)}`,
    `one row changed, found  median ${foundMs[0]} ms, p99 ${foundMs[1]} ms`,
    '',
  ].join('\n')
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return (performance.now() - startMs) / 1_000
}
