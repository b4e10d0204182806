import { ApiError } from '@aisle/contract'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { ControlVersion, StoredControl } from '../opensearch/control-document.ts'
import { clusterFailure } from './cluster-failure.ts'

/** Defines how the control documents of one kind are parsed. */
export interface DocumentKind<Value> {
  /** The first part of their ids. */
  readonly kind: string
  /** As in "Cannot …". */
  readonly change: string
  /**
   * @param before the state known so far: unchanged parts should stay the same objects
   */
  readonly read: (json: string, before: Value | undefined) => Value
  readonly write: (value: Value) => string
}

/**
 * Maximum of attempts at a change that conflicts. Each time one of the changes succeeds, so none
 * waits long.
 */
const DECISIONS_MAX = 50

/**
 * All control documents of one kind known to this node, changed by compare-and-set. A removed one
 * is emptied, because the other nodes must learn of it.
 */
export class KnownDocuments<Value> {
  readonly #index: ControlIndex
  readonly #of: DocumentKind<Value>
  readonly #known = new Map<
    string,
    { readonly version: ControlVersion; readonly value: Value | undefined }
  >()

  constructor(index: ControlIndex, of: DocumentKind<Value>) {
    this.#index = index
    this.#of = of
  }

  get(name: string): Value | undefined {
    return this.#known.get(name)?.value
  }

  names(): string[] {
    return this.entries().map(([name]) => name)
  }

  values(): Value[] {
    return this.entries().map(([, value]) => value)
  }

  entries(): [name: string, value: Value][] {
    return [...this.#known].flatMap(([name, { value }]) =>
      value === undefined ? [] : [[name, value] as [string, Value]],
    )
  }

  /** @returns number of the newest change among them; -1 if there is none */
  async load(): Promise<number> {
    const documents = await this.#index.all(this.#of.kind)
    for (const document of documents) this.take(document)
    return documents.at(-1)?.version.seqNo ?? -1
  }

  /**
   * Reads the newest state of a document, which may not have been reported yet. @throws ApiError
   * unavailable
   */
  async newest(name: string): Promise<Value | undefined> {
    try {
      const document = await this.#index.get(`${this.#of.kind}:${name}`)
      if (document !== undefined) this.take(document)
      return this.get(name)
    } catch (error) {
      throw clusterFailure(error, this.#of.change)
    }
  }

  /** Adopts the stored state, if it is of this kind and newer than the known one. */
  take({ id, kind, json, version }: StoredControl): void {
    if (kind !== this.#of.kind) return
    const name = id.slice(kind.length + 1)
    const before = this.#known.get(name)
    if (before !== undefined && before.version.seqNo >= version.seqNo) return
    const value = json === '' ? undefined : this.#of.read(json, before?.value)
    this.#known.set(name, { version, value })
  }

  /**
   * Decides a change of one document on its newest state, again after each conflict.
   *
   * @param decide returns the next value; `undefined` removes it, `before` itself changes nothing
   */
  async change(
    name: string,
    decide: (before: Value | undefined) => Value | undefined,
  ): Promise<void> {
    const { kind, change, write } = this.#of
    const id = `${kind}:${name}`
    for (let attempt = 1; attempt <= DECISIONS_MAX; attempt++) {
      const known = this.#known.get(name)
      const value = decide(known?.value)
      if (value === known?.value) return
      const put = { id, kind, json: value === undefined ? '' : write(value) }
      const outcome = await this.#commit(put, known?.version ?? 'absent')
      if (typeof outcome === 'object') {
        // Another change may have been made and reported since.
        const newest = this.#known.get(name)?.version.seqNo ?? -1
        if (outcome.seqNo > newest) this.#known.set(name, { version: outcome, value })
        return
      }
    }
    throw new ApiError(
      'unavailable',
      `Cannot ${change}: it keeps conflicting with other requests. Try again`,
      {
        retryAfterSeconds: 1,
      },
    )
  }

  /** @returns the new version; `undefined` on a conflict, after which the other state is known */
  async #commit(
    put: { readonly id: string; readonly kind: string; readonly json: string },
    expected: ControlVersion | 'absent',
  ): Promise<ControlVersion | undefined> {
    try {
      const [outcome] = await this.#index.commit([{ put, expected }])
      if (typeof outcome === 'object') return outcome
      const document = await this.#index.get(put.id)
      if (document !== undefined) this.take(document)
      return undefined
    } catch (error) {
      throw clusterFailure(error, this.#of.change)
    }
  }
}
