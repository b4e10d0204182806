import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NEEDS_CLUSTER } from '@aisle/testing'
import { asAdmin, json, startNodes } from './test/started-nodes.ts'

type Headers = Readonly<Record<string, string>>
type Answer = Awaited<ReturnType<typeof json>>

const FIELDS = [{ name: 'title', type: 'string', searchable: true, sort: true }]

/** What one node changes, and what the other one must answer at once. */
const CHANGES: readonly {
  readonly name: string
  readonly change: readonly [method: string, path: string, body?: object]
  readonly look: readonly [method: string, path: string]
  readonly shows: RegExp
}[] = [
  {
    name: 'a setting',
    change: ['PATCH', '/settings', { ranking: { sort_by: 'title:asc' } }],
    look: ['GET', '/settings'],
    shows: /title:asc/,
  },
  {
    name: 'a preset',
    change: ['PUT', '/presets/small', { value: { per_page: 1 } }],
    look: ['GET', '/presets/small'],
    shows: /"per_page":1/,
  },
  {
    name: 'a set of synonyms',
    change: ['PUT', '/synonym-sets/s', { items: [{ synonyms: ['lamp', 'light'] }] }],
    look: ['GET', '/synonym-sets/s'],
    shows: /light/,
  },
  {
    name: 'a set of stopwords',
    change: ['PUT', '/stopword-sets/w', { stopwords: ['the'] }],
    look: ['GET', '/stopword-sets/w'],
    shows: /the/,
  },
  {
    name: 'a rule',
    change: [
      'PUT',
      '/rules/r',
      { when: [{ query: 'lamp', match: 'exact' }], pin: [{ id: 'd', position: 1 }] },
    ],
    look: ['GET', '/rules/r'],
    shows: /lamp/,
  },
  {
    name: 'a schema',
    change: [
      'POST',
      '/schema',
      { fields: [...FIELDS, { name: 'brand', type: 'string', facet: true }] },
    ],
    look: ['GET', '/schema'],
    shows: /brand/,
  },
]

suite('What one API node has answered, another one knows at once', NEEDS_CLUSTER, () => {
  test('when it administers, writes, or is searched with a new key', async () => {
    await using nodes = await startNodes(2)
    const ask = (
      node: number,
      method: string,
      path: string,
      headers: Headers = asAdmin,
      body?: object,
    ): Promise<Answer> => json(`${nodes.urls[node % 2]}${path}`, method, headers, body)
    const good = async (...asked: Parameters<typeof ask>): Promise<Record<string, unknown>> => {
      const { status, body } = await ask(...asked)
      assert.ok(status < 300, `${asked[1]} ${asked[2]}: ${status} ${JSON.stringify(body)}`)
      return body
    }
    for (let at = 0; at < 4; at++) {
      const created = await good(at, 'POST', '/api/v1/admin/stores', asAdmin, {
        name: 'S',
        id: 's',
      })
      const reading = { 'x-storeid': 's', 'x-storesecret': String(created['read_secret']) }
      const keys = { ...reading, 'x-store-write-secret': String(created['write_secret']) }
      const store = '/api/v1/stores/s'
      // Of a key that it does not know yet, and then of a schema that it does not know yet.
      assert.notEqual((await ask(at + 1, 'POST', '/v1/search', reading, { q: 'x' })).status, 401)
      await good(at + 1, 'POST', `${store}/schema`, keys, { fields: FIELDS })
      await good(at, 'POST', `${store}/documents`, keys, { id: 'd', data: { title: 'Lamp' } })
      const found = await good(at + 1, 'POST', '/v1/search', reading, { q: 'lamp' })
      assert.equal(found['found'], 1)
      for (const { name, change, look, shows } of CHANGES) {
        const [method, path, body] = change
        await good(at, method, store + path, keys, body)
        const shown = await good(at + 1, look[0], store + look[1], keys)
        assert.match(JSON.stringify(shown), shows, name)
      }
      const user = { login: `ada${at}`, name: 'Ada', password: 'long-enough-password-1' }
      await good(at, 'POST', '/api/v1/admin/users', asAdmin, { ...user, role: 'owner' })
      const { login, password } = user
      await good(at + 1, 'POST', '/api/v1/admin/session', {}, { login, password })
      await good(at + 1, 'DELETE', '/api/v1/admin/stores/s')
      assert.equal((await ask(at, 'GET', '/api/v1/admin/stores/s')).status, 404)
      assert.equal((await ask(at, 'POST', '/v1/search', reading, { q: 'x' })).status, 401)
    }
  })
})
