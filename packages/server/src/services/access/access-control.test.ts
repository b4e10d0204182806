import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSWORD_CHECKS_WAITING_MAX } from '@aisle/contract'
import { AccessControl } from './access-control.ts'
import { openAccessStore } from './access-store-for-test.ts'

const DAY_MS = 86_400_000
const SECRETS = { adminToken: { digest: '' }, deviceKey: 'key of the tests' }
const FROM = { address: '192.0.2.1', userAgent: '' }

function create() {
  const store = openAccessStore()
  const time = { nowMs: 1_000 * DAY_MS }
  const access = new AccessControl({
    store,
    clock: { now: () => time.nowMs },
    publish: () => undefined,
    auditDays: 30,
    ...SECRETS,
    passwordCost: { memoryKib: 8, passes: 1, parallelism: 1 },
  })
  return { store, time, access, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

suite('access control', () => {
  test('a sweep removes expired sessions', async () => {
    await using made = create()
    const { store, time, access } = made
    await access.createUser({ login: 'ada', rights: { role: 'owner' }, password: 'correct horse' })
    await access.logIn({ login: 'ada', password: 'correct horse', ...FROM })
    time.nowMs += 31 * DAY_MS
    await access.sweep()
    assert.deepEqual(store.sessions(), [])
  })

  test('logins beyond the queue are rejected, and do not count as failures', async () => {
    await using made = create()
    const { access } = made
    await access.createUser({ login: 'ada', rights: { role: 'owner' }, password: 'correct horse' })
    const many = Array.from({ length: PASSWORD_CHECKS_WAITING_MAX + 20 }, (_, i) =>
      access.logIn({ login: `user-${i}`, password: 'x', address: `10.0.0.${i}`, userAgent: '' }),
    )
    const codes = (await Promise.allSettled(many)).map(
      (outcome) => outcome.status === 'rejected' && outcome.reason.code,
    )
    assert.equal(codes.filter((code) => code === 'unavailable').length, 20)
    await access.logIn({ login: 'ada', password: 'correct horse', ...FROM })
  })

  test('a password that was changed during the check is no longer accepted', async () => {
    await using made = create()
    const { access } = made
    await access.createUser({ login: 'ada', rights: { role: 'owner' }, password: 'correct horse' })
    const [changed, late] = await Promise.allSettled([
      access.changeUser({ login: 'ada', password: 'another password' }),
      access.logIn({ login: 'ada', password: 'correct horse', ...FROM }),
    ])
    assert.equal(changed.status, 'fulfilled')
    assert.equal(late.status === 'rejected' && late.reason.code, 'invalid_credentials')
  })
})
