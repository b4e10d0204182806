import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { digestOf } from '../../domain/access/store-keys.ts'
import type { AccessDirectory, AuditReader } from './access-directory.ts'
import type { AccessKeeper, NewAuditEntry } from './access-keeper.ts'

export interface AccessPorts {
  readonly access: AccessKeeper
  readonly directory: AccessDirectory
  readonly audit: AuditReader
}

const FROM = { address: '192.0.2.1', userAgent: 'test' }
const PASSWORD = 'correct horse battery'

/**
 * Tests of users, sessions and the audit log for every adapter. @param create creates empty ones
 */
export function accessConformance(
  name: string,
  create: () => Promise<AccessPorts & AsyncDisposable>,
): void {
  const withUser = async () => {
    const ports = await create()
    await ports.access.createUser({ login: 'Ada', rights: { role: 'owner' }, password: PASSWORD })
    return ports
  }
  const enter = ({ access }: AccessPorts) =>
    access.logIn({ login: 'ada', password: PASSWORD, ...FROM })

  suite(`${name} keeps who may do what`, () => {
    test('a user exists as soon as the call resolves, under the normal form of the login', async () => {
      await using ports = await withUser()
      const { access, directory } = ports
      assert.equal(directory.user('ada')?.role, 'owner')
      await assert.rejects(
        access.createUser({ login: 'ADA', rights: { role: 'editor' }, password: PASSWORD }),
        { code: 'user_exists' },
      )
      await access.createUser({ login: 'aaron', rights: { role: 'analyst' }, password: PASSWORD })
      assert.deepEqual(
        directory.users().map(({ login }) => login),
        ['aaron', 'ada'],
      )
      assert.ok(!JSON.stringify(directory.users()).includes('argon2'), 'hashes stay where they are')
    })

    test('two users with the same login at the same time: one is rejected', async () => {
      await using ports = await create()
      const request = { login: 'ada', rights: { role: 'editor' }, password: PASSWORD } as const
      const outcomes = await Promise.allSettled([
        ports.access.createUser(request),
        ports.access.createUser(request),
      ])
      assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    })

    test('a session begins with the right password; only its digest is known', async () => {
      await using ports = await withUser()
      const { access, directory } = ports
      for (const wrong of [
        { login: 'ada', password: 'wrong' },
        { login: 'nobody', password: PASSWORD },
      ]) {
        await assert.rejects(access.logIn({ ...wrong, ...FROM }), { code: 'invalid_credentials' })
      }
      const { secret, session } = await enter(ports)
      assert.deepEqual(directory.session(digestOf(secret)), session)
      assert.deepEqual(directory.sessionsOf('ada'), [session])
      assert.ok(directory.user('ada')?.lastLoginAt !== undefined)
      assert.equal(
        await access.endSession({ login: 'nobody', sessionId: session.sessionId }),
        false,
      )
      assert.equal(await access.endSession({ login: 'ada', sessionId: session.sessionId }), true)
      assert.equal(directory.session(digestOf(secret)), undefined)
      assert.equal(await access.endSession({ login: 'ada', sessionId: session.sessionId }), false)
    })

    test('sessions end when their user or password changes', async () => {
      await using ports = await withUser()
      const { access, directory } = ports
      await enter(ports)
      await enter(ports)
      assert.equal(await access.endSessions({ login: 'ADA' }), 2)
      await enter(ports)
      await access.changeUser({ login: 'ada', rights: { role: 'editor' } })
      assert.deepEqual(directory.sessionsOf('ada'), [])
      await enter(ports)
      const { session } = await access.changePassword({
        login: 'ada',
        currentPassword: PASSWORD,
        newPassword: 'another password',
        ...FROM,
      })
      assert.deepEqual(directory.sessionsOf('ada'), [session])
      await access.deleteUser({ login: 'ada' })
      assert.deepEqual([directory.user('ada'), directory.sessionsOf('ada')], [undefined, []])
      await assert.rejects(access.deleteUser({ login: 'ada' }), { code: 'user_not_found' })
    })

    test('a member has a role per store, and may become something else and back', async () => {
      await using ports = await create()
      const { access, directory } = ports
      const stores = [
        { storeId: 'shop', createdAt: '2026-01-01T00:00:00.000Z', role: 'editor' },
        { storeId: 'outlet', createdAt: '2026-01-02T00:00:00.000Z', role: 'analyst' },
      ] as const
      const member = { role: 'member', stores } as const
      await access.createUser({ login: 'ada', rights: member, password: PASSWORD })
      const rights = () => {
        const { role, stores: of } = directory.user('ada')!
        return of === undefined ? { role } : { role, stores: of }
      }
      assert.deepEqual(rights(), member)
      await access.changeUser({ login: 'ada', password: 'another password' })
      assert.deepEqual(rights(), member)
      await access.changeUser({ login: 'ada', rights: { role: 'editor' } })
      assert.deepEqual(rights(), { role: 'editor' })
      await access.changeUser({ login: 'ada', rights: { role: 'member', stores: [] } })
      assert.deepEqual(rights(), { role: 'member', stores: [] })
    })

    test('uses of a session only move forward', async () => {
      await using ports = await withUser()
      const { access, directory } = ports
      const { session } = await enter(ports)
      const { digest, lastUsedMs } = session
      const lastUse = () => directory.session(digest)?.lastUsedMs
      await access.noteSessionUses([
        { digest, atMs: lastUsedMs + 5 },
        { digest, atMs: lastUsedMs + 3 },
        { digest: 'f'.repeat(64), atMs: 1 },
      ])
      assert.equal(lastUse(), lastUsedMs + 5)
      await access.noteSessionUses([{ digest, atMs: lastUsedMs }])
      assert.equal(lastUse(), lastUsedMs + 5)
    })

    test('the audit log is read newest first, by filter, page by page', async () => {
      await using ports = await create()
      const { access, audit } = ports
      assert.deepEqual(await audit.page({ filter: {}, limit: 10 }), {
        entries: [],
        nextBefore: undefined,
      })
      for (let i = 0; i < 7; i++) await access.record(entry(i))
      const ids = (page: { entries: readonly { id: number }[] }) => page.entries.map(({ id }) => id)
      const first = await audit.page({ filter: {}, limit: 4 })
      assert.deepEqual([ids(first), first.nextBefore], [[7, 6, 5, 4], 4])
      const second = await audit.page({ filter: {}, before: 4, limit: 4 })
      assert.deepEqual([ids(second), second.nextBefore], [[3, 2, 1], undefined])
      assert.deepEqual(ids(await audit.page({ filter: { target: 'odd' }, limit: 10 })), [6, 4, 2])
      const { fromMs, toMs } = { fromMs: 2_000, toMs: 4_000 }
      assert.deepEqual(ids(await audit.page({ filter: { fromMs, toMs }, limit: 10 })), [4, 3])
    })
  })
}

function entry(i: number): NewAuditEntry {
  return {
    at: new Date(i * 1_000).toISOString(),
    actor: 'admin_token',
    action: 'createStore',
    target: i % 2 === 1 ? 'odd' : 'even',
    result: 'done',
    status: 201,
    address: '192.0.2.1',
    user_agent: '',
    request_id: String(i),
  }
}
