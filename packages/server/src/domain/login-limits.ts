import {
  ApiError,
  LOGIN_FAILURES_PER_ADDRESS_MAX,
  LOGIN_FAILURES_PER_USER_MAX,
  LOGIN_WINDOW_SECONDS,
} from '@aisle/contract'

/** Buckets of a kind at most; the one unused for the longest time makes room. */
const BUCKETS_MAX = 20_000

interface Bucket {
  failures: number
  atMs: number
}

/** Failures by key that fade evenly: `failuresMax` in a window. */
class FailureBuckets {
  readonly #failuresMax: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(failuresMax: number) {
    this.#failuresMax = failuresMax
  }

  /** @returns milliseconds to wait; 0 when one more may be tried */
  waitMs(key: string, nowMs: number): number {
    const over = this.#faded(key, nowMs).failures + 1 - this.#failuresMax
    return over <= 0 ? 0 : over * this.#fadeMs
  }

  add(key: string, nowMs: number, count: number): void {
    const failures = Math.max(0, this.#faded(key, nowMs).failures + count)
    this.#buckets.delete(key)
    this.#buckets.set(key, { failures, atMs: nowMs })
    if (this.#buckets.size <= BUCKETS_MAX) return
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest)
      break
    }
  }

  /** How long one failure counts. */
  get #fadeMs(): number {
    return (LOGIN_WINDOW_SECONDS * 1_000) / this.#failuresMax
  }

  #faded(key: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(key) ?? { failures: 0, atMs: nowMs }
    // Time may be set back: that must not add failures.
    const elapsedMs = Math.max(0, nowMs - bucket.atMs)
    return { failures: Math.max(0, bucket.failures - elapsedMs / this.#fadeMs), atMs: nowMs }
  }
}

export interface LoginAttempt {
  readonly login: string
  readonly address: string
  /** The user has a session from this address: guesses of strangers must not lock it out. */
  readonly isKnownPlace: boolean
}

/**
 * How often passwords may be guessed: from one network, and under one name whoever guesses. Unknown
 * names are counted like known ones. An attempt counts as a failure until it has succeeded, so that
 * many at once gain nothing.
 */
export class LoginLimits {
  readonly #byAddress = new FailureBuckets(LOGIN_FAILURES_PER_ADDRESS_MAX)
  readonly #byLogin = new FailureBuckets(LOGIN_FAILURES_PER_USER_MAX)

  /** @throws ApiError rate_limited; a refused attempt is not counted */
  begin(attempt: LoginAttempt, nowMs: number): void {
    const waitMs = Math.max(
      this.#byAddress.waitMs(networkOf(attempt.address), nowMs),
      attempt.isKnownPlace ? 0 : this.#byLogin.waitMs(attempt.login, nowMs),
    )
    if (waitMs > 0) {
      throw new ApiError('rate_limited', 'Too many failed logins: wait before the next one', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    }
    this.#count(attempt, nowMs, 1)
  }

  /** It was no failure after all. */
  succeeded(attempt: LoginAttempt, nowMs: number): void {
    this.#count(attempt, nowMs, -1)
  }

  #count({ login, address, isKnownPlace }: LoginAttempt, nowMs: number, count: number): void {
    this.#byAddress.add(networkOf(address), nowMs, count)
    if (!isKnownPlace) this.#byLogin.add(login, nowMs, count)
  }
}

/** An IPv4 address, or the /64 network of an IPv6 one: who has one address of it has them all. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2)
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(.)/, '$1'))
    .join(':')
}
