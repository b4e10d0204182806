import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  AUDIT_ENTRIES_MAX,
  AUDIT_REFUSALS_PER_MINUTE_MAX,
  AUDIT_STORE_ENTRIES_MAX,
} from '@aisle/contract'
import type { AuditEntry, NewAuditEntry } from '../../domain/access/audit.ts'
import type { StoredAccessChange } from '../../ports/access/access-store.ts'
import { openAccessStore } from './access-store-for-test.ts'
import { AuditLog } from './audit-log.ts'

const DAY_MS = 86_400_000

function create(store = openAccessStore()) {
  const time = { nowMs: 1_000 * DAY_MS }
  const commits: StoredAccessChange[] = []
  const commit = store.commit.bind(store)
  store.commit = (change) => {
    commits.push(change)
    return commit(change)
  }
  let last: Promise<unknown> = Promise.resolve()
  const log = new AuditLog({
    store,
    clock: { now: () => time.nowMs },
    auditDays: 30,
    exclusive: (run) => {
      const done = last.then(run)
      last = done.catch(() => undefined)
      return done
    },
  })
  const entry = (more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
    at: new Date(time.nowMs).toISOString(),
    actor: 'admin_token',
    action: 'createStore',
    result: 'done',
    status: 201,
    address: '192.0.2.1',
    user_agent: '',
    request_id: '',
    ...more,
  })
  const all = async (): Promise<AuditEntry[]> => {
    const rows = store.oldestAudit(0, 1_000_000)
    return rows.flatMap(({ entry: one }) => one ?? [])
  }
  return {
    store,
    time,
    commits,
    log,
    entry,
    all,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const byStore = (storeId: string) => ({ actor: 'store_key', store_id: storeId }) as const
const refused = { result: 'refused', status: 401, code: 'invalid_credentials' } as const

suite('the audit log', () => {
  test('keeps entries per store: a store that writes without end evicts only its own', async () => {
    await using made = create()
    const { store, entry, all } = made
    const full: AuditEntry[] = []
    const add = (more: Partial<NewAuditEntry>): unknown =>
      full.push({ id: full.length + 1, ...entry(more) })
    for (let i = 0; i < 5; i++) add({ login: 'ada', actor: 'user' })
    for (let i = 0; i < 10; i++) add(byStore('quiet'))
    for (let i = 0; i < AUDIT_STORE_ENTRIES_MAX; i++) add(byStore('loud'))
    await store.commit({ entries: full })
    const { log } = create(store)
    await log.sweep()
    for (let i = 0; i < 3; i++) await log.record(entry(byStore('loud')))
    const entries = await all()
    const count = (has: (one: AuditEntry) => boolean): number => entries.filter(has).length
    assert.equal(
      count(({ login }) => login === 'ada'),
      5,
    )
    assert.equal(
      count((one) => one.store_id === 'quiet'),
      10,
    )
    // The next write removes one more.
    assert.equal(
      count((one) => one.store_id === 'loud'),
      AUDIT_STORE_ENTRIES_MAX - 10 + 1,
    )
  })

  test('has a limit for the administration too: the oldest entry is evicted', async () => {
    await using made = create()
    const { store, entry, all } = made
    const entries = Array.from({ length: AUDIT_ENTRIES_MAX }, (_, i) => ({ id: i + 1, ...entry() }))
    await store.commit({ entries })
    const { log } = create(store)
    for (let i = 0; i < 2; i++) await log.record(entry())
    await log.sweep()
    const rest = await all()
    assert.deepEqual([rest[0]!.id, rest.length], [3, AUDIT_ENTRIES_MAX])
  })

  test('removes all entries that are too old', async () => {
    await using made = create()
    const { time, log, entry, all } = made
    for (let i = 0; i < 1_200; i++) await log.record(entry())
    time.nowMs += 31 * DAY_MS
    await log.record(entry())
    await log.sweep()
    assert.deepEqual(
      (await all()).map(({ id }) => id),
      [1_201],
    )
  })

  test('collects similar refusals in one entry per minute, without a write for each', async () => {
    await using made = create()
    const { time, commits, log, entry, all } = made
    for (let i = 0; i < 1_000; i++) await log.record(entry({ actor: 'nobody', ...refused }))
    assert.equal(commits.length, 0)
    await log.writeRefusals()
    for (let i = 0; i < 500; i++) await log.record(entry({ actor: 'nobody', ...refused }))
    await log.record(entry({ actor: 'nobody', ...refused, address: '192.0.2.2' }))
    await log.record(entry())
    time.nowMs += 60_000
    await log.record(entry({ actor: 'nobody', ...refused }))
    await log.writeRefusals()
    await log.writeRefusals()
    assert.deepEqual(
      (await all()).map(({ id, address, result, count }) => [id, address, result, count]),
      [
        [1, '192.0.2.1', 'refused', 1_500],
        [2, '192.0.2.2', 'refused', undefined],
        [3, '192.0.2.1', 'done', undefined],
        [4, '192.0.2.1', 'refused', undefined],
      ],
    )
    assert.equal(commits.length, 3)
  })

  test('collects logins that an overloaded service refuses', async () => {
    await using made = create()
    const { commits, log, entry, all } = made
    const busy = { result: 'failed', status: 503, code: 'unavailable', action: 'logIn' } as const
    for (let i = 0; i < 90; i++) await log.record(entry({ actor: 'nobody', ...busy }))
    await log.record(entry({ result: 'failed', status: 500, code: 'internal' }))
    assert.equal(commits.length, 1)
    assert.deepEqual(
      (await all()).map(({ status, count }) => [status, count]),
      [
        [503, 90],
        [500, undefined],
      ],
    )
  })

  test('distinguishes a limited number of refusals', async () => {
    await using made = create()
    const { log, entry, all } = made
    const more = 50
    for (let i = 0; i < AUDIT_REFUSALS_PER_MINUTE_MAX + more; i++) {
      await log.record(entry({ actor: 'nobody', ...refused, address: `10.0.${i}.1` }))
    }
    await log.writeRefusals()
    const rest = (await all()).at(-1)!
    assert.equal((await all()).length, AUDIT_REFUSALS_PER_MINUTE_MAX + 1)
    assert.deepEqual([rest.address, rest.count], ['several', more])
  })

  test('writes refusals that the disk rejected together with the next ones', async () => {
    await using made = create()
    const { store, log, entry, all } = made
    const { commit } = store
    store.commit = async () => {
      throw new Error('the disk is full')
    }
    await log.record(entry({ actor: 'nobody', ...refused }))
    await assert.rejects(log.writeRefusals())
    store.commit = commit
    await log.writeRefusals()
    assert.equal((await all()).length, 1)
  })
})
