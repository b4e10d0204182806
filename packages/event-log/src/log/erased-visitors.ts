import { hash } from 'node:crypto'
import { EVENT_AGE_MAX_DAYS } from '@aisle/contract'
import type { LogEntry, Visitor } from '../model/visitor-event.ts'
import type { LogFiles } from './log-files.ts'

const FILE = 'erased.json'
const VERSION = 1
const DAY_MS = 86_400_000
const HASH_CHARS = 22

/** Ids of a visitor whose events were erased. */
export interface ErasedIds {
  /** Ids that identify this visitor in an event, even if it has other ids too. */
  readonly ids: Pick<Visitor, 'userId' | 'anonymousId' | 'sessionId'>
  /** Ids that only this user had; they count in events without a user id. */
  readonly ownAnonymousIds: readonly string[]
  readonly ownSessionIds: readonly string[]
}

/** Hashes of ids, with the time until which their events are erased; newest last. */
export type ErasedHashes = readonly (readonly [hash: string, erasedMs: number])[]

/** Merges erasures; drops those too old to matter. */
export function afterErasure(
  before: ErasedHashes,
  { ids, ownAnonymousIds, ownSessionIds }: ErasedIds,
  erasedMs: number,
): ErasedHashes {
  const hashes = [
    ...Object.entries(ids).map(([kind, id]) => hashOf(kind, id)),
    ...ownAnonymousIds.map((id) => hashOf(OWN.anonymousId, id)),
    ...ownSessionIds.map((id) => hashOf(OWN.sessionId, id)),
  ]
  const known = new Map(before)
  for (const hashed of hashes) {
    known.delete(hashed)
    known.set(hashed, erasedMs)
  }
  return [...known].filter(([, ms]) => ms >= erasedMs - EVENT_AGE_MAX_DAYS * DAY_MS)
}

/**
 * Visitors whose events were erased, as hashes, with the time of erasure. An event from before that
 * time that arrives later (from a device that was offline) is dropped. Later events belong to a new
 * visitor.
 *
 * Stored in a file of the log's folder: `{"version": 1, "visitors": [[hash, milliseconds since
 * 1970], …]}`, newest last. An erasure is forgotten once it is so old that no event from before it
 * would be accepted anyway.
 */
export class ErasedVisitors {
  readonly #files: LogFiles
  #erasedMs: ReadonlyMap<string, number>

  /** Throws if the file exists but cannot be read: an erased visitor must not reappear. */
  constructor(files: LogFiles) {
    this.#files = files
    this.#erasedMs = new Map(erasedHashes(files))
  }

  get size(): number {
    return this.#erasedMs.size
  }

  /** Durable when it returns. */
  add(visitor: ErasedIds, erasedMs: number): void {
    this.replace(afterErasure([...this.#erasedMs], visitor, erasedMs))
  }

  /** Merges the erasures of another log. Durable when it returns. */
  replace(visitors: ErasedHashes): void {
    const content = JSON.stringify({ version: VERSION, visitors })
    this.#files.replace(FILE, Buffer.from(content))
    this.#erasedMs = new Map(visitors)
  }

  /** Whether an entry happened to a visitor before that visitor was erased. */
  covers(entry: LogEntry): boolean {
    if (entry.kind === 'tally') return false
    const { userId, anonymousId, sessionId } = entry.visitor
    const isErased = (kind: string, id: string | undefined): boolean => {
      if (id === undefined) return false
      return entry.atMs <= (this.#erasedMs.get(hashOf(kind, id)) ?? -Infinity)
    }
    return (
      isErased('userId', userId) ||
      isErased('anonymousId', anonymousId) ||
      isErased('sessionId', sessionId) ||
      (userId === undefined &&
        (isErased(OWN.anonymousId, anonymousId) || isErased(OWN.sessionId, sessionId)))
    )
  }
}

const OWN = { anonymousId: 'own anonymousId', sessionId: 'own sessionId' } as const

/** Time of the last erasure in a log; 0 if there was none. Any thread may ask. */
export function lastErasureMs(files: LogFiles): number {
  return erasedHashes(files).at(-1)?.[1] ?? 0
}

/** Reads the folder of a log. Any thread may call it. */
export function erasedHashes(files: LogFiles): ErasedHashes {
  if (!files.list().includes(FILE)) return []
  const { version, visitors } = JSON.parse(
    files.read(FILE, 0, files.lengthOf(FILE)).toString('utf8'),
  ) as { version: number; visitors: [string, number][] }
  if (version !== VERSION) throw new Error(`"${FILE}" has version ${version}`)
  return visitors
}

function hashOf(kind: string, id: string): string {
  return hash('sha256', `${kind} ${id}`, 'base64url').slice(0, HASH_CHARS)
}
