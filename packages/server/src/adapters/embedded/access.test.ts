import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { digestOf } from '../../domain/access/store-keys.ts'
import { accessConformance } from '../../ports/access/access.conformance.ts'
import { STORE } from '../../ports/catalog/catalog-fixture.ts'
import { checkEveryRow } from '../lmdb/full-check.ts'
import { openEmbeddedCatalog } from './test/embedded-catalog.ts'

accessConformance('The embedded adapter', () => openEmbeddedCatalog())

suite('who may do what, on disk', () => {
  test('survives a crash as it was answered, and every row is checked', async () => {
    const first = await openEmbeddedCatalog()
    const { folder } = first
    await first.access.createUser({
      login: 'ada',
      rights: { role: 'owner' },
      password: 'correct horse',
    })
    const from = { address: '192.0.2.1', userAgent: 'test' }
    const { secret } = await first.access.logIn({
      login: 'ada',
      password: 'correct horse',
      ...from,
    })
    await first.writer.createStore({ name: 'Shop', id: STORE })
    const { digest } = first.registry.find(STORE)!.keys.read[0]!
    await first.writer.noteKeyUses([
      { storeId: STORE, digest, atMs: 7_000 },
      { storeId: 'gone', digest, atMs: 7_000 },
    ])
    await first.access.record({
      at: '2026-01-01T00:00:00.000Z',
      actor: 'admin_token',
      action: 'createStore',
      result: 'done',
      status: 201,
      address: '192.0.2.1',
      user_agent: '',
      request_id: '1',
    })
    await first.kill()

    const { rows, damaged } = await checkEveryRow(join(folder, 'lmdb'))
    assert.deepEqual(damaged, [])
    assert.ok(rows >= 4)
    const second = await openEmbeddedCatalog(folder)
    assert.equal(second.directory.user('ada')?.role, 'owner')
    assert.equal(second.directory.session(digestOf(secret))?.login, 'ada')
    assert.equal(second.registry.find(STORE)!.keys.read[0]!.lastUsedMs, 7_000)
    const { entries } = await second.audit.page({ filter: {}, limit: 5 })
    assert.equal(entries.length, 1)
    await second.access.logIn({ login: 'ada', password: 'correct horse', ...from })
    await second.close()
    rmSync(folder, { recursive: true, force: true })
  })
})
