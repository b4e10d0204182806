import { matchesAudit, type AuditEntry } from '../../domain/access/audit.ts'
import type { SessionRecord } from '../../domain/access/access-table.ts'
import type {
  AuditEntries,
  AuditPageRequest,
  AuditReader,
} from '../../ports/access/access-directory.ts'
import type {
  AccessStore,
  AuditRow,
  StoredAccessChange,
  UserRow,
} from '../../ports/access/access-store.ts'
import type { Committer, Edit } from './committer.ts'
import { openTable, type Environment, type Table } from './environment.ts'
import { DamagedRowError, jsonRow, mixBytes, readJsonRow } from './record.ts'

/**
 * Rows scanned for one page, some 5 ms on a serving thread; a filter that matches few entries needs
 * several pages.
 */
const SCAN_ROWS_MAX = 1_000
const AUDIT_KEY_BYTES = 6

/** Reads the audit log on any thread. The table must exist; the writer creates it. */
export class LmdbAuditReader implements AuditReader {
  readonly #root: Environment['root']
  readonly #audit: Table
  readonly #onDamage: (message: string) => void

  constructor(root: Environment['root'], onDamage: (message: string) => void) {
    this.#root = root
    this.#audit = tableOf(root, 'audit')
    this.#onDamage = onDamage
  }

  page({ filter, before, limit }: AuditPageRequest): AuditEntries {
    // A read transaction shows the file as it was when the transaction began.
    this.#root.resetReadTxn()
    const entries: AuditEntry[] = []
    const start = before === undefined ? undefined : auditKey(before)
    let rows = 0
    let last: number | undefined
    const range = this.#audit.getRange({ ...(start === undefined ? {} : { start }), reverse: true })
    for (const { key, value } of range) {
      const id = auditId(key)
      if (id === before) continue
      if (entries.length === limit || rows === SCAN_ROWS_MAX) return { entries, nextBefore: last }
      last = id
      rows++
      const entry = this.readEntry(id, key, value)
      if (entry !== undefined && matchesAudit(entry, filter)) entries.push(entry)
    }
    return { entries, nextBefore: undefined }
  }

  /** One damaged entry must not hide the others. */
  protected readEntry(id: number, key: Buffer, value: Buffer): AuditEntry | undefined {
    try {
      return readJsonRow(value, mixBytes(key)) as AuditEntry
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error
      this.#onDamage(`Damaged row (audit entry ${id}, skipped): ${error.message}`)
      return undefined
    }
  }
}

/** Users, sessions and the audit log in LMDB. Main thread only. */
export class LmdbAccessStore extends LmdbAuditReader implements AccessStore {
  readonly #users: Table
  readonly #sessions: Table
  readonly #audit: Table
  readonly #committer: Committer

  constructor({ root }: Environment, committer: Committer, onDamage: (message: string) => void) {
    super(root, onDamage)
    this.#users = tableOf(root, 'users')
    this.#sessions = tableOf(root, 'sessions')
    this.#audit = tableOf(root, 'audit')
    this.#committer = committer
  }

  /** Throws DamagedRowError: a damaged row must not change anybody's rights. */
  users(): UserRow[] {
    return rowsOf(this.#users) as UserRow[]
  }

  /** Throws DamagedRowError, like `users`. */
  sessions(): SessionRecord[] {
    return rowsOf(this.#sessions) as SessionRecord[]
  }

  nextAuditId(): number {
    const [last] = this.#audit.getKeys({ limit: 1, reverse: true })
    return last === undefined ? 1 : auditId(last) + 1
  }

  oldestAudit(fromId: number, limit: number): AuditRow[] {
    const range = this.#audit.getRange({ start: auditKey(fromId), limit })
    return [...range].map(({ key, value }) => {
      const id = auditId(key)
      return { id, entry: this.readEntry(id, key, value) }
    })
  }

  async commit(change: StoredAccessChange): Promise<void> {
    const edits: Edit[] = []
    const put = (table: Table, key: Buffer, value: unknown): void => {
      edits.push({ table, key, row: jsonRow(mixBytes(key), value) })
    }
    const remove = (table: Table, key: Buffer): void => {
      edits.push({ table, key, row: undefined })
    }
    for (const login of change.removedUsers ?? []) remove(this.#users, Buffer.from(login))
    for (const user of change.users ?? []) put(this.#users, Buffer.from(user.login), user)
    for (const digest of change.endedSessions ?? []) {
      remove(this.#sessions, Buffer.from(digest, 'hex'))
    }
    for (const session of change.sessions ?? []) {
      put(this.#sessions, Buffer.from(session.digest, 'hex'), session)
    }
    for (const entry of change.entries ?? []) put(this.#audit, auditKey(entry.id), entry)
    for (const id of change.removedEntries ?? []) remove(this.#audit, auditKey(id))
    await this.#committer.commit(edits)
  }
}

function tableOf(root: Environment['root'], name: string): Table {
  const table = openTable(root, name)
  if (table !== undefined) return table
  throw new Error(`Cannot open table "${name}": it is missing`)
}

function rowsOf(table: Table): unknown[] {
  return [...table.getRange({})].map(({ key, value }) => readJsonRow(value, mixBytes(key)))
}

function auditKey(id: number): Buffer {
  const key = Buffer.allocUnsafe(AUDIT_KEY_BYTES)
  key.writeUIntBE(id, 0, AUDIT_KEY_BYTES)
  return key
}

function auditId(key: Uint8Array): number {
  const { buffer, byteOffset, byteLength } = key
  return Buffer.from(buffer, byteOffset, byteLength).readUIntBE(0, AUDIT_KEY_BYTES)
}
