import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '@aisle/testing'
import { FILE_PROCESS, runCheckingProcess } from './checking-process.ts'

const CHILD = new URL('./test/checking-child.ts', import.meta.url)
/** Longer than a process takes to start beside other work, and shorter than the busy one lives. */
const STILL_MS = 5_000

suite('a checking process', { concurrency: true }, () => {
  test('may take its time as long as it gets on', async () => {
    const startMs = performance.now()
    const outcome = await runCheckingProcess(CHILD, ['busy'], STILL_MS)
    assert.deepEqual(outcome, { code: 3, output: 'done' })
    assert.ok(performance.now() - startMs > STILL_MS)
  })

  test('that makes no progress is abandoned', async () => {
    assert.deepEqual(await runCheckingProcess(CHILD, ['still'], STILL_MS), {
      code: undefined,
      output: '',
    })
  })

  test('that dies takes nothing with it', async () => {
    assert.equal((await runCheckingProcess(CHILD, ['killed'])).code, 'SIGSEGV')
  })

  test('ends with the process that has started it, whatever ended that one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-checking-'))
    const file = join(folder, 'pid')
    const starter = spawn(process.execPath, [fileURLToPath(CHILD), 'starter', file])
    await until('the process that checks', () => existsSync(file) && readFileSync(file).length > 0)
    const pid = Number(readFileSync(file, 'utf8'))
    assert.ok(isThere(pid))
    starter.kill('SIGKILL')
    await until('its end', () => !isThere(pid))
    rmSync(folder, { recursive: true })
  })
})

suite('a process that reads a document file', { concurrency: true }, () => {
  for (const task of ['census', 'check', 'compact']) {
    test(`leaves nothing behind in a folder that was removed meanwhile: ${task}`, async () => {
      const parent = mkdtempSync(join(tmpdir(), 'aisle-checking-'))
      const folder = join(parent, 'lmdb')
      await runCheckingProcess(FILE_PROCESS, [task, folder])
      assert.equal(existsSync(folder), false)
      rmSync(parent, { recursive: true })
    })
  }
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
