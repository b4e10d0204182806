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
 * lmdb 3.5.6 allocates 100 bytes (malloc gives this many) for its message about a page that it
 * could not write, whatever the length of the message. A longer message has corrupted the memory
 * after it.
 */
const ACCOUNT_BYTES_MAX = 104
const ACCOUNT = 'Attempting to write page'
const ANY_KEY = Buffer.from([0])

/**
 * Commits, one at a time. A failed commit leaves nothing visible. A full disk is temporary. After
 * any other failure (above all of fsync, when the state of the disk is unknown) the writer refuses
 * all further writes until a restart; reads continue.
 *
 * Two failures leave a process that cannot continue at all: LMDB could not write the page that
 * names the newest state, and fails every later read of this process, on every thread; or it
 * corrupted its memory while formatting the message. What is on disk is correct. Another write
 * would wait forever.
 */
export class Committer {
  readonly #environment: Environment
  readonly #onFailure: (message: string) => void
  readonly #onBroken: (error: Error) => void
  #refusal: string | undefined
  #last: Promise<void> = Promise.resolve()

  /**
   * @param onFailure receives the failure, for the log
   * @param onBroken this process must exit, so that another one starts from what is on disk
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

  /** Why writes are refused until a restart; undefined if they are not. */
  get refusal(): string | undefined {
    return this.#refusal
  }

  /**
   * Commits the edits together or not at all, in the given order. Their bytes must not change
   * meanwhile.
   */
  commit(edits: readonly Edit[]): Promise<void> {
    const committed = this.#last.then(() => this.#commit(edits))
    this.#last = committed.catch(() => undefined)
    return committed
  }

  async #commit(edits: readonly Edit[]): Promise<void> {
    if (this.#refusal !== undefined) throw refused(this.#refusal)
    try {
      // Everything that can fail in JavaScript has been done: a batch that throws halfway would
      // commit its first half.
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
      this.#onBroken(new Error(`A commit failed and LMDB cannot continue: ${text}`, { cause }))
      return refused(text)
    }
    if (typeof errno === 'number' && RETRYABLE_ERRNOS.includes(errno)) {
      this.#onFailure(`A commit failed; nothing was changed: ${text}`)
      return new ApiError('unavailable', `Cannot write: ${text}`, {
        cause,
        retryAfterSeconds: 10,
      })
    }
    this.#refusal = text
    this.#onFailure(
      `A commit failed: ${text}. Writes are refused until the service is restarted; reads continue.`,
    )
    return refused(text)
  }

  /** Whether LMDB no longer reads anything. */
  #isGivenUp(): boolean {
    const { root, meta } = this.#environment
    try {
      // Otherwise a read snapshot from before the failure would be used again.
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
  // Including the terminating zero.
  return start >= 0 && text.length - start + 1 > ACCOUNT_BYTES_MAX
}

function refused(reason: string): ApiError {
  return new ApiError('unavailable', `Cannot write: an earlier write to disk failed (${reason})`, {
    retryAfterSeconds: 60,
  })
}

/**
 * lmdb rejects the put with an error whose `commitError` is a promise that itself rejects with the
 * real cause. Unhandled, that rejection would end the process.
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
