import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { suite } from 'node:test'
import { promisify } from 'node:util'
import { ENTRY } from './test/test-service.ts'

const run = promisify(execFile)

/** Runs a first start with the demo shop, and ends it when everything is printed. */
async function firstStart(
  flags: string[],
): Promise<{ log: string; words: string; answers: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-log-'))
  const all = ['--data-dir', folder, '--port', '0', '--threads', '1', ...flags]
  const child = spawn(process.execPath, [ENTRY, ...all])
  let [log, words] = ['', '']
  let answers: string[] = []
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    const wasSaid = words.includes('Its write secret')
    words += chunk.toString()
    if (wasSaid || !words.includes('Its write secret')) return
    void paste(words).then((pasted) => {
      answers = pasted
      child.kill('SIGTERM')
    })
  })
  assert.equal(await new Promise((resolve) => child.once('close', resolve)), 0, log + words)
  rmSync(folder, { recursive: true })
  return { log, words, answers }
}

/** What the searches answer that are printed to be pasted. */
async function paste(words: string): Promise<string[]> {
  const commands = words.match(/^curl .*$/gm) ?? []
  const runs = commands.map((command) => run('bash', ['-c', command]))
  return (await Promise.all(runs)).map(({ stdout }) => stdout)
}

suite('what a start says', () => {
  test('the JSON log is JSON in every line and has no secret; a person finds them on the standard error', async () => {
    const { log, words, answers } = await firstStart(['--log-format', 'json'])
    const lines = log.trim().split('\n')
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    assert.ok(messages.includes('Listening') && messages.includes('Stopped'), log)
    assert.doesNotMatch(log, /\b(at|rs|ws)_|curl/)
    assert.match(words, /^Admin token, shown only now: at_/m)
    assert.match(words, /^Its write secret, shown only now: ws_/m)
    assert.ok(answers.length >= 3, words)
    for (const answer of answers) {
      const { hits } = JSON.parse(answer) as { hits: { document: object }[] }
      const names = new Set(hits.flatMap(({ document }) => Object.keys(document)))
      assert.deepEqual([...names].toSorted(), ['brand', 'price', 'title'])
      assert.doesNotMatch(answer, /data:image/)
    }
  })

  test('the pretty log is for people', async () => {
    const { log } = await firstStart(['--log-format', 'pretty'])
    assert.match(log, /^\[\d\d:\d\d:\d\d\] INFO: Listening \{.*"port":\d+.*\}$/m)
    assert.match(log, /^\[\d\d:\d\d:\d\d\] INFO: Stopped$/m)
    assert.doesNotMatch(log, /^\{/m)
  })
})
