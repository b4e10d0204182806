import { ApiError } from '@aisle/contract'
import type { VersionOutcome, WriteOutcome } from '../../ports/catalog/catalog-writer.ts'
import { failedWrite } from '../../domain/documents/write-request.ts'
import type { DocumentOperation, Settle } from './operation.ts'

/** The estimated cost of an operation for the writer. */
export interface OperationSize {
  readonly writes: number
  /** Bytes of JSON. */
  readonly bytes: number
}

/**
 * What a change of a version counts as: its document is read, decided and indexed like a new one.
 */
const CHANGED_BYTES = 2_048

type Splittable = Exclude<DocumentOperation, { readonly kind: 'delete' }>
type Outcome = WriteOutcome | VersionOutcome

export function sizeOf(operation: DocumentOperation): OperationSize {
  switch (operation.kind) {
    case 'write':
      return {
        writes: operation.writes.length,
        bytes: operation.writes.reduce((sum, { json }) => sum + json.length, 0),
      }
    case 'change':
      return {
        writes: operation.versions.length,
        bytes: operation.versions.length * CHANGED_BYTES,
      }
    case 'delete':
      return { writes: 1, bytes: 0 }
  }
}

/**
 * Splits an operation into the part that fits into `room`, and the rest. Both answer together when
 * the rest is done, with the outcomes of all entries in order. If a part fails as a whole, its
 * entries count as failed; the operation fails only if no part succeeded, since nothing was
 * changed.
 *
 * @param isFirst whether at least one entry must fit
 * @returns no part if nothing fits; no rest if everything does
 */
export function splitOperation(
  operation: DocumentOperation,
  room: OperationSize,
  isFirst: boolean,
): [part: DocumentOperation | undefined, rest: DocumentOperation | undefined] {
  if (operation.kind === 'delete') return isFirst ? [operation, undefined] : [undefined, operation]
  const count = Math.max(entriesThatFit(operation, room), isFirst ? 1 : 0)
  if (count === 0) return [undefined, operation]
  if (count >= entriesOf(operation).length) return [operation, undefined]
  const answer =
    operation.settle instanceof RestOfParts ? operation.settle.parts : new Parts(operation.settle)
  return [
    { ...sliced(operation, 0, count), settle: answer.part(idsOf(operation, 0, count)) },
    { ...sliced(operation, count), settle: answer.rest(idsOf(operation, count)) },
  ]
}

function entriesThatFit(operation: Splittable, room: OperationSize): number {
  if (operation.kind === 'change') {
    return Math.max(0, Math.min(room.writes, Math.floor(room.bytes / CHANGED_BYTES)))
  }
  let bytes = 0
  const end = operation.writes.findIndex(
    ({ json }, i) => i >= room.writes || (bytes += json.length) > room.bytes,
  )
  return end < 0 ? operation.writes.length : end
}

function entriesOf(operation: Splittable): readonly { readonly id?: string | undefined }[] {
  return operation.kind === 'write' ? operation.writes : operation.versions
}

function idsOf(operation: Splittable, from: number, to?: number): (string | undefined)[] {
  return entriesOf(operation)
    .slice(from, to)
    .map(({ id }) => id)
}

function sliced(operation: Splittable, from: number, to?: number): Splittable {
  return operation.kind === 'write'
    ? { ...operation, writes: operation.writes.slice(from, to) }
    : { ...operation, versions: operation.versions.slice(from, to) }
}

/** Collects the answers to the parts of one operation, which may arrive in any order. */
class Parts {
  readonly #settle: Settle
  readonly #answers: (readonly Outcome[] | undefined)[] = []
  #waitingCount = 0
  #isAllTaken = false
  #error: unknown
  #failedCount = 0

  constructor(settle: Settle) {
    this.#settle = settle
  }

  part(ids: readonly (string | undefined)[]): Settle {
    const slot = this.#answers.push(undefined) - 1
    this.#waitingCount++
    return {
      resolve: (value) => this.#answer(slot, value as readonly Outcome[]),
      reject: (error) => {
        this.#error ??= error
        this.#failedCount++
        this.#answer(
          slot,
          ids.map((id) => failedWrite(id, knownError(error))),
        )
      },
    }
  }

  rest(ids: readonly (string | undefined)[]): Settle {
    return new RestOfParts(this, ids)
  }

  /** The last part has been taken. */
  end(): void {
    this.#isAllTaken = true
  }

  #answer(slot: number, outcomes: readonly Outcome[]): void {
    this.#answers[slot] = outcomes
    this.#waitingCount--
    if (this.#waitingCount > 0 || !this.#isAllTaken) return
    const isNothingDone = this.#failedCount === this.#answers.length
    const isFault = this.#failedCount > 0 && !(this.#error instanceof ApiError)
    if (isNothingDone || isFault) this.#settle.reject(this.#error)
    else this.#settle.resolve(this.#answers.flat())
  }
}

/** Settles the rest of an operation: its last part, or divided again. */
class RestOfParts implements Settle {
  readonly parts: Parts
  readonly #ids: readonly (string | undefined)[]

  constructor(parts: Parts, ids: readonly (string | undefined)[]) {
    this.parts = parts
    this.#ids = ids
  }

  resolve(value: unknown): void {
    this.#last().resolve(value)
  }

  reject(error: unknown): void {
    this.#last().reject(error)
  }

  #last(): Settle {
    const part = this.parts.part(this.#ids)
    this.parts.end()
    return part
  }
}

/** Any other error is not the outcome of an entry, so it fails the operation. */
function knownError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError('internal', 'Cannot write')
}
