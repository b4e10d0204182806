import { setImmediate as nextTurn } from 'node:timers/promises'
import { DEFAULT_LANGUAGE } from '../../domain/values/language-tag.ts'
import type { Resource, ResourceKind } from '../../domain/store/resource.ts'
import type { StoredDocument } from '../../ports/catalog/document-reader.ts'
import { NO_COUNTERS } from '../../ports/catalog/document-store.ts'
import type {
  CatalogChanges,
  CatalogCounters,
  Changes,
  DocKeyRange,
  DocumentStore,
  ScanPage,
  StoredVector,
  StoreRow,
} from '../../ports/catalog/document-store.ts'
import type { Committer, Edit } from './committer.ts'
import type { Environment, Table } from './environment.ts'
import {
  catalogOf,
  catalogRange,
  docKeyOf,
  documentKey,
  idKey,
  numberKey,
  resourceKey,
  resourceOf,
  spaceRange,
  vectorKey,
} from './keys.ts'
import {
  DamagedRowError,
  jsonRow,
  LATER_HEADER_BYTES,
  mixBytes,
  mixNumbers,
  NUMBER_ROW_BYTES,
  numberRow,
  readDocumentRow,
  readJsonRow,
  readTextRow,
  readVectorRow,
  textRow,
  vectorRow,
  writeDocumentRow,
} from './record.ts'
import { DocumentRows } from './rows.ts'
import type { OnDamage } from './record.ts'

/** Rows of resources that are made in one turn: 1,000 rules take 3 ms. */
const RESOURCES_PER_TURN = 1_000

/** Documents and stores in LMDB. Main thread only. */
export class LmdbDocumentStore implements DocumentStore {
  readonly #environment: Environment
  readonly #committer: Committer
  readonly #rows: DocumentRows
  readonly #onDamage: OnDamage

  constructor(environment: Environment, committer: Committer, onDamage: OnDamage) {
    this.#environment = environment
    this.#committer = committer
    this.#rows = new DocumentRows(environment, onDamage)
    this.#onDamage = onDamage
  }

  /** Throws DamagedRowError: a store without its row cannot be served, and must not look empty. */
  stores(): StoreRow[] {
    return [...this.#environment.stores.getRange({})].map(({ key, value }) => {
      const row = readJsonRow(value, mixBytes(key)) as StoreRow
      // Rows of older versions have no index number: their stores are English, and the index has
      // the number of the catalog.
      return { ...row, index: row.index ?? row.catalog, language: row.language ?? DEFAULT_LANGUAGE }
    })
  }

  /** Throws DamagedRowError, like `stores`. */
  resources(storeNumber: number): Resource[] {
    return [...this.#environment.resources.getRange(catalogRange(storeNumber))].map(
      ({ key, value }) => {
        const [kind, name] = resourceOf(key)
        return { kind: kind as ResourceKind, name, json: readTextRow(value, mixBytes(key)) }
      },
    )
  }

  counters(catalog: number): CatalogCounters {
    const key = numberKey(catalog)
    const row = this.#environment.counters.getBinary(key)
    return row === undefined ? NO_COUNTERS : (readJsonRow(row, mixBytes(key)) as CatalogCounters)
  }

  findKey(catalog: number, id: string): number | undefined {
    return this.#rows.findKey(catalog, id)
  }

  read(catalog: number, docKey: number): StoredDocument | undefined {
    return this.#rows.read(catalog, docKey)
  }

  scan(
    catalog: number,
    { from, to }: Readonly<DocKeyRange>,
    limit: number,
    bytesMax: number,
  ): ScanPage {
    const documents: StoredDocument[] = []
    let bytes = 0
    let rows = 0
    let last = from
    let next: number | undefined
    const range = { start: documentKey(catalog, from), end: catalogRange(catalog).end }
    for (const { key, value } of this.#environment.documents.getRange(range)) {
      const docKey = docKeyOf(key)
      if (docKey > to) break
      if (rows === limit || bytes >= bytesMax) {
        next = docKey
        break
      }
      rows++
      bytes += value.length
      last = docKey
      try {
        documents.push({ docKey, ...readDocumentRow(value, mixNumbers(catalog, docKey)) })
      } catch (error) {
        // A damaged document must not affect its neighbours.
        if (!(error instanceof DamagedRowError)) throw error
        this.#onDamage(catalog, `Damaged row (document ${docKey}, skipped): ${error.message}`)
      }
    }
    const dead = new Set(this.#buriedBetween(catalog, from, last))
    return { documents: documents.filter((document) => !dead.has(document.docKey)), next }
  }

  buried(catalog: number, from: number, limit: number): number[] {
    const range = { start: documentKey(catalog, from), end: catalogRange(catalog).end, limit }
    return [...this.#environment.tombstones.getKeys(range)].map(docKeyOf)
  }

  vector(catalog: number, space: number, id: string): StoredVector | undefined {
    const key = vectorKey(catalog, space, id)
    const row = this.#vectors.getBinary(key)
    if (row === undefined) return undefined
    try {
      return readVectorRow(row, mixBytes(key))
    } catch (error) {
      // It can be made again.
      if (!(error instanceof DamagedRowError)) throw error
      this.#onDamage(catalog, `Damaged row (vector, catalog ${catalog}): ${error.message}`)
      return undefined
    }
  }

  async eraseVectors(catalog: number, space: number, limit: number): Promise<boolean> {
    const table = this.#vectors
    const keys = [...table.getKeys({ ...spaceRange(catalog, space), limit })]
    if (keys.length === 0) return false
    await this.#committer.commit(
      keys.map((key) => ({ table, key: Buffer.from(key), row: undefined })),
    )
    return keys.length === limit
  }

  /** A writer's file has all tables. */
  get #vectors(): Table {
    return this.#environment.vectors!
  }

  catalogs(): number[] {
    const found = new Set<number>()
    const { documents, ids, tombstones, counters } = this.#environment
    for (const table of [documents, ids, tombstones, counters, this.#vectors]) {
      for (let start = 0; ;) {
        const [key] = table.getKeys({ start: numberKey(start), limit: 1 })
        if (key === undefined) break
        found.add(catalogOf(key))
        start = catalogOf(key) + 1
      }
    }
    return [...found].toSorted((a, b) => a - b)
  }

  async eraseSome(catalog: number, limit: number): Promise<boolean> {
    const { documents, ids, tombstones, counters } = this.#environment
    const range = { ...catalogRange(catalog), limit }
    const tables = [documents, ids, tombstones, counters, this.#vectors]
    const doomed = tables.map((table): [Table, Buffer[]] => [
      table,
      [...table.getKeys(range)].map((key) => Buffer.from(key)),
    ])
    await this.#committer.commit(
      doomed.flatMap(([table, keys]) => keys.map((key) => ({ table, key, row: undefined }))),
    )
    return doomed.some(([, keys]) => keys.length === limit)
  }

  async commit(changes: Changes): Promise<void> {
    const { stores, resources, counters } = this.#environment
    const edits: Edit[] = []
    for (const store of changes.stores) {
      const key = numberKey(store.storeNumber)
      edits.push({ table: stores, key, row: jsonRow(mixBytes(key), store) })
    }
    for (const storeNumber of changes.removedStores) {
      edits.push({ table: stores, key: numberKey(storeNumber), row: undefined })
      for (const key of resources.getKeys(catalogRange(storeNumber))) {
        edits.push({ table: resources, key: Buffer.from(key), row: undefined })
      }
    }
    for (const { storeNumber, puts, removes } of changes.resources ?? []) {
      for (const { kind, name } of removes) {
        const key = resourceKey(storeNumber, kind, name)
        edits.push({ table: resources, key, row: undefined })
      }
      for (const [i, { kind, name, json }] of puts.entries()) {
        // Thousands of rules at once would keep other stores waiting.
        if (puts.length > RESOURCES_PER_TURN && i % RESOURCES_PER_TURN === 0) await nextTurn()
        const key = resourceKey(storeNumber, kind, name)
        edits.push({ table: resources, key, row: textRow(mixBytes(key), json) })
      }
    }
    for (const part of changes.catalogs) {
      this.#editCatalog(part, edits)
      if (part.counters === undefined) continue
      const key = numberKey(part.catalog)
      edits.push({ table: counters, key, row: jsonRow(mixBytes(key), part.counters) })
    }
    await this.#committer.commit(edits)
  }

  #editCatalog(
    { catalog, puts, removedIds, buried, reaped, vectors }: CatalogChanges,
    edits: Edit[],
  ): void {
    const { documents, ids, tombstones } = this.#environment
    let bytes = puts.length * NUMBER_ROW_BYTES
    for (const { id, json } of puts) bytes += LATER_HEADER_BYTES + id.length * 3 + json.length
    const arena = Buffer.allocUnsafeSlow(bytes)
    let offset = 0
    for (const put of puts) {
      const { docKey } = put
      const length = writeDocumentRow(arena, offset, mixNumbers(catalog, docKey), put)
      const row = arena.subarray(offset, offset + length)
      edits.push({ table: documents, key: documentKey(catalog, docKey), row })
      offset += length
    }
    // Neighbouring keys share pages: random order costs ten times as much.
    const moves = puts.map(({ docKey, id }) => ({ key: idKey(catalog, id), docKey }))
    moves.push(...removedIds.map((id) => ({ key: idKey(catalog, id), docKey: 0 })))
    moves.sort((a, b) => Buffer.compare(a.key, b.key))
    for (const { key, docKey } of moves) {
      let row: Buffer | undefined
      if (docKey !== 0) {
        row = numberRow(mixBytes(key), docKey, arena.subarray(offset, offset + NUMBER_ROW_BYTES))
        offset += NUMBER_ROW_BYTES
      }
      edits.push({ table: ids, key, row })
    }
    for (const docKey of buried.toSorted((a, b) => a - b)) {
      const row = numberRow(mixNumbers(catalog, docKey), 0)
      edits.push({ table: tombstones, key: documentKey(catalog, docKey), row })
    }
    for (const docKey of reaped.toSorted((a, b) => a - b)) {
      const key = documentKey(catalog, docKey)
      edits.push({ table: documents, key, row: undefined })
      edits.push({ table: tombstones, key, row: undefined })
    }
    if (vectors === undefined) return
    const table = this.#vectors
    for (const { space, id, ...vector } of vectors.puts) {
      const key = vectorKey(catalog, space, id)
      edits.push({ table, key, row: vectorRow(mixBytes(key), vector) })
    }
    for (const { space, id } of vectors.removes) {
      edits.push({ table, key: vectorKey(catalog, space, id), row: undefined })
    }
  }

  #buriedBetween(catalog: number, first: number, last: number): number[] {
    const range = { start: documentKey(catalog, first), end: documentKey(catalog, last + 1) }
    return [...this.#environment.tombstones.getKeys(range)].map(docKeyOf)
  }
}
