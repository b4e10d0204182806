import { ApiError } from '@aisle/contract'
import type { ControlIndex } from '../opensearch/control-index.ts'
import type { ControlVersion, StoredControl } from '../opensearch/control-document.ts'
import { clusterFailure } from './cluster-failure.ts'

/** What the control documents of one kind mean. */
export interface DocumentKind<Value> {
  /** The first part of their ids. */
  readonly kind: string
  /** As in "Cannot …". */
  readonly change: string
  /**
   * @param before what this node knew: parts of it that are the same should stay the same objects
   */
  readonly read: (json: string, before: Value | undefined) => Value
  readonly write: (value: Value) => string
}

/**
 * Times that a change is decided because another one has come first. Each time one of them has got
 * through, so none waits long.
 */
const DECISIONS_MAX = 50

/**
 * All control documents of one kind as this node knows them, changed by compare-and-set. A removed
 * one is emptied: the other nodes must be told.
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

  /** @returns number of the newest change among them; -1 when there is none */
  async load(): Promise<number> {
    const documents = await this.#index.all(this.#of.kind)
    for (const document of documents) this.take(document)
    return documents.at(-1)?.version.seqNo ?? -1
  }

  /** The newest state of one, which may not have been told of yet. @throws ApiError unavailable */
  async newest(name: string): Promise<Value | undefined> {
    try {
      const document = await this.#index.get(`${this.#of.kind}:${name}`)
      if (document !== undefined) this.take(document)
      return this.get(name)
    } catch (error) {
      throw clusterFailure(error, this.#of.change)
    }
  }

  /** Takes over what is stored, if it is of this kind and newer than what is known. */
  take({ id, kind, json, version }: StoredControl): void {
    if (kind !== this.#of.kind) return
    const name = id.slice(kind.length + 1)
    const before = this.#known.get(name)
    if (before !== undefined && before.version.seqNo >= version.seqNo) return
    const value = json === '' ? undefined : this.#of.read(json, before?.value)
    this.#known.set(name, { version, value })
  }

  /**
   * Decides a change of one document on its newest state, as often as others come first.
   *
   * @param decide the next value; `undefined` removes it; `before` itself leaves it as it is. May
   *   throw, and is called several times
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
        // Another change may have been made and told of since.
        const newest = this.#known.get(name)?.version.seqNo ?? -1
        if (outcome.seqNo > newest) this.#known.set(name, { version: outcome, value })
        return
      }
    }
    throw new ApiError('unavailable', `Cannot ${change}: others do so all the time, try again`, {
      retryAfterSeconds: 1,
    })
  }

  /** @returns the new version; `undefined` when another state was there, which is known then */
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
