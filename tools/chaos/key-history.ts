/** One secret of a store, and when it must and must not be accepted, from its owner's view. */
interface KnownSecret {
  readonly secret: string
  /** Acknowledged: from now on every thread accepts it. */
  readonly sinceMs: number
  /** The earliest end: its expiry, or when a request that ends it was sent. */
  mayEndMs: number
  /** The latest end: its expiry, or when that request was answered. */
  endedMs: number
}

/** What an answer to a secret shows about the service. */
export type Verdict = 'right' | 'false accept' | 'false reject' | 'undecided'

/** Tolerance after the expiry of a secret, for clocks and answers in flight. */
const EXPIRY_TOLERANCE_MS = 1_000
/** Older ones equal any other ended secret. */
const KEPT_SECRETS = 4

/** The secrets of one kind of one store, newest last. */
export class KeyHistory {
  readonly #secrets: KnownSecret[]

  constructor(secret: string, sinceMs: number) {
    this.#secrets = [{ secret, sinceMs, mayEndMs: Infinity, endedMs: Infinity }]
  }

  /** A random secret. @param random from 0 to 1 */
  pick(random: number): string {
    return this.#secrets[Math.floor(random * this.#secrets.length)]!.secret
  }

  /** A rotation or revocation is about to be sent: the previous secret may end any time now. */
  ending(nowMs: number, endsCurrent: boolean): void {
    const count = this.#secrets.length - (endsCurrent ? 0 : 1)
    for (const known of this.#secrets.slice(0, count)) {
      known.mayEndMs = Math.min(known.mayEndMs, nowMs)
    }
  }

  /** The rotation was answered. */
  rotated(secret: string, nowMs: number, previousValidUntilMs: number): void {
    const current = this.#secrets.at(-1)!
    this.previousEnded(nowMs)
    if (previousValidUntilMs > nowMs) {
      current.mayEndMs = previousValidUntilMs
      current.endedMs = previousValidUntilMs + EXPIRY_TOLERANCE_MS
    } else {
      current.mayEndMs = Math.min(current.mayEndMs, previousValidUntilMs)
      current.endedMs = nowMs
    }
    this.#secrets.push({ secret, sinceMs: nowMs, mayEndMs: Infinity, endedMs: Infinity })
    this.#secrets.splice(0, this.#secrets.length - KEPT_SECRETS)
  }

  /** Every secret but the current one has ended. */
  previousEnded(nowMs: number): void {
    for (const known of this.#secrets.slice(0, -1)) {
      known.endedMs = Math.min(known.endedMs, nowMs)
    }
  }

  /** @param sentMs before the request was sent @param answeredMs after it was answered */
  judge(secret: string, isAccepted: boolean, sentMs: number, answeredMs: number): Verdict {
    const known = this.#secrets.find((one) => one.secret === secret)
    if (known === undefined) return 'undecided'
    if (known.sinceMs <= sentMs && answeredMs < known.mayEndMs) {
      return isAccepted ? 'right' : 'false reject'
    }
    if (sentMs > known.endedMs) return isAccepted ? 'false accept' : 'right'
    return 'undecided'
  }
}
