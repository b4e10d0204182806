import { createAnalyzer, NaiveIndex } from '@aisle/engine'
import type { IndexDocument, Schema, SearchOutcome, SearchPlan } from '@aisle/engine'
import type { IndexSearcher } from './engine-port.ts'

class NaiveSearcher implements IndexSearcher {
  #index: NaiveIndex | undefined
  #docs = new Map<number, IndexDocument>()
  update(snapshot: object): void {
    const { documents, schema } = snapshot as { documents: IndexDocument[]; schema: Schema }
    this.#index ??= new NaiveIndex(schema, createAnalyzer('en'))
    this.#index.setSchema(schema)
    const keys = new Set(documents.map((d) => d.docKey))
    for (const k of this.#docs.keys())
      if (!keys.has(k)) {
        this.#index.remove(k)
        this.#docs.delete(k)
      }
    for (const d of documents)
      if (!this.#docs.has(d.docKey)) {
        this.#index.add(d)
        this.#docs.set(d.docKey, d)
      }
  }
  search(plan: SearchPlan): SearchOutcome {
    return this.#index!.search(plan)
  }
}
export function createSearcher(): IndexSearcher {
  return new NaiveSearcher()
}
