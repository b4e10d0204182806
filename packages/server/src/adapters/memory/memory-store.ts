import { randomUUID } from 'node:crypto'
import { ApiError } from '@aisle/contract'
import { queryAnalyzer } from '@aisle/engine'
import { NaiveIndex } from '@aisle/engine/naive'
import type { Analyzer, Schema } from '@aisle/engine'
import { applyWrite } from '../../domain/documents/apply-write.ts'
import type { DecidedWrite } from '../../domain/documents/apply-write.ts'
import { ResourceTable } from '../../domain/store/resource.ts'
import { checkDocument } from '../../domain/documents/document-rules.ts'
import { mergeSchema } from '../../domain/documents/schema-rules.ts'
import type {
  DeclaredField,
  DocumentVersion,
  DocumentWrite,
  SchemaChange,
  VersionChange,
  VersionOutcome,
  WriteOutcome,
} from '../../ports/catalog-writer.ts'
import type { DocumentScan, StoredDocument } from '../../ports/document-reader.ts'
import type { SearchView } from '../../ports/search-backend.ts'
import type { StoreRecord, StoreStatistics } from '../../ports/store-registry.ts'

/** How long a replaced version can still be fetched, and how many of them at most. */
const RETIRED_KEPT_MS = 5_000
const RETIRED_MAX = 10_000

/** One store in memory: the documents by id, and a naive index of them. */
export class MemoryStore {
  record: StoreRecord
  readonly content = randomUUID()
  resources = ResourceTable.empty
  #analyzer: Analyzer
  #schema: Schema | undefined
  #index: NaiveIndex | undefined
  /** The live version of each document. */
  readonly #live = new Map<string, StoredDocument>()
  /** Every version that can be fetched. */
  readonly #versions = new Map<number, StoredDocument>()
  #retired: { readonly docKey: number; readonly atMs: number }[] = []
  /** Never handed out twice, not even after a clear. */
  #nextDocKey = 1
  #lastWriteMs: number | undefined

  constructor(record: StoreRecord, analyzer: Analyzer) {
    this.record = record
    this.#analyzer = analyzer
  }

  get(id: string): StoredDocument | undefined {
    return this.#live.get(id)
  }

  fetch(docKey: number): StoredDocument | undefined {
    return this.#versions.get(docKey)
  }

  scan(docKeys: Float64Array | undefined, after = -1): DocumentScan {
    const all =
      docKeys === undefined
        ? [...this.#live.values()].toSorted((a, b) => a.docKey - b.docKey)
        : [...docKeys].flatMap((docKey) => this.#versions.get(docKey) ?? [])
    const documents = all.filter(({ docKey }) => docKey > after)
    let next = 0
    return {
      docCount: documents.length,
      next: (bytesMax) => {
        const first = next
        for (let bytes = 0; next < documents.length && bytes < bytesMax; next++) {
          bytes += documents[next]!.json.length
        }
        return documents.slice(first, next)
      },
      close: () => undefined,
    }
  }

  view(version: number): SearchView {
    const schema = this.#schema
    const index = this.#index
    return {
      schema,
      analyzer: queryAnalyzer(this.#analyzer, schema),
      resources: this.resources,
      content: this.content,
      version,
      docCount: () => this.#live.size,
      search: (plan) => {
        if (index === undefined) throw new Error('A plan needs a schema, and there is none')
        return index.search(plan)
      },
      complete: (plan, request) => {
        if (index === undefined) throw new Error('A plan needs a schema, and there is none')
        return index.complete(plan, request)
      },
      holds: (stems) => stems.map((stem) => index?.holds(stem) ?? false),
      matchingKeys: (filter) => index?.matchingKeys(filter) ?? new Float64Array(),
    }
  }

  statistics(): StoreStatistics {
    const documents = [...this.#live.values()]
    return {
      docCount: documents.length,
      indexBytes: 0,
      diskBytes: 0,
      documentBytes: documents.reduce((sum, document) => sum + document.json.length, 0),
      segmentCount: 0,
      language: this.#analyzer.name,
      ...(this.#lastWriteMs === undefined
        ? {}
        : { lastWriteAt: new Date(this.#lastWriteMs).toISOString() }),
    }
  }

  write(writes: readonly DocumentWrite[], nowMs: number): WriteOutcome[] {
    const index = this.#index
    if (this.#schema === undefined || index === undefined) {
      throw new ApiError(
        'schema_not_defined',
        'Cannot index documents: the store has no schema yet',
      )
    }
    return writes.map((write) => {
      const { decided, outcome } = applyWrite(write, this.#schema!, (id) => this.#live.get(id))
      if (decided !== undefined) {
        this.#schema = decided.schema
        index.setSchema(decided.schema)
        this.#put(decided, index, nowMs)
      }
      return outcome
    })
  }

  change(
    versions: readonly DocumentVersion[],
    change: VersionChange,
    nowMs: number,
  ): VersionOutcome[] {
    return versions.map(({ id, docKey }) => {
      if (this.#live.get(id)?.docKey !== docKey) return { status: 'superseded', id }
      if (change.kind === 'delete') {
        this.delete(id, nowMs)
        return { status: 'changed', id }
      }
      const [outcome] = this.write([{ id, action: 'update', json: change.patch }], nowMs)
      return outcome?.status === 'failed' ? outcome : { status: 'changed', id }
    })
  }

  delete(id: string, nowMs: number): boolean {
    const isThere = this.#retire(id, nowMs)
    if (isThere) this.#lastWriteMs = nowMs
    return isThere
  }

  clear(nowMs: number): number {
    const docCount = this.#live.size
    for (const id of this.#live.keys()) this.delete(id, nowMs)
    return docCount
  }

  changeSchema(
    mode: 'additive' | 'replace',
    fields: readonly DeclaredField[],
    nowMs: number,
  ): SchemaChange {
    const { schema, change } = mergeSchema(this.#schema, mode, fields)
    if (mode === 'replace') {
      this.clear(nowMs)
      this.#index = undefined
    }
    this.#schema = schema
    this.#index ??= new NaiveIndex(schema, this.#analyzer)
    this.#index.setSchema(schema)
    return change
  }

  /** Re-analyses every document, at once. */
  changeAnalyzer(analyzer: Analyzer): void {
    if (analyzer === this.#analyzer) return
    this.#analyzer = analyzer
    const schema = this.#schema
    if (schema === undefined) return
    this.#index = new NaiveIndex(schema, analyzer)
    for (const { docKey, id, json } of this.#live.values()) {
      this.#index.add({ docKey, id, values: checkDocument(json, id, schema).values })
    }
  }

  #put({ id, json, values }: DecidedWrite, index: NaiveIndex, nowMs: number): void {
    this.#retire(id, nowMs)
    const docKey = this.#nextDocKey++
    // The bytes of a write are a view of its request.
    const document: StoredDocument = { docKey, id, json: Uint8Array.from(json) }
    this.#live.set(id, document)
    this.#versions.set(docKey, document)
    index.add({ docKey, id, values })
    this.#lastWriteMs = nowMs
  }

  /** Takes a document out of the index. @returns whether it was there */
  #retire(id: string, nowMs: number): boolean {
    const document = this.#live.get(id)
    if (document === undefined) return false
    this.#live.delete(id)
    this.#index?.remove(document.docKey)
    this.#retired.push({ docKey: document.docKey, atMs: nowMs })
    if (this.#retired.length > RETIRED_MAX || nowMs - this.#retired[0]!.atMs > RETIRED_KEPT_MS) {
      this.#forgetRetired(nowMs)
    }
    return true
  }

  #forgetRetired(nowMs: number): void {
    const isKept = ({ atMs }: { readonly atMs: number }, i: number): boolean =>
      nowMs - atMs <= RETIRED_KEPT_MS && i >= this.#retired.length - RETIRED_MAX / 2
    for (const [i, version] of this.#retired.entries()) {
      if (!isKept(version, i)) this.#versions.delete(version.docKey)
    }
    this.#retired = this.#retired.filter(isKept)
  }
}
