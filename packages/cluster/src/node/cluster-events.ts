import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { LogFiles } from '@aisle/event-log'
import { EventIndex } from '../opensearch/event-index.ts'
import type { ClusterConnection } from '../opensearch/cluster-connection.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import {
  EventLogClient,
  EventLogServer,
  PortCalls,
  ReportClient,
  ReportsHost,
  SharedGarbage,
  SharedSuggestions,
  SuggestionsHost,
  createDiskRoom,
  logLimitsOf,
} from '@aisle/server/parts'
import { ClusterEventLogs } from '../events/cluster-event-logs.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'
import type { Log, ReportCalls } from '@aisle/server/parts'
import type { Clock } from '@aisle/server/ports'
import type { ClusterThreadHost } from './cluster-suggestions-thread.ts'
import type { SuggestionsThreadHost } from '@aisle/server/make-suggestions'

const SWEEP_MS = 300_000

export interface ClusterEventsOptions {
  readonly cluster: ClusterConnection
  readonly control: ControlIndex
  readonly stores: ClusterStores
  readonly clock: Clock
  /** The prefix of the index names. */
  readonly prefix: string
  readonly reportsMemoryBytes: number
  /** The access to documents that suggestions and popularity need. */
  readonly catalog: Omit<ClusterThreadHost, keyof SuggestionsThreadHost>
  readonly log: Log
}

/**
 * The events of a cluster on one of its nodes: the logs, their copies in a temporary folder, and
 * the threads that derive reports, suggestions and popularity from the copies, as on a single
 * machine.
 */
export class ClusterEvents {
  readonly events = new EventLogClient()
  readonly reports = new ReportClient()
  readonly suggestions: SharedSuggestions
  readonly #logs: ClusterEventLogs
  readonly #reportsHost: ReportsHost
  readonly #suggestionsHost: SuggestionsHost<ClusterThreadHost>
  readonly #folder: string
  /** Ports to the logs; open ones keep the process alive. */
  readonly #ports: MessagePort[] = []
  readonly #sweeping: NodeJS.Timeout

  private constructor(
    { stores, reportsMemoryBytes, catalog, log }: ClusterEventsOptions,
    logs: ClusterEventLogs,
    folder: string,
    rebuilds: PortCalls<ReportCalls>,
  ) {
    const garbage = new SharedGarbage()
    this.suggestions = new SharedSuggestions((bytes) => garbage.passed(bytes))
    this.#logs = logs
    this.#folder = folder
    const server = new EventLogServer(logs)
    const connectEvents = (): MessagePort => {
      const { port1, port2 } = new MessageChannel()
      server.serve(port1)
      this.#ports.push(port1)
      return port2
    }
    this.events.connect(connectEvents())
    const thread = { events: join(folder, 'events'), diskRoom: createDiskRoom() }
    this.#suggestionsHost = new SuggestionsHost({
      entry: new URL('./cluster-suggestions-thread.ts', import.meta.url),
      thread: { ...thread, folder: join(folder, 'suggestions') },
      connectEvents,
      catalog,
      log,
      onReplaced: () => this.suggestions.connect(this.#suggestionsHost.connect()),
    })
    this.suggestions.connect(this.#suggestionsHost.connect())
    this.#reportsHost = new ReportsHost({
      thread: { ...thread, folder: join(folder, 'reports'), memoryBytes: reportsMemoryBytes },
      connectEvents,
      log,
      onRewritten: (name) => this.#suggestionsHost.rebuild(name),
      onReplaced: () => {
        this.reports.connect(this.#reportsHost.connect())
        rebuilds.connect(this.#reportsHost.connect())
      },
    })
    this.reports.connect(this.#reportsHost.connect())
    rebuilds.connect(this.#reportsHost.connect())
    this.#sweeping = setInterval(() => this.#sweep(stores, log), SWEEP_MS).unref()
  }

  /**
   * Opens the logs and follows the cluster.
   * @throws ClusterError
   */
  static async open(options: ClusterEventsOptions): Promise<ClusterEvents> {
    const { cluster, control, prefix, clock, log } = options
    // The folder is a cache: a restarted node copies what it needs.
    const folder = mkdtempSync(join(tmpdir(), 'aisle-node-'))
    const rebuilds = new PortCalls<ReportCalls>()
    const { promise: opened, resolve: setOpened } = Promise.withResolvers<ClusterEvents>()
    const logs = await ClusterEventLogs.open({
      index: new EventIndex(cluster, `${prefix}-events`),
      control,
      folder: join(folder, 'events'),
      stateFile: join(folder, 'events-copied.json'),
      now: () => clock.now(),
      onProblem: (eventLog, message) =>
        log('warn', message, eventLog === undefined ? {} : { eventLog }),
      async onRemoved(name, droppedBeforeMs) {
        if (droppedBeforeMs === undefined) {
          await rebuilds.call('reports', 'rebuild', [name])
          return
        }
        await rebuilds.call('reports', 'dropBefore', [name, droppedBeforeMs])
        // Reports notify others only of removals that they made.
        await (await opened).#suggestionsHost.rebuild(name)
      },
    })
    const events = new ClusterEvents(options, logs, folder, rebuilds)
    setOpened(events)
    return events
  }

  /** The copy of a log; read it up to `events.endOf`. */
  files(log: string): LogFiles {
    return this.#logs.files(log)
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping)
    await this.events.flush()
    await Promise.all([this.#reportsHost.close(), this.#suggestionsHost.close()])
    for (const port of this.#ports) port.close()
    await this.#logs.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Removes events of deleted stores and expired events. */
  #sweep(stores: ClusterStores, log: Log): void {
    const living = stores
      .list()
      .map((store) => logLimitsOf(store, stores.of(store.storeId).list('settings')))
    const limits = new Map(living.map(({ log: name, dayMaxBytes }) => [name, dayMaxBytes]))
    const keptMs = Math.max(...living.map(({ retentionMs }) => retentionMs))
    this.#reportsHost.sweep(living)
    this.#logs.sweep(limits, keptMs).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      log('warn', 'Could not remove old events; the next run tries again', { reason })
    })
  }
}
