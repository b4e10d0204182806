import { ApiError } from '@aisle/contract'
import {
  applyWrite,
  failedWrite,
  requireDocumentMatch,
  toIndexDocument,
  type DecidedWrite,
  type FailedWrite,
} from '@aisle/server/domain'
import type { DocumentValue, Schema } from '@aisle/engine'
import type {
  DocumentWrite,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '@aisle/server/ports'
import type { ClusterError } from '../opensearch/cluster-error.ts'
import type { OwnVector } from '../opensearch/own-vectors.ts'
import type { StoredProduct } from '../opensearch/product-requests.ts'

/** An operation on one document, and a callback for its outcome. */
export type Step = { readonly settle: (outcome: StepOutcome) => void } & (
  | { readonly kind: 'write'; readonly write: DocumentWrite & { readonly id: string } }
  | { readonly kind: 'delete'; readonly ifMatch?: string | undefined }
  | { readonly kind: 'version'; readonly docKey: number; readonly change: VersionChange }
  | {
      readonly kind: 'vectors'
      readonly docKey: number
      /** What models have made of the text of this version. */
      readonly vectors: readonly OwnVector[]
    }
)

export type StepOutcome = WriteOutcome | VersionOutcome | 'deleted' | 'absent'

/** A document after its steps. */
interface ChainEnd {
  readonly outcomes: StepOutcome[]
  /** The new document, its removal, or no change. */
  change:
    | { readonly json: Uint8Array; readonly values: readonly (DocumentValue | undefined)[] }
    | 'remove'
    | undefined
  order: number
  /** Position of the step that inserted the document; undefined: it existed before. */
  inserted: number | undefined
  /** When it was written last, if only vectors were made of it since. */
  writtenMs: number | undefined
  /** What models have made of its versions. */
  vectors: readonly OwnVector[]
}

/** A step that waits for its turn among all steps of the group. */
export interface Decision {
  readonly order: number
  /**
   * @param admit throws an ApiError if the document must not be stored
   * @returns the schema with the fields that the step adds; they must be stored before anything is
   * written
   */
  decide(schema: Schema | undefined, admit: (decided: DecidedWrite) => void): Schema | undefined
}

/**
 * All operations of a group of writes on one document, in order. Only the final state is written,
 * so any number of writes to one id is one write.
 */
export class DocumentChain {
  readonly id: string
  readonly #steps: { readonly step: Step; readonly order: number }[] = []
  /** Operations that were sent; the document may turn out to have one of them. */
  readonly #sent = new Set<string>()
  #end: ChainEnd | undefined
  #failed: FailedWrite | undefined
  /** DocKey of the new version, or of its removal. */
  docKey = 0
  /** DocKey of its first version. */
  inserted = 0

  constructor(id: string) {
    this.id = id
  }

  /** @param order position among all steps of the group */
  add(step: Step, order: number): void {
    this.#steps.push({ step, order })
  }

  /** Whether the JSON of the existing document is needed. */
  get needsJson(): boolean {
    return this.#steps.some(
      ({ step }) =>
        (step.kind === 'write' &&
          (step.write.action === 'update' || step.write.ifMatch !== undefined)) ||
        (step.kind === 'delete' && step.ifMatch !== undefined) ||
        step.kind === 'vectors' ||
        (step.kind === 'version' && step.change.kind === 'update'),
    )
  }

  /** Whether its result is known without reading the document, if that does not exist. */
  get mayBeNew(): boolean {
    return this.#steps.every(
      ({ step }) =>
        step.kind === 'write' && step.write.action === 'upsert' && step.write.ifMatch === undefined,
    )
  }

  /** Records that the cluster permanently refuses this document. */
  refuse({ status, type }: ClusterError): void {
    const message = `Cannot index document "${this.id}": the cluster refuses it with ${status} ${type}`
    this.#failed = failedWrite(this.id, new ApiError('internal', message))
  }

  /**
   * Starts again.
   * @param base the current document; `undefined`: it does not exist
   * @returns its steps, in order
   */
  begin(base: StoredProduct | undefined): Decision[] {
    const end: ChainEnd = {
      outcomes: [],
      change: undefined,
      order: 0,
      inserted: undefined,
      writtenMs: base?.writtenMs,
      vectors: base?.own ?? [],
    }
    this.#end = end
    let current: Current | undefined = base && {
      id: base.id,
      docKey: base.docKey,
      json: Buffer.from(base.json ?? ''),
    }
    return this.#steps.map(({ step, order }) => ({
      order,
      decide: (schema, admit) => {
        const { outcome, next } = taken(step, this.id, current, schema, admit)
        end.outcomes.push(outcome)
        if (next === 'same') return schema
        end.order = order
        if (step.kind === 'vectors') end.vectors = [...step.vectors, ...end.vectors]
        else end.writtenMs = undefined
        if (next === 'removed') {
          current = undefined
          end.change = base === undefined ? undefined : 'remove'
          return schema
        }
        if (current === undefined) end.inserted = order
        current = { id: this.id, docKey: -1, json: next.json }
        end.change = next
        return next.schema
      },
    }))
  }

  sent(operation: string): void {
    this.#sent.add(operation)
  }

  /** The change to write, as of the last decision. */
  get change(): ChainEnd['change'] {
    return this.#failed === undefined ? this.#end?.change : undefined
  }

  /** When it was written, if no step writes it; in milliseconds since 1970. */
  get writtenMs(): number | undefined {
    return this.#end?.writtenMs
  }

  /** What models have made of its versions. */
  get vectors(): readonly OwnVector[] {
    return this.#end?.vectors ?? []
  }

  /** Position of the last step that changes something among all steps of the group. */
  get order(): number {
    return this.#end!.order
  }

  /** Position of the step that inserted the document; undefined: it existed before. */
  get insertedBy(): number | undefined {
    return this.#end!.inserted
  }

  /** Whether the document already has the result of this chain, because a response was lost. */
  isDone(base: StoredProduct | undefined): boolean {
    if (this.#sent.size === 0) return false
    return base === undefined ? this.#end?.change === 'remove' : this.#sent.has(base.operation)
  }

  /** Reports the last decided outcomes to all steps. */
  settle(): void {
    if (this.#failed !== undefined) {
      this.fail(this.#failed)
      return
    }
    const { outcomes } = this.#end!
    for (const [at, { step }] of this.#steps.entries()) step.settle(outcomes[at]!)
  }

  fail(failed: FailedWrite): void {
    for (const { step } of this.#steps) step.settle(failed)
  }
}

interface Current {
  readonly id: string
  readonly json: Uint8Array
  /** -1: written by an earlier step of the chain. */
  readonly docKey: number
}

interface Taken {
  readonly outcome: StepOutcome
  readonly next: Pick<DecidedWrite, 'json' | 'values' | 'schema'> | 'removed' | 'same'
}

function taken(
  step: Step,
  id: string,
  current: Current | undefined,
  schema: Schema | undefined,
  admit: (decided: DecidedWrite) => void,
): Taken {
  if (step.kind === 'delete') {
    if (current === undefined) return { outcome: 'absent', next: 'same' }
    try {
      requireDocumentMatch(step.ifMatch, current)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { outcome: failedWrite(id, error), next: 'same' }
    }
    return { outcome: 'deleted', next: 'removed' }
  }
  if (step.kind === 'write') {
    const { decided, outcome } = applyWrite(step.write, schema!, () => current, admit)
    return { outcome, next: decided ?? 'same' }
  }
  if (current?.docKey !== step.docKey || schema === undefined) {
    return { outcome: { status: 'superseded', id }, next: 'same' }
  }
  if (step.kind === 'vectors') {
    const { json } = current
    const { values } = toIndexDocument({ ...current, docKey: step.docKey }, schema)
    return { outcome: { status: 'changed', id }, next: { json, values, schema } }
  }
  if (step.change.kind === 'delete') {
    return { outcome: { status: 'changed', id }, next: 'removed' }
  }
  const write: DocumentWrite =
    step.change.kind === 'update'
      ? { id, action: 'update', json: step.change.patch }
      : { id, action: 'upsert', json: step.change.json.get(id)! }
  const { decided, outcome } = applyWrite(write, schema, () => current, admit)
  return decided === undefined
    ? { outcome: outcome as FailedWrite, next: 'same' }
    : { outcome: { status: 'changed', id }, next: decided }
}
