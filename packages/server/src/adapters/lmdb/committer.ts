import { ApiError } from '@aisle/contract'
import type { Environment, Table } from './environment.ts'

export interface Edit {
  readonly table: Table
  readonly key: Buffer
  /** Absent: the row is removed. */
  readonly row: Buffer | undefined
}

/**
 * errno values after which the disk may take writes again: file too large, no space, over quota.
 */
const RETRYABLE_ERRNOS = [27, 28, 122]

/**
 * lmdb 3.5.6 asks for 100 bytes, of which malloc makes so many, for its account of a page that it
 * could not write, however long that is: a longer one has damaged what lies behind them.
 */
const ACCOUNT_BYTES_MAX = 104
const ACCOUNT = 'Attempting to write page'
const ANY_KEY = Buffer.from([0])

/**
 * Commits, one at a time. A commit that fails leaves nothing visible. A full disk is a passing
 * state; after any other failure (fsync above all: nobody knows what the disk has) the writer
 * refuses every later write until the process is started again, and reads go on.
 *
 * Two failures leave a process that cannot go on at all: LMDB could not write down which of its
 * pages are the newest, and fails every later read of this process, on every thread; or it has
 * damaged its memory while it made the message. What is on the disk is right. Another write would
 * wait for ever.
 */
export class Committer {
  readonly #environment: Environment
  readonly #onFailure: (message: string) => void
  readonly #onBroken: (error: Error) => void
  #refusal: string | undefined
  #last: Promise<void> = Promise.resolve()

  /**
   * @param onFailure what went wrong, for the log
   * @param onBroken this process must end, and another one start from what is on the disk
   */
  constructor(
    environment: Environment,
    onFailure: (message: string) => void,
    onBroken: (error: Error) => void = () => undefined,
  ) {
    this.#environment = environment
    this.#onFailure = onFailure
    this.#onBroken = onBroken
  }

  /** Why writes are refused until a restart, if they are. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /**
   * The edits commit together or not at all, in the order given. Their bytes must stay as they are.
   */
  commit(edits: readonly Edit[]): Promise<void> {
    const committed = this.#last.then(() => this.#commit(edits))
    this.#last = committed.catch(() => undefined)
    return committed
  }

  async #commit(edits: readonly Edit[]): Promise<void> {
    if (this.#refusal !== undefined) throw refused(this.#refusal)
    try {
      // Everything that can fail in JavaScript was done before: a batch that throws half way
      // through would commit its first half.
      await this.#environment.root.batch(() => {
        for (const { table, key, row } of edits) {
          if (row === undefined) void table.remove(key)
          else void table.put(key, row)
        }
      })
    } catch (error) {
      throw await this.#failed(error)
    }
  }

  async #failed(error: unknown): Promise<ApiError> {
    const cause = await causeOf(error)
    const errno = (cause as { code?: unknown }).code
    const text = cause instanceof Error ? cause.message : String(cause)
    if (this.#isGivenUp() || isTooLong(text)) {
      this.#refusal = text
      this.#onBroken(new Error(`A commit failed, and LMDB cannot go on: ${text}`, { cause }))
      return refused(text)
    }
    if (typeof errno === 'number' && RETRYABLE_ERRNOS.includes(errno)) {
      this.#onFailure(`A commit failed, nothing was changed: ${text}`)
      return new ApiError('unavailable', `Cannot write: ${text}`, {
        cause,
        retryAfterSeconds: 10,
      })
    }
    this.#refusal = text
    this.#onFailure(
      `A commit failed: ${text}. Writes are refused until the service is started again; reads go on.`,
    )
    return refused(text)
  }

  /** Whether LMDB reads nothing any more. */
  #isGivenUp(): boolean {
    const { root, meta } = this.#environment
    try {
      // Else a snapshot from before the failure would be read once more.
      root.resetReadTxn()
      meta.get(ANY_KEY)
      return false
    } catch {
      return true
    }
  }
}

function isTooLong(text: string): boolean {
  const start = text.indexOf(ACCOUNT)
  // With the zero that ends it.
  return start >= 0 && text.length - start + 1 > ACCOUNT_BYTES_MAX
}

function refused(reason: string): ApiError {
  return new ApiError('unavailable', `Cannot write: an earlier write to disk failed (${reason})`, {
    retryAfterSeconds: 60,
  })
}

/**
 * lmdb rejects the put with an error whose `commitError` is a promise that itself rejects, with the
 * real cause; left alone it would end the process as an unhandled rejection.
 */
async function causeOf(error: unknown): Promise<unknown> {
  const commitError = (error as { commitError?: Promise<unknown> }).commitError
  if (commitError === undefined) return error
  const nothing = new Promise<undefined>((resolve) => setTimeout(resolve, 1_000, undefined).unref())
  try {
    await Promise.race([commitError, nothing])
    return error
  } catch (cause) {
    return cause
  }
}
