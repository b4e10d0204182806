import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AUDIT_ENTRIES_MAX, PASSWORD_CHECKS_WAITING_MAX } from '@aisle/contract'
import { createMemoryAccessStore } from '../adapters/memory/memory-access.ts'
import type { NewAuditEntry } from '../domain/audit.ts'
import { AccessControl } from './access-control.ts'

const DAY_MS = 86_400_000
const SECRETS = { adminToken: { digest: '' }, deviceKey: 'key of the tests' }
const FROM = { address: '192.0.2.1', userAgent: '' }

function create() {
  const store = createMemoryAccessStore()
  const time = { nowMs: 1_000 * DAY_MS }
  const access = new AccessControl({
    store,
    clock: { now: () => time.nowMs },
    publish: () => undefined,
    auditDays: 30,
    ...SECRETS,
    passwordCost: { memoryKib: 8, passes: 1, parallelism: 1 },
  })
  const entry = (): NewAuditEntry => ({
    at: new Date(time.nowMs).toISOString(),
    actor: 'admin_token',
    action: 'createStore',
    result: 'done',
    status: 201,
    address: '',
    user_agent: '',
    request_id: '',
  })
  return { store, time, access, entry }
}

suite('access control', () => {
  test('the audit log has a bound: with another entry the oldest goes', async () => {
    const { store, access, entry } = create()
    await store.commit({
      entries: Array.from({ length: AUDIT_ENTRIES_MAX }, (_, i) => ({ id: i + 1, ...entry() })),
    })
    const full = new AccessControl({
      store,
      clock: { now: () => 0 },
      publish: () => undefined,
      auditDays: 30,
      ...SECRETS,
    })
    await full.record(entry())
    await full.record(entry())
    assert.deepEqual(store.auditRange(), { first: 3, next: AUDIT_ENTRIES_MAX + 3 })
    await access.close()
  })

  test('a sweep removes entries that are too old, however many, and sessions that are over', async () => {
    const { store, time, access, entry } = create()
    await access.createUser({ login: 'ada', role: 'owner', password: 'correct horse' })
    await access.logIn({ login: 'ada', password: 'correct horse', ...FROM })
    for (let i = 0; i < 1_200; i++) await access.record(entry())
    time.nowMs += 31 * DAY_MS
    await access.record(entry())
    await access.sweep()
    assert.deepEqual(store.auditRange(), { first: 1_201, next: 1_202 })
    assert.deepEqual(store.sessions(), [])
  })

  test('logins beyond what can wait are refused, and not held against anybody', async () => {
    const { access } = create()
    await access.createUser({ login: 'ada', role: 'owner', password: 'correct horse' })
    const many = Array.from({ length: PASSWORD_CHECKS_WAITING_MAX + 20 }, (_, i) =>
      access.logIn({ login: `user-${i}`, password: 'x', address: `10.0.0.${i}`, userAgent: '' }),
    )
    const codes = (await Promise.allSettled(many)).map(
      (outcome) => outcome.status === 'rejected' && outcome.reason.code,
    )
    assert.equal(codes.filter((code) => code === 'unavailable').length, 20)
    await access.logIn({ login: 'ada', password: 'correct horse', ...FROM })
  })

  test('a password that was changed meanwhile lets nobody in any more', async () => {
    const { access } = create()
    await access.createUser({ login: 'ada', role: 'owner', password: 'correct horse' })
    const [changed, late] = await Promise.allSettled([
      access.changeUser({ login: 'ada', password: 'another password' }),
      access.logIn({ login: 'ada', password: 'correct horse', ...FROM }),
    ])
    assert.equal(changed.status, 'fulfilled')
    assert.equal(late.status === 'rejected' && late.reason.code, 'invalid_credentials')
  })
})
