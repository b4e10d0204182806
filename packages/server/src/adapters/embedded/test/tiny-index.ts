import assert from 'node:assert/strict'
import type {
  CompletionOutcome,
  IndexDocument,
  Schema,
  SearchOutcome,
  SearchPlan,
  SlotExpansion,
} from '@aisle/engine'
import type {
  IndexHost,
  IndexListener,
  IndexSearcher,
  SnapshotSearcher,
  StoreIndex,
} from '../engine-port.ts'

interface TinySnapshot {
  readonly docKeys: readonly number[]
}

/**
 * An index that finds everything and is strict about what it is told: a document is added once and
 * removed once, with the values it was added with. `persist` keeps what it holds for the next
 * `open`.
 */
export class TinyIndexHost implements IndexHost {
  readonly files = new Map<number, IndexDocument[]>()
  /** Says what the index that was opened last says when a background merge is done. */
  endMerge: () => void = () => undefined
  /** Says what it says when most of it is of documents that are gone. */
  wearOut: () => void = () => undefined
  /** Throws in the next `apply`, once. */
  failNext = false

  open(
    catalog: number,
    schema: Schema,
    _language: string,
    { onChange, onWorn }: IndexListener,
  ): Promise<StoreIndex> {
    this.endMerge = onChange
    this.wearOut = onWorn
    const saved = this.files.get(catalog) ?? []
    const held = new Map(saved.map((document) => [document.docKey, document]))
    const savedKeys = new Set(held.keys())
    let fields = schema.fields.length
    const last = saved.at(-1)?.docKey
    const index: StoreIndex & { save(): void } = {
      covered: last === undefined ? [] : [{ from: 0, to: last }],
      get docCount() {
        return held.size
      },
      apply: ({ added, removed }) => {
        if (this.failNext) {
          this.failNext = false
          throw new Error('apply failed on purpose')
        }
        for (const { docKey, values } of removed) {
          assert.deepEqual(held.get(docKey)?.values, values, `removed ${docKey}`)
          held.delete(docKey)
        }
        for (const document of added) {
          assert.ok(!held.has(document.docKey), `added ${document.docKey} twice`)
          assert.ok(document.values.length <= fields)
          held.set(document.docKey, document)
        }
      },
      *applySteps(batch) {
        yield
        index.apply(batch)
      },
      vectorCount: (space) =>
        held.values().reduce((sum, { vectors }) => sum + (vectors?.has(space) ? 1 : 0), 0),
      setSchema: (newer) => (fields = newer.fields.length),
      snapshot: (): TinySnapshot => ({ docKeys: [...held.keys()].toSorted((a, b) => b - a) }),
      statistics: () => ({ indexBytes: held.size, segmentCount: 1, fileBytes: 0 }),
      holds: (docKey) => savedKeys.has(docKey),
      get isAtRest() {
        return held.size === savedKeys.size && held.keys().every((docKey) => savedKeys.has(docKey))
      },
      close: () => Promise.resolve(),
      save: () => {
        const documents = [...held.values()].toSorted((a, b) => a.docKey - b.docKey)
        this.files.set(catalog, documents)
        savedKeys.clear()
        for (const { docKey } of documents) savedKeys.add(docKey)
      },
    }
    this.opened.set(catalog, index)
    return Promise.resolve(index)
  }

  readonly opened = new Map<number, StoreIndex & { save(): void }>()

  remove(catalog: number): Promise<void> {
    this.files.delete(catalog)
    return Promise.resolve()
  }

  numbers(): number[] {
    return [...this.files.keys()]
  }

  fileBytes(): number {
    return 0
  }
}

/** Every plan finds every document, newest first. */
export class TinySearcher implements IndexSearcher, SnapshotSearcher {
  #docKeys: readonly number[] = []

  update(snapshot: object): void {
    this.#docKeys = (snapshot as TinySnapshot).docKeys
  }

  release(): void {}

  current(): SnapshotSearcher {
    return this
  }

  // oxlint-disable-next-line require-yield
  *steps({ slots = [] }: Partial<SearchPlan>): Generator<void, SearchOutcome> {
    const hits = this.#docKeys.map((docKey) => ({ docKey, textMatchScore: 0 }))
    return {
      found: hits.length,
      hits,
      facets: [],
      cutoff: false,
      matchedTerms: 'all',
      expansions: slots.map(() => AS_TYPED),
    }
  }

  // oxlint-disable-next-line require-yield
  *completionSteps(): Generator<void, CompletionOutcome> {
    return { docCount: this.#docKeys.length, completions: [], cutoff: false }
  }

  holds(): boolean {
    return this.#docKeys.length > 0
  }

  // oxlint-disable-next-line require-yield
  *matchingKeySteps(): Generator<void, Float64Array> {
    return Float64Array.from(this.#docKeys).sort()
  }
}

/** Every word is one of the catalog. */
const AS_TYPED: SlotExpansion = {
  known: true,
  corrections: [],
  unlikely: [],
  prefix: false,
  splits: [],
  apart: [],
  respelt: [],
  joined: [],
  compounds: [],
  infix: false,
  synonyms: [],
  explained: [],
}
