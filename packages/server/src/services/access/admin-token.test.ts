import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { digestOf } from '../../domain/access/store-keys.ts'
import type { InstallationSettings } from '../../ports/host/installation-settings.ts'
import { openAdminToken } from './admin-token.ts'

function createSettings(): InstallationSettings {
  const kept = new Map<string, unknown>()
  return {
    get: (name: string) => kept.get(name),
    async setAll(changes: ReadonlyMap<string, unknown>) {
      for (const [name, value] of changes) {
        if (value === undefined) kept.delete(name)
        else kept.set(name, value)
      }
    },
    async setFirst(name: string, value: unknown) {
      const first = kept.get(name) ?? value
      kept.set(name, first)
      return first
    },
  }
}

const CONFIGURED = 'a token that is in the configuration'

suite('the admin token at startup', () => {
  test('is generated once, stored as a digest, and replaced by a newly generated one', async () => {
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

  test('if generated, is invalid once a token was configured, even after that one is removed', async () => {
    const settings = createSettings()
    const made = await openAdminToken(undefined, settings, () => undefined)
    const log: string[] = []
    const given = await openAdminToken(CONFIGURED, settings, (message) => log.push(message))
    assert.deepEqual([given.digest, given.save], [digestOf(CONFIGURED), undefined])
    assert.equal(log.length, 1)
    const later = await openAdminToken(undefined, settings, () => undefined)
    assert.notEqual(later.newToken, undefined)
    assert.notEqual(later.digest, made.digest)
  })
})
