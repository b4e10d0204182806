import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import {
  ADMIN_TOKEN_FAILURES_MAX,
  ADMIN_TOKEN_FAILURES_TOTAL_MAX,
  ADMIN_TOKEN_WAIT_MAX_SECONDS,
  LOGIN_FAILURES_PER_USER_MAX,
  SESSIONS_PER_USER_MAX,
} from '@aisle/contract'
import { ADMIN_TOKEN, createTestApp, PASSWORD, type TestRequest } from './test-app.ts'

const testApp = await createTestApp()
after(() => testApp[Symbol.asyncDispose]())
const { call, logIn, time } = testApp
const bearer = { authorization: `Bearer ${ADMIN_TOKEN}` }
const USERS = '/api/v1/admin/users'
const SESSION = '/api/v1/admin/session'
const as = (
  headers: Record<string, string>,
  method: TestRequest['method'],
  url: string,
  body?: unknown,
) => call({ method: method ?? 'GET', url, headers, ...(body === undefined ? {} : { body }) })
const enter = (login: string, password: string, headers: Record<string, string> = {}) =>
  as(headers, 'POST', SESSION, { login, password })
const outcome = (answer: { statusCode: number; json: () => { code?: string } }) =>
  `${answer.statusCode} ${answer.statusCode < 400 ? 'done' : answer.json().code}`

suite('users', () => {
  test('the first owner is made with the admin token, and makes the others', async () => {
    const made = await as(bearer, 'POST', USERS, {
      login: 'Ada@Example.com',
      role: 'owner',
      password: PASSWORD,
    })
    assert.equal(made.statusCode, 201)
    assert.deepEqual(made.json(), {
      login: 'ada@example.com',
      role: 'owner',
      created_at: '2026-01-01T00:00:00.000Z',
      password_changed_at: '2026-01-01T00:00:00.000Z',
    })
    const ada = await logIn('ADA@example.com', 'owner')
    const editor = { login: 'ed', role: 'editor', password: PASSWORD }
    assert.equal(outcome(await as(ada, 'POST', USERS, editor)), '201 done')
    assert.equal(
      outcome(await as(ada, 'POST', USERS, { ...editor, login: 'ED' })),
      '409 user_exists',
    )
    const list = (await as(ada, 'GET', USERS)).json()
    assert.deepEqual(
      list.users.map((user: { login: string }) => user.login),
      ['ada@example.com', 'ed'],
    )
  })

  test('what is wrong with one is named, and no password is ever shown', async () => {
    const good = { login: 'new', role: 'editor', password: PASSWORD }
    const cases: [object, string, string][] = [
      [{ ...good, login: '' }, 'invalid_parameter', 'login'],
      [{ ...good, login: 'a b' }, 'invalid_parameter', 'login'],
      [{ ...good, login: 'a\u200bb' }, 'invalid_parameter', 'login'],
      [{ ...good, role: 'king' }, 'invalid_parameter', 'role'],
      [{ ...good, password: 'shorty123' }, 'invalid_parameter', 'password'],
      [{ ...good, password: 'x'.repeat(257) }, 'invalid_parameter', 'password'],
      [{ ...good, password: 'x'.repeat(20) }, 'invalid_parameter', 'password'],
      [
        { ...good, login: 'a-long-login', password: 'A-LONG-LOGIN' },
        'invalid_parameter',
        'password',
      ],
      [{ ...good, password: 1234567890123 }, 'invalid_parameter', 'password'],
      [{ login: 'new', role: 'editor' }, 'missing_parameter', 'password'],
    ]
    for (const [body, code, param] of cases) {
      const answer = await as(bearer, 'POST', USERS, body)
      assert.deepEqual([answer.statusCode, answer.json().code], [400, code], answer.body)
      assert.equal(answer.json().param, param)
      assert.doesNotMatch(answer.body, /shorty123|1234567890123|A-LONG/)
    }
    assert.equal(outcome(await as(bearer, 'GET', `${USERS}/nobody`)), '404 user_not_found')
    assert.equal(outcome(await as(bearer, 'DELETE', `${USERS}/nobody`)), '404 user_not_found')
    assert.equal(outcome(await as(bearer, 'PATCH', `${USERS}/nobody`, {})), '404 user_not_found')
  })

  test('a new role, or a password set by an owner, ends the sessions', async () => {
    const eve = await logIn('eve', 'editor')
    assert.equal((await as(eve, 'GET', SESSION)).json().role, 'editor')
    await as(bearer, 'PATCH', `${USERS}/eve`, { role: 'analyst' })
    assert.equal(outcome(await as(eve, 'GET', SESSION)), '401 invalid_credentials')
    const again = await logIn('eve', 'editor')
    assert.equal((await as(again, 'GET', SESSION)).json().role, 'analyst')
    await as(bearer, 'PATCH', `${USERS}/eve`, { password: 'set by an owner' })
    assert.equal(outcome(await as(again, 'GET', SESSION)), '401 invalid_credentials')
    assert.equal(outcome(await enter('eve', PASSWORD)), '401 invalid_credentials')
    assert.equal(outcome(await enter('eve', 'set by an owner')), '201 done')
  })

  test('nobody takes their own role away, nor deletes themselves', async () => {
    const olga = await logIn('olga', 'owner')
    const own = `${USERS}/OLGA`
    assert.equal(outcome(await as(olga, 'PATCH', own, { role: 'editor' })), '403 forbidden')
    assert.equal(outcome(await as(olga, 'DELETE', own)), '403 forbidden')
    assert.equal(outcome(await as(bearer, 'DELETE', own)), '200 done')
    assert.equal(outcome(await as(olga, 'GET', SESSION)), '401 invalid_credentials')
    assert.equal(outcome(await enter('olga', PASSWORD)), '401 invalid_credentials')
  })
})

suite('sessions', () => {
  test('the cookie is out of reach of scripts and of other sites', async () => {
    await logIn('cookie', 'analyst')
    const plain = await enter('cookie', PASSWORD)
    assert.match(
      String((plain.headers['set-cookie'] as string[])[0]),
      /^aisle-session=sn_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    assert.equal(plain.headers['cache-control'], 'no-store')
    const secure = await enter('cookie', PASSWORD, { 'x-forwarded-proto': 'https' })
    const cookie = String((secure.headers['set-cookie'] as string[])[0])
    assert.match(cookie, /^__Host-aisle-session=.*; HttpOnly; SameSite=Strict; Secure$/)
    // Over TLS only the cookie that no other host can set counts.
    const over = { 'x-forwarded-proto': 'https' }
    const asHost = { ...over, cookie: cookie.split(';')[0]! }
    assert.equal((await as(asHost, 'GET', SESSION)).statusCode, 200)
    const tossed = { ...over, cookie: String(plain.headers['set-cookie']).split(';')[0]! }
    assert.equal(outcome(await as(tossed, 'GET', SESSION)), '401 missing_credentials')
  })

  test('logging out ends the session, not only the cookie', async () => {
    const out = await logIn('out', 'analyst')
    const answer = await as(out, 'DELETE', SESSION)
    assert.match(String(answer.headers['set-cookie']), /^aisle-session=; Path=\/; Max-Age=0;/)
    assert.equal(outcome(await as(out, 'GET', SESSION)), '401 invalid_credentials')
  })

  test('a page of another site is refused, even with the right token', async () => {
    const user = await logIn('target', 'owner')
    for (const site of ['cross-site', 'same-site']) {
      const foreign = { ...user, 'sec-fetch-site': site }
      assert.equal(outcome(await as(foreign, 'DELETE', SESSION)), '403 forbidden')
      const login = await enter('target', PASSWORD, { 'sec-fetch-site': site })
      assert.equal(outcome(login), '403 forbidden')
    }
    assert.equal((await as(user, 'GET', SESSION)).statusCode, 200)
  })

  test('one that is used goes on for a week; one that is not ends after half a day', async () => {
    const used = await logIn('used', 'analyst')
    const idle = await logIn('idle', 'analyst')
    for (let hours = 0; hours < 7 * 24; hours += 6) {
      assert.equal((await as(used, 'GET', SESSION)).statusCode, 200, `after ${hours} hours`)
      time.nowMs += 6 * 3_600_000
    }
    assert.equal(outcome(await as(used, 'GET', SESSION)), '401 invalid_credentials')
    assert.equal(outcome(await as(idle, 'GET', SESSION)), '401 invalid_credentials')
  })

  test('are listed without what opens them, and ended one by one', async () => {
    const here = await logIn('lists', 'analyst')
    const there = await logIn('lists', 'analyst')
    const list = (await as(here, 'GET', '/api/v1/admin/sessions')).json().sessions
    assert.deepEqual(
      list.map((one: { current: boolean }) => one.current),
      [true, false],
    )
    assert.ok(!JSON.stringify(list).includes('sn_'))
    const other = `/api/v1/admin/sessions/${list[1].session_id}`
    assert.equal(outcome(await as(here, 'DELETE', other)), '200 done')
    assert.equal(outcome(await as(here, 'DELETE', other)), '404 session_not_found')
    assert.equal(outcome(await as(there, 'GET', SESSION)), '401 invalid_credentials')
    const stranger = await logIn('stranger', 'owner')
    const mine = `/api/v1/admin/sessions/${list[0].session_id}`
    assert.equal(outcome(await as(stranger, 'DELETE', mine)), '404 session_not_found')
    const ended = await as(stranger, 'DELETE', `${USERS}/lists/sessions`)
    assert.equal(ended.json().sessions_ended, 1)
    assert.equal(outcome(await as(here, 'GET', SESSION)), '401 invalid_credentials')
  })

  test('the least recently used one is evicted', async () => {
    const first = await logIn('many', 'analyst')
    for (let i = 0; i < SESSIONS_PER_USER_MAX; i++) {
      assert.equal((await as(first, 'GET', SESSION)).statusCode, 200)
      time.nowMs += 1
      await logIn('many', 'analyst')
    }
    assert.equal(outcome(await as(first, 'GET', SESSION)), '401 invalid_credentials')
  })

  test('a password is changed with the old one, and then only the new session is left', async () => {
    const before = await logIn('changes', 'editor')
    const change = (current: string, next: string) =>
      as(before, 'POST', `${SESSION}/password`, { current_password: current, new_password: next })
    assert.equal(outcome(await change('wrong', 'a new password')), '403 forbidden')
    assert.equal(outcome(await change(PASSWORD, 'short')), '400 invalid_parameter')
    const changed = await change(PASSWORD, 'a new password')
    assert.equal(changed.statusCode, 200)
    assert.equal(outcome(await as(before, 'GET', SESSION)), '401 invalid_credentials')
    const cookie = String(changed.headers['set-cookie']).split(';')[0]!
    assert.equal((await as({ cookie }, 'GET', SESSION)).statusCode, 200)
    assert.equal(outcome(await enter('changes', PASSWORD)), '401 invalid_credentials')
    assert.equal(outcome(await enter('changes', 'a new password')), '201 done')
  })
})

suite('guessing', () => {
  test('an unknown user and a wrong password are answered alike', async () => {
    await logIn('known', 'analyst')
    const body = async (login: string) => {
      const { error, code } = (await enter(login, 'wrong password')).json()
      return { error, code }
    }
    assert.deepEqual(await body('known'), await body('unknown'))
  })

  test('from one network is slowed, whether or not there is such a user; its owner elsewhere is not', async () => {
    await using guessed = await createTestApp({ trustProxy: true })
    await guessed.access.createUser({
      login: 'victim',
      rights: { role: 'owner' },
      password: PASSWORD,
    })
    const guess = (login: string, address: string, password = 'wrong password', cookie = '') =>
      guessed.call({
        method: 'POST',
        url: SESSION,
        headers: { 'x-forwarded-for': address, cookie },
        body: { login, password },
      })
    const first = await guess('victim', '10.0.0.1', PASSWORD)
    const [, device] = first.headers['set-cookie'] as string[]
    assert.match(device!, /^aisle-device=.*; Max-Age=15552000; HttpOnly; SameSite=Strict$/)
    for (const [login, address] of [
      ['victim', '10.0.0.1'],
      ['unknown', '10.0.0.2'],
    ] as const) {
      for (let i = 0; i < LOGIN_FAILURES_PER_USER_MAX; i++) {
        assert.equal(outcome(await guess(login, address)), '401 invalid_credentials')
      }
      const refused = await guess(login, address, PASSWORD)
      assert.equal(outcome(refused), '429 rate_limited')
      assert.equal(refused.headers['retry-after'], '1')
    }
    // Guesses from a hundred networks lock nobody out.
    for (let i = 0; i < 100; i++) await guess('victim', `10.1.${i}.1`)
    assert.equal((await guess('victim', '192.0.2.1', PASSWORD)).statusCode, 201, 'a new place')
    const kept = device!.split(';')[0]
    const known = await guess('victim', '10.0.0.1', PASSWORD, kept)
    assert.equal(known.statusCode, 201, 'a known device in the network of the stranger')
  })
})

suite('the admin token', () => {
  const ask = (
    { call }: Pick<typeof testApp, 'call'>,
    token: string,
    address = '192.0.2.1',
    url = USERS,
  ) =>
    call({
      url,
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
    })

  test('is not guessed: wrong ones are counted by network, slowed, and written down', async () => {
    await using guessed = await createTestApp({ trustProxy: true })
    for (let i = 0; i < ADMIN_TOKEN_FAILURES_MAX; i++) {
      assert.equal(outcome(await ask(guessed, `wrong ${i}`)), '401 invalid_credentials')
    }
    const refused = await ask(guessed, 'wrong')
    assert.equal(outcome(refused), '429 rate_limited')
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal(outcome(await ask(guessed, 'wrong', '192.0.2.2')), '401 invalid_credentials')
    guessed.time.nowMs += 1_000
    assert.equal(outcome(await ask(guessed, 'wrong')), '401 invalid_credentials')
    for (let i = 0; i < 20; i++) {
      await ask(guessed, 'wrong')
      guessed.time.nowMs += ADMIN_TOKEN_WAIT_MAX_SECONDS * 1_000
    }
    assert.equal(outcome(await ask(guessed, 'wrong')), '401 invalid_credentials', 'longest wait')
    const audit = '/api/v1/admin/audit?actor=nobody'
    const { entries } = (await ask(guessed, ADMIN_TOKEN, '192.0.2.2', audit)).json()
    const { action, code, address, result } = entries.at(-1)
    assert.deepEqual(
      [action, code, address, result],
      ['listUsers', 'invalid_credentials', '192.0.2.1', 'refused'],
    )
  })

  test('is never refused for wrong ones, a thousand from its own network among them', async () => {
    await using office = await createTestApp({ trustProxy: true, rateLimitPerSecond: 20 })
    const wrong = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) => ask(office, `wrong ${i}`)),
    )
    const right = await ask(office, ADMIN_TOKEN)
    assert.equal(right.statusCode, 200)
    const count = (expected: string) => wrong.filter((one) => outcome(one) === expected).length
    assert.equal(count('401 invalid_credentials') + count('429 rate_limited'), 1_000)
    assert.ok(count('429 rate_limited') > 900)
    for (const one of wrong) {
      if (one.statusCode === 429) assert.match(String(one.headers['retry-after']), /^[1-9]\d*$/)
    }
    // Nor for wrong secrets of a store.
    const guess = { 'x-storeid': 'none', 'x-storesecret': 'wrong', 'x-forwarded-for': '192.0.2.1' }
    for (let i = 0; i < 100; i++) {
      await office.call({ method: 'POST', url: '/v1/search', headers: guess, body: {} })
      assert.equal((await ask(office, ADMIN_TOKEN)).statusCode, 200)
      office.time.nowMs += 60
    }
  })

  test('has a separate rate, like everybody', async () => {
    await using busy = await createTestApp({ trustProxy: true, rateLimitPerSecond: 5 })
    for (let i = 0; i < 10; i++) assert.equal((await ask(busy, ADMIN_TOKEN)).statusCode, 200)
    assert.equal(outcome(await ask(busy, ADMIN_TOKEN)), '429 rate_limited')
    assert.equal((await ask(busy, ADMIN_TOKEN, '192.0.2.2')).statusCode, 200)
  })

  test('wrong ones from many networks are slowed together, and all but the first unrecorded', async () => {
    await using guessed = await createTestApp({ trustProxy: true })
    const networkOf = (i: number) => `10.${i >> 8}.${i & 255}.1`
    const outcomes: string[] = []
    for (let i = 0; i < ADMIN_TOKEN_FAILURES_TOTAL_MAX + 50; i++) {
      outcomes.push(outcome(await ask(guessed, 'wrong', networkOf(i))))
    }
    const free = outcomes.slice(0, ADMIN_TOKEN_FAILURES_TOTAL_MAX)
    assert.deepEqual(new Set(free), new Set(['401 invalid_credentials']))
    const further = outcomes.slice(ADMIN_TOKEN_FAILURES_TOTAL_MAX)
    assert.deepEqual(new Set(further), new Set(['429 rate_limited']))
    assert.equal((await ask(guessed, ADMIN_TOKEN, networkOf(2_000))).statusCode, 200)
    await guessed.access.writeRefusals()
    const audit = '/api/v1/admin/audit?actor=nobody&limit=200'
    const { entries } = (await ask(guessed, ADMIN_TOKEN, '192.0.2.2', audit)).json()
    const codes = new Set(entries.map((one: { code: string }) => one.code))
    assert.deepEqual(codes, new Set(['invalid_credentials']))
  })

  test('is replaced by another one at once', async () => {
    await using rotated = await createTestApp()
    const rotate = (headers: Record<string, string>) =>
      rotated.call({ method: 'POST', url: '/api/v1/admin/token/rotate', headers })
    const editor = await rotated.logIn('ed', 'editor')
    assert.equal(outcome(await rotate(editor)), '403 forbidden')
    const { admin_token: token } = (await rotate(bearer)).json()
    assert.match(token, /^at_[\w-]{43}$/)
    assert.equal(outcome(await ask(rotated, ADMIN_TOKEN)), '401 invalid_credentials')
    const { entries } = (await ask(rotated, token, undefined, '/api/v1/admin/audit')).json()
    assert.ok(!JSON.stringify(entries).includes(token))
    assert.ok(entries.some((one: { action: string }) => one.action === 'rotateAdminToken'))
  })
})
