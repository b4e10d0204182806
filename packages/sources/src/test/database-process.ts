import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { memoryFolder } from '@aisle/testing'

/** Databases run where `npm run test:sources` says so: they take seconds to start. */
const HAS_DATABASES = process.env['AISLE_TEST_DATABASES'] !== undefined

/** Why the tests of a database do not run here; `false` if they do. */
export function databaseSkip(program: string): string | false {
  if (!HAS_DATABASES) return 'runs in npm run test:sources'
  return findProgram(program) === undefined ? `${program} is not installed` : false
}

/** Where a distribution puts the programs of a database. */
const FOLDERS = ['/usr/lib/postgresql/*/bin', '/usr/local/bin', '/usr/sbin', '/usr/bin']

export function findProgram(name: string): string | undefined {
  for (const folder of FOLDERS) {
    const found = globSync(join(folder, name)).toSorted().at(-1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Databases refuse to run as root: any other user will do. */
const USER = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0

/** A folder that the database owns. */
export function databaseFolder(prefix: string): string {
  const folder = memoryFolder(prefix)
  own(folder)
  return folder
}

export function own(path: string): void {
  if (!existsSync(path)) mkdirSync(path)
  if (isRoot) chownSync(path, USER.uid, USER.gid)
}

export function runProgram(name: string, args: readonly string[], folder: string): void {
  const program = findProgram(name)
  if (program === undefined) throw new Error(`${name} is not installed`)
  const { status, stderr, stdout } = spawnSync(program, args, {
    ...asUser(folder),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${name} failed: ${stdout}${stderr}`)
}

/** A process of a database, which can be killed and started again. */
export class DatabaseProcess {
  readonly folder: string
  readonly #command: string
  readonly #args: readonly string[]
  #child: ChildProcess | undefined
  #output = ''

  constructor(name: string, args: readonly string[], folder: string) {
    this.#command = findProgram(name)!
    this.#args = args
    this.folder = folder
    // A test that fails early must not leave its database running.
    process.once('exit', () => this.#child?.kill('SIGKILL'))
  }

  get output(): string {
    return this.#output
  }

  get isRunning(): boolean {
    return (
      this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
    )
  }

  start(): void {
    const child = spawn(this.#command, this.#args, {
      ...asUser(this.folder),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString()).slice(-8_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    this.#child = child
  }

  /** Ends the process and waits for it. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === undefined || !this.isRunning) return
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill(signal)
    await exited
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

function asUser(folder: string): object {
  return {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', HOME: folder },
    ...(isRoot ? USER : {}),
  }
}
