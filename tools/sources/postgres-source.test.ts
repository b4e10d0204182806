import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { PutSourceRequest } from '@aisle/contract'
import { databaseSkip, PostgresServer } from '@aisle/sources/test'
import { until, type SeededRandom } from '@aisle/testing'
import { FollowedShop } from './followed-shop.ts'
import { changeAndKill, CHANGES, IS_CAMPAIGN, sameDocuments } from './random-changes.ts'

const LATENCIES = Math.min(200, CHANGES / 4)
const FOUND_MS_MAX = 2_000
const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', facet: true, sort: true },
  { name: 'tags', type: 'string[]', facet: true },
  { name: 'description', type: 'string' },
]

suite('A source in PostgreSQL, followed', { skip: databaseSkip('postgres') }, () => {
  let database: PostgresServer
  let shop: FollowedShop

  before(async () => {
    database = await PostgresServer.start()
    await database.query(`CREATE TABLE products (id int PRIMARY KEY, title text NOT NULL,
      price numeric(10, 2), tags text[] NOT NULL DEFAULT '{}', description text)`)
    await database.query(`INSERT INTO products (id, title, price)
      SELECT n, 'tent ' || n, n FROM generate_series(1, 500) AS n`)
    shop = await FollowedShop.start(FIELDS)
  })
  after(async () => {
    await shop[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  const request = (): PutSourceRequest => ({
    connection: {
      kind: 'postgres',
      host: '127.0.0.1',
      port: database.port,
      database: 'postgres',
      user: 'owner',
      tls: 'off',
      table: 'products',
      follow: { by: 'replication' },
    },
    secrets: { password: PostgresServer.password },
    deletions: 'remove_missing',
    max_removed_share: 1,
  })

  /** The table as documents. */
  async function table(): Promise<Map<string, unknown>> {
    const { rows } = await database.query(
      `SELECT id::text, json_build_object('title', title, 'price', price,
        'tags', tags, 'description', description) AS data FROM products`,
    )
    return new Map((rows as { id: string; data: unknown }[]).map(({ id, data }) => [id, data]))
  }

  const sameAsTable = (): Promise<void> => sameDocuments(shop, table)

  test('is copied, and every commit is found soon', async (t) => {
    const run = await shop.connect(request())
    assert.equal(run.state, 'done', run.error ?? '')
    assert.equal(run.added, 500)
    const followed = async (): Promise<boolean> => (await shop.source()).following !== undefined
    await until('it is followed', followed)
    const latencies: number[] = []
    // The first change waits until the follower has started.
    for (let i = -1; i < LATENCIES; i++) {
      const title = `unique${i + 1}word`
      await database.query('UPDATE products SET title = $1 WHERE id = $2', [title, i + 2])
      const committedMs = performance.now()
      const isFound = async (): Promise<boolean> =>
        (await shop.client.search(shop.keys, { q: title, typo_max: 0 })).found === 1
      await until(`"${title}" is found`, isFound)
      if (i >= 0) latencies.push(performance.now() - committedMs)
    }
    latencies.sort((a, b) => a - b)
    const at = (share: number): number =>
      Math.round(latencies[Math.ceil(share * latencies.length) - 1]!)
    t.diagnostic(`found after: median ${at(0.5)} ms, p99 ${at(0.99)} ms, of ${latencies.length}`)
    // Beside other tests the time says how busy the machine is.
    if (IS_CAMPAIGN) assert.ok(at(0.99) < FOUND_MS_MAX, `p99 ${at(0.99)} ms`)
  })

  test('loses and doubles nothing when either side is killed during random changes', async (t) => {
    const what = await changeAndKill(shop, database, (random) => changeAtRandom(database, random))
    await sameAsTable()
    const { size } = await table()
    const { following } = await until('its documents are counted', async () => {
      const source = await shop.source()
      return source.documents === size && source
    })
    t.diagnostic(`${what}: ${JSON.stringify(following)}`)
    const again = await shop.run()
    assert.deepEqual([again.state, again.added, again.changed, again.removed], ['done', 0, 0, 0])
  })

  test('a run beside changes, a truncated table and another column end with the same documents', async () => {
    const running = shop.run()
    for (let i = 0; i < 50; i++) {
      await database.query(`UPDATE products SET price = price + 1 WHERE id % 50 = $1`, [i])
    }
    assert.equal((await running).state, 'done')
    await sameAsTable()
    await database.query('ALTER TABLE products ADD COLUMN stock int DEFAULT 3')
    await database.query(
      `UPDATE products SET title = 'with stock' WHERE id = (SELECT min(id) FROM products)`,
    )
    await sameAsTable()
    await database.query('TRUNCATE products')
    await database.query(`INSERT INTO products (id, title) VALUES (1, 'the only one')`)
    await sameAsTable()
  })

  test('a deleted source leaves no slot in the database', async () => {
    await shop.call('DELETE', 'db')
    const { rows } = await database.query('SELECT slot_name FROM pg_replication_slots')
    assert.deepEqual(rows, [])
  })

  test('nor if a run makes one while the source is deleted', async () => {
    const other = await database.connect()
    await other.query('BEGIN')
    await other.query('LOCK TABLE products IN ACCESS EXCLUSIVE MODE')
    await shop.call('PUT', 'db', request())
    await shop.call('POST', 'db/runs', {})
    const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'products'::regclass`
    await until('the run waits for the table', async () => {
      return (await database.query(waits)).rowCount === 1
    })
    await shop.call('DELETE', 'db')
    await other.query('COMMIT')
    await other.end()
    const left = `SELECT slot_name FROM pg_replication_slots
      UNION SELECT pubname FROM pg_publication
      UNION SELECT query FROM pg_stat_activity WHERE application_name = 'aisle-source'`
    await until('nothing is left', async () => (await database.query(left)).rowCount === 0)
  })
})

/** One transaction: rows that appear, change, move to another id and go. Some are rolled back. */
async function changeAtRandom(database: PostgresServer, random: SeededRandom): Promise<void> {
  const id = (): number => 1 + random.below(600)
  await database.query('BEGIN')
  for (let statement = random.below(3); statement >= 0; statement--) {
    switch (random.below(6)) {
      case 0:
        await database.query('DELETE FROM products WHERE id = $1', [id()])
        break
      case 1:
        await database.query(
          `UPDATE products SET id = $2 WHERE id = $1 AND NOT EXISTS (SELECT FROM products WHERE id = $2)`,
          [id(), id()],
        )
        break
      case 2:
        // A long value is stored apart, and not sent with changes of other columns.
        await database.query(
          `UPDATE products SET description = repeat(md5(random()::text), 200) WHERE id = $1`,
          [id()],
        )
        break
      default:
        await database.query(
          `INSERT INTO products (id, title, price, tags) VALUES ($1, $2, $3, $4)
           ON CONFLICT (id) DO UPDATE SET title = excluded.title, price = excluded.price, tags = excluded.tags`,
          [
            id(),
            `tent ${random.below(1_000)}`,
            random.below(100_000) / 100,
            ['a', `b"${random.below(9)}`],
          ],
        )
    }
  }
  await database.query(random.below(10) === 0 ? 'ROLLBACK' : 'COMMIT')
}
