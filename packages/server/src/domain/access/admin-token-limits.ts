import {
  ADMIN_TOKEN_FAILURES_MAX,
  ADMIN_TOKEN_FAILURES_TOTAL_MAX,
  ADMIN_TOKEN_WAIT_MAX_SECONDS,
  LOGIN_WINDOW_SECONDS,
} from '@aisle/contract'
import type { SlowedGuesses } from './access-table.ts'
import { GuessLimits } from './guess-limits.ts'
import { networkOf } from './network.ts'

/** All networks together. */
const ALL = ''

/**
 * Counts wrong admin tokens, by network and in total. It never locks anyone out: it only decides
 * until when further wrong ones are rejected without a record, so that a flood of them writes
 * nothing. The length of the token makes guessing hopeless.
 */
export class AdminTokenLimits {
  readonly #byNetwork = limitsOf(ADMIN_TOKEN_FAILURES_MAX)
  /** Separate, so that many networks cannot evict it. */
  readonly #total = limitsOf(ADMIN_TOKEN_FAILURES_TOTAL_MAX)

  /** @returns the network, or all networks, slowed from now on */
  failed(address: string, nowMs: number): SlowedGuesses[] {
    const network = networkOf(address)
    this.#byNetwork.failed(network, nowMs)
    this.#total.failed(ALL, nowMs)
    const ofNetworkMs = this.#byNetwork.waitMs(network, nowMs)
    const ofAllMs = this.#total.waitMs(ALL, nowMs)
    return [
      ...(ofNetworkMs > 0 ? [{ network, untilMs: nowMs + ofNetworkMs }] : []),
      ...(ofAllMs > 0 ? [{ untilMs: nowMs + ofAllMs }] : []),
    ]
  }
}

function limitsOf(freeCount: number): GuessLimits {
  return new GuessLimits({
    freeCount,
    windowMs: LOGIN_WINDOW_SECONDS * 1_000,
    waitMaxMs: ADMIN_TOKEN_WAIT_MAX_SECONDS * 1_000,
  })
}
