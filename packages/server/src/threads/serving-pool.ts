import { setTimeout as sleep } from 'node:timers/promises'
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import { serveCommands } from '../adapters/embedded/command-server.ts'
import { PortCalls } from '../adapters/message-port/port-calls.ts'
import { serveCalls } from '../adapters/message-port/serve-calls.ts'
import { resetPressure } from '../adapters/embedded/pressure.ts'
import { forgetAnswerMemory } from '../adapters/shared-memory/answer-memory.ts'
import { forgetConnections } from '../adapters/shared-memory/connection-counts.ts'
import { freeStreamSlots } from '../adapters/shared-memory/stream-slots.ts'
import type { Publisher } from '../adapters/embedded/publisher.ts'
import type { AccessKeeper } from '../ports/access/access-keeper.ts'
import type { ActivityKeeper } from '../ports/host/activity-keeper.ts'
import type { CatalogWriter } from '../ports/catalog/catalog-writer.ts'
import type { EditJournal } from '../ports/catalog/edit-journal.ts'
import type { SnapshotKeeper } from '../ports/catalog/snapshot-keeper.ts'
import { BackOff } from './back-off.ts'
import type { LoadedThread } from './activity-book.ts'
import { ServingWorker } from './serving-worker.ts'
import { ThreadWatch } from './thread-watch.ts'
import type { ServingHost, ServingThread, ServingThreadData } from './serving-calls.ts'
import type { HostCalls, ThreadCalls } from './shared-thread.ts'

export interface ServingPoolOptions {
  readonly threadCount: number
  readonly thread: Omit<ServingThreadData, 'slot' | 'publications' | 'commands' | 'port'>
  readonly publisher: Publisher
  readonly writer: CatalogWriter
  /** Creates a connection to the event logs for a thread; absent in tests without them. */
  readonly connectEvents?: () => MessagePort
  /** Creates a port of the thread that builds suggestions; absent in tests without one. */
  readonly connectSuggestions?: () => MessagePort
  /** Creates a port of the reports thread. */
  readonly connectReports?: () => MessagePort
  /** Creates a port of the thread of the embedders, if there is one. */
  readonly connectEmbedders?: () => MessagePort | undefined
  readonly edits: EditJournal
  readonly snapshots: SnapshotKeeper
  readonly access: AccessKeeper
  readonly activity: ActivityKeeper
  readonly log: (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void
  /** Returns the metrics of all threads as text, for a thread that asks. */
  readonly collectMetrics: () => Promise<string>
  /** Called when the first thread listens. */
  readonly onServing?: () => void
  /** Entry file of a thread; another one in tests. */
  readonly entry?: URL
  /** The first thread, if it is already loading its code. */
  readonly first?: ServingWorker
  readonly hangMaxMs?: number
}

const METRICS_TIMEOUT_MS = 2_000

/** Connections from a serving thread to other threads. */
const WAYS = ['useEvents', 'useSuggestions', 'useReports', 'useEmbedders'] as const
type Way = (typeof WAYS)[number]

interface Serving {
  readonly worker: Worker
  readonly calls: PortCalls<ThreadCalls<ServingThread>>
  readonly startedMs: number
}

/** Starts the serving threads, and replaces each that dies, until they are stopped. */
export class ServingPool {
  readonly #options: ServingPoolOptions
  readonly #threads: (Serving | undefined)[]
  readonly #backOffs: readonly BackOff[]
  readonly #watch: ThreadWatch
  #first: ServingWorker | undefined
  #port = 0
  #stopping = false

  constructor(options: ServingPoolOptions) {
    this.#options = options
    this.#first = options.first
    this.#threads = Array.from({ length: options.threadCount }, () => undefined)
    this.#backOffs = this.#threads.map(() => new BackOff())
    this.#watch = new ThreadWatch(
      options.thread.vitals,
      (slot) => {
        options.log('error', 'A serving thread is not responding; terminating it', { slot })
        void this.#threads[slot]?.worker.terminate()
      },
      options.hangMaxMs,
    )
  }

  /**
   * Resolves with the port when every thread is listening. If the port is 0, the first thread picks
   * it. Throws if a thread cannot listen.
   */
  async start(port: number): Promise<number> {
    this.#port = port
    this.#port = await this.#spawn(0)
    this.#options.onServing?.()
    await Promise.all(this.#threads.slice(1).map((_, i) => this.#spawn(i + 1)))
    return this.#port
  }

  /** Lets requests in flight finish until the deadline, then ends the threads. */
  async stop(drainMs: number): Promise<void> {
    this.#stopping = true
    this.#watch.stop()
    const threads = this.#threads.filter((thread) => thread !== undefined)
    const stopped = Promise.all(
      threads.map(async ({ worker, calls }) => {
        // A thread that ends while it is being stopped counts as stopped.
        await calls.call('thread', 'stop', []).catch(() => undefined)
        await worker.terminate()
      }),
    )
    const abort = new AbortController()
    const deadline = sleep(drainMs, 'late', { signal: abort.signal }).catch(() => 'aborted')
    const outcome = await Promise.race([stopped, deadline])
    abort.abort()
    if (outcome === 'late') {
      this.#options.log('warn', 'Requests in flight were cut off at the drain deadline')
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    }
  }

  /** The running threads. */
  get threads(): readonly LoadedThread[] {
    return this.#threads.flatMap((thread, slot) =>
      thread === undefined
        ? []
        : [{ name: `serve-${slot}`, performance: thread.worker.performance }],
    )
  }

  /** Returns the metrics of every thread that responds in time, as prom-client writes them. */
  async readMetrics(): Promise<(readonly object[])[]> {
    const answers = this.#threads
      .filter((thread) => thread !== undefined)
      .map(({ calls }) => {
        const late = sleep(METRICS_TIMEOUT_MS, undefined, { ref: false })
        // A thread that has ended meanwhile has none.
        const metrics = calls.call('thread', 'metrics', []).catch(() => undefined)
        return Promise.race([metrics, late])
      })
    return (await Promise.all(answers)).filter((metrics) => metrics !== undefined)
  }

  /**
   * Call it when a thread that serving threads use was replaced: reconnects them to the new one.
   */
  reconnect(way: Way): void {
    for (const thread of this.#threads) if (thread !== undefined) this.#connect(thread.calls, way)
  }

  #connect(calls: Serving['calls'], way: Way): void {
    const { connectEvents, connectSuggestions, connectReports, connectEmbedders } = this.#options
    const connect = {
      useEvents: connectEvents,
      useSuggestions: connectSuggestions,
      useReports: connectReports,
      useEmbedders: connectEmbedders,
    }[way]
    const port = connect?.()
    if (port !== undefined) calls.tell('thread', way, [port], [port])
  }

  /** @returns the port it listens on */
  #spawn(slot: number): Promise<number> {
    const { publisher, writer, edits, snapshots, access, activity, log, thread, collectMetrics } =
      this.#options
    const publications = new MessageChannel()
    const commands = new MessageChannel()
    const data: ServingThreadData = {
      ...thread,
      slot,
      port: this.#port,
      publications: publications.port2,
      commands: commands.port2,
    }
    publisher.connect(publications.port1)
    serveCommands(commands.port1, { writer, edits, snapshots, access, activity }, (error) =>
      log('error', 'A write failed unexpectedly', { error: describe(error) }),
    )
    const started = this.#takeWorker(slot)
    started.begin(data, [publications.port2, commands.port2])
    const { worker } = started
    const calls = new PortCalls<ThreadCalls<ServingThread>>().connect(worker)
    serveCalls<HostCalls<ServingHost>>(worker, { host: { collectMetrics } }, (error) => {
      log('error', 'Could not collect metrics', { error: describe(error) })
      return new ApiError('internal', 'Cannot collect metrics')
    })
    const serving: Serving = { worker, calls, startedMs: performance.now() }
    this.#threads[slot] = serving
    for (const way of WAYS) this.#connect(calls, way)
    return new Promise<number>((resolve, reject) => {
      const listening = (port: number): void => {
        this.#watch.began(slot)
        resolve(port)
      }
      calls.call('thread', 'listen', []).then(listening, (error: Error) => {
        reject(error)
        void worker.terminate()
      })
      worker.on('error', (error) => {
        log('error', 'A serving thread failed', { slot, error: describe(error) })
      })
      worker.on('exit', (code) => {
        publisher.disconnect(publications.port1)
        commands.port1.close()
        reject(new Error(`A serving thread ended with code ${code} while it was starting`))
        this.#threads[slot] = undefined
        if (!this.#stopping) void this.#replace(slot, code, serving)
      })
    })
  }

  #takeWorker(slot: number): ServingWorker {
    const first = this.#first
    this.#first = undefined
    if (first !== undefined && !first.hasEnded) return first
    const entry = this.#options.entry ?? new URL('./serving-thread.ts', import.meta.url)
    return new ServingWorker(entry, slot)
  }

  async #replace(slot: number, code: number, dead: Serving): Promise<void> {
    const { log, thread } = this.#options
    resetPressure(thread.pressure, slot)
    freeStreamSlots(thread.streamSlots, slot)
    forgetConnections(thread.connections, slot)
    forgetAnswerMemory(thread.answerMemory, slot)
    if (this.#watch.died(slot)) {
      log('error', 'A search that crashed serving threads is refused for a while', { slot })
    }
    const waitMs = this.#backOffs[slot]!.waitMs(performance.now() - dead.startedMs)
    log('warn', 'A serving thread ended; replacing it', { slot, code, waitMs })
    await sleep(waitMs, undefined, { ref: false })
    if (this.#stopping) return
    try {
      await this.#spawn(slot)
    } catch (error) {
      log('error', 'Could not replace a serving thread', { slot, error: describe(error) })
    }
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
