import { ApiError } from '@aisle/contract'
import { ClusterError, isDiskFull } from '../opensearch/cluster-error.ts'
import { documentIdOf, failedWrite, uuidv7 } from '@aisle/server/domain'
import type { DocumentWrite, VersionChange } from '@aisle/server/ports'
import type { OwnVector } from '../opensearch/own-vectors.ts'
import { DocumentChain, type Step, type StepOutcome } from './document-chain.ts'
import type { StoreState } from './known-places.ts'

/** A call of the writer: any number of steps in one store. */
export interface WriteJob {
  readonly storeId: string
  /** The content that the steps' versions belong to; absent: the current one. */
  readonly content?: string | undefined
  readonly steps: readonly JobStep[]
  /** Approximate bytes, for the size of a group. */
  readonly bytes: number
  readonly resolve: (outcomes: StepOutcome[]) => void
  readonly reject: (error: unknown) => void
}

export type JobStep =
  | { readonly kind: 'write'; readonly write: DocumentWrite }
  | { readonly kind: 'delete'; readonly id: string; readonly ifMatch: string | undefined }
  | {
      readonly kind: 'version'
      readonly id: string
      readonly docKey: number
      readonly change: VersionChange
    }
  | {
      readonly kind: 'vectors'
      readonly id: string
      readonly docKey: number
      readonly vectors: readonly OwnVector[]
    }

/** What a group of writes does in one store. */
export class StoreWork {
  readonly storeId: string
  /** State as of the last real-time read, with a place. */
  state: StoreState
  /** Chains whose outcome is not known yet. */
  pending: readonly DocumentChain[]
  readonly #jobs: readonly WriteJob[]
  readonly #outcomes = new Map<WriteJob, StepOutcome[]>()
  readonly #chains = new Map<string, DocumentChain>()

  /** Sorts all steps by document, and fails steps that are invalid in any state. */
  constructor(storeId: string, jobs: readonly WriteJob[], state: StoreState) {
    this.storeId = storeId
    this.state = state
    this.#jobs = jobs
    let order = 0
    for (const job of jobs) {
      const outcomes = Array<StepOutcome>(job.steps.length)
      this.#outcomes.set(job, outcomes)
      for (const [at, step] of job.steps.entries()) {
        this.#add(step, order++, (outcome) => void (outcomes[at] = outcome))
      }
    }
    this.pending = [...this.#chains.values()]
  }

  /** Chains that have something to write. */
  get changed(): DocumentChain[] {
    return [...this.#chains.values()].filter(({ change }) => change !== undefined)
  }

  /** Marks all chains as pending, because their outcome is unknown. */
  doubtAll(): void {
    this.pending = [...this.#chains.values()]
  }

  settle(): void {
    for (const chain of this.#chains.values()) chain.settle()
    for (const job of this.#jobs) job.resolve(this.#outcomes.get(job)!)
  }

  /** Ends with the current outcomes; pending chains fail. */
  fail(error: unknown): void {
    const reason = error instanceof ApiError ? error : undefined
    const pending = new Set(this.pending)
    const isAll = pending.size === this.#chains.size
    // If the cluster is not the cause, or nothing was changed, the whole call fails.
    if (reason === undefined || isAll) {
      for (const job of this.#jobs) job.reject(error)
      return
    }
    for (const chain of this.#chains.values()) {
      if (pending.has(chain)) chain.fail(failedWrite(chain.id, reason))
      else chain.settle()
    }
    for (const job of this.#jobs) job.resolve(this.#outcomes.get(job)!)
  }

  #add(step: JobStep, order: number, settle: Step['settle']): void {
    if (step.kind !== 'write') {
      this.#chainOf(step.id).add({ ...step, settle }, order)
      return
    }
    const { write } = step
    let { id } = write
    try {
      id = documentIdOf(write)
      if (id === undefined && write.action === 'update') {
        throw new ApiError('missing_parameter', 'Cannot update a document without "id"', {
          param: 'id',
        })
      }
      id ??= uuidv7()
      this.#chainOf(id).add({ kind: 'write', write: { ...write, id }, settle }, order)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      settle(failedWrite(id, error))
    }
  }

  #chainOf(id: string): DocumentChain {
    let chain = this.#chains.get(id)
    if (chain === undefined) this.#chains.set(id, (chain = new DocumentChain(id)))
    return chain
  }
}

/** The error that a caller gets for a failing cluster. */
export function writeFailure(error: unknown): unknown {
  if (!(error instanceof ClusterError)) return error
  if (isDiskFull(error)) {
    return new ApiError('disk_reserve', 'Cannot write: the disks of the cluster are full', {
      cause: error,
    })
  }
  if (error.kind === 'refused') return error
  return new ApiError('unavailable', 'Cannot write: the cluster failed', {
    retryAfterSeconds: 2,
    cause: error,
  })
}
