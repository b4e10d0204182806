import { buildTree } from '../dictionary/build-tree.ts'
import { DictionaryReader } from '../dictionary/shared-dictionary.ts'
import { IndexWriter } from '../indexer/index-writer.ts'
import { performIndexTask } from '../indexer/index-task.ts'
import type { CompletionOutcome, CompletionRequest } from '../query/completion.ts'
import type { FilterNode } from '../query/filter.ts'
import type { SearchOutcome, SearchPlan } from '../query/plan.ts'
import type { IndexDocument } from '../schema/document.ts'
import type { Schema } from '../schema/schema.ts'
import { ALL_BEGINNINGS } from '../segment/segment-for-test.ts'
import { Searcher } from './searcher.ts'
import type { ListBitsRule } from './view/list-bits.ts'

/** Bitsets for all lists, even in a small index. */
export const BITS_FOR_ALL_LISTS: ListBitsRule = {
  postingsMin: 0,
  spread: Infinity,
  copiedBelow: 0,
}
/** Copied lists in a small index, along with long ones with a bitset. */
export const SOME_LISTS_COPIED: ListBitsRule = {
  postingsMin: 4,
  spread: Infinity,
  copiedBelow: 4,
}

/** Writer and searcher of one index on one thread, with background work on demand. */
export class EmbeddedIndexForTest {
  readonly writer: IndexWriter
  readonly #searcher: Searcher
  readonly #byKey = new Map<number, IndexDocument>()
  #added: IndexDocument[] = []
  #removed: IndexDocument[] = []
  /** Whether the searcher has not seen the latest changes. */
  #isBehind = true

  /** @param rankAllMax 0: a small index behaves like a large one */
  constructor(schema: Schema, language = 'en', listBits?: ListBitsRule, rankAllMax = 0) {
    this.writer = new IndexWriter(schema, language)
    this.#searcher = new Searcher(listBits, rankAllMax)
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
    this.#isBehind = true
  }

  commit(): void {
    if (this.#added.length > 0 || this.#removed.length > 0) this.#isBehind = true
    this.writer.apply({ added: this.#added, removed: this.#removed })
    this.#added = []
    this.#removed = []
  }

  /** Merges all segments into one. */
  merge(): void {
    this.commit()
    const { segments } = this.writer
    if (segments.length === 0) return
    const run = { from: 0, to: segments.length }
    const merged = performIndexTask(this.writer.mergeTask(run, ALL_BEGINNINGS))
    this.writer.replace(
      segments.map(({ id }) => id),
      merged!,
    )
    this.#isBehind = true
  }

  buildTrie(): void {
    const { all } = this.writer.termCounts
    const strings = new DictionaryReader(this.writer.snapshot().terms.strings)
    // One kind of tree for even numbers of terms, the other kind for odd ones.
    const sortedMax = all % 2 === 0 ? 0 : all
    this.writer.setTrie(buildTree(strings, undefined, undefined, sortedMax), all)
    this.#isBehind = true
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

  /** Searches without changes in between share a view and its caches. */
  #refresh(): (id: string) => number | undefined {
    this.commit()
    if (this.#isBehind) this.#searcher.update(structuredClone(this.writer.snapshot()))
    this.#isBehind = false
    const keys = new Map([...this.#byKey.values()].map(({ id, docKey }) => [id, docKey]))
    return (id) => keys.get(id)
  }
}
