import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { REPOSITORY } from './repository.ts'

/**
 * The compile cache shared by all servers of this checkout: one that starts with an empty data
 * folder would spend most of its time compiling and caching.
 */
export const COMPILED_CODE = join(REPOSITORY, 'node_modules', '.cache', 'aisle-code')

/** The sources; runs of all tests, campaigns and benchmarks name a bundle of them instead. */
export function serviceEntry(): string {
  return process.env['SERVICE_ENTRY'] ?? join(REPOSITORY, 'packages/server/src/main.ts')
}

export interface ServerOptions {
  /** A folder to keep; by default a temporary one, removed by `stop`. */
  readonly dataDir?: string
  /** Of another version; default: `serviceEntry()`. */
  readonly entry?: string
  /** Number of serving threads. */
  readonly threads?: number
  /** Further `AISLE_…` variables. */
  readonly environment?: Readonly<Record<string, string>>
  /** Time limit for `/health` to answer 200. */
  readonly startLimitMs?: number
}

/** A service for one tool run, on a free port, with an empty data folder. */
export class ServerProcess {
  readonly url: string
  readonly adminToken: string
  readonly dataDir: string
  /** Time from spawning the process to the first 200 of `/health`. */
  readonly startMs: number
  /** Aborted when the process has ended, however. */
  readonly ended: AbortSignal
  /** The last lines that it wrote. */
  readonly output: () => string
  readonly #child: ChildProcess
  readonly #temporary: boolean

  private constructor(
    child: ChildProcess,
    started: {
      url: string
      adminToken: string
      dataDir: string
      temporary: boolean
      startMs: number
      output: () => string
    },
  ) {
    this.#child = child
    const end = new AbortController()
    this.ended = end.signal
    child.once('exit', () => end.abort())
    if (child.exitCode !== null || child.signalCode !== null) end.abort()
    this.#temporary = started.temporary
    this.url = started.url
    this.adminToken = started.adminToken
    this.dataDir = started.dataDir
    this.startMs = started.startMs
    this.output = started.output
  }

  static async start(options: ServerOptions = {}): Promise<ServerProcess> {
    const temporary = options.dataDir === undefined
    const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'aisle-'))
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const adminToken = 'tools-admin-token-of-one-run-and-no-other'
    const startedMs = performance.now()
    const child = spawn(process.execPath, [options.entry ?? serviceEntry()], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        NODE_COMPILE_CACHE: COMPILED_CODE,
        // The same options as in packages/cli/bin/aisle.
        MALLOC_ARENA_MAX: '2',
        MALLOC_MMAP_THRESHOLD_: '1048576',
        GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
        ...withoutTestVariables(process.env),
        AISLE_HOST: '127.0.0.1',
        AISLE_PORT: String(port),
        AISLE_DATA_DIR: dataDir,
        AISLE_ADMIN_TOKEN: adminToken,
        AISLE_DEMO: 'false',
        AISLE_RATE_LIMIT: '0',
        AISLE_PAGE_RATE_LIMIT: '0',
        AISLE_CONNECTIONS_PER_ADDRESS: '0',
        ...(options.threads === undefined ? {} : { AISLE_THREADS: String(options.threads) }),
        ...options.environment,
      },
    })
    // A tool that exits early must not leave its server running.
    const endWithTool = (): unknown => child.kill('SIGKILL')
    process.once('exit', endWithTool)
    child.once('exit', () => process.off('exit', endWithTool))
    const output = tail(child)
    let failure: string | undefined
    child.on('error', (error) => (failure = error.message))
    child.on('exit', (code, signal) => (failure ??= `it exited with ${signal ?? `code ${code}`}`))

    const limitMs = options.startLimitMs ?? 120_000
    while (!(await healthy(url))) {
      if (failure === undefined && performance.now() - startedMs > limitMs) {
        failure = `/health was not 200 within ${limitMs} ms`
      }
      if (failure !== undefined) {
        await killed(child)
        throw new Error(`Cannot start the server: ${failure}\n${output()}`)
      }
      await sleep(10)
    }
    const startMs = performance.now() - startedMs
    return new ServerProcess(child, { url, adminToken, dataDir, temporary, startMs, output })
  }

  /** Removes a data folder that outlived its server. Only temporary ones of this class. */
  static removeData(dataDir: string): void {
    if (!dataDir.startsWith(join(tmpdir(), 'aisle-'))) {
      throw new Error(`"${dataDir}" is not a temporary data folder`)
    }
    rmSync(dataDir, { recursive: true, force: true })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** `kill -9`. Resolves when it has ended, and the data folder is free. */
  kill(): Promise<void> {
    return killed(this.#child)
  }

  /** Shuts the process down gracefully and waits for it; removes a temporary data folder. */
  async stop(options: { keepData?: boolean } = {}): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()))
      this.#child.kill('SIGTERM')
      const forced = setTimeout(() => this.#child.kill('SIGKILL'), 30_000)
      await exited
      clearTimeout(forced)
    }
    if (this.#temporary && options.keepData !== true) {
      rmSync(this.dataDir, { recursive: true, force: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Kills a process. Resolves when it has ended, and the data folder is free. */
async function killed(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGKILL')
  await exited
}

/** The last lines of output of a process, to show if it fails. */
function tail(child: ChildProcess): () => string {
  let text = ''
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString('utf8')).slice(-8_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => text
}

async function healthy(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

/** A server refuses `AISLE_…` variables that it does not know. */
function withoutTestVariables(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const known = Object.entries(environment).filter(([name]) => !name.startsWith('AISLE_TEST_'))
  return Object.fromEntries(known)
}
