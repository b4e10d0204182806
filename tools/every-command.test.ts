import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { REPOSITORY, ServerProcess, freePort } from '@aisle/testing'
import { commandNames, EXIT_CODES } from '../packages/cli/src/index.ts'
import { runAisle } from './lib/run-aisle.ts'
import type { Ran } from './lib/run-aisle.ts'
import { EMBEDDER_WALKS } from './walks/embedder-walks.ts'
import { closeFeed, serveFeed, SOURCE_WALKS } from './walks/source-walks.ts'
import { SERVICE_WALKS } from './walks/service-walks.ts'
import { STORE_WALKS } from './walks/store-walks.ts'
import { at, world } from './walks/walk.ts'

// Goal: every command does what it documents. Method: runs each one three times against one
// service, which the commands change: for a person, with --json, and with an error. A test at the
// end compares the list with the existing commands.

const WALKS = [...STORE_WALKS, ...SERVICE_WALKS, ...EMBEDDER_WALKS, ...SOURCE_WALKS]
let server: ServerProcess
const environment: Record<string, string> = {
  AISLE_USER_PASSWORD: 'correct horse battery',
  AISLE_SIGNING_SECRET: 'ss_of_the_walks',
}

async function aisle(command: string, words: readonly string[]): Promise<Ran> {
  return runAisle([...command.split(' '), ...words], { environment })
}

suite('every command three times: for a person, as JSON, and with an error', () => {
  before(async () => {
    world.folder = mkdtempSync(join(tmpdir(), 'aisle-every-command-'))
    server = await ServerProcess.start({
      threads: 1,
      environment: { AISLE_SOURCE_NETWORKS: '127.0.0.1' },
    })
    await serveFeed()
    world.dataDir = server.dataDir
    Object.assign(environment, {
      AISLE_URL: server.url,
      AISLE_STORE: 'shop',
      AISLE_ADMIN_TOKEN: server.adminToken,
    })
    const { out } = await aisle('store create', ['Shop', '--id', 'shop', '--json'])
    environment['AISLE_WRITE_SECRET'] = (JSON.parse(out) as { write_secret: string }).write_secret
  })
  after(async () => {
    await server.stop()
    closeFeed()
    rmSync(world.folder, { recursive: true, force: true })
  })

  for (const walk of WALKS) {
    test(`aisle ${walk.command}`, async () => {
      const { command, says, gives, complains } = walk
      const well = EXIT_CODES[walk.wellExit ?? 'ok'].code
      const text = await aisle(command, walk.text())
      assert.equal(text.exit, well, text.err)
      assert.match(text.out, says)
      const json = await aisle(command, [...walk.json(), ...(walk.isStream ? [] : ['--json'])])
      assert.equal(json.exit, well, json.err)
      assert.match(json.out, /^[^\n]+\n$/, 'one line')
      assert.ok(gives(JSON.parse(json.out) as never), json.out)
      for (const more of [[], ['--json']]) {
        const wrong = await aisle(command, [...walk.wrong(), ...more])
        assert.equal(wrong.exit, EXIT_CODES[walk.exit].code, wrong.err)
        assert.match(wrong.err, complains)
        assert.doesNotMatch(wrong.err, /\n\s+at /)
      }
    })
  }

  test('aisle server: runs until it is stopped', async () => {
    const script = join(REPOSITORY, 'packages/cli/bin/aisle')
    const words = [
      'server',
      '--port',
      '0',
      '--data-dir',
      at('served'),
      '--demo',
      'false',
      '--threads',
      '1',
    ]
    const child = spawn(script, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    let log = ''
    child.stdout.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      // A second signal would kill it immediately.
      if (!child.killed && log.includes('Every store is searchable')) child.kill('SIGTERM')
    })
    const [code] = (await once(child, 'exit')) as [number]
    assert.equal(code, EXIT_CODES.ok.code)
    const wrong = spawn(script, ['server', '--prot', '1'], { stdio: ['ignore', 'ignore', 'pipe'] })
    const [wrongCode] = (await once(wrong, 'exit')) as [number]
    assert.equal(wrongCode, EXIT_CODES.usage.code)
  })

  test('aisle token rotate-admin: a generated token is replaced, a configured one is not', async () => {
    const command = 'token rotate-admin'
    const refused = await aisle(command, [])
    assert.equal(refused.exit, EXIT_CODES.refused.code)
    assert.match(refused.err, /AISLE_ADMIN_TOKEN/)
    assert.equal((await aisle(command, ['extra'])).exit, EXIT_CODES.usage.code)
    const port = await freePort()
    const child = spawn(
      join(REPOSITORY, 'packages/cli/bin/aisle'),
      ['server', '--port', String(port), '--data-dir', at('rotated'), '--demo', 'false'],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, AISLE_THREADS: '2' } },
    )
    let text = ''
    const collect = (chunk: Buffer): unknown => (text += chunk.toString())
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    try {
      while (!text.includes('Every store is searchable')) await once(child.stdout, 'data')
      const withToken = (token: string, words: readonly string[]) =>
        runAisle(words, {
          environment: { AISLE_URL: `http://127.0.0.1:${port}`, AISLE_ADMIN_TOKEN: token },
        })
      // It is on the other stream, and may arrive a moment later.
      while (!/shown only now: at_\S+\n/.test(text)) await once(child.stderr, 'data')
      const first = /shown only now: (at_\S+)/.exec(text)![1]!
      const rotated = await withToken(first, ['token', 'rotate-admin'])
      const second = /^admin_token: (at_\S+)\n$/.exec(rotated.out)![1]!
      for (let i = 0; i < 4; i++) {
        assert.equal((await withToken(second, ['store', 'list'])).exit, EXIT_CODES.ok.code)
        assert.notEqual((await withToken(first, ['store', 'list'])).exit, EXIT_CODES.ok.code)
      }
      const json = await withToken(second, ['token', 'rotate-admin', '--json'])
      assert.match((JSON.parse(json.out) as { admin_token: string }).admin_token, /^at_/)
    } finally {
      child.kill('SIGTERM')
    }
    await once(child, 'exit')
  })

  test('aisle cluster import, export: without a cluster there is one line', async () => {
    const nobody = ['--opensearch-url', 'http://127.0.0.1:1']
    const made = await aisle('snapshot create', ['--json'])
    const { folder } = JSON.parse(made.out) as { folder: string }
    for (const words of [
      ['cluster import', folder, ...nobody],
      ['cluster export', at('exported'), ...nobody],
    ] as const) {
      const [command, ...rest] = words
      const refused = await aisle(command, rest)
      assert.equal(refused.exit, EXIT_CODES.incomplete.code)
      assert.match(refused.err, /The cluster cannot be used: .*ECONNREFUSED/)
      const wrong = await aisle(command, rest.slice(0, 1))
      assert.equal(wrong.exit, EXIT_CODES.usage.code)
      assert.match(wrong.err, /--opensearch-url is missing/)
    }
    const absent = await aisle('cluster import', [at('nothing'), ...nobody])
    assert.match(absent.err, /is not a snapshot/)
  })

  test('aisle schema cancel: a change is cancelled while it runs; without one it says so', async () => {
    const command = 'schema cancel'
    const idle = await aisle(command, [])
    assert.equal(idle.exit, EXIT_CODES.refused.code)
    assert.match(idle.err, /No change of the schema is in progress/)
    assert.equal((await aisle(command, ['extra'])).exit, EXIT_CODES.usage.code)
    const rows = Array.from({ length: 20_000 }, (_, i) => `{"id":"c${i}","title":"Lamp ${i}"}\n`)
    writeFileSync(at('lamps.jsonl'), rows.join(''))
    assert.equal((await aisle('import', [at('lamps.jsonl')])).exit, EXIT_CODES.ok.code)
    const changed = { fields: [{ name: 'title', type: 'string', searchable: true, facet: true }] }
    writeFileSync(at('changed.json'), JSON.stringify(changed))
    const put = await aisle('schema put', [at('changed.json'), '--change'])
    assert.match(put.out, /^Changed: title$/m)
    // A fast machine may be ready before the next command has started.
    const { out, err, exit } = await aisle(command, ['--json'])
    if (exit === EXIT_CODES.ok.code) assert.equal(JSON.parse(out).success, true)
    else assert.match(err, /No change of the schema is in progress/)
  })

  test('no command is missing', async () => {
    const walked = new Set(WALKS.map(({ command }) => command))
    assert.deepEqual(
      (await commandNames()).filter((name) => !walked.has(name)),
      // tools/mcp.test.ts tests the commands for assistants, cluster-round-trip.test.ts those for
      // clusters, calibrate-command.test.ts what asks a person.
      [
        'server',
        'token rotate-admin',
        'schema cancel',
        'mcp',
        'embedder calibrate',
        'cluster import',
        'cluster export',
      ],
    )
  })
})
