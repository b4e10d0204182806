import { createHash, hash, type Hash } from 'node:crypto'
import { join } from 'node:path'
import { DiskLogFiles, logEnd, logNameOf, readLog, type LogEntry } from '@aisle/event-log'
import { packOwnVectors } from '../opensearch/own-vectors.ts'
import type { AuditEntry } from '@aisle/server/domain'
import type { InstalledDocument, Installation, StoreState } from '@aisle/server'

/** The size and checksum of each part of an installation. */
export type Fingerprint = ReadonlyMap<string, string>

/**
 * An installation that computes checksums of everything read from it. Only parts that were read to
 * the end count.
 */
export class WatchedInstallation implements Installation {
  readonly #of: Installation
  readonly #parts = new Map<string, string>()

  constructor(of: Installation) {
    this.#of = of
    const { adminDigest = '', users, stores } = of
    this.#parts.set('the admin token', adminDigest)
    const logins = users.toSorted((a, b) => (a.login < b.login ? -1 : 1))
    this.#parts.set('the users', sealed(users.length, digestOf(logins)))
    for (const store of stores) {
      const { record, schema, language, resources, searches } = store
      const named = resources.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
      const content = { record, schema, language, resources: named, searches }
      this.#parts.set(`store ${record.storeId}`, digestOf(content))
    }
  }

  get adminDigest(): string | undefined {
    return this.#of.adminDigest
  }

  get events(): string {
    return this.#of.events
  }

  get users(): Installation['users'] {
    return this.#of.users
  }

  get stores(): Installation['stores'] {
    return this.#of.stores
  }

  async *audit(): AsyncIterable<readonly AuditEntry[]> {
    const sum = new RunningSum()
    for await (const page of this.#of.audit()) {
      for (const entry of page) sum.add(canonical(entry))
      yield page
    }
    this.#parts.set('the audit log', sum.seal())
  }

  async *documents(store: StoreState, after: number): AsyncIterable<readonly InstalledDocument[]> {
    const sum = new RunningSum()
    for await (const page of this.#of.documents(store, after)) {
      for (const { docKey, inserted = docKey, id, json, vectors } of page) {
        const packed = vectors.length === 0 ? [] : [packOwnVectors(vectors)]
        sum.add(`${docKey} ${inserted} ${id}\n`, json, ...packed)
      }
      yield page
    }
    this.#parts.set(`documents of ${store.record.storeId}`, sum.seal())
  }

  /** Call it when everything was read. */
  fingerprint(): Fingerprint {
    for (const { record } of this.stores) {
      const files = new DiskLogFiles(join(this.events, logNameOf(record)))
      this.#parts.set(`events of ${record.storeId}`, sumOfLog(files))
    }
    return this.#parts
  }

  close(): Promise<void> {
    return this.#of.close()
  }
}

/** Reads everything. */
export async function fingerprintOf(installation: Installation): Promise<Fingerprint> {
  const watched = new WatchedInstallation(installation)
  for await (const page of watched.audit()) void page
  for (const store of watched.stores) {
    for await (const page of watched.documents(store, -1)) void page
  }
  return watched.fingerprint()
}

/** The differences, a line for each part. */
export function differencesOf(expected: Fingerprint, found: Fingerprint): string[] {
  const names = new Set([...expected.keys(), ...found.keys()])
  return [...names]
    .filter((name) => expected.get(name) !== found.get(name))
    .map(
      (name) => `${name}: ${found.get(name) ?? 'none'} instead of ${expected.get(name) ?? 'none'}`,
    )
}

/** A checksum of a sequence. */
class RunningSum {
  readonly #hash: Hash = createHash('sha256')
  #count = 0

  add(...parts: readonly (string | Uint8Array)[]): void {
    this.#count++
    for (const part of parts) {
      // The length prefix separates the parts.
      this.#hash.update(`${part.length}:`).update(part)
    }
  }

  seal(): string {
    return sealed(this.#count, this.#hash.digest('hex'))
  }
}

/**
 * A checksum that ignores order, because a cluster may store events of the same moment in any
 * order. Counts of refused events (tallies) get an id there, so they are compared by content.
 */
function sumOfLog(files: DiskLogFiles): string {
  const sum = Buffer.alloc(SUM_BYTES)
  let count = 0
  for (const entry of entriesOf(files)) {
    count++
    const digest = hash('sha256', canonical(entry), 'buffer')
    for (let at = 0; at < SUM_BYTES; at += 4) {
      sum.writeUInt32LE((sum.readUInt32LE(at) + digest.readUInt32LE(at)) >>> 0, at)
    }
  }
  return sealed(count, sum.toString('hex'))
}

const SUM_BYTES = 32

/** The entries of a log that nobody writes to; none if the log does not exist. */
export function* entriesOf(files: DiskLogFiles): Generator<LogEntry> {
  const end = logEnd(files)
  for (let from = 0; ;) {
    const { records, next } = readLog(files, from, end)
    if (next === from) return
    from = next
    for (const { entry } of records) yield entry
  }
}

function sealed(count: number, digest: string): string {
  return `${count} (${digest.slice(0, SHOWN_CHARS)})`
}

/** 96 bits: enough to notice damage. */
const SHOWN_CHARS = 24

function digestOf(value: unknown): string {
  return hash('sha256', canonical(value)).slice(0, SHOWN_CHARS)
}

/** JSON with sorted names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

function nameOf({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}/${name}`
}
