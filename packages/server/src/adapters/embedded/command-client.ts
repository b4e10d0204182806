import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { AccessKeeper } from '../../ports/access-keeper.ts'
import type {
  CatalogWriter,
  DocumentVersion,
  DocumentWrite,
  ResourceChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../ports/catalog-writer.ts'
import { ENDLESS_ROOM, requireRoom, type DiskRoom } from '../../ports/disk-room.ts'
import type { SnapshotKeeper } from '../../ports/snapshot-keeper.ts'
import { PortCalls, type MethodOf } from '../message-port/port-calls.ts'
import type { Commands } from './command-server.ts'
import { packWrites } from './packed-writes.ts'
import { enterPressure, leavePressure } from './pressure.ts'
import type { Pressure } from './pressure.ts'

/** CatalogWriter for a serving thread: sends each call to the writer and waits for its answer. */
export class CommandClient implements CatalogWriter {
  readonly createStore = this.#sent('writer', 'createStore')
  readonly deleteStore = this.#sent('writer', 'deleteStore')
  readonly renameStore = this.#sent('writer', 'renameStore')
  readonly rotateKey = this.#sent('writer', 'rotateKey')
  readonly revokePreviousKey = this.#sent('writer', 'revokePreviousKey')
  readonly noteKeyUses = this.#sent('writer', 'noteKeyUses')
  readonly changeSchema = this.#sent('writer', 'changeSchema')
  readonly deleteDocument = this.#sent('writer', 'deleteDocument')
  readonly clearDocuments = this.#sent('writer', 'clearDocuments')
  /** Snapshots are made where the writer is. */
  readonly snapshots: SnapshotKeeper = {
    create: this.#sent('snapshots', 'create'),
    list: this.#sent('snapshots', 'list'),
    verify: this.#sent('snapshots', 'verify'),
    remove: this.#sent('snapshots', 'remove'),
  }
  /** Who may do what is decided where the writer is. */
  readonly access: AccessKeeper = {
    createUser: this.#sent('access', 'createUser'),
    createFirstOwner: this.#sent('access', 'createFirstOwner'),
    changeUser: this.#sent('access', 'changeUser'),
    deleteUser: this.#sent('access', 'deleteUser'),
    logIn: this.#sent('access', 'logIn'),
    changePassword: this.#sent('access', 'changePassword'),
    endSession: this.#sent('access', 'endSession'),
    endSessions: this.#sent('access', 'endSessions'),
    noteSessionUses: this.#sent('access', 'noteSessionUses'),
    noteWrongAdminToken: this.#sent('access', 'noteWrongAdminToken'),
    rotateAdminToken: this.#sent('access', 'rotateAdminToken'),
    record: this.#sent('access', 'record'),
    writeRefusals: this.#sent('access', 'writeRefusals'),
  }
  readonly #calls: PortCalls<Commands>
  readonly #pressure: Pressure
  readonly #thread: number
  readonly #room: DiskRoom

  /** @param thread this thread's slot in `pressure` */
  constructor(port: MessagePort, pressure: Pressure, thread: number, room = ENDLESS_ROOM) {
    this.#calls = new PortCalls(
      port,
      () => new ApiError('unavailable', 'The service is stopping', { retryAfterSeconds: 2 }),
    )
    this.#pressure = pressure
    this.#thread = thread
    this.#room = room
  }

  changeResources(storeId: string, change: ResourceChange, language?: string): Promise<boolean> {
    const bytes = change.puts.reduce((sum, put) => sum + put.json.length, 0)
    return this.#weighed(
      () => this.#calls.call('writer', 'changeResources', [storeId, change, language]),
      bytes,
    )
  }

  async writeDocuments(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    requireRoom(this.#room, 'write documents')
    const bytes = writes.reduce((sum, write) => sum + write.json.length, 0)
    const send = (): Promise<WriteOutcome[]> => {
      const packed = packWrites(writes)
      return this.#calls.call('packed', 'writeDocuments', [storeId, packed], [packed.bytes])
    }
    return await this.#weighed(send, bytes, Math.max(1, writes.length))
  }

  async changeVersions(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
  ): Promise<VersionOutcome[]> {
    if (change.kind !== 'delete') requireRoom(this.#room, 'write documents')
    return await this.#weighed(
      () => this.#calls.call('writer', 'changeVersions', [storeId, versions, change]),
      0,
      Math.max(1, versions.length),
    )
  }

  /** A method that is performed as it is called, where the writer is. */
  #sent<T extends keyof Commands, M extends MethodOf<Commands[T]>>(
    target: T,
    method: M,
  ): Commands[T][M] {
    const send = (...args: never): Promise<unknown> =>
      this.#weighed(() => this.#calls.call(target, method, args))
    return send as Commands[T][M]
  }

  /** Waits for an answer, among no more calls than may wait. */
  async #weighed<T>(call: () => Promise<T>, bytes = 0, entries = 1): Promise<T> {
    enterPressure(this.#pressure, this.#thread, bytes, entries)
    try {
      return await call()
    } finally {
      leavePressure(this.#pressure, this.#thread, bytes, entries)
    }
  }
}
