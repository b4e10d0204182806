import {
  ApiError,
  LOGIN_FAILURES_PER_ADDRESS_MAX,
  LOGIN_FAILURES_PER_USER_MAX,
  LOGIN_WAIT_MAX_SECONDS,
  LOGIN_WINDOW_SECONDS,
} from '@aisle/contract'
import { GuessLimits } from './guess-limits.ts'
import { networkOf } from './network.ts'

export interface LoginAttempt {
  readonly login: string
  readonly address: string
  /** Names the browser, when the user has logged in with it before; see known-device.ts. */
  readonly device?: string | undefined
}

/**
 * How often passwords may be guessed: under one name from one network, and from one network under
 * any name. Never under one name from anywhere: then strangers could keep its owner out. A known
 * device has a limit of its own, so that strangers in the same network cannot either. Unknown names
 * are counted like known ones.
 */
export class LoginLimits {
  readonly #byNetwork = limitsOf(LOGIN_FAILURES_PER_ADDRESS_MAX)
  readonly #byName = limitsOf(LOGIN_FAILURES_PER_USER_MAX)

  /** @throws ApiError rate_limited; a refused attempt is not counted */
  begin(attempt: LoginAttempt, nowMs: number): void {
    const counts = this.#countsOf(attempt)
    const waitMs = Math.max(...counts.map(({ limits, key }) => limits.waitMs(key, nowMs)))
    if (waitMs > 0) {
      throw new ApiError('rate_limited', 'Too many failed logins: wait before the next one', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    }
    for (const { limits, key } of counts) limits.failed(key, nowMs)
  }

  /** It was no failure after all. */
  succeeded(attempt: LoginAttempt, nowMs: number): void {
    for (const { limits, key } of this.#countsOf(attempt)) limits.succeeded(key, nowMs)
  }

  #countsOf({ login, address, device }: LoginAttempt): { limits: GuessLimits; key: string }[] {
    // A login has no blanks, so no two keys are one.
    if (device !== undefined) return [{ limits: this.#byName, key: `${login} device ${device}` }]
    const network = networkOf(address)
    return [
      { limits: this.#byName, key: `${login} ${network}` },
      { limits: this.#byNetwork, key: network },
    ]
  }
}

function limitsOf(freeCount: number): GuessLimits {
  return new GuessLimits({
    freeCount,
    windowMs: LOGIN_WINDOW_SECONDS * 1_000,
    waitMaxMs: LOGIN_WAIT_MAX_SECONDS * 1_000,
  })
}
