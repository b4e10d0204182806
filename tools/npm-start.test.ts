import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { COMPILED_CODE, freePort, REPOSITORY, until } from '@aisle/testing'
import { buildDashboard } from '../packages/dashboard/build/build-dashboard.ts'
import { buildStorefront } from '../packages/dashboard/build/build-storefront.ts'

const LIMIT = { timeoutMs: 90_000, pauseMs: 20 }
/** Like from a shell, not like a script of `npm test`; without our options. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(AISLE|npm)_/i.test(name)),
)
const left = new Set<ChildProcess>()

/** `npm start` as a person runs it, without the build of the pages, which tests do before. */
function start(folder: string, command = 'npm start --ignore-scripts --'): Promise<Started> {
  return freePort().then((port) => startOn(port, folder, command))
}

function startOn(port: number, folder: string, command: string): Started {
  const child = spawn(`exec ${command} --port ${port} --data-dir ${folder} --threads 2`, {
    cwd: REPOSITORY,
    shell: true,
    // A separate process group: leftovers of a failed test end with this file.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: COMPILED_CODE, ...environment },
  })
  left.add(child)
  const started: Started = { child, url: `http://127.0.0.1:${port}`, output: () => text }
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  }
  return started
}

interface Started {
  readonly child: ChildProcess
  readonly url: string
  readonly output: () => string
}

const statusOf = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  fetch(url, { headers }).then(
    (answer) => answer.status,
    () => 0,
  )

async function healthy({ url, output }: Started): Promise<void> {
  await until(output, async () => (await statusOf(`${url}/health`)) === 200, LIMIT)
}

/** Resolves when nothing answers. */
async function gone({ url, output }: Started): Promise<void> {
  await until(output, async () => (await statusOf(`${url}/livez`)) === 0, LIMIT)
}

suite('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aisle-npm-start-'))
  let token = ''

  after(() => {
    for (const { pid, exitCode } of left) {
      if (pid === undefined || exitCode !== null) continue
      try {
        process.kill(-pid, 'SIGKILL')
      } catch {
        // All processes have ended.
      }
    }
    rmSync(folder, { recursive: true, force: true })
  })

  test('when /health is 200, the printed addresses work: first page, demo shop and tokens', async () => {
    await buildDashboard()
    await buildStorefront()
    const first = await start(folder)
    await healthy(first)
    token = /Admin token, shown only now: (\S+)/.exec(first.output())?.[1] ?? ''
    const admin = { authorization: `Bearer ${token}` }
    const statuses = await Promise.all([
      statusOf(`${first.url}/`),
      statusOf(`${first.url}/demo`),
      statusOf(`${first.url}/api/v1/admin/stores`, admin),
    ])
    assert.deepEqual(statuses, [200, 200, 200])
    assert.match(first.output(), /\/first-run#fr_/)
    assert.match(first.output(), /The demo shop is at/)
    const health = async (): Promise<object> =>
      (await fetch(`${first.url}/health`)).json() as object
    const isDone = async (): Promise<boolean> => !('starting' in (await health()))
    await until('nothing that still starts', isDone, LIMIT)
    const exited = new Promise((resolve) => first.child.once('exit', resolve))
    process.kill(first.child.pid!, 'SIGTERM')
    await exited
    assert.match(first.output(), /"Stopped"/, 'npm waits for it')
  })

  test('the service shuts down gracefully when npm is killed', async () => {
    const started = await start(folder)
    await healthy(started)
    process.kill(started.child.pid!, 'SIGKILL')
    await gone(started)
    await until(started.output, () => started.output().includes('"Stopped"'), LIMIT)
  })

  // The first test sends SIGTERM to npm.
  test('SIGINT to npm, and a signal to all its processes, end the service, and npm waits for it; the next start finds the data', async () => {
    const inShell = `sh -c 'npm start --ignore-scripts -- "$@"' sh`
    for (const [signal, to, command] of [
      ['SIGINT', 'npm', 'npm run start --ignore-scripts --'],
      // In the way of a terminal or a supervisor; npm passes it on, so that the service gets two.
      ['SIGINT', 'group', 'npm start --ignore-scripts --'],
      ['SIGTERM', 'group', inShell],
    ] as const) {
      const started = await start(folder, command)
      await healthy(started)
      const admin = { authorization: `Bearer ${token}` }
      assert.equal(await statusOf(`${started.url}/api/v1/admin/stores`, admin), 200)
      const exited = new Promise((resolve) => started.child.once('exit', resolve))
      process.kill(to === 'npm' ? started.child.pid! : -started.child.pid!, signal)
      await exited
      await gone(started)
      const stopped = (): boolean => started.output().includes('"Stopped"')
      if (to === 'npm') assert.ok(stopped(), `${signal}: ${started.output()}`)
      else await until(`${signal} to ${command}`, stopped, LIMIT)
    }
  })
})
