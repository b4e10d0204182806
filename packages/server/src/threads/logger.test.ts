import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'

const MODULE = new URL('logger.ts', import.meta.url).href

/** The messages of a process that logs as told, and then ends as told. */
function messagesOf(lines: string): string[] {
  const script = `
    import { createLogger } from ${JSON.stringify(MODULE)}
    const logger = await createLogger({ level: 'info', format: 'json', base: {} })
    ${lines}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  })
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { msg: string }).msg)
}

const KILL = "process.kill(process.pid, 'SIGKILL')"

suite('log', () => {
  test('a warning is written before the call returns, with the lines before it', () => {
    const script = `logger.info('first'); logger.warn('second'); logger.info('third'); ${KILL}`
    assert.deepEqual(messagesOf(script), ['first', 'second'])
  })

  test('other lines are collected for a moment, and written when the process ends', () => {
    assert.deepEqual(messagesOf(`logger.info('first'); process.exit()`), ['first'])
    assert.deepEqual(messagesOf(`logger.info('first'); throw new Error('bug')`), ['first'])
    const waits = `logger.info('first'); setTimeout(() => ${KILL}, 2_000)`
    assert.deepEqual(messagesOf(waits), ['first'])
  })

  test('no line is lost or cut, however many and long they are', () => {
    const count = 3_000
    const all = messagesOf(
      `for (let i = 0; i < ${count}; i++) logger.info(i + ' ' + 'x'.repeat(i % 7 === 0 ? 6_000 : i % 90))`,
    )
    assert.deepEqual(
      all.map((message) => Number(message.split(' ')[0])),
      Array.from({ length: count }, (_, i) => i),
    )
  })

  test('what nobody reads any more is dropped, and the process goes on', async () => {
    const script = `
      import { createLogger } from ${JSON.stringify(MODULE)}
      const logger = await createLogger({ level: 'info', format: 'json', base: {} })
      process.stdin.once('data', () => {
        for (let i = 0; i < 1_000; i++) logger.warn('lost ' + 'x'.repeat(500))
        setTimeout(() => process.exit(7), 300)
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    child.stdout.destroy()
    child.stdin.write('go')
    assert.deepEqual(await once(child, 'exit'), [7, null])
  })

  test('a reader that has stopped is waited for once, not for each line', async () => {
    // Touching process.stdout makes the pipe one that is full instead of one that blocks.
    const script = `
      import { createLogger } from ${JSON.stringify(MODULE)}
      process.stdout
      const logger = await createLogger({ level: 'info', format: 'json', base: {} })
      for (let i = 0; i < 3_000; i++) logger.warn('x'.repeat(2_000))
      process.exit(7)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
    })
    assert.deepEqual(await once(child, 'exit'), [7, null])
  })

  test('nothing waits for a disk', () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-log-'))
    try {
      const script = `
        import fs from 'node:fs'
        import { syncBuiltinESMExports } from 'node:module'
        let syncs = 0
        fs.fsyncSync = () => syncs++
        syncBuiltinESMExports()
        const { createLogger } = await import(${JSON.stringify(MODULE)})
        const logger = await createLogger({ level: 'info', format: 'json', base: {} })
        logger.info('first')
        logger.warn('second')
        setTimeout(() => process.exit(syncs), 400)`
      const path = join(folder, 'log')
      const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', openSync(path, 'w'), 'ignore'],
      })
      assert.equal(status, 0)
      assert.equal(readFileSync(path, 'utf8').trim().split('\n').length, 2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
