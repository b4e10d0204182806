import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSecrets } from './secrets-file.ts'

test('keys that hide something lie outside of the documents, for nobody else to read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-secrets-'))
  const path = join(folder, 'secrets.json')
  const kept = new Map<string, unknown>([['addressKey', 'of an older version']])
  const settings = {
    get: (name: string) => kept.get(name),
    async setAll(changes: ReadonlyMap<string, unknown>) {
      for (const name of changes.keys()) kept.delete(name)
    },
  }
  const first = await openSecrets(path, settings)
  assert.equal(first.addressKey, 'of an older version')
  assert.equal(kept.size, 0)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(await openSecrets(path, settings), first)
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), first)
  rmSync(folder, { recursive: true })
})
