import { ControlFollower } from '../opensearch/control-follower.ts'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { ControlVersion, ControlWrite, StoredControl } from '../opensearch/control-document.ts'
import type { AccessChange, SessionRecord } from '@aisle/server/domain'
import type {
  AccessStore,
  AuditEntries,
  AuditPageRequest,
  AuditRow,
  OtherNodes,
  StoredAccessChange,
  UserRow,
} from '@aisle/server/ports'
import { StaleAccessError } from '@aisle/server/ports'
import { AccessState, storedUser, USER_KIND, userDocument } from './access-state.ts'
import { auditDocument, auditId, auditPage, nextAuditId, oldestAudit } from './audit-documents.ts'
import { clusterFailure } from '../control/cluster-failure.ts'

/**
 * Users, sessions and the audit log of all API nodes, in the control index. Each node decides
 * changes on the state it knows; a change that conflicts with a newer state is refused and decided
 * again. The data of one user changes as a whole; a change of several users is done for each
 * separately.
 */
export class OpenSearchAccessStore implements AccessStore, OtherNodes {
  readonly #index: ControlIndex
  readonly #state = new AccessState()
  readonly #follower: ControlFollower
  /** The newest states that have not been adopted yet, by id. */
  readonly #pending = new Map<string, StoredControl>()
  #nextAuditId = 1
  #listener: () => void = () => undefined

  private constructor(index: ControlIndex, from: number, onFailure: (error: unknown) => void) {
    this.#index = index
    this.#follower = new ControlFollower(index, from, {
      onChanges: (documents) => this.#noticed(documents),
      onFailure,
    })
  }

  /**
   * Reads everything, and follows changes from then on.
   * @param onFailure called when the cluster did not report the changes of others; it is retried
   */
  static async open(
    index: ControlIndex,
    onFailure: (error: unknown) => void,
  ): Promise<OpenSearchAccessStore> {
    const documents = await index.all(USER_KIND)
    const store = new OpenSearchAccessStore(index, documents.at(-1)?.version.seqNo ?? -1, onFailure)
    store.#nextAuditId = await nextAuditId(index)
    store.#noticed(documents)
    store.catchUp()
    store.#follower.start()
    return store
  }

  get others(): OtherNodes {
    return this
  }

  users(): UserRow[] {
    return this.#state.users()
  }

  sessions(): SessionRecord[] {
    return this.#state.sessions()
  }

  nextAuditId(): number {
    return this.#nextAuditId
  }

  oldestAudit(fromId: number, limit: number): Promise<AuditRow[]> {
    return this.#ask('read the audit log', oldestAudit(this.#index, fromId, limit))
  }

  page(request: AuditPageRequest): Promise<AuditEntries> {
    return this.#ask('read the audit log', auditPage(this.#index, request))
  }

  async commit(change: StoredAccessChange): Promise<void> {
    const users = this.#state.after(change)
    const { entries = [], removedEntries = [] } = change
    const writes: ControlWrite[] = [
      ...users.map((next) => ({
        put: userDocument(next),
        expected: next.known?.version ?? ('absent' as const),
      })),
      ...entries.map((entry) => ({
        put: auditDocument(entry),
        expected: entry.id < this.#nextAuditId ? ('any' as const) : ('absent' as const),
      })),
      ...removedEntries.map((id) => ({ remove: auditId(id) })),
    ]
    const outcomes = await this.#ask('change who may do what', this.#index.commit(writes))
    const isDone = !outcomes.includes('conflict')
    for (const [at, next] of users.entries()) {
      const version = outcomes[at]!
      if (typeof version === 'string') continue
      if (isDone) this.#state.take(next.login, { ...next, version })
      else this.#notice({ ...userDocument(next), version })
    }
    if (!isDone) {
      await this.#ask('read what others have changed', this.#refresh(writes, outcomes))
      throw new StaleAccessError('Another node has changed the same data')
    }
    this.#nextAuditId = Math.max(this.#nextAuditId, ...entries.map(({ id }) => id + 1))
  }

  catchUp(): AccessChange<UserRow> | undefined {
    const changes = [...this.#pending.values()].map((one) => this.#state.take(...storedUser(one)))
    this.#pending.clear()
    if (changes.length === 0) return undefined
    return {
      users: changes.flatMap(({ users = [] }) => users),
      removedUsers: changes.flatMap(({ removedUsers = [] }) => removedUsers),
      sessions: changes.flatMap(({ sessions = [] }) => sessions),
      endedSessions: changes.flatMap(({ endedSessions = [] }) => endedSessions),
    }
  }

  onChange(listener: () => void): void {
    this.#listener = listener
  }

  close(): void {
    this.#follower.close()
  }

  #noticed(documents: readonly StoredControl[]): void {
    for (const document of documents) if (document.kind === USER_KIND) this.#notice(document)
    if (this.#pending.size > 0) this.#listener()
  }

  /** Holds the newest state of each document that is not known yet. */
  #notice(document: StoredControl): void {
    const known = this.#pending.get(document.id)?.version.seqNo ?? -1
    if (document.version.seqNo > known && this.#state.isNews(...storedUser(document))) {
      this.#pending.set(document.id, document)
    }
  }

  /**
   * Reads the states that conflicted with a commit, and releases numbers of the audit log that it
   * did not use.
   */
  async #refresh(
    writes: readonly ControlWrite[],
    outcomes: readonly (ControlVersion | string)[],
  ): Promise<void> {
    const takenBack: ControlWrite[] = []
    for (const [at, write] of writes.entries()) {
      if (!('put' in write)) continue
      const { id, kind } = write.put
      const document = outcomes[at] === 'conflict' ? await this.#index.get(id) : undefined
      if (document?.kind === USER_KIND) this.#notice(document)
      const isNewEntry = kind !== USER_KIND && write.expected === 'absent'
      if (isNewEntry && outcomes[at] !== 'conflict') takenBack.push({ remove: id })
    }
    await this.#index.commit(takenBack)
    this.#nextAuditId = Math.max(this.#nextAuditId, await nextAuditId(this.#index))
  }

  #ask<T>(what: string, asked: Promise<T>): Promise<T> {
    return asked.catch((error: unknown) => {
      throw clusterFailure(error, what)
    })
  }
}
