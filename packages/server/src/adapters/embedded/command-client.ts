import type { MessagePort } from 'node:worker_threads'
import { ApiError } from '@aisle/contract'
import type { Field } from '@aisle/engine'
import type {
  CatalogWriter,
  CreatedStore,
  DocumentVersion,
  DocumentWrite,
  KeyKind,
  KeyUse,
  ResourceChange,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../ports/catalog-writer.ts'
import { ENDLESS_ROOM, requireRoom, type DiskRoom } from '../../ports/disk-room.ts'
import type { AccessKeeper } from '../../ports/access-keeper.ts'
import type { SnapshotKeeper } from '../../ports/snapshot-keeper.ts'
import { fromPortable } from './command.ts'
import type { AnswerMessage, Command, CommandMessage, SnapshotCall } from './command.ts'
import { packWrites } from './packed-writes.ts'
import { enterPressure, leavePressure } from './pressure.ts'
import type { Pressure } from './pressure.ts'

/** CatalogWriter for a serving thread: sends each call to the writer and waits for its answer. */
export class CommandClient implements CatalogWriter {
  /** Snapshots are made where the writer is. */
  readonly snapshots: SnapshotKeeper = {
    create: () => this.#snapshot('create'),
    list: () => this.#snapshot('list'),
    verify: (name) => this.#snapshot('verify', name),
    remove: (name) => this.#snapshot('remove', name),
  }
  /** Who may do what is decided where the writer is. */
  readonly access: AccessKeeper = {
    createUser: (request) => this.#callAccess('createUser', request),
    changeUser: (request) => this.#callAccess('changeUser', request),
    deleteUser: (request) => this.#callAccess('deleteUser', request),
    logIn: (request) => this.#callAccess('logIn', request),
    changePassword: (request) => this.#callAccess('changePassword', request),
    endSession: (request) => this.#callAccess('endSession', request),
    endSessions: (request) => this.#callAccess('endSessions', request),
    noteSessionUses: (uses) => this.#callAccess('noteSessionUses', uses),
    noteWrongAdminToken: (request) => this.#callAccess('noteWrongAdminToken', request),
    rotateAdminToken: () => this.#callAccess('rotateAdminToken', undefined),
    record: (entry) => this.#callAccess('record', entry),
    writeRefusals: () => this.#callAccess('writeRefusals', undefined),
  }
  readonly #port: MessagePort
  readonly #pressure: Pressure
  readonly #thread: number
  readonly #room: DiskRoom
  readonly #calls = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #callCount = 0

  /** @param thread this thread's slot in `pressure` */
  constructor(port: MessagePort, pressure: Pressure, thread: number, room = ENDLESS_ROOM) {
    this.#port = port
    this.#pressure = pressure
    this.#thread = thread
    this.#room = room
    port.on('message', (answer: AnswerMessage) => this.#settle(answer))
    port.on('close', () => {
      for (const { reject } of this.#calls.values()) {
        reject(new ApiError('unavailable', 'The service is stopping', { retryAfterSeconds: 2 }))
      }
      this.#calls.clear()
    })
  }

  createStore(request: { name: string; id?: string | undefined }): Promise<CreatedStore> {
    return this.#call({ kind: 'createStore', name: request.name, id: request.id })
  }

  deleteStore(storeId: string): Promise<void> {
    return this.#call({ kind: 'deleteStore', storeId })
  }

  renameStore(storeId: string, name: string): Promise<void> {
    return this.#call({ kind: 'renameStore', storeId, name })
  }

  rotateKey(
    storeId: string,
    keyKind: KeyKind,
    graceSeconds: number,
  ): Promise<{ secret: string; previousValidUntil: string }> {
    return this.#call({ kind: 'rotateKey', storeId, keyKind, graceSeconds })
  }

  revokePreviousKey(storeId: string, keyKind: KeyKind): Promise<boolean> {
    return this.#call({ kind: 'revokePreviousKey', storeId, keyKind })
  }

  noteKeyUses(uses: readonly KeyUse[]): Promise<void> {
    return this.#call({ kind: 'noteKeyUses', uses })
  }

  changeSchema(
    storeId: string,
    mode: 'additive' | 'replace',
    fields: readonly Field[],
  ): Promise<SchemaChange> {
    return this.#call({ kind: 'changeSchema', storeId, mode, fields })
  }

  changeResources(storeId: string, change: ResourceChange, language?: string): Promise<boolean> {
    const bytes = change.puts.reduce((sum, put) => sum + put.json.length, 0)
    return this.#call({ kind: 'changeResources', storeId, change, language }, bytes)
  }

  async writeDocuments(storeId: string, writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    requireRoom(this.#room, 'write documents')
    const bytes = writes.reduce((sum, write) => sum + write.json.length, 0)
    return await this.#call(
      () => ({ kind: 'writeDocuments', storeId, writes: packWrites(writes) }),
      bytes,
      Math.max(1, writes.length),
    )
  }

  deleteDocument(storeId: string, id: string): Promise<boolean> {
    return this.#call({ kind: 'deleteDocument', storeId, id })
  }

  async changeVersions(
    storeId: string,
    versions: readonly DocumentVersion[],
    change: VersionChange,
  ): Promise<VersionOutcome[]> {
    if (change.kind !== 'delete') requireRoom(this.#room, 'write documents')
    const command = { kind: 'changeVersions', storeId, versions, change } as const
    return await this.#call(command, 0, Math.max(1, versions.length))
  }

  clearDocuments(storeId: string): Promise<number> {
    return this.#call({ kind: 'clearDocuments', storeId })
  }

  #snapshot<T>(call: SnapshotCall, name = ''): Promise<T> {
    return this.#call({ kind: 'snapshot', call, name })
  }

  #callAccess<T>(call: keyof AccessKeeper, request: unknown): Promise<T> {
    return this.#call({ kind: 'access', call, request })
  }

  async #call<T>(command: Command | (() => Command), bytes = 0, entries = 1): Promise<T> {
    enterPressure(this.#pressure, this.#thread, bytes, entries)
    try {
      return (await this.#send(typeof command === 'function' ? command() : command)) as T
    } finally {
      leavePressure(this.#pressure, this.#thread, bytes, entries)
    }
  }

  #send(command: Command): Promise<unknown> {
    const callId = ++this.#callCount
    return new Promise((resolve, reject) => {
      this.#calls.set(callId, { resolve, reject })
      const transfer = command.kind === 'writeDocuments' ? [command.writes.bytes] : []
      this.#port.postMessage({ callId, command } satisfies CommandMessage, transfer)
    })
  }

  #settle(answer: AnswerMessage): void {
    const call = this.#calls.get(answer.callId)
    if (call === undefined) return
    this.#calls.delete(answer.callId)
    if ('error' in answer) call.reject(fromPortable(answer.error))
    else call.resolve(answer.result)
  }
}
