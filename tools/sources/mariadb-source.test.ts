import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { PutSourceRequest } from '@aisle/contract'
import { databaseSkip, MariadbServer } from '@aisle/sources/test'
import { until, type SeededRandom } from '@aisle/testing'
import { FollowedShop } from './followed-shop.ts'
import { changeAndKill, sameDocuments } from './random-changes.ts'

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'price', type: 'float', facet: true, sort: true },
]
const SOURCE = (port: number): PutSourceRequest => ({
  connection: {
    kind: 'mysql',
    host: '127.0.0.1',
    port,
    database: 'shop',
    user: 'shop',
    tls: 'off',
    query: 'SELECT id, title, price, updated_at FROM products',
    follow: {
      by: 'updated_at',
      column: 'updated_at',
      tombstones: 'SELECT id, deleted_at FROM gone',
    },
  },
  mapping: { updated_at: '' },
  secrets: { password: MariadbServer.password },
  deletions: 'remove_missing',
  max_removed_share: 1,
})

suite('A source in MariaDB, followed', { skip: databaseSkip('mariadbd') }, () => {
  let database: MariadbServer
  let shop: FollowedShop

  before(async () => {
    database = await MariadbServer.start()
    for (const statement of [
      `CREATE TABLE products (id int PRIMARY KEY, title varchar(100) NOT NULL, price double,
        updated_at timestamp(6) NOT NULL DEFAULT current_timestamp(6)
          ON UPDATE current_timestamp(6), KEY (updated_at))`,
      `CREATE TABLE gone (id int NOT NULL,
        deleted_at timestamp(6) NOT NULL DEFAULT current_timestamp(6), KEY (deleted_at))`,
      `CREATE TRIGGER products_gone AFTER DELETE ON products
        FOR EACH ROW INSERT INTO gone (id) VALUES (OLD.id)`,
      `CREATE TRIGGER products_moved AFTER UPDATE ON products
        FOR EACH ROW INSERT INTO gone (id) SELECT OLD.id FROM dual WHERE OLD.id <> NEW.id`,
      `INSERT INTO products (id, title, price)
        SELECT seq, concat('tent ', seq), seq FROM seq_1_to_500`,
    ]) {
      await database.query(statement)
    }
    shop = await FollowedShop.start(FIELDS)
  })
  after(async () => {
    await shop[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  /** The table as documents. */
  async function table(): Promise<Map<string, unknown>> {
    const rows = (await database.query('SELECT id, title, price FROM shop.products')) as {
      id: number
      title: string
      price: number | null
    }[]
    return new Map(rows.map(({ id, ...data }) => [`${id}`, data]))
  }

  test('loses and doubles nothing when either side is killed during random changes', async (t) => {
    const first = await shop.connect(SOURCE(database.port))
    assert.deepEqual([first.state, first.added], ['done', 500], first.error ?? '')
    const change = (random: SeededRandom): Promise<void> => changeAtRandom(database, random)
    const what = await changeAndKill(shop, database, change)
    await sameDocuments(shop, table)
    const { size } = await table()
    const { following } = await until('its documents are counted', async () => {
      const source = await shop.source()
      return source.documents === size && source
    })
    t.diagnostic(`${what}: ${JSON.stringify(following)}`)
    const again = await shop.run()
    assert.deepEqual([again.state, again.added, again.changed, again.removed], ['done', 0, 0, 0])
  })
})

/** One transaction: rows that appear, change, move to another id and go. Some are rolled back. */
async function changeAtRandom(database: MariadbServer, random: SeededRandom): Promise<void> {
  const id = (): number => 1 + random.below(600)
  await database.query('START TRANSACTION')
  for (let statement = random.below(3); statement >= 0; statement--) {
    switch (random.below(5)) {
      case 0:
        await database.query('DELETE FROM shop.products WHERE id = ?', [id()])
        break
      case 1:
        // Where there is a row with that id, nothing moves.
        await database.query('UPDATE IGNORE shop.products SET id = ? WHERE id = ?', [id(), id()])
        break
      default:
        await database.query(
          `INSERT INTO shop.products (id, title, price) VALUES (?, ?, ?)
            ON DUPLICATE KEY UPDATE title = VALUES(title), price = VALUES(price)`,
          [id(), `tent ${random.below(1_000)}`, random.below(100_000) / 100],
        )
    }
  }
  await database.query(random.below(10) === 0 ? 'ROLLBACK' : 'COMMIT')
}
