import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SharedGarbage } from './shared-garbage.ts'

const MB = 1024 * 1024

test('a collection is forced after 96 MB, unless V8 has collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let forced = 0
  const garbage = new SharedGarbage(() => forced++)
  garbage.passed(60 * MB)
  assert.equal(forced, 0)
  garbage.passed(60 * MB)
  assert.equal(forced, 1)

  garbage.passed(60 * MB)
  // A weak reference holds its target until the job that made it is over.
  await nextTurn()
  collect()
  garbage.passed(60 * MB)
  assert.equal(forced, 1)
  garbage.passed(60 * MB)
  assert.equal(forced, 2)
})
