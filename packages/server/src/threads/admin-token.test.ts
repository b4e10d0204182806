import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { digestOf } from '../domain/access/store-keys.ts'
import { openAdminToken } from './admin-token.ts'
import { openSecrets } from '../adapters/lmdb/secrets-file.ts'

function createSettings(values: Record<string, unknown> = {}) {
  const kept = new Map(Object.entries(values))
  return {
    kept,
    get: (name: string) => kept.get(name),
    async setAll(changes: ReadonlyMap<string, unknown>) {
      for (const [name, value] of changes) {
        if (value === undefined) kept.delete(name)
        else kept.set(name, value)
      }
    },
  }
}

const CONFIGURED = 'a token that stands in the configuration'

suite('the admin token at a start', () => {
  test('is made once, kept as a digest, and replaced by another one that was made', async () => {
    const settings = createSettings()
    const first = await openAdminToken(undefined, settings, () => undefined)
    assert.equal(first.digest, digestOf(first.newToken!))
    const second = await openAdminToken(undefined, settings, () => undefined)
    assert.deepEqual([second.digest, second.newToken], [first.digest, undefined])
    await second.save!('another digest')
    assert.equal(
      (await openAdminToken(undefined, settings, () => undefined)).digest,
      'another digest',
    )
  })

  test('that was made opens no more once one was configured, also when that one is gone', async () => {
    const settings = createSettings()
    const made = await openAdminToken(undefined, settings, () => undefined)
    const log: string[] = []
    const given = await openAdminToken(CONFIGURED, settings, (level) => log.push(level))
    assert.deepEqual([given.digest, given.save], [digestOf(CONFIGURED), undefined])
    assert.deepEqual(log, ['warn'])
    const later = await openAdminToken(undefined, settings, () => undefined)
    assert.notEqual(later.newToken, undefined)
    assert.notEqual(later.digest, made.digest)
  })
})

test('keys that hide something lie outside of the documents, for nobody else to read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-secrets-'))
  const path = join(folder, 'secrets.json')
  const settings = createSettings({ addressKey: 'of an older version' })
  const first = await openSecrets(path, settings)
  assert.equal(first.addressKey, 'of an older version')
  assert.equal(settings.kept.size, 0)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(await openSecrets(path, settings), first)
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), first)
  rmSync(folder, { recursive: true })
})
