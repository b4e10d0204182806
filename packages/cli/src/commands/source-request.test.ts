import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, suite, test } from 'node:test'
import type { Context } from '../context.ts'
import { readRequest, type AddOptions } from './source-request.ts'

const folder = mkdtempSync(join(tmpdir(), 'aisle-source-'))
after(() => rmSync(folder, { recursive: true }))
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

function read(
  url: string | undefined,
  options: object = {},
  { environment = {}, typed = '' }: { environment?: Record<string, string>; typed?: string } = {},
): ReturnType<typeof readRequest> {
  const context = { environment, stdin: Readable.from([typed]) } as unknown as Context
  return readRequest(url, options as AddOptions, context)
}

const refused = (expected: RegExp, ...given: Parameters<typeof read>): Promise<void> =>
  assert.rejects(read(...given), expected)

suite('what `aisle source add` sends', () => {
  test('has the members of each kind', async () => {
    const sql = file('rows.sql', 'SELECT * FROM products')
    const pem = file('ca.pem', 'PEM')
    for (const [url, options, expected] of [
      ['https://a.example/f.csv', {}, { kind: 'feed', url: 'https://a.example/f.csv' }],
      [
        'https://a.example/api',
        {
          kind: 'json_api',
          items: 'data',
          pages: 'page',
          pageParameter: 'p',
          firstPage: '0',
          requestsPerSecond: '0.5',
        },
        {
          kind: 'json_api',
          url: 'https://a.example/api',
          items: 'data',
          pages: { by: 'page', parameter: 'p', first: 0 },
          requests_per_second: 0.5,
        },
      ],
      [
        'https://a.example/sitemap.xml',
        { kind: 'sitemap', pathPrefix: '/p/', pagesMax: '9' },
        { kind: 'sitemap', url: 'https://a.example/sitemap.xml', path_prefix: '/p/', pages_max: 9 },
      ],
      [
        'postgres://ada%20l@db.example:5433/my%20shop',
        { query: `@${sql}`, tls: 'verify', certificateAuthority: pem },
        {
          kind: 'postgres',
          host: 'db.example',
          port: 5433,
          database: 'my shop',
          user: 'ada l',
          query: 'SELECT * FROM products',
          tls: 'verify',
          certificate_authority: 'PEM',
        },
      ],
      [
        'postgres://ada@[::1]/shop',
        { table: 'products', follow: 'replication', slot: 's', publication: 'p' },
        {
          kind: 'postgres',
          host: '::1',
          database: 'shop',
          user: 'ada',
          table: 'products',
          follow: { by: 'replication', slot: 's', publication: 'p' },
        },
      ],
      [
        'mysql://ada@db.example/shop',
        {
          table: 't',
          follow: 'updated_at',
          updatedAt: 'changed',
          tombstones: 'SELECT 1',
          overlap: '5',
        },
        {
          kind: 'mysql',
          host: 'db.example',
          database: 'shop',
          user: 'ada',
          table: 't',
          follow: {
            by: 'updated_at',
            column: 'changed',
            tombstones: 'SELECT 1',
            overlap_seconds: 5,
          },
        },
      ],
      [
        'https://a.myshopify.com',
        { kind: 'shopify', clientId: 'c', includeHidden: true },
        { kind: 'shopify', url: 'https://a.myshopify.com', client_id: 'c', include_hidden: true },
      ],
      [
        'https://a.example',
        { kind: 'woocommerce' },
        { kind: 'woocommerce', url: 'https://a.example' },
      ],
    ] as const) {
      assert.deepEqual((await read(url, options)).connection, expected)
    }
    const connection = file('connection.json', '{"kind":"feed","url":"https://b.example"}')
    const { url } = (await read(undefined, { connection })).connection as { url: string }
    assert.equal(url, 'https://b.example')
  })

  test('has secrets of the environment, of files and of standard input', async () => {
    const environment = { AISLE_SOURCE_CONSUMER_KEY: 'key', AISLE_SOURCE_PASSWORD: 'old' }
    const secretFile = [`password=${file('password', 'p=w \n')}`, 'token=-']
    const { secrets } = await read(
      'https://a.example',
      { secretFile },
      { environment, typed: 't\r\n' },
    )
    assert.deepEqual(secrets, { consumer_key: 'key', password: 'p=w ', token: 't' })
    assert.equal((await read('https://a.example')).secrets, undefined)
    for (const [given, expected] of [
      [['password=-', 'token=-'], /Only one/],
      [['pin=-'], /"pin" is none of/],
      [['password'], /must be name=value/],
      [[`password=${file('none', '')}`], /is empty/],
      [[`password=${join(folder, 'absent')}`], /Cannot read/],
    ] as const) {
      await refused(expected, 'https://a.example', { secretFile: given })
    }
  })

  test('names the people to tell', async () => {
    const alerts = { webhook: 'https://a.example/hook', email: ['ana@a.example', 'bob@a.example'] }
    assert.deepEqual((await read('https://a.example', alerts)).alerts, {
      webhook: 'https://a.example/hook',
      emails: ['ana@a.example', 'bob@a.example'],
    })
  })

  test('is refused with what is wrong', async () => {
    const database = 'postgres://ada@db.example/shop'
    await refused(/Name a URL, or a file/, undefined)
    await refused(/Name a URL, or a file/, database, { connection: 'x.json' })
    await refused(/--kind must be one of feed, json_api/, 'https://a.example', { kind: 'ftp' })
    await refused(/--items is for json_api, not feed/, 'https://a.example', { items: 'x' })
    await refused(/--slot is for postgres, not mysql/, 'mysql://a@b/c', { slot: 'x' })
    await refused(/The URL is of postgres, not mysql/, database, { kind: 'mysql' })
    await refused(/Others can see the command line/, 'postgres://ada:pw@db.example/shop')
    await refused(/Use options such as --tls/, `${database}?sslmode=require`)
    await refused(/Name the database as postgres:/, 'postgres://db.example/shop')
    await refused(/Name the database as postgres:/, 'https://db.example/shop', { kind: 'postgres' })
    await refused(/must be a whole number/, database, { statementTimeout: 'x' })
    await refused(/--table is part of the file/, undefined, { connection: 'x', table: 't' })
    await refused(/--kind is part of the file/, undefined, { connection: 'x', kind: 'feed' })
    await refused(/--max-removed/, 'https://a.example', { maxRemoved: '101' })
  })
})
