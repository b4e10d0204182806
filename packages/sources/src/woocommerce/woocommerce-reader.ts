import type { WooCommerceConnection } from '@aisle/contract'
import type { SourceRow } from '@aisle/import'
import type {
  ReaderOptions,
  SourceBatch,
  SourceChange,
  SourceChanges,
  SourceReader,
} from '../source-reader.ts'
import { batchesOf, FIRST_MAX } from '../web/batches.ts'
import { changedSince, positionAt, type ChangedProduct } from '../web/changed-since.ts'
import { wait, type Wait } from '../web/patience.ts'
import { pagesById } from './pages-by-id.ts'
import { PAGE_MAX, WooCommerceApi } from './woocommerce-api.ts'
import {
  PRODUCT_FIELDS,
  VARIATION_FIELDS,
  type WooCategory,
  type WooOffer,
  type WooProduct,
} from './woo-product.ts'
import { CategoryPaths, isShown, wooRow } from './woo-row.ts'

/** Products whose variations are asked for at the same time. */
const PARALLEL_MAX = 4

/** The products of a WooCommerce shop. */
export class WooCommerceReader implements SourceReader {
  readonly #api: WooCommerceApi
  readonly #waits: Wait
  readonly #includesHidden: boolean
  #categories: CategoryPaths | undefined

  /** @throws SourceError if the address is not one of a shop, or a key is missing */
  constructor(connection: WooCommerceConnection, options: ReaderOptions, waits: Wait = wait) {
    this.#api = new WooCommerceApi(connection.url, options, waits)
    this.#waits = waits
    this.#includesHidden = connection.include_hidden ?? false
  }

  async *readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const { answeredMs } = await this.#api.list('products', { per_page: 1, _fields: 'id' }, signal)
    this.#categories = await this.#allCategories(signal)
    yield* batchesOf(this.#rows(signal))
    yield { kind: 'end', position: positionAt(answeredMs) }
  }

  async *readFirst(count: number, signal: AbortSignal): AsyncGenerator<SourceBatch> {
    this.#categories = await this.#allCategories(signal)
    const rows: SourceRow[] = []
    for await (const row of this.#rows(signal)) {
      rows.push(row)
      if (rows.length >= Math.min(count, FIRST_MAX)) break
    }
    if (rows.length > 0) yield { kind: 'rows', rows }
    yield { kind: 'end', position: undefined }
  }

  async readSome(ids: readonly string[], signal: AbortSignal): Promise<readonly SourceChange[]> {
    const changes: SourceChange[] = []
    for (const id of ids) changes.push(...(await this.#readOne(id, signal)))
    return changes
  }

  follow(position: string, signal: AbortSignal): AsyncGenerator<SourceChanges> {
    const listed = (sinceMs: number, max: number): Promise<readonly ChangedProduct[]> =>
      this.#changed(sinceMs, max, signal)
    const read = (ids: readonly string[]): Promise<readonly SourceChange[]> =>
      this.readSome(ids, signal)
    return changedSince(position, listed, read, signal, this.#waits)
  }

  async close(): Promise<void> {
    // Every connection ends with its answer.
  }

  async *#rows(signal: AbortSignal): AsyncGenerator<SourceRow> {
    const status = this.#includesHidden ? 'any' : 'publish'
    const page = async (offset: number): Promise<readonly WooProduct[]> => {
      const order = { orderby: 'id', order: 'asc', status, offset, _fields: PRODUCT_FIELDS }
      return (await this.#api.list<WooProduct>('products', order, signal)).data
    }
    for await (const products of pagesById(page, PAGE_MAX)) {
      const shown = products.filter((one) => this.#isWanted(one))
      for (let i = 0; i < shown.length; i += PARALLEL_MAX) {
        const some = shown.slice(i, i + PARALLEL_MAX)
        yield* await Promise.all(some.map((one) => this.#rowOf(one, signal)))
      }
    }
  }

  #isWanted(product: WooProduct): boolean {
    return this.#includesHidden ? product.status !== 'trash' : isShown(product)
  }

  async #rowOf(product: WooProduct, signal: AbortSignal): Promise<SourceRow> {
    const variations: WooOffer[] = []
    if ((product.variations ?? []).length > 0) {
      const path = `products/${product.id}/variations`
      const order = { orderby: 'id', order: 'asc', _fields: VARIATION_FIELDS }
      for await (const one of this.#api.all<WooOffer>(path, order, signal)) {
        // A variation that is switched off is private.
        if (one.status === 'publish') variations.push(one)
      }
    }
    return wooRow(product, variations, this.#categories!)
  }

  async #readOne(id: string, signal: AbortSignal): Promise<readonly SourceChange[]> {
    const found = await this.#api.find<WooProduct>(
      `products/${encodeURIComponent(id)}`,
      { _fields: PRODUCT_FIELDS },
      signal,
    )
    const product = found?.data
    // A variation is part of its product, and never a document.
    if (product !== undefined && product.type === 'variation') {
      return product.parent_id > 0 ? this.#readOne(String(product.parent_id), signal) : []
    }
    if (product === undefined || !this.#isWanted(product)) return [{ kind: 'delete', id }]
    const hasNew = (product.categories ?? []).some((one) => this.#categories?.has(one.id) !== true)
    if (hasNew || this.#categories === undefined) {
      this.#categories = await this.#allCategories(signal)
    }
    return [{ kind: 'put', row: await this.#rowOf(product, signal) }]
  }

  async #allCategories(signal: AbortSignal): Promise<CategoryPaths> {
    const paths = new CategoryPaths()
    const fields = { _fields: 'id,name,parent' }
    for await (const one of this.#api.all<WooCategory>('products/categories', fields, signal)) {
      paths.add(one)
    }
    return paths
  }

  async #changed(
    sinceMs: number,
    max: number,
    signal: AbortSignal,
  ): Promise<readonly ChangedProduct[]> {
    const changed: ChangedProduct[] = []
    const asked = {
      modified_after: new Date(sinceMs).toISOString().slice(0, 19),
      dates_are_gmt: 'true',
      status: 'any',
      orderby: 'id',
      order: 'asc',
      _fields: 'id,date_modified_gmt',
    }
    type Modified = { readonly id: number; readonly date_modified_gmt: string | null }
    for await (const one of this.#api.all<Modified>('products', asked, signal)) {
      const changedMs = Date.parse(`${one.date_modified_gmt ?? ''}Z`)
      // WooCommerce before 5.8 ignores `modified_after`, and lists all.
      if (changedMs >= sinceMs - 1_000) changed.push({ id: String(one.id), changedMs })
      if (changed.length >= max) break
    }
    return changed
  }
}
