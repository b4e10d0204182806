import type { ShopifyConnection } from '@aisle/contract'
import type { SourceRow } from '@aisle/import'
import { download } from '../feed/download.ts'
import { SourceError } from '../source-error.ts'
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
import { productsOfFile } from './bulk-file.ts'
import { bulkFile, fileAgain, type BulkFile } from './bulk-operation.ts'
import {
  CHANGED_QUERY,
  FIRST_QUERY,
  type AnsweredProduct,
  type Page,
  type ShopifyProduct,
} from './product-query.ts'
import { documentId, isPublished, productRow } from './product-row.ts'
import { readProduct, withoutPages } from './read-product.ts'
import { ShopifyApi } from './shopify-api.ts'

interface FirstPage {
  readonly products: Page<AnsweredProduct>
}

interface ChangedPage {
  readonly products: Page<{ readonly id: string; readonly updatedAt: string }>
}

/** The products of a Shopify shop. */
export class ShopifyReader implements SourceReader {
  readonly #options: ReaderOptions
  readonly #waits: Wait
  readonly #api: ShopifyApi
  readonly #includesHidden: boolean

  /** @throws SourceError if the address is not one of a shop */
  constructor(connection: ShopifyConnection, options: ReaderOptions, waits: Wait = wait) {
    this.#options = options
    this.#waits = waits
    this.#api = new ShopifyApi(connection, options, waits)
    this.#includesHidden = connection.include_hidden ?? false
  }

  async *readAll(signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const file = await bulkFile(this.#api, signal, this.#waits)
    if (file.url !== undefined) yield* this.#batchesOf(file, signal)
    yield { kind: 'end', position: positionAt(file.begunMs) }
  }

  async *readFirst(count: number, signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const wanted = Math.min(count, FIRST_MAX)
    const rows: SourceRow[] = []
    let after: string | null = null
    do {
      const variables: Record<string, unknown> = { after }
      const answer = await this.#api.ask<FirstPage>(FIRST_QUERY, variables, signal)
      const { nodes, pageInfo } = answer.data.products
      for (const node of nodes) {
        const row = this.#rowOf(withoutPages(node))
        if (row !== undefined && rows.length < wanted) rows.push(row)
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null && rows.length < wanted)
    if (rows.length > 0) yield { kind: 'rows', rows }
    yield { kind: 'end', position: undefined }
  }

  async readSome(ids: readonly string[], signal: AbortSignal): Promise<readonly SourceChange[]> {
    const changes: SourceChange[] = []
    for (const id of ids) {
      const product = await readProduct(this.#api, id, signal)
      const row = product === undefined ? undefined : this.#rowOf(product)
      changes.push(row === undefined ? { kind: 'delete', id } : { kind: 'put', row })
    }
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

  /** The row of a product; undefined if it is not to be found. */
  #rowOf(product: ShopifyProduct): SourceRow | undefined {
    return this.#includesHidden || isPublished(product) ? productRow(product) : undefined
  }

  async *#batchesOf(file: BulkFile, signal: AbortSignal): AsyncGenerator<SourceBatch> {
    const bytes = await this.#download(file, signal)
    let received = 0
    let products = 0
    async function* counted(): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        received += chunk.length
        yield chunk
      }
    }
    const rowOf = (product: ShopifyProduct): SourceRow | undefined => this.#rowOf(product)
    async function* rows(): AsyncGenerator<SourceRow> {
      for await (const product of productsOfFile(counted())) {
        products++
        const row = rowOf(product)
        if (row !== undefined) yield row
      }
    }
    let reported = 0
    const takeBytes = (): number => {
      const more = received - reported
      reported = received
      return more
    }
    yield* batchesOf(rows(), takeBytes)
    // A file that ends early, between two lines, must not look like a shop that has shrunk.
    if (products < file.products || received < (file.bytes ?? 0)) {
      throw new SourceError(
        'unreachable',
        `The file of "${this.#api.host}" ended after ${products} of ${file.products} products`,
      )
    }
  }

  /** The file is at a signed address, which may have ended: then it is asked for again, once. */
  async #download(file: BulkFile, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array>> {
    const { networks } = this.#options
    let { url = '' } = file
    for (let isAgain = false; ; isAgain = true) {
      try {
        const answer = await download({ url, networks, signal })
        if (answer.kind === 'file') return answer.bytes
      } catch (error) {
        const isRefused = error instanceof SourceError && error.fault !== 'forbidden_address'
        if (!isRefused) throw error
        if (isAgain) {
          throw new SourceError(
            'unreachable',
            `Cannot read the file of a bulk operation: ${error.message}`,
          )
        }
      }
      url = (await fileAgain(this.#api, file, signal)).url ?? ''
    }
  }

  async #changed(
    sinceMs: number,
    max: number,
    signal: AbortSignal,
  ): Promise<readonly ChangedProduct[]> {
    const changed: ChangedProduct[] = []
    const filter = `updated_at:>='${new Date(sinceMs).toISOString()}'`
    let after: string | null = null
    do {
      const variables: Record<string, unknown> = { filter, after }
      const answer = await this.#api.ask<ChangedPage>(CHANGED_QUERY, variables, signal)
      const { nodes, pageInfo } = answer.data.products
      for (const { id, updatedAt } of nodes) {
        changed.push({ id: documentId(id), changedMs: Date.parse(updatedAt) })
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    } while (after !== null && changed.length < max)
    return changed
  }
}
