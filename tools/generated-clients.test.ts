import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { AisleClient } from '@aisle/client'
import { REPOSITORY, ServerProcess } from '@aisle/testing'
import { cachedClient, type ClientLanguage } from './lib/generate-client.ts'

const run = promisify(execFile)
/** Its place in Debian's package php-guzzlehttp-guzzle. */
const GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php'

suite('clients generated from the OpenAPI document, against a running service', () => {
  let server: ServerProcess
  before(async () => {
    server = await ServerProcess.start({ threads: 1 })
  })
  after(async () => {
    await server.stop()
  })

  test('Python fills a store and searches it', async (t) => {
    const client = await generated(t, 'python')
    if (client === undefined) return
    const requirements = join(client, 'requirements.txt')
    // Beside the client, which each change of the API replaces.
    const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex')
    const python = join(client, `../packages-${digest.slice(0, 16)}`)
    const installed = join(python, 'installed')
    try {
      if (!existsSync(installed)) {
        await run('python3', ['-m', 'venv', python])
        const how = ['install', '-q', '--disable-pip-version-check', '--no-compile']
        await run(join(python, 'bin/pip'), [...how, '-r', requirements])
        writeFileSync(installed, '')
      }
    } catch (error) {
      return t.skip(`NOT RUN: no Python with its packages: ${String(error).slice(0, 300)}`)
    }
    await smoke('python', join(python, 'bin/python'), 'smoke.py', { PYTHONPATH: client })
  })

  test('PHP fills a store and searches it', async (t) => {
    const isThere = await run('php', ['--version']).then(
      () => existsSync(GUZZLE),
      () => false,
    )
    if (!isThere) {
      return t.skip('NOT RUN: no PHP (Debian: apt-get install php-cli php-guzzlehttp-guzzle)')
    }
    const client = await generated(t, 'php')
    if (client === undefined) return
    await smoke('php', 'php', 'smoke.php', { AISLE_CLIENT: client, GUZZLE_AUTOLOAD: GUZZLE })
  })

  /**
   * @returns its folder; undefined if it cannot be generated here, and the test counts as skipped
   */
  async function generated(t: TestContext, language: ClientLanguage): Promise<string | undefined> {
    try {
      return await cachedClient(language)
    } catch (error) {
      t.skip(`NOT RUN: ${String(error)}`)
      return undefined
    }
  }

  async function smoke(
    id: string,
    program: string,
    script: string,
    environment: Record<string, string>,
  ): Promise<void> {
    const { url, adminToken } = server
    const made = await new AisleClient({ url, adminToken }).createStore({ id, name: id })
    const env = {
      ...process.env,
      ...environment,
      AISLE_URL: url,
      AISLE_STORE: id,
      AISLE_READ_SECRET: made.read_secret,
      AISLE_WRITE_SECRET: made.write_secret,
    }
    const { stdout } = await run(program, [join(REPOSITORY, 'tools/clients', script)], { env })
    assert.equal(stdout, '1 Desk lamp 29.5\n400 True\n')
  }
})
