import { AuditRings } from '../../domain/access/audit-rings.ts'
import type { AuditEntry, NewAuditEntry } from '../../domain/access/audit.ts'
import { CollapsedRefusals, type CollapsedRefusal } from '../../domain/access/collapsed-refusals.ts'
import type { AccessStore, AuditRow } from '../../ports/access/access-store.ts'
import type { Clock } from '../../ports/host/clock.ts'

const DAY_MS = 86_400_000
/** Entries examined per step of a sweep. */
const SWEEP_ENTRIES = 500
/** Maximum delay before refusals are written. */
const REFUSALS_WRITE_MS = 1_000

export interface AuditLogOptions {
  readonly store: AccessStore
  readonly clock: Clock
  /** Entries older than this are removed. */
  readonly auditDays: number
  /** Serializes the changes of the store. */
  readonly exclusive: <T>(run: () => Promise<T>) => Promise<T>
}

/** The audit log for its only writer: changes are durable at once, refusals soon after. */
export class AuditLog {
  readonly #options: AuditLogOptions
  readonly #refusals = new CollapsedRefusals()
  readonly #rings = new AuditRings()
  #next: number
  /** First entry that existed at startup and has not been read into the rings yet. */
  #unread: number | undefined = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: AuditLogOptions) {
    this.#options = options
    this.#next = options.store.nextAuditId()
  }

  async record(entry: NewAuditEntry): Promise<void> {
    if (!isRefusal(entry)) return this.#options.exclusive(() => this.#write([entry]))
    this.#refusals.add(entry, this.#options.clock.now())
    this.#timer ??= setTimeout(() => {
      // It fails while the disk rejects writes; the next refusal tries again.
      this.writeRefusals().catch(() => undefined)
    }, REFUSALS_WRITE_MS).unref()
  }

  /** Resolves when all refusals so far are readable. */
  writeRefusals(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#options.exclusive(async () => {
      if (!this.#refusals.isEmpty) await this.#write([])
    })
  }

  /** Removes entries that are too old or too many. Called at startup and periodically. */
  async sweep(): Promise<void> {
    const { exclusive } = this.#options
    for (const step of [
      () => this.#readSome(),
      () => this.#removeOld(),
      () => this.#removeMore(),
    ]) {
      while (await exclusive(step)) {
        // Other work runs between the steps.
      }
    }
  }

  async #write(added: readonly NewAuditEntry[]): Promise<void> {
    const taken = this.#refusals.take()
    // Another node may have taken numbers meanwhile.
    let next = Math.max(this.#next, this.#options.store.nextAuditId())
    const fresh: AuditEntry[] = []
    const again: AuditEntry[] = []
    const idOf = (refusal: CollapsedRefusal): number => refusal.id ?? next++
    // The same write removes the excess entries.
    const removedEntries = this.#rings.overflow(SWEEP_ENTRIES)
    const written = taken.map((refusal) => ({ refusal, id: idOf(refusal) }))
    for (const { refusal, id } of written) {
      const { entry, count } = refusal
      const row = { id, ...entry, ...(count === 1 ? {} : { count }) }
      if (refusal.id === undefined) fresh.push(row)
      else again.push(row)
    }
    for (const entry of added) fresh.push({ id: next++, ...entry })
    try {
      await this.#options.store.commit({ entries: [...again, ...fresh], removedEntries })
    } catch (error) {
      this.#refusals.giveBack(taken)
      throw error
    }
    for (const { refusal, id } of written) refusal.id = id
    this.#next = next
    if (this.#unread !== undefined) return
    for (const entry of fresh) this.#rings.add(entry)
  }

  /** @returns whether there are more */
  async #readSome(): Promise<boolean> {
    if (this.#unread === undefined) return false
    const rows = await this.#options.store.oldestAudit(this.#unread, SWEEP_ENTRIES)
    for (const { entry } of rows) if (entry !== undefined) this.#rings.add(entry)
    this.#unread = rows.length < SWEEP_ENTRIES ? undefined : rows.at(-1)!.id + 1
    return this.#unread !== undefined
  }

  async #removeOld(): Promise<boolean> {
    const { store, clock, auditDays } = this.#options
    const oldest = new Date(clock.now() - auditDays * DAY_MS).toISOString()
    const rows = await store.oldestAudit(0, SWEEP_ENTRIES)
    // A damaged entry is removed together with the one after it.
    const isOld = ({ entry }: AuditRow): boolean => entry !== undefined && entry.at < oldest
    const old = rows.slice(0, rows.findLastIndex(isOld) + 1)
    if (old.length === 0) return false
    await store.commit({ removedEntries: old.map(({ id }) => id) })
    this.#rings.removeUpTo(old.at(-1)!.id)
    return old.length === SWEEP_ENTRIES
  }

  async #removeMore(): Promise<boolean> {
    const ids = this.#rings.overflow(SWEEP_ENTRIES)
    if (ids.length > 0) await this.#options.store.commit({ removedEntries: ids })
    return ids.length === SWEEP_ENTRIES
  }
}

/**
 * Whether nothing came of a request. An overloaded service (503) refuses like any other: a flood of
 * logins must not cost a write each.
 */
function isRefusal({ result, status }: NewAuditEntry): boolean {
  return result === 'refused' || status === 503
}
