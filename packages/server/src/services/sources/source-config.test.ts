import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ApiError, type SourceKind } from '@aisle/contract'
import { readConnection } from './source-config.ts'

const POSTGRES = {
  kind: 'postgres',
  host: 'db',
  database: 'shop',
  user: 'aisle',
  table: 'products',
}
const JSON_API = { kind: 'json_api', url: 'https://shop.example/api' }

function fault(connection: object): readonly [string | undefined, string] {
  try {
    readConnection(connection as { kind: SourceKind })
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return [error.param, error.message]
  }
  return [undefined, '']
}

suite('the connection of a source', () => {
  test('is a table or a query, and replication has a table', () => {
    const { table: _, ...neither } = POSTGRES
    const follow = { by: 'replication' }
    assert.deepEqual(fault(POSTGRES), [undefined, ''])
    assert.equal(fault({ ...POSTGRES, query: 'SELECT 1', follow })[0], undefined)
    assert.equal(fault(neither)[0], 'connection.table')
    assert.equal(fault({ ...POSTGRES, query: 'SELECT 1' })[0], 'connection.query')
    assert.equal(fault({ ...neither, query: 'SELECT 1', follow })[0], 'connection.table')
  })

  test('a fault in a member with several forms is told of the form that was meant', () => {
    const [param, message] = fault({ ...POSTGRES, follow: { by: 'magic' } })
    assert.equal(param, 'connection.follow.by')
    assert.match(message, /one of `replication`, `updated_at`/)
    assert.equal(
      fault({ ...POSTGRES, follow: { by: 'updated_at' } })[0],
      'connection.follow.column',
    )
    assert.equal(fault({ ...POSTGRES, follow: 'replication' })[0], 'connection.follow')
    assert.equal(
      fault({ ...JSON_API, pages: { by: 'link', path: 'x' } })[0],
      'connection.pages.path',
    )
    assert.equal(fault({ ...JSON_API, pages: { by: 'cursor' } })[0], 'connection.pages.parameter')
  })
})
