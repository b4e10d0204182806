import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestApp, PASSWORD, type TestApp } from './test-app.ts'

const url = '/api/v1/admin/first-owner'
const requestOf = (app: TestApp) => ({
  secret: app.firstRunSecret,
  login: 'Ada@example.com',
  password: PASSWORD,
})

suite('the link of the first run', () => {
  test('makes one owner, who is logged in, and nobody else', async () => {
    await using app = await createTestApp()
    const request = requestOf(app)
    const wrong = { ...request, secret: 'fr_another' }
    const refused = await app.call({ method: 'POST', url, body: wrong })
    assert.equal(refused.json().code, 'invalid_credentials')
    const weak = { ...request, password: 'short' }
    assert.equal((await app.call({ method: 'POST', url, body: weak })).json().param, 'password')

    const made = await app.call({ method: 'POST', url, body: request })
    assert.equal(made.statusCode, 201)
    assert.deepEqual([made.json().login, made.json().role], ['ada@example.com', 'owner'])
    const cookie = String([made.headers['set-cookie']].flat()[0]).split(';')[0]!
    const session = await app.call({ url: '/api/v1/admin/session', headers: { cookie } })
    assert.equal(session.json().csrf_token, made.json().csrf_token)

    const again = await app.call({ method: 'POST', url, body: { ...request, login: 'eve' } })
    assert.deepEqual([again.statusCode, again.json().code], [401, 'invalid_credentials'])
    const audit = await app.call({
      url: '/api/v1/admin/audit?action=createFirstOwner',
      headers: { cookie },
    })
    const results = audit.json().entries.map((entry: { result: string }) => entry.result)
    assert.ok(results.includes('done') && results.includes('refused'), audit.body)
  })

  test('is void for ever once there was a user, even one that an administrator created', async () => {
    await using app = await createTestApp()
    const request = requestOf(app)
    const check = async (secret = request.secret) =>
      (await app.call({ method: 'POST', url: `${url}/check`, body: { secret } })).statusCode
    assert.deepEqual([await check(), await check('fr_another')], [200, 401])
    await app.access.createUser({ login: 'eve', rights: { role: 'analyst' }, password: PASSWORD })
    assert.equal(await check(), 401)
    await app.access.deleteUser({ login: 'eve' })
    assert.equal(await check(), 401)
    const refused = await app.call({ method: 'POST', url, body: request })
    assert.deepEqual([refused.statusCode, refused.json().code], [401, 'invalid_credentials'])
    assert.match(refused.json().error, /restart the service, which prints a new link/)
  })

  test('of two at once one is the first', async () => {
    await using app = await createTestApp()
    const request = requestOf(app)
    const answers = await Promise.all(
      ['ada', 'eve'].map((login) => app.call({ method: 'POST', url, body: { ...request, login } })),
    )
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
      [201, 401],
    )
  })

  test('a page of another site may not use it', async () => {
    await using app = await createTestApp()
    const request = requestOf(app)
    const headers = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await app.call({ method: 'POST', url, headers, body: request })).statusCode, 403)
  })
})
