import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { ADMIN_TOKEN, createTestApp, fillStore, PASSWORD } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, logIn, time } = testApp
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}`, 'user-agent': 'audit test' }
const AUDIT = '/api/v1/admin/audit'

interface Entry {
  readonly id: number
  readonly action: string
  readonly [key: string]: unknown
}
const read = async (query = ''): Promise<{ entries: Entry[]; next_before?: number }> =>
  (await call({ url: `${AUDIT}${query}`, headers: bearer })).json()
const actions = async (query: string) => (await read(query)).entries.map(({ action }) => action)

suite('audit log', () => {
  test('has who did what, when, from where, and what came of it', async () => {
    const id = 'audited'
    await call({
      method: 'POST',
      url: '/api/v1/admin/stores',
      headers: { ...bearer, 'x-request-id': 'create-1' },
      body: { id, name: 'x' },
    })
    const [entry] = (await read()).entries
    assert.deepEqual(entry, {
      id: entry!.id,
      at: '2026-01-01T00:00:00.000Z',
      actor: 'admin_token',
      action: 'createStore',
      store_id: id,
      result: 'done',
      status: 201,
      address: '127.0.0.1',
      user_agent: 'audit test',
      request_id: 'create-1',
    })
    const editor = await logIn('ed', 'editor')
    await call({ method: 'DELETE', url: `/api/v1/admin/stores/${id}`, headers: editor })
    const [refused] = (await read()).entries
    const { actor, login, action, store_id, result, status, code } = refused!
    assert.deepEqual(
      { actor, login, action, store_id, result, status, code },
      {
        actor: 'user',
        login: 'ed',
        action: 'deleteStore',
        store_id: id,
        result: 'refused',
        status: 403,
        code: 'forbidden',
      },
    )
  })

  test('has every change of a store by anyone, but not of single documents', async () => {
    const store = await testApp.createStore('changed')
    await fillStore(testApp, store)
    const preset = '/api/v1/stores/changed/presets/cheap first'
    const body = { value: { per_page: 5 } }
    await call({ method: 'PUT', url: preset, headers: store.write, body })
    await call({ method: 'DELETE', url: '/api/v1/stores/changed/documents', headers: store.write })
    assert.deepEqual(await actions('?store_id=changed'), [
      'clearDocuments',
      'putPreset',
      'changeSchema',
      'createStore',
    ])
    const [put] = (await read('?target=cheap%20first')).entries
    assert.deepEqual([put!.action, put!['actor']], ['putPreset', 'store_key'])
  })

  test('leaves out who was not let in, but for wrong admin tokens', async () => {
    const newest = (await read()).entries[0]!.id
    await call({ method: 'POST', url: '/api/v1/admin/stores', body: { name: 'x' } })
    assert.equal((await read()).entries[0]!.id, newest)
    const wrong = { authorization: 'Bearer wrong' }
    await call({ method: 'POST', url: '/api/v1/admin/stores', headers: wrong, body: { name: 'x' } })
    const [entry] = (await read()).entries
    const { actor, action, address, code } = entry!
    assert.deepEqual(
      [actor, action, address, code],
      ['nobody', 'createStore', '127.0.0.1', 'invalid_credentials'],
    )
  })

  test('is filtered and read page by page', async () => {
    const all: number[] = []
    for (let before = ''; ;) {
      const { entries, next_before: next } = await read(`?limit=2${before}`)
      assert.ok(entries.length <= 2)
      all.push(...entries.map(({ id }) => id))
      if (next === undefined) break
      before = `&before=${next}`
    }
    assert.deepEqual(
      all,
      Array.from(all, (_, i) => all[0]! - i),
    )
    assert.equal(all.at(-1), 1)
    assert.deepEqual(await actions('?login=ED&action=deleteStore'), ['deleteStore'])
    assert.deepEqual(await actions('?result=refused&actor=user'), ['deleteStore'])
    assert.deepEqual(await actions('?to=2026-01-01'), [])
    assert.equal((await read('?from=2026-01-01&limit=500')).entries.length, all.length)
    for (const query of ['?limit=0', '?limit=501', '?from=yesterday', '?actor=x', '?stor_id=x']) {
      const answer = await call({ url: AUDIT + query, headers: bearer })
      assert.deepEqual([answer.statusCode, answer.json().code], [400, 'invalid_parameter'], query)
    }
  })

  test('has failed logins, but not what was typed, and not a flood of them', async () => {
    time.nowMs += 3_600_000
    const enter = (login: string, password: string) =>
      call({ method: 'POST', url: '/api/v1/admin/session', body: { login, password } })
    await enter('ed', 'typed-password')
    await enter('typed-password', 'ed')
    const [unknown, known] = (await read()).entries
    assert.deepEqual(
      [known!['actor'], known!['target'], known!['code']],
      ['nobody', 'ed', 'invalid_credentials'],
    )
    assert.equal(unknown!['target'], undefined)
    for (let i = 0; i < 60; i++) await enter('ed', 'x')
    const entries = (await read('?actor=nobody&action=logIn&limit=500')).entries
    assert.deepEqual(
      entries.map(({ target, code, count }) => [target, code, count]),
      [
        ['ed', 'rate_limited', 51],
        [undefined, 'invalid_credentials', undefined],
        ['ed', 'invalid_credentials', 10],
      ],
    )
  })

  test('holds no secret', async () => {
    time.nowMs += 3_600_000
    const store = await testApp.createStore('secrets')
    const rotated = await call({
      method: 'POST',
      url: '/api/v1/admin/stores/secrets/keys/read/rotate',
      headers: bearer,
    })
    const shown = await call({ url: '/api/v1/admin/stores/secrets/keys', headers: bearer })
    const session = await logIn('someone', 'owner')
    const text = JSON.stringify((await read('?limit=500')).entries)
    for (const secret of [
      ADMIN_TOKEN,
      PASSWORD,
      'typed-password',
      store.writeSecret,
      rotated.json().secret,
      shown.json().keys[2].secret,
      session['cookie']!.split('=')[1]!,
      session['x-csrf-token']!,
    ]) {
      assert.ok(secret.length > 8 && !text.includes(secret))
    }
    assert.match(text, /listKeys/)
  })
})
