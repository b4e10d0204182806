import type { ConnectionCounts } from '../../ports/host/connection-counts.ts'
import { hashText } from './hash-text.ts'

/** Number of counters. Networks that share one are counted together, which this size makes rare. */
const BUCKETS = 32_768

/**
 * Open connections by the hash of their network. Each thread counts in its own row, so that the
 * connections of a dead thread are dropped with its row; the count of a network is the sum over all
 * rows.
 */
export interface ConnectionCountMemory {
  readonly rows: Int32Array<SharedArrayBuffer>
  /** Makes hashes unpredictable, so that nobody can aim at the bucket of another. */
  readonly seed: number
}

export function createConnectionCounts(threadCount: number, seed: number): ConnectionCountMemory {
  const bytes = threadCount * BUCKETS * Int32Array.BYTES_PER_ELEMENT
  return { rows: new Int32Array(new SharedArrayBuffer(bytes)), seed }
}

/** Call it when a thread has died, and its connections with it. */
export function forgetConnections({ rows }: ConnectionCountMemory, thread: number): void {
  rows.fill(0, thread * BUCKETS, (thread + 1) * BUCKETS)
}

/** One thread's view of the counts. */
export class SharedConnectionCounts implements ConnectionCounts {
  readonly #memory: ConnectionCountMemory
  readonly #first: number

  /** @param thread from 0 */
  constructor(memory: ConnectionCountMemory, thread: number) {
    this.#memory = memory
    this.#first = thread * BUCKETS
  }

  enter(network: string): number {
    const { rows } = this.#memory
    const bucket = this.#bucketOf(network)
    Atomics.add(rows, this.#first + bucket, 1)
    let count = 0
    for (let at = bucket; at < rows.length; at += BUCKETS) count += Atomics.load(rows, at)
    return count
  }

  leave(network: string): void {
    Atomics.sub(this.#memory.rows, this.#first + this.#bucketOf(network), 1)
  }

  #bucketOf(network: string): number {
    return hashText(network, this.#memory.seed) & (BUCKETS - 1)
  }
}
