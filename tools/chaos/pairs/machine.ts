import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { REPOSITORY, ServerProcess, serviceEntry, ThinClient, until } from '@aisle/testing'
import { buildLibrary, canWatchDisks } from '../disk.ts'
import { ClusterLoad } from '../cluster-load.ts'
import { CHAOS_FIELDS } from '../document.ts'
import { SNAPSHOTS_KEPT_MIN } from '../soak-loads.ts'

/** Stores with writers and readers, and their numbers. */
const STORES = ['one', 'two']
const WRITERS = 2
const READERS = 1
/** Writes that must succeed before and after the faults. */
const WRITES = 10

/**
 * A service whose stores are written and read all the time, by clients that remember every answer
 * and go on while it is away. Its disk can be switched to failing, and its process killed.
 */
export class Machine {
  readonly dataDir: string
  readonly #base: string
  readonly #library: string | undefined
  readonly #loads: ClusterLoad[] = []
  #restores = 0
  #server: ServerProcess
  /** Of the latest complete start. */
  #startMs: number

  private constructor(base: string, library: string | undefined, server: ServerProcess) {
    this.#base = base
    this.#library = library
    this.#server = server
    this.#startMs = server.startMs
    this.dataDir = server.dataDir
  }

  static async start(random: () => number): Promise<Machine> {
    const base = mkdtempSync(join(tmpdir(), 'aisle-pairs-'))
    const library = canWatchDisks() ? buildLibrary(base) : undefined
    const server = await startService(base, join(base, 'data'), library)
    const machine = new Machine(base, library, server)
    using client = new ThinClient(server.url, { adminToken: server.adminToken })
    for (const id of STORES) {
      const keys = await client.createStore({ name: id, id })
      await client.setSchema(keys, { fields: CHAOS_FIELDS })
      const load = new ClusterLoad(keys, [server.url], random)
      load.start(WRITERS, READERS)
      machine.#loads.push(load)
    }
    return machine
  }

  /** Whether the disk can be switched to failing: requires Linux and gcc. */
  get hasSwitch(): boolean {
    return this.#library !== undefined
  }

  get server(): ServerProcess {
    return this.#server
  }

  /** Writes that were acknowledged so far. */
  get writes(): number {
    return this.#loads.reduce((sum, load) => sum + load.writes, 0)
  }

  /** Searches and reads that were answered so far. */
  get reads(): number {
    return this.#loads.reduce((sum, load) => sum + load.reads, 0)
  }

  /** Requests without a success so far. */
  get failures(): number {
    return this.#loads.reduce((sum, load) => sum + load.failures, 0)
  }

  /** Calls to it as its owner. The caller closes it. */
  client(): ThinClient {
    return new ThinClient(this.#server.url, { adminToken: this.#server.adminToken })
  }

  /** Writes, syncs, truncations and renames in the data folder fail from now on, or no more. */
  disk(state: { readonly errno: number; readonly percent: number } | 'good'): void {
    const file = switchOf(this.#base)
    if (state === 'good') rmSync(file, { force: true })
    else writeFileSync(file, `${state.errno} ${state.percent}`)
  }

  async kill(): Promise<void> {
    this.#away()
    if (!this.#server.ended.aborted) process.kill(this.#server.pid, 'SIGKILL')
    await this.#server.stop({ keepData: true })
  }

  /** Shuts down as it should: only then small stores have index files. */
  async stop(): Promise<void> {
    this.#away()
    await this.#server.stop({ keepData: true })
  }

  /** Starts it, and kills it before or soon after it is ready. @returns whether it was ready */
  async cutStart(random: () => number, dataDir = this.dataDir): Promise<boolean> {
    const startLimitMs = this.#startMs * random() * 1.2
    const started = startService(this.#base, dataDir, this.#library, startLimitMs)
    const server = await started.catch(() => undefined)
    if (server === undefined) return false
    process.kill(server.pid, 'SIGKILL')
    await server.stop({ keepData: true })
    return true
  }

  async start(): Promise<void> {
    this.#server = await startService(this.#base, this.dataDir, this.#library)
    this.#startMs = this.#server.startMs
    for (const load of this.#loads) load.setNode(0, this.#server.url)
  }

  /** Resolves when every store was written again. */
  async written(): Promise<void> {
    for (const load of this.#loads) {
      const before = load.writes
      await until('writes', () => load.writes >= before + WRITES || load.problems.length > 0)
    }
  }

  /** Compares the documents and what searches find with the answers. @returns problems */
  async check(): Promise<string[]> {
    await this.written()
    await Promise.all(this.#loads.map((load) => load.pause()))
    for (const load of this.#loads) await load.verify()
    for (const load of this.#loads) load.resume()
    return this.#loads.flatMap((load) => load.problems)
  }

  /**
   * `aisle restore` into a new folder beside, killed after this time.
   *
   * @returns whether it has ended
   */
  async restore(snapshot: string, limitMs?: number): Promise<boolean> {
    this.#restores++
    const bundled = serviceEntry().endsWith('.js')
    const entry = bundled
      ? join(dirname(serviceEntry()), 'aisle.js')
      : join(REPOSITORY, 'packages/cli/src/main.ts')
    const limit =
      limitMs === undefined ? {} : { timeout: limitMs + 1, killSignal: 'SIGKILL' as const }
    const run = promisify(execFile)(
      process.execPath,
      [entry, 'restore', snapshot, '--data-dir', this.restored],
      limit,
    )
    try {
      await run
      return true
    } catch (error) {
      if ((error as { killed?: boolean }).killed === true) return false
      throw error
    }
  }

  /** The folder of the latest `restore`: a new one each, because a killed one may still be read. */
  get restored(): string {
    return join(this.#base, `restored-${this.#restores}`)
  }

  /** A service with the restored folder. @throws Error if it refuses it */
  startRestored(): Promise<ServerProcess> {
    return startService(this.#base, this.restored, undefined)
  }

  async end(keep: boolean): Promise<void> {
    for (const load of this.#loads) await load.stop()
    await this.#server.stop({ keepData: true })
    if (!keep) rmSync(this.#base, { recursive: true, force: true })
  }

  #away(): void {
    for (const load of this.#loads) load.setNode(0, undefined)
  }
}

const switchOf = (base: string): string => join(base, 'disk-switch')

function startService(
  base: string,
  dataDir: string,
  library: string | undefined,
  startLimitMs?: number,
): Promise<ServerProcess> {
  return ServerProcess.start({
    dataDir,
    threads: 1,
    ...(startLimitMs === undefined ? {} : { startLimitMs }),
    environment: {
      AISLE_LOG_LEVEL: 'warn',
      AISLE_SNAPSHOT_KEEP: String(SNAPSHOTS_KEPT_MIN),
      ...(library === undefined
        ? {}
        : {
            LD_PRELOAD: library,
            CHAOS_DISK_ROOT: `${dataDir}/`,
            CHAOS_DISK_SWITCH: switchOf(base),
            UV_USE_IO_URING: '0',
          }),
    },
  })
}

/** A random moment of work that takes about so long. */
export async function moment(random: () => number, mostMs: number): Promise<void> {
  await sleep(random() ** 2 * mostMs)
}
