/** One secret of a store, and when it must be and must not be accepted, as its owner saw it. */
interface KnownSecret {
  readonly secret: string
  /** It was answered: from now on every thread takes it. */
  readonly sinceMs: number
  /** It may end from here on: its expiry, or the moment when a request that ends it was sent. */
  mayEndMs: number
  /** It has ended for sure: its expiry, or the moment when that request was answered. */
  endedMs: number
}

/** What an answer to a secret says about the service. */
export type Verdict = 'right' | 'false accept' | 'false reject' | 'undecided'

/** Past its expiry a secret may be accepted for so long, for clocks and answers under way. */
const EXPIRY_TOLERANCE_MS = 1_000
/** Older ones are as good as any other that has ended. */
const KEPT_SECRETS = 4

/** The secrets of one kind of one store, the newest last. */
export class KeyHistory {
  readonly #secrets: KnownSecret[]

  constructor(secret: string, sinceMs: number) {
    this.#secrets = [{ secret, sinceMs, mayEndMs: Infinity, endedMs: Infinity }]
  }

  /** Any of the secrets. @param random from 0 to 1 */
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
