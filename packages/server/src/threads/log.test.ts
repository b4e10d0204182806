import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { ENTRY } from './test/test-service.ts'

/** A first start with the demo shop, ended when all is said. */
async function firstStart(flags: string[]): Promise<{ log: string; words: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-log-'))
  const all = ['--data-dir', folder, '--port', '0', '--threads', '1', ...flags]
  const child = spawn(process.execPath, [ENTRY, ...all])
  let [log, words] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString()
    if (words.includes('Its write secret')) child.kill('SIGTERM')
  })
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0, log + words)
  rmSync(folder, { recursive: true })
  return { log, words }
}

suite('what a start says', () => {
  test('the JSON log is JSON in every line and has no secret; a person finds them on the standard error', async () => {
    const { log, words } = await firstStart(['--log-format', 'json'])
    const lines = log.trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    assert.ok(messages.includes('Listening') && messages.includes('Stopped'), log)
    assert.doesNotMatch(log, /\b(at|rs|ws)_|curl/)
    assert.match(words, /^Admin token, shown only now: at_/m)
    assert.match(words, /^Its write secret, shown only now: ws_/m)
    assert.equal(words.match(/^curl .* 'x-storesecret: rs_.*"return_fields":/gm)?.length, 3)
  })

  test('the pretty log is for people', async () => {
    const { log } = await firstStart(['--log-format', 'pretty'])
    assert.match(log, /^\[\d\d:\d\d:\d\d\] INFO: Listening \{.*"port":\d+.*\}$/m)
    assert.match(log, /^\[\d\d:\d\d:\d\d\] INFO: Stopped$/m)
    assert.doesNotMatch(log, /^\{/m)
  })
})
