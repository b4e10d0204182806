import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { MysqlConnection } from '@aisle/contract'
import { until } from '@aisle/testing'
import { SourceNetworks } from '../networks.ts'
import { SourceError, type SourceFault } from '../source-error.ts'
import { databaseSkip } from '../test/database-process.ts'
import { Follower } from '../test/follower.ts'
import { MariadbServer } from '../test/mariadb-server.ts'

const SECRETS = { password: MariadbServer.password }

suite('a source in MariaDB', { skip: databaseSkip('mariadbd') }, () => {
  let server: MariadbServer

  before(async () => {
    server = await MariadbServer.start()
  })
  after(() => server[Symbol.asyncDispose]())

  function followerOf(more: object, options: object = {}): Follower {
    const { port } = server
    const base = { kind: 'mysql', host: '127.0.0.1', port, database: 'shop', user: 'shop' } as const
    const connection: MysqlConnection = { ...base, tls: 'off', ...more }
    return new Follower(connection, { secrets: SECRETS, ...options })
  }

  async function fault(follower: Follower, expected: SourceFault): Promise<string> {
    const error = await follower.readAll().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    assert.ok(error instanceof SourceError, String(error))
    assert.equal(error.fault, expected, error.message)
    assert.ok(!error.message.includes(SECRETS.password))
    return error.message
  }

  test('values of all types become JSON', async () => {
    await server.query(`CREATE TABLE types (
      id bigint unsigned PRIMARY KEY, cost decimal(24, 10), filled int(6) zerofill, ratio double,
      flag tinyint(1), tiny tinyint, one bit(1), bits bit(10), year year, name varchar(50), code char(4),
      raw varbinary(10), picture blob, article longtext, mood enum('calm', 'wild'), sizes set('s', 'm', 'l'),
      data json, at timestamp(3) NULL, local datetime(6), day date, zero datetime NULL, length time, nothing text
    ) CHARACTER SET utf8mb4`)
    await server.query(`SET time_zone = '+01:00', sql_mode = ''`)
    await server.query(`INSERT INTO types VALUES (18446744073709551615, 12345678901234.5, 42, 0.1,
      1, 7, b'1', b'1000000001', 2026, 'tab\\t"x" é 🛍', 'ab', x'00ff', x'00ff', 'long', 'wild', 's,l',
      '{"b": [1, 2.50]}', '2026-03-01 10:30:00.250', '2026-03-01 10:30:00.5', '2026-03-01',
      '0000-00-00 00:00:00', '26:00:00', NULL)`)
    const follower = followerOf({ table: 'types' })
    await follower.readAll()
    const [[id, row] = []] = [...follower.documents]
    assert.equal(id, '18446744073709551615')
    assert.deepEqual(row, {
      cost: 12345678901234.5,
      filled: 42,
      ratio: 0.1,
      flag: true,
      tiny: 7,
      one: true,
      bits: 513,
      year: 2026,
      name: 'tab\t"x" é 🛍',
      code: 'ab',
      raw: 'AP8=',
      picture: 'AP8=',
      article: 'long',
      mood: 'wild',
      sizes: ['s', 'l'],
      data: { b: [1, 2.5] },
      at: '2026-03-01T09:30:00.250Z',
      local: '2026-03-01T10:30:00.500000Z',
      day: '2026-03-01',
      zero: null,
      length: '26:00:00',
      nothing: null,
    })
  })

  test('changed and deleted rows are followed, also those of transactions that began earlier', async () => {
    await server.query(`CREATE TABLE products (id int PRIMARY KEY, name text, updated_at timestamp NOT NULL
      DEFAULT current_timestamp ON UPDATE current_timestamp, KEY (updated_at))`)
    await server.query(
      `CREATE TABLE deleted (id int, deleted_at timestamp DEFAULT current_timestamp)`,
    )
    await server.query(`INSERT INTO products VALUES (1, 'a', '2020-01-01'), (2, 'b', '2020-01-02')`)
    const follow = {
      by: 'updated_at',
      column: 'updated_at',
      tombstones: 'SELECT id, deleted_at FROM deleted;',
    }
    const query = 'SELECT id, name, updated_at FROM products; -- all'.replace('; -- all', '')
    const follower = followerOf({ query, follow: { ...follow, overlap_seconds: 5 } })
    await follower.readAll()
    assert.equal(follower.documents.size, 2)
    await follower.start()
    for (const name of ['new', 'newer', 'newest']) {
      // Several changes within the same second have the same time.
      await server.query(`UPDATE products SET name = ? WHERE id = 1`, [name])
      await until(name, () => (follower.documents.get('1') as { name: string }).name === name)
    }
    await server.query(`INSERT INTO products (id, name) VALUES (3, 'c')`)
    await server.query(`DELETE FROM products WHERE id = 2`)
    await server.query(`INSERT INTO deleted (id) VALUES (2)`)
    await until('the new row', () => follower.documents.has('3'))
    await until('the deletion', () => !follower.documents.has('2'))
    await follower.stop()
    await server.query(`UPDATE products SET name = 'meanwhile' WHERE id = 3`)
    await follower.start()
    const meanwhile = (): boolean =>
      (follower.documents.get('3') as { name: string }).name === 'meanwhile'
    await until('a change while nobody followed', meanwhile)
    await follower.stop()
  })

  test('a server that is killed is an error, after which the position continues', async () => {
    await server.query(`CREATE TABLE killed (id int PRIMARY KEY, updated_at timestamp(6) NOT NULL
      DEFAULT current_timestamp(6))`)
    const follower = followerOf({
      table: 'killed',
      follow: { by: 'updated_at', column: 'updated_at' },
    })
    await follower.readAll()
    await follower.start()
    await server.query(`INSERT INTO killed (id) VALUES (1)`)
    await until('the row', () => follower.documents.has('1'))
    await server.kill()
    const error = await follower.ended
    assert.ok(error instanceof SourceError && error.fault === 'unreachable', String(error))
    await server.restart()
    await server.query('USE shop')
    await follower.start()
    await server.query(`INSERT INTO killed (id) VALUES (2)`)
    await until('the next row', () => follower.documents.has('2'))
    await follower.stop()
  })

  test('faults are told in words, without secrets', async () => {
    await fault(followerOf({ table: 'types' }, { secrets: { password: 'wrong' } }), 'unauthorized')
    assert.match(await fault(followerOf({ table: 'absent' }), 'unreadable'), /absent/)
    await fault(followerOf({ table: 'mysql.user' }), 'unauthorized')
    await fault(followerOf({ query: 'SELECT 1 AS id; DROP TABLE types' }), 'unreadable')
    await fault(followerOf({ query: 'SELECT 1 AS a' }), 'unreadable')
    const slow = { query: `SELECT sleep(60) AS id`, statement_timeout_seconds: 1 }
    await fault(followerOf(slow), 'too_large')
    const closed = followerOf({ table: 'types' }, { networks: new SourceNetworks() })
    assert.match(await fault(closed, 'forbidden_address'), /--source-networks/)
    await fault(followerOf({ table: 'types', port: 1 }), 'unreachable')
    await fault(followerOf({ table: 'types', tls: 'require' }), 'unreachable')
  })
})
