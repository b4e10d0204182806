import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { keepCompiledCode } from './code-cache.ts'

const MAIN = join(import.meta.dirname, '..', 'main.ts')

suite('compiled code', () => {
  test('a data folder that is refused is left as it is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-code-'))
    try {
      writeFileSync(join(folder, 'aisle.json'), '{"format":1000}')
      const run = spawnSync(process.execPath, [MAIN, '--data-dir', folder, '--port', '0'], {
        encoding: 'utf8',
      })
      assert.equal(run.status, 1)
      assert.match(run.stderr, /^Cannot use the data folder .* nothing was changed\n$/)
      assert.deepEqual(readdirSync(folder), ['aisle.json'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('a folder that the environment names stays the one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-code-'))
    try {
      const environment = { NODE_COMPILE_CACHE: 'shared' }
      keepCompiledCode(folder, environment)
      assert.deepEqual(environment, { NODE_COMPILE_CACHE: 'shared' })
      assert.deepEqual(readdirSync(folder), [])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
