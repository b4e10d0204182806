import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { memoryFolder } from '@aisle/testing'
import { LmdbAccessStore } from '../../adapters/lmdb/access-store.ts'
import { Committer } from '../../adapters/lmdb/committer.ts'
import { openEnvironment } from '../../adapters/lmdb/environment.ts'

/**
 * Creates an empty store of users, sessions and the audit log, in a folder that is removed with it.
 */
export function openAccessStore(): LmdbAccessStore & AsyncDisposable {
  const folder = memoryFolder('aisle-access-')
  const environment = openEnvironment(folder, { readOnly: false })
  const fail = (message: string): never => assert.fail(message)
  const store = new LmdbAccessStore(environment, new Committer(environment, fail), fail)
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await environment.root.close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}
