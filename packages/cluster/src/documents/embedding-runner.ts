import { setTimeout as wait } from 'node:timers/promises'
import { EmbedderUnavailable } from '@aisle/server/ports'
import type { Lease, Leases } from '../control/leases.ts'

export interface EmbeddingRunnerOptions {
  /** Of the embedder. */
  readonly name: string
  readonly leases: Leases
  /** Returns the stores that have something to do. */
  readonly work: () => Promise<readonly string[]>
  /** @returns whether the store has more to do now */
  readonly turn: (storeId: string, signal: AbortSignal) => Promise<boolean>
  /** Called when a turn failed, before the pause. */
  readonly onDown: (storeId: string, error: unknown) => Promise<void>
  readonly onFailure: (error: unknown) => void
  readonly leaseMs?: number
}

/** A node that has not renewed its lease for this time has lost it. */
const LEASE_MS = 15_000
/** How often other nodes look whether it is free, and its holder for work that others left. */
const LOOK_MS = 1_000
/** Work that others have left is looked for at least this often. */
const ROUND_MAX_MS = 10_000
const BACK_OFF_MS = { first: 1_000, max: 60_000 }

/**
 * Does the work of one embedder while this node has the lease for it. The stores take turns. An
 * embedder that is down makes it wait.
 */
export class EmbeddingRunner {
  readonly #options: EmbeddingRunnerOptions
  readonly #stop = new AbortController()
  #ended: Promise<void> = Promise.resolve()
  #wake: () => void = () => undefined
  #isWoken = false
  #failures = 0

  constructor(options: EmbeddingRunnerOptions) {
    this.#options = options
  }

  start(): void {
    this.#ended = this.#run()
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWoken = true
    this.#wake()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#ended
  }

  async #run(): Promise<void> {
    const { name, leases, onFailure, leaseMs = LEASE_MS } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted) {
      try {
        const lease = await leases.take(`vectors ${name}`, leaseMs)
        if (lease !== undefined) await this.#hold(lease, leaseMs)
      } catch (error) {
        if (!signal.aborted) onFailure(error)
      }
      await pause(LOOK_MS, signal)
    }
  }

  /** Works until the lease is lost, or this node ends. */
  async #hold(lease: Lease, leaseMs: number): Promise<void> {
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#stop.signal, lost.signal])
    let renewed: Promise<void> = Promise.resolve()
    const renewing = setInterval(() => {
      renewed = lease.renew().then(
        (isOurs) => {
          if (!isOurs) lost.abort()
        },
        // The next one may succeed before it is over.
        () => undefined,
      )
    }, leaseMs / 3).unref()
    try {
      while (!signal.aborted) await this.#round(signal)
    } finally {
      clearInterval(renewing)
      await renewed
      await lease.end().catch(() => undefined)
    }
  }

  async #round(signal: AbortSignal): Promise<void> {
    this.#isWoken = false
    const work = new Set(await this.#options.work())
    const endMs = performance.now() + ROUND_MAX_MS
    for (const storeId of work) {
      if (signal.aborted || performance.now() > endMs) return
      work.delete(storeId)
      if (await this.#turn(storeId, signal)) work.add(storeId)
    }
    await this.#idle(signal)
  }

  async #turn(storeId: string, signal: AbortSignal): Promise<boolean> {
    const { turn, onDown, onFailure } = this.#options
    try {
      const isMore = await turn(storeId, signal)
      this.#failures = 0
      return isMore
    } catch (error) {
      if (signal.aborted) return false
      const isDown = error instanceof EmbedderUnavailable
      if (!isDown) onFailure(error)
      await onDown(storeId, error)
      const pauseMs = Math.min(BACK_OFF_MS.max, BACK_OFF_MS.first * 2 ** this.#failures++)
      await pause((isDown ? error.retryAfterMs : undefined) ?? pauseMs, signal)
      return true
    }
  }

  /** Until there may be something to do. */
  async #idle(signal: AbortSignal): Promise<void> {
    if (this.#isWoken) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    await Promise.race([promise, pause(LOOK_MS, signal)])
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { ref: false, signal }).catch(() => undefined)
}
