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
  /** Id of the browser, if the user has logged in with it before; see known-device.ts. */
  readonly device?: string | undefined
}

/**
 * Limits guesses of passwords: per name and network, and per network for all names. Never per name
 * alone, because strangers could then lock its owner out. A known device has its own limit, so
 * strangers in the same network cannot either. Unknown names count like known ones.
 */
export class LoginLimits {
  readonly #byNetwork = limitsOf(LOGIN_FAILURES_PER_ADDRESS_MAX)
  readonly #byName = limitsOf(LOGIN_FAILURES_PER_USER_MAX)

  /** @throws ApiError rate_limited; a rejected attempt is not counted */
  begin(attempt: LoginAttempt, nowMs: number): void {
    const counts = this.#countsOf(attempt)
    const waitMs = Math.max(...counts.map(({ limits, key }) => limits.waitMs(key, nowMs)))
    if (waitMs > 0) {
      throw new ApiError('rate_limited', 'Too many failed logins: wait before you try again', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    }
    for (const { limits, key } of counts) limits.failed(key, nowMs)
  }

  /** Takes back the failure. */
  succeeded(attempt: LoginAttempt, nowMs: number): void {
    for (const { limits, key } of this.#countsOf(attempt)) limits.succeeded(key, nowMs)
  }

  #countsOf({ login, address, device }: LoginAttempt): { limits: GuessLimits; key: string }[] {
    // A login contains no blanks, so keys cannot collide.
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
