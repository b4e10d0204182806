import { ApiError, PASSWORD_CHECKS_WAITING_MAX } from '@aisle/contract'
import { hashPassword, matchesPassword } from '../../domain/access/password-hash.ts'
import type { PasswordCost } from '../../domain/access/password-hash.ts'

/**
 * Hashes passwords one at a time. A hash takes a tenth of a second on a thread of Node's pool,
 * which disk commits also need: fifty at once would delay writes by seconds.
 */
export class PasswordQueue {
  readonly #cost: PasswordCost
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(cost: PasswordCost) {
    this.#cost = cost
  }

  /** @throws ApiError unavailable */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hashPassword(password, this.#cost))
  }

  /** @param hash absent if the user does not exist @throws ApiError unavailable */
  matches(hash: string | undefined, password: string): Promise<boolean> {
    return this.#inTurn(() => matchesPassword(hash, password, this.#cost))
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#waiting >= PASSWORD_CHECKS_WAITING_MAX) {
      throw new ApiError('unavailable', 'Too many logins at the same time: try again', {
        retryAfterSeconds: 2,
      })
    }
    this.#waiting++
    const done = this.#last.then(run)
    this.#last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      this.#waiting--
    }
  }
}
