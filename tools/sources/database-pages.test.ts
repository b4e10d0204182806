import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PutSourceRequest } from '@aisle/contract'
import { databaseSkip, MariadbServer, PostgresServer } from '@aisle/sources/test'
import { until } from '@aisle/testing'
import { FollowedShop } from './followed-shop.ts'
import { pageBlock, pageSource } from './page-block.ts'

const FIELDS = [
  { name: 'title', type: 'string', searchable: true },
  { name: 'brand', type: 'string', facet: true },
  { name: 'price', type: 'float', facet: true },
  { name: 'in_stock', type: 'bool', facet: true },
]

suite('the examples of the pages of databases work as they are shown', () => {
  test('docs/sources-postgresql.md', { skip: databaseSkip('postgres') }, async () => {
    const page = 'sources-postgresql.md'
    await using database = await PostgresServer.start()
    await database.query('CREATE DATABASE shop')
    await using shop = await FollowedShop.start(FIELDS)
    const owner = await database.connect('owner', PostgresServer.password, 'shop')
    await owner.query(pageBlock(page, 'sql shop'))
    await owner.query(pageBlock(page, 'sql rights'))
    const { port } = database
    const request = pageSource<PutSourceRequest>(page, { host: '127.0.0.1', port, tls: 'off' })
    await followsExample(shop, request, () => owner.query(pageBlock(page, 'sql change')))
    await owner.end()
  })

  test('docs/sources-mysql.md', { skip: databaseSkip('mariadbd') }, async () => {
    const page = 'sources-mysql.md'
    await using database = await MariadbServer.start()
    await using shop = await FollowedShop.start(FIELDS)
    const execute = async (name: string): Promise<void> => {
      const statements = pageBlock(page, name).split(';\n')
      for (const one of statements) await database.query(one)
    }
    await execute('sql shop')
    await execute('sql rights')
    const { port } = database
    const request = pageSource<PutSourceRequest>(page, { host: '127.0.0.1', port, tls: 'off' })
    await followsExample(shop, request, () => execute('sql change'))
  })
})

async function followsExample(
  shop: FollowedShop,
  request: PutSourceRequest,
  change: () => Promise<unknown>,
): Promise<void> {
  await shop.call('PUT', 'products', request)
  const run = await shop.run('products')
  assert.equal(run.state, 'done', run.error ?? '')
  const search = async (q: string): Promise<string[]> => {
    const { hits } = await shop.client.search(shop.keys, { q })
    return hits.map((hit) => JSON.stringify(hit))
  }
  assert.equal((await search('dome')).length, 1)
  await change()
  await until('the change is found', async () => (await search('tunnel')).length === 1)
  await until('the deletion is found', async () => (await search('stove')).length === 0)
}
