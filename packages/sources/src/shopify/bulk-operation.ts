import { SourceError } from '../source-error.ts'
import type { Wait } from '../web/patience.ts'
import { BULK_QUERY } from './product-query.ts'
import type { ShopifyApi } from './shopify-api.ts'

export const BULK_LIMITS = {
  /** Between two questions whether the operation has ended; doubled up to the second figure. */
  pollMsMin: 1_000,
  pollMsMax: 30_000,
  /** For the shop to make the file, with the wait for other operations of the app. */
  totalMsMax: 6 * 3_600_000,
  /** Operations that are started again after one that the shop could not finish. */
  restartsMax: 2,
} as const

/** The file of an operation that has ended. */
export interface BulkFile {
  readonly operation: string
  /** Undefined: the shop has no products. */
  readonly url: string | undefined
  /** Products in it, as the shop counted them. */
  readonly products: number
  readonly bytes: number | undefined
  /** When the shop began; changes before are in the file. NaN if unknown. */
  readonly begunMs: number
}

interface Operation {
  readonly id: string
  readonly status: string
  readonly errorCode?: string | null
  readonly url?: string | null
  readonly rootObjectCount?: string | number | null
  readonly fileSize?: string | number | null
}

interface Started {
  readonly bulkOperationRunQuery: {
    readonly bulkOperation: Operation | null
    readonly userErrors: readonly { readonly message: string; readonly code?: string | null }[]
  }
}

const START = `mutation ($query: String!) {
  bulkOperationRunQuery(query: $query, groupObjects: true) {
    bulkOperation { id status }
    userErrors { message code }
  }
}`
const STATE = `query ($id: ID!) {
  node(id: $id) {
    ... on BulkOperation { id status errorCode url rootObjectCount fileSize }
  }
}`
const CANCEL = `mutation ($id: ID!) {
  bulkOperationCancel(id: $id) { bulkOperation { id } userErrors { message } }
}`
/** For the request that cancels: the reading is about to end. */
const CANCEL_MS_MAX = 3_000

/**
 * Has the shop write all its products to a file, and waits for it.
 *
 * @throws SourceError; the reason of the signal, after the operation was cancelled
 */
export async function bulkFile(
  api: ShopifyApi,
  signal: AbortSignal,
  waits: Wait,
): Promise<BulkFile> {
  const timed = new Deadline(BULK_LIMITS.totalMsMax)
  for (let restarts = 0; ; restarts++) {
    const { id, begunMs } = await started(api, signal, waits, timed)
    let ended: Operation
    try {
      ended = await endOf(api, id, signal, waits, timed)
    } catch (error) {
      if (signal.aborted || timed.isOver) await cancel(api, id)
      throw error
    }
    if (ended.status === 'COMPLETED') return fileOf(ended, begunMs)
    const mayPass = ended.errorCode !== 'ACCESS_DENIED' && ended.status !== 'CANCELED'
    if (mayPass && restarts < BULK_LIMITS.restartsMax) continue
    throw new SourceError(
      ended.errorCode === 'ACCESS_DENIED' ? 'unauthorized' : 'unreachable',
      `The bulk operation of "${api.host}" ended as ${ended.status}${ended.errorCode ? ` (${ended.errorCode})` : ''}`,
    )
  }
}

/** The address of the file again: addresses are signed, and end. */
export async function fileAgain(
  api: ShopifyApi,
  file: BulkFile,
  signal: AbortSignal,
): Promise<BulkFile> {
  return fileOf(await stateOf(api, file.operation, signal), file.begunMs)
}

class Deadline {
  readonly #untilMs: number

  constructor(ms: number) {
    this.#untilMs = performance.now() + ms
  }

  get isOver(): boolean {
    return performance.now() > this.#untilMs
  }

  /** @throws SourceError too_large */
  require(host: string): void {
    if (!this.isOver) return
    const hours = BULK_LIMITS.totalMsMax / 3_600_000
    throw new SourceError('too_large', `"${host}" took more than ${hours} hours to write its file`)
  }
}

async function started(
  api: ShopifyApi,
  signal: AbortSignal,
  waits: Wait,
  deadline: Deadline,
): Promise<{ readonly id: string; readonly begunMs: number }> {
  for (;;) {
    const { data, answeredMs } = await api.ask<Started>(START, { query: BULK_QUERY }, signal)
    const { bulkOperation, userErrors } = data.bulkOperationRunQuery
    if (bulkOperation !== null) return { id: bulkOperation.id, begunMs: answeredMs }
    const [error] = userErrors
    // An app has five operations at a time in a shop: those of other services of the same app.
    const isBusy = error?.code === 'OPERATION_IN_PROGRESS' || error?.code === 'LIMIT_REACHED'
    if (!isBusy) {
      throw new SourceError(
        'unreadable',
        `"${api.host}" refused the bulk operation: ${error?.message ?? ''}`,
      )
    }
    deadline.require(api.host)
    await waits(BULK_LIMITS.pollMsMax, signal)
  }
}

async function endOf(
  api: ShopifyApi,
  id: string,
  signal: AbortSignal,
  waits: Wait,
  deadline: Deadline,
): Promise<Operation> {
  for (let ms: number = BULK_LIMITS.pollMsMin; ; ms = Math.min(ms * 2, BULK_LIMITS.pollMsMax)) {
    const state = await stateOf(api, id, signal)
    if (!['CREATED', 'RUNNING', 'CANCELING'].includes(state.status)) return state
    deadline.require(api.host)
    await waits(ms, signal)
  }
}

async function stateOf(api: ShopifyApi, id: string, signal: AbortSignal): Promise<Operation> {
  const { data } = await api.ask<{ node: Operation | null }>(STATE, { id }, signal)
  if (data.node !== null) return data.node
  throw new SourceError('unreachable', `"${api.host}" no longer has its bulk operation "${id}"`)
}

function fileOf(state: Operation, begunMs: number): BulkFile {
  const bytes = Number(state.fileSize ?? Number.NaN)
  return {
    operation: state.id,
    url: state.url ?? undefined,
    products: Number(state.rootObjectCount ?? 0),
    bytes: Number.isFinite(bytes) ? bytes : undefined,
    begunMs,
  }
}

async function cancel(api: ShopifyApi, id: string): Promise<void> {
  try {
    await api.ask(CANCEL, { id }, AbortSignal.timeout(CANCEL_MS_MAX))
  } catch {
    // The shop ends it after ten days.
  }
}
