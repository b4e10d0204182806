import { LAST_USE_PRECISION_SECONDS } from '@aisle/contract'
import type { ActiveKey, KeyUse } from '../../domain/access/store-keys.ts'
import type { AccessKeeper, SessionRecord, SessionUse } from '../../ports/access/access-keeper.ts'
import type { CatalogWriter } from '../../ports/catalog/catalog-writer.ts'

const PRECISION_MS = LAST_USE_PRECISION_SECONDS * 1_000
/** Uses are collected for this long, then sent together. */
const FLUSH_MS = 2_000

/**
 * Records on one thread when keys and sessions are used: each at most once a minute, in batches, in
 * the background. Uses that cannot be stored are dropped.
 */
export class UseNotes {
  readonly #writer: Pick<CatalogWriter, 'noteKeyUses'>
  readonly #access: Pick<AccessKeeper, 'noteSessionUses'>
  #keys = new Map<string, KeyUse>()
  #sessions = new Map<string, SessionUse>()
  /** Uses that were sent, but are not in this thread's copies yet. */
  #sent = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(
    writer: Pick<CatalogWriter, 'noteKeyUses'>,
    access: Pick<AccessKeeper, 'noteSessionUses'>,
  ) {
    this.#writer = writer
    this.#access = access
  }

  noteKey(storeId: string, { digest, lastUsedMs = 0 }: ActiveKey, nowMs: number): void {
    const known = this.#keys.get(digest)?.atMs ?? this.#sent.get(digest) ?? 0
    if (nowMs - Math.max(lastUsedMs, known) < PRECISION_MS) return
    this.#keys.set(digest, { storeId, digest, atMs: nowMs })
    this.#schedule()
  }

  noteSession(session: SessionRecord, nowMs: number): void {
    if (nowMs - this.lastSessionUse(session) < PRECISION_MS) return
    this.#sessions.set(session.digest, { digest: session.digest, atMs: nowMs })
    this.#schedule()
  }

  /** The last use that this thread knows, in milliseconds since 1970. */
  lastSessionUse({ digest, lastUsedMs }: SessionRecord): number {
    const known = this.#sessions.get(digest)?.atMs ?? this.#sent.get(digest) ?? 0
    return Math.max(lastUsedMs, known)
  }

  /** Sends the collected uses. Resolves when they are stored or lost. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const keys = [...this.#keys.values()]
    const sessions = [...this.#sessions.values()]
    this.#keys = new Map()
    this.#sessions = new Map()
    for (const { digest, atMs } of [...keys, ...sessions]) this.#sent.set(digest, atMs)
    await Promise.allSettled([
      keys.length === 0 ? undefined : this.#writer.noteKeyUses(keys),
      sessions.length === 0 ? undefined : this.#access.noteSessionUses(sessions),
    ])
    for (const { digest, atMs } of [...keys, ...sessions]) {
      if (this.#sent.get(digest) === atMs) this.#sent.delete(digest)
    }
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref()
  }
}
