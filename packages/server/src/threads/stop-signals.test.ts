import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENTRY, TestService } from './test/test-service.ts'

/**
 * Starts a service, and sends a signal when `whenToStop` resolves.
 * @returns its exit code and what it said
 */
async function startAndStop(
  whenToStop: (port: number) => Promise<unknown>,
  folder: string,
): Promise<[code: number | null, output: string]> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const flags = ['--data-dir', folder, '--port', String(port), '--threads', '2']
  const child = spawn(process.execPath, [ENTRY, ...flags])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  }
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await Promise.race([whenToStop(port), exited])
  child.kill('SIGTERM')
  return [await exited, output]
}

/** Resolves when a path answers with 200. */
async function answers(port: number, path: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    if (answer?.status === 200) return
    await sleep(1)
  }
}

suite('a signal', () => {
  test('ends a service in good order as soon as it serves, while the demo shop is loaded too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-signals-'))
    const [code, output] = await startAndStop((port) => answers(port, '/openapi.json'), folder)
    assert.equal(code, 0, output)
    assert.match(output, /"Stopped"/)
    rmSync(folder, { recursive: true })
  })

  test('ends it while it starts, at whatever moment, and the next start finds all in order', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'aisle-signals-'))
    for (const ms of [0, 500]) {
      const [code, output] = await startAndStop(async (port) => {
        await answers(port, '/livez')
        await sleep(ms)
      }, folder)
      assert.equal(code, 0, `after ${ms} ms: ${output}`)
    }
    await using service = await TestService.start(['--demo', 'true'], folder)
    await service.until(/The demo shop is at/)
  })
})
