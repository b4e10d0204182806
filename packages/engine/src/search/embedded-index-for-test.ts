import { IndexWriter } from '../indexer/index-writer.ts'
import { performIndexTask } from '../indexer/index-task.ts'
import type { CompletionOutcome, CompletionRequest } from '../query/completion.ts'
import type { FilterNode } from '../query/filter.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { Schema } from '../schema/schema.ts'
import { Searcher } from './searcher.ts'
import type { ListBitsRule } from './view/list-bits.ts'

/** Writer and searcher of one index on one thread, with background work done by hand. */
export class EmbeddedIndexForTest {
  readonly writer: IndexWriter
  readonly #searcher: Searcher
  readonly #byKey = new Map<number, IndexDocument>()
  #added: IndexDocument[] = []
  #removed: IndexDocument[] = []

  constructor(schema: Schema, language = 'en', listBits?: ListBitsRule) {
    this.writer = new IndexWriter(schema, language)
    this.#searcher = new Searcher(listBits)
  }

  add(document: IndexDocument): void {
    this.#byKey.set(document.docKey, document)
    this.#added.push(document)
  }

  remove(docKey: number): void {
    const document = this.#byKey.get(docKey)
    if (document === undefined) return
    this.#byKey.delete(docKey)
    this.#removed.push(document)
  }

  setSchema(schema: Schema): void {
    this.commit()
    this.writer.setSchema(schema)
  }

  commit(): void {
    this.writer.apply({ added: this.#added, removed: this.#removed })
    this.#added = []
    this.#removed = []
  }

  /** Merges all segments into one. */
  merge(): void {
    this.commit()
    const { segments } = this.writer
    if (segments.length === 0) return
    const merged = performIndexTask(this.writer.mergeTask({ from: 0, to: segments.length }))
    this.writer.replace(
      segments.map(({ id }) => id),
      merged!,
    )
  }

  buildTrie(): void {
    const { all } = this.writer.termCounts
    this.writer.setTrie(performIndexTask(this.writer.trieTask())!, all)
  }

  search(plan: SearchPlan): SearchOutcome {
    return this.#searcher.search(plan, this.#refresh())
  }

  complete(plan: SearchPlan, request: CompletionRequest): CompletionOutcome {
    return this.#searcher.complete(plan, request, this.#refresh())
  }

  matchingKeys(filter: FilterNode): Float64Array {
    return this.#searcher.matchingKeys(filter, this.#refresh())
  }

  #refresh(): (id: string) => number | undefined {
    this.commit()
    this.#searcher.update(structuredClone(this.writer.snapshot()))
    const keys = new Map([...this.#byKey.values()].map(({ id, docKey }) => [id, docKey]))
    return (id) => keys.get(id)
  }
}
