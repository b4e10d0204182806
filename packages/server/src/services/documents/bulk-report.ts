import { ERROR_STATUS, type ErrorCode } from '@aisle/contract'
import type { WriteOutcome } from '../../ports/catalog/catalog-writer.ts'

/** The least status for which the document is not at fault: the same write may succeed later. */
const SERVICE_FAULT_MIN = 500

/** Maximum number of failures repeated in `errors`; `results` has all of them. */
const BULK_ERRORS_LISTED_MAX = 10_000

/**
 * The response to a bulk, written in pieces: results are sent as they arrive and totals at the end,
 * so its size in memory does not grow with the number of documents.
 *
 *     {"status":207,"results":[…],"success":…,"indexed":…,"errors":[…],"summary":{…}}
 */
export class BulkReport {
  created = 0
  updated = 0
  failed = 0
  readonly #errors: string[] = []

  get total(): number {
    return this.created + this.updated + this.failed
  }

  /** The JSON before the first result. */
  begin(): string {
    return '{"status":207,"results":['
  }

  /**
   * @param warnings about parts of the entry that had no effect
   * @returns the JSON of one result, with the preceding comma
   */
  add(outcome: WriteOutcome, warnings: readonly string[] = []): string {
    const index = this.total
    const comma = index === 0 ? '' : ','
    const id = JSON.stringify(outcome.id)
    const warned = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`
    if (outcome.status !== 'failed') {
      const isNew = outcome.status === 'created'
      if (isNew) this.created++
      else this.updated++
      return `${comma}{"id":${id},"index":${index},"status":"${outcome.status}","code":${isNew ? 201 : 200}${warned}}`
    }
    this.failed++
    const error = JSON.stringify(outcome.message)
    if (this.#errors.length < BULK_ERRORS_LISTED_MAX) {
      this.#errors.push(`{"id":${id},"index":${index},"error":${error}}`)
    }
    return (
      `${comma}{"id":${id},"index":${index},"status":"failed","code":${failureStatus(outcome.code)},` +
      `"error":${error},"error_code":"${outcome.code}"${warned}}`
    )
  }

  /**
   * The JSON after the last result.
   * @param stopped why the service stopped before the end of the request
   */
  end(stopped?: { readonly message: string; readonly code: string }): string {
    const { created, updated, failed, total } = this
    const succeeded = created + updated
    const success = failed === 0 && stopped === undefined
    const why =
      stopped === undefined
        ? ''
        : `,"error":${JSON.stringify(stopped.message)},"error_code":"${stopped.code}"`
    return (
      `],"success":${success},"indexed":${succeeded},"errors":[${this.#errors.join(',')}],` +
      `"summary":{"total":${total},"succeeded":${succeeded},"failed":${failed}}${why}}`
    )
  }
}

/** The API uses 400 for any fault of a document. */
function failureStatus(code: ErrorCode): number {
  const status = ERROR_STATUS[code]
  return status >= SERVICE_FAULT_MIN ? status : 400
}
