import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { DiskLogFiles } from '@aisle/event-log'
import { SharedGarbage } from '../adapters/embedded/shared-garbage.ts'
import { EventLogClient } from '../adapters/event-log/event-log-client.ts'
import type { PortCalls } from '../adapters/message-port/port-calls.ts'
import { SharedDiskRoom, type DiskRoomMemory } from '../adapters/shared-memory/disk-room.ts'
import { HistoryFolder } from '../adapters/suggestions/history-file.ts'
import { SuggestionBroadcast } from '../adapters/suggestions/suggestion-broadcast.ts'
import {
  SuggestionsMaker,
  type SuggestionsMakerOptions,
} from '../services/suggestions/suggestions-maker.ts'
import {
  callHost,
  serveHost,
  type EventsFollower,
  type HostCalls,
  type SharedThreadData,
} from './shared-thread.ts'
import { BACKGROUND_NICENESS, lowerThreadPriority } from './thread-priority.ts'
import { WatchedStores } from './watched-stores.ts'

/** The start data of the thread that builds suggestions. */
export interface SuggestionsThreadData extends SharedThreadData {
  /** Folder of the event logs. */
  readonly events: string
  /** Folder of the files derived from them. */
  readonly folder: string
  readonly diskRoom: DiskRoomMemory
}

export interface SuggestionsThread extends EventsFollower {
  /**
   * Call it when events were removed from a log: rebuilds everything derived from it. Resolves when
   * the earlier files are off the disk.
   */
  rebuild(log: string): Promise<void>
}

/** Messages to its host. */
export interface SuggestionsThreadHost {
  problem(log: string, message: string): void
}

/** The access to documents that suggestions and popularity need. */
export type FollowedCatalog = Pick<SuggestionsMakerOptions, 'stores' | 'namesOf' | 'spell'>

/**
 * Runs the thread that follows the event logs and builds suggestions from them, for all stores.
 */
export async function makeSuggestions<Host extends SuggestionsThreadHost>(
  followCatalog: (host: PortCalls<HostCalls<Host>>) => FollowedCatalog,
): Promise<void> {
  lowerThreadPriority(BACKGROUND_NICENESS)
  const data = workerData as SuggestionsThreadData
  const whole = callHost<Host>()
  const host: PortCalls<HostCalls<SuggestionsThreadHost>> = whole
  const onProblem = (log: string, message: string): void =>
    host.tell('host', 'problem', [log, message])
  const watch = new WatchedStores(data.vitals, (log, seconds) =>
    onProblem(log, `This store is quarantined for ${seconds} s`),
  )
  mkdirSync(data.folder, { recursive: true })
  const events = new EventLogClient()
  const garbage = new SharedGarbage()
  const broadcast = new SuggestionBroadcast(
    (bytes) => garbage.passed(bytes),
    (log) => maker.want(log),
  )
  const maker: SuggestionsMaker = new SuggestionsMaker({
    ...followCatalog(whole),
    logs: {
      files: (log) => new DiskLogFiles(join(data.events, log)),
      end: (log) => events.endOf(log),
      ends: () => events.ends(),
    },
    histories: new HistoryFolder(data.folder),
    publisher: broadcast,
    watch,
    room: new SharedDiskRoom(data.diskRoom),
    clock: { now: () => Date.now() },
    onProblem,
  })
  const closing = new AbortController()
  const done = maker.run(closing.signal)
  serveHost<SuggestionsThread>({
    connect: (port) => broadcast.connect(port),
    useEvents: (port) => events.connect(port),
    rebuild(log) {
      maker.rebuild(log)
      return Promise.resolve()
    },
    close() {
      closing.abort()
      return done
    },
  })
  await done
}
