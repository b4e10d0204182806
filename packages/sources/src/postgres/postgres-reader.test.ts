import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { PostgresConnection } from '@aisle/contract'
import { until } from '@aisle/testing'
import { SourceNetworks } from '../networks.ts'
import { SourceError, type SourceFault } from '../source-error.ts'
import { databaseSkip } from '../test/database-process.ts'
import { Follower } from '../test/follower.ts'
import { PostgresServer } from '../test/postgres-server.ts'

const ROLE = 'catalog'
const SECRETS = { password: 'the-secret-of-the-role' }

suite('a source in PostgreSQL', { skip: databaseSkip('postgres') }, () => {
  let server: PostgresServer
  let tables = 0

  before(async () => {
    server = await PostgresServer.start(['max_slot_wal_keep_size=64MB'])
    await server.query(`CREATE ROLE ${ROLE} LOGIN REPLICATION PASSWORD '${SECRETS.password}'`)
    await server.query(`CREATE EXTENSION IF NOT EXISTS citext`).catch(() => undefined)
  })
  after(() => server[Symbol.asyncDispose]())

  /** A table with a publication, readable by the role. */
  async function makeTable(columns: string, settings = ''): Promise<string> {
    const table = `products_${++tables}`
    await server.query(`CREATE TABLE ${table} (${columns})`)
    if (settings !== '') await server.query(`ALTER TABLE ${table} ${settings}`)
    await server.query(`GRANT SELECT ON ${table} TO ${ROLE}`)
    await server.query(`CREATE PUBLICATION ${table} FOR TABLE ${table}`)
    return table
  }

  function connectionTo(table: string, more: object = {}): PostgresConnection {
    const { port } = server
    const follow = { by: 'replication', publication: table } as const
    const base = { kind: 'postgres', host: '127.0.0.1', port, database: 'postgres' } as const
    return { ...base, user: ROLE, tls: 'off', table, follow, ...more }
  }

  function followerOf(table: string, more: object = {}): Follower {
    return new Follower(connectionTo(table, more), { secrets: SECRETS, owner: table })
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

  test('values of all types are the same in the first copy, in changes and in rows read again', async () => {
    await server.query(`CREATE TYPE mood AS ENUM ('calm', 'wild')`)
    await server.query(`CREATE DOMAIN price AS numeric(12, 2)`)
    const table = await makeTable(
      `id bigint PRIMARY KEY, big numeric, cost price, small int2, ratio float8, sold boolean,
       name text, code char(4), tags text[], matrix int[], prices numeric[], moods mood[],
       raw bytea, data jsonb, plain json, at timestamptz, local timestamp, day date,
       key uuid, mood mood, spot point, length interval, nothing text, long text`,
    )
    const values = `12345678901234567890.123456789, 12.50, -3, 0.1, true, E'tab\\there "x" \\\\ line\\nend é 🛍',
      'ab', ARRAY['a,b', NULL, 'NULL', 'q"\\{}', ''], '{{1,2},{3,4}}', '{1.50,NaN}', '{wild}',
      '\\x00ff', '{"b": [1, 2.50], "a": null}', E'{"n":\\n12345678901234567890}',
      '2026-03-01 10:30:00.25+01', '2026-03-01 10:30:00', '2026-03-01',
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'calm', '(1,2)', '1 day 02:00:00', NULL, repeat(md5('x'), 4000)`
    await server.query(`INSERT INTO ${table} VALUES (1, ${values})`)
    const follower = followerOf(table)
    await follower.readAll()
    await follower.start()
    await server.query(`INSERT INTO ${table} VALUES (2, ${values})`)
    await server.query(`INSERT INTO ${table} VALUES (3, ${values})`)
    // The long value is stored apart, and is not sent again.
    await server.query(`UPDATE ${table} SET long = md5(random()::text) WHERE id = 9`)
    await server.query(`UPDATE ${table} SET small = -3 WHERE id = 3`)
    await server.query(`INSERT INTO ${table} (id) VALUES (4)`)
    await until('the last row', () => follower.documents.has('4'))
    await follower.stop()
    const first = follower.documents.get('1')
    assert.deepEqual(follower.documents.get('2'), first)
    assert.deepEqual(follower.documents.get('3'), first)
    const { long, big, ...rest } = first as Record<string, unknown>
    assert.equal((long as string).length, 128_000)
    assert.equal(big, 12345678901234567890.123456789)
    assert.deepEqual(rest, {
      cost: 12.5,
      small: -3,
      ratio: 0.1,
      sold: true,
      name: 'tab\there "x" \\ line\nend é 🛍',
      code: 'ab  ',
      tags: ['a,b', null, 'NULL', 'q"\\{}', ''],
      matrix: [
        [1, 2],
        [3, 4],
      ],
      prices: [1.5, null],
      moods: ['wild'],
      raw: 'AP8=',
      data: { a: null, b: [1, 2.5] },
      plain: { n: 12345678901234567890 },
      at: '2026-03-01T09:30:00.25Z',
      local: '2026-03-01T10:30:00Z',
      day: '2026-03-01',
      key: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
      mood: 'calm',
      spot: '(1,2)',
      length: 'P1DT2H',
      nothing: null,
    })
  })

  test('changes are followed: inserts, updates, deletes, other ids, rolled back and large transactions', async () => {
    const table = await makeTable('id int PRIMARY KEY, name text, long text')
    await server.query(
      `INSERT INTO ${table} SELECT n, 'n' || n, repeat(md5(n::text), 4000) FROM generate_series(1, 20) AS n`,
    )
    const follower = followerOf(table)
    await follower.readAll()
    assert.equal(follower.documents.size, 20)
    await follower.start()
    await server.query(`DELETE FROM ${table} WHERE id = 1`)
    await server.query(`UPDATE ${table} SET id = 102 WHERE id = 2`)
    await server.query(`UPDATE ${table} SET name = 'new' WHERE id = 3`)
    await server.query('BEGIN')
    await server.query(`DELETE FROM ${table}`)
    await server.query('ROLLBACK')
    await server.query(
      `INSERT INTO ${table} SELECT n, 'large' FROM generate_series(1000, 6999) AS n`,
    )
    await until('all rows', () => follower.documents.size === 6_019)
    await follower.stop()
    assert.ok(!follower.documents.has('1') && !follower.documents.has('2'))
    const [moved, changed] = ['102', '3'].map((id) => follower.documents.get(id))
    assert.equal((moved as { long: string }).long.length, 128_000)
    assert.deepEqual({ ...(changed as object), long: '' }, { name: 'new', long: '' })
    const large = follower.batches.filter(({ changes }) => changes.length >= 1_000)
    assert.ok(large.length >= 5, 'a transaction is passed on in parts')
    const positions = new Set(large.slice(0, 5).map(({ position }) => position))
    assert.equal(positions.size, 1, 'within a transaction its beginning is the position')
  })

  test('with a full replica identity long values need no second look', async () => {
    const table = await makeTable('id int, name text, long text', 'REPLICA IDENTITY FULL')
    await server.query(`INSERT INTO ${table} VALUES (1, 'a', repeat(md5('1'), 4000))`)
    const follower = followerOf(table)
    await follower.readAll()
    await follower.start()
    await server.query(`UPDATE ${table} SET name = 'b'`)
    await until('the change', () => follower.batches.length > 0)
    await server.query(`UPDATE ${table} SET id = 2`)
    await until('the other id', () => follower.documents.has('2'))
    await follower.stop()
    assert.equal(follower.documents.size, 1)
    assert.equal((follower.documents.get('2') as { long: string }).long.length, 128_000)
  })

  test('changes made while nobody follows arrive afterwards, and acknowledged ones do not again', async () => {
    const table = await makeTable('id int PRIMARY KEY, name text')
    const follower = followerOf(table)
    await follower.readAll()
    await follower.start()
    await server.query(`INSERT INTO ${table} VALUES (1, 'a')`)
    await until('the row', () => follower.documents.size === 1)
    await follower.stop()
    await server.query(`INSERT INTO ${table} VALUES (2, 'b')`)
    follower.batches.length = 0
    await follower.start()
    await until('the other row', () => follower.documents.size === 2)
    await follower.stop()
    assert.deepEqual(
      follower.batches.flatMap(({ changes }) => changes.length),
      [1],
    )
  })

  test('a renamed table is followed; other columns and TRUNCATE ask for a new copy', async () => {
    const table = await makeTable('id int PRIMARY KEY, name text, long text')
    await server.query(`INSERT INTO ${table} VALUES (1, 'a', repeat(md5('1'), 4000))`)
    const follower = followerOf(table)
    await follower.readAll()
    await follower.start()
    await server.query(`ALTER TABLE ${table} RENAME TO renamed`)
    await server.query(`UPDATE renamed SET name = 'b'`)
    await until('the change', () => follower.batches.length > 0)
    assert.equal((follower.documents.get('1') as { name: string }).name, 'b')
    await server.query(`ALTER TABLE renamed RENAME TO ${table}`)
    await server.query(`ALTER TABLE ${table} ADD COLUMN stock int DEFAULT 5`)
    await server.query(`UPDATE ${table} SET name = 'c'`)
    const changed = await follower.ended
    assert.ok(changed instanceof SourceError && changed.fault === 'position_lost', String(changed))
    await follower.stop()
    await follower.readAll()
    assert.equal((follower.documents.get('1') as { stock: number }).stock, 5)
    await follower.start()
    await server.query(`TRUNCATE ${table}`)
    const truncated = await follower.ended
    assert.ok(truncated instanceof SourceError && truncated.fault === 'position_lost')
    assert.match(truncated.message, /truncated/)
    await follower.stop()
  })

  test('documents of a query are read again when a row of the table changes', async () => {
    const table = await makeTable('id int PRIMARY KEY, brand int, hidden boolean DEFAULT false')
    await server.query(`CREATE TABLE brands (id int PRIMARY KEY, name text)`)
    await server.query(`GRANT SELECT ON brands TO ${ROLE}`)
    await server.query(`INSERT INTO brands VALUES (1, 'Acme')`)
    await server.query(`INSERT INTO ${table} VALUES (1, 1)`)
    const query = `SELECT p.id, b.name AS brand FROM ${table} p JOIN brands b ON b.id = p.brand WHERE NOT hidden -- visible ones`
    const follower = followerOf(table, { query })
    await follower.readAll()
    await follower.start()
    await server.query(`INSERT INTO ${table} VALUES (2, 1)`)
    await until('the row', () => follower.documents.has('2'))
    await server.query(`UPDATE ${table} SET hidden = true WHERE id = 1`)
    await until('the hidden row', () => !follower.documents.has('1'))
    await follower.stop()
    assert.deepEqual([...follower.documents], [['2', { brand: 'Acme' }]])
  })

  test('a slot that is missing, invalidated or ahead of the documents asks for a new copy', async () => {
    const table = await makeTable('id int PRIMARY KEY, name text')
    const follower = followerOf(table)
    await follower.readAll()
    const early = follower.position
    await follower.start()
    await server.query(`INSERT INTO ${table} VALUES (1, 'a')`)
    await until('the row', () => follower.documents.size === 1)
    await follower.stop()
    follower.position = early
    await follower.start()
    const ahead = await follower.ended
    assert.ok(ahead instanceof SourceError && ahead.fault === 'position_lost', String(ahead))
    assert.match(ahead.message, /ahead/)
    await follower.drop()
    await follower.start()
    const missing = await follower.ended
    assert.ok(missing instanceof SourceError && missing.fault === 'position_lost', String(missing))
    assert.match(missing.message, /no longer exists/)
    await follower.readAll()
    await server.query(`CREATE TABLE IF NOT EXISTS filler (text text)`)
    await until('the slot is invalidated', async () => {
      await server.query(
        `INSERT INTO filler SELECT repeat(md5(n::text), 50) FROM generate_series(1, 30000) AS n`,
      )
      await server.query('SELECT pg_switch_wal()')
      await server.query('CHECKPOINT')
      const { rows } = await server.query(
        `SELECT 1 FROM pg_replication_slots WHERE wal_status = 'lost'`,
      )
      return rows.length > 0
    })
    await follower.start()
    const lost = await follower.ended
    assert.ok(lost instanceof SourceError && lost.fault === 'position_lost', String(lost))
    await follower.drop()
    await server.query('DROP TABLE filler')
  })

  test('a trial and a source that is dropped leave neither slot nor publication', async () => {
    const table = await makeTable('id int PRIMARY KEY')
    const own = { by: 'replication' } as const
    const user = { user: 'owner', follow: own }
    const options = { secrets: { password: PostgresServer.password }, owner: table }
    const kept = async (): Promise<unknown[]> => {
      const { rows } = await server.query(
        `SELECT slot_name AS name FROM pg_replication_slots WHERE slot_name LIKE 'aisle%'
         UNION ALL SELECT pubname FROM pg_publication WHERE pubname LIKE 'aisle%'`,
      )
      return rows
    }
    const before = await kept()
    await new Follower(connectionTo(table, user), { ...options, isTrial: true }).readAll()
    assert.deepEqual(await kept(), before)
    const follower = new Follower(connectionTo(table, user), options)
    await follower.readAll()
    assert.equal((await kept()).length, before.length + 2)
    await follower.drop()
    assert.deepEqual(await kept(), before)
  })

  test('faults are told in words, without secrets', async () => {
    const table = await makeTable('id int PRIMARY KEY, name text')
    const wrong = new Follower(connectionTo(table), { secrets: { password: 'wrong' } })
    await fault(wrong, 'unauthorized')
    assert.match(await fault(followerOf('absent'), 'unreadable'), /absent/)
    assert.match(
      await fault(
        followerOf(table, { query: 'SELECT 1 AS id; DROP TABLE x', follow: undefined }),
        'unreadable',
      ),
      /syntax|multiple/,
    )
    assert.match(
      await fault(
        followerOf(table, {
          query: 'SELECT 1 AS id) AS a) TO STDOUT; SELECT ((1',
          follow: undefined,
        }),
        'unreadable',
      ),
      /syntax/,
    )
    assert.match(
      await fault(followerOf(table, { query: 'SELECT 1 AS a', follow: undefined }), 'unreadable'),
      /no column "id"/,
    )
    await fault(
      followerOf(table, {
        query: `SELECT pg_sleep(60)::text AS id`,
        follow: undefined,
        statement_timeout_seconds: 1,
      }),
      'too_large',
    )
    const closed = new Follower(connectionTo(table), { networks: new SourceNetworks() })
    assert.match(await fault(closed, 'forbidden_address'), /--source-networks/)
    await server.query(`CREATE TABLE secret (id int PRIMARY KEY)`)
    assert.match(
      await fault(followerOf('secret', { follow: undefined }), 'unauthorized'),
      /permission/,
    )
    const unpublished = { follow: { by: 'replication' } }
    assert.match(
      await fault(followerOf(table, unpublished), 'unauthorized'),
      /CREATE PUBLICATION "aisle_\w+" FOR TABLE/,
    )
    const keyless = await makeTable('id int')
    assert.match(await fault(followerOf(keyless), 'unreadable'), /REPLICA IDENTITY/)
    await fault(followerOf(table, { port: 1 }), 'unreachable')
    await fault(followerOf(table, { tls: 'require' }), 'unreachable')
  })

  test('a row without an id is refused alone', async () => {
    const table = await makeTable('key int PRIMARY KEY, id int')
    await server.query(`INSERT INTO ${table} VALUES (1, 1), (2, NULL)`)
    const follower = followerOf(table, { follow: undefined })
    await follower.readAll()
    assert.equal(follower.documents.size, 1)
    assert.equal(follower.refused.length, 1)
  })

  test('without replication a column with the time of the last change is followed', async () => {
    const table = await makeTable(
      'id int PRIMARY KEY, name text, updated_at timestamptz NOT NULL DEFAULT now()',
    )
    await server.query(
      `CREATE TABLE ${table}_deleted (id int, deleted_at timestamptz DEFAULT now())`,
    )
    await server.query(`GRANT SELECT ON ${table}_deleted TO ${ROLE}`)
    await server.query(`INSERT INTO ${table} VALUES (1, 'a', '2020-01-01'), (2, 'b', '2020-01-02')`)
    const follow = {
      by: 'updated_at',
      column: 'updated_at',
      tombstones: `SELECT id, deleted_at FROM ${table}_deleted`,
      overlap_seconds: 5,
    }
    const follower = followerOf(table, { follow })
    await follower.readAll()
    assert.equal(follower.documents.size, 2)
    await follower.start()
    const late = await server.connect()
    await late.query('BEGIN')
    await late.query(`INSERT INTO ${table} VALUES (3, 'late')`)
    await server.query(`UPDATE ${table} SET name = 'new', updated_at = now() WHERE id = 1`)
    await server.query(`INSERT INTO ${table} VALUES (9, 'future', '2999-01-01')`)
    await until(
      'the change',
      () => (follower.documents.get('1') as { name: string }).name === 'new',
    )
    await late.query('COMMIT')
    await until('a row of a transaction that began earlier', () => follower.documents.has('3'))
    await server.query(`DELETE FROM ${table} WHERE id = 2`)
    await server.query(`INSERT INTO ${table}_deleted VALUES (2)`)
    await until('the deletion', () => !follower.documents.has('2'))
    await server.query(`INSERT INTO ${table} VALUES (2, 'again')`)
    await until('the row that is there again', () => follower.documents.has('2'))
    await late.end()
    const puts = follower.batches.flatMap(({ changes }) => changes)
    assert.equal(puts.filter((change) => change.kind === 'delete').length, 1)
    assert.ok(puts.length <= 7, `rows are not passed on by each poll: ${puts.length}`)
    await follower.stop()
  })
})
