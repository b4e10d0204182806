import { ApiError } from '@aisle/contract'
import type { AccessKeeper } from '../../ports/access/access-keeper.ts'
import type { ActivityKeeper } from '../../ports/host/activity-keeper.ts'
import type { CatalogWriter, ResourceChange } from '../../ports/catalog/catalog-writer.ts'
import type { EditJournal } from '../../ports/catalog/edit-journal.ts'
import { ENDLESS_ROOM, requireRoom, type DiskRoom } from '../../ports/host/disk-room.ts'
import type { SnapshotKeeper } from '../../ports/catalog/snapshot-keeper.ts'
import type { CallPort } from '../message-port/messages.ts'
import { PortCalls } from '../message-port/port-calls.ts'
import { remoteObject } from '../message-port/remote-object.ts'
import type { Commands, CommandTargets } from './command-server.ts'
import { packWrites } from './packed-writes.ts'
import { enterPressure, leavePressure, type Pressure } from './pressure.ts'

/**
 * Calls the writer's thread from a serving thread: each call is sent there and waits for its
 * response. The number of waiting calls is limited.
 */
export class CommandClient implements CommandTargets {
  readonly writer: CatalogWriter
  readonly edits: EditJournal
  readonly snapshots: SnapshotKeeper
  readonly access: AccessKeeper
  readonly activity: ActivityKeeper
  readonly #calls = new PortCalls<Commands>(stopping)
  readonly #pressure: Pressure
  readonly #thread: number
  readonly #room: DiskRoom

  /** @param thread this thread's slot in `pressure` */
  constructor(port: CallPort, pressure: Pressure, thread: number, room = ENDLESS_ROOM) {
    this.#calls.connect(port)
    this.#pressure = pressure
    this.#thread = thread
    this.#room = room
    const around = <T>(call: () => Promise<T>): Promise<T> => this.#weighed(call)
    this.writer = remoteObject(this.#calls, 'writer', around, this.#weightyWrites())
    this.edits = remoteObject(this.#calls, 'edits', around)
    this.snapshots = remoteObject(this.#calls, 'snapshots', around)
    this.access = remoteObject(this.#calls, 'access', around)
    // Not limited, because deletes are small, and needed most when everything else is too much.
    this.activity = remoteObject(this.#calls, 'activity')
  }

  /** Limits the calls that carry much data, or need disk space. */
  #weightyWrites(): Partial<CatalogWriter> {
    return {
      // Not limited, because a search waits for it and nothing is written.
      openIndex: (storeId) => this.#calls.call('writer', 'openIndex', [storeId]),
      changeResources: (storeId, change, language) =>
        this.#weighed(
          () => this.#calls.call('writer', 'changeResources', [storeId, change, language]),
          bytesOf(change.puts),
        ),
      writeDocuments: async (storeId, writes) => {
        requireRoom(this.#room, 'write documents')
        const send = () => {
          const packed = packWrites(writes)
          return this.#calls.call('packed', 'writeDocuments', [storeId, packed], [packed.bytes])
        }
        return await this.#weighed(send, bytesOf(writes), Math.max(1, writes.length))
      },
      changeVersions: async (storeId, versions, change, content) => {
        if (change.kind !== 'delete') requireRoom(this.#room, 'write documents')
        return await this.#weighed(
          () => this.#calls.call('writer', 'changeVersions', [storeId, versions, change, content]),
          change.kind === 'replace' ? bytesIn(change.json) : 0,
          Math.max(1, versions.length),
        )
      },
    }
  }

  async #weighed<T>(call: () => Promise<T>, bytes = 0, entries = 1): Promise<T> {
    enterPressure(this.#pressure, this.#thread, bytes, entries)
    try {
      return await call()
    } finally {
      leavePressure(this.#pressure, this.#thread, bytes, entries)
    }
  }
}

function bytesOf(parts: ResourceChange['puts'] | readonly { json: Uint8Array }[]): number {
  return parts.reduce((sum, { json }) => sum + json.length, 0)
}

function bytesIn(json: ReadonlyMap<string, Uint8Array>): number {
  return json.values().reduce((sum, { length }) => sum + length, 0)
}

function stopping(): ApiError {
  return new ApiError('unavailable', 'The service is stopping', { retryAfterSeconds: 2 })
}
