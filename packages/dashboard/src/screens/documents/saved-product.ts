import type { StoreClient } from '@aisle/client'
import type { DocumentDeleted, DocumentWritten, StoreSchema } from '@aisle/contract'
import { queryOptions } from '@tanstack/react-query'
import { ChangedMeanwhileError, isChangedMeanwhile } from '../../parts/store-queries.ts'
import { documentText, parseDocument } from './document-text.ts'
import { changesBetween, type Product } from './product-values.ts'

/** A product as it is saved. */
export interface SavedProduct {
  readonly text: string
  readonly etag: string
}

export function savedProductQuery(storeId: string, calls: StoreClient, id: string) {
  return queryOptions({
    queryKey: ['document', storeId, id],
    queryFn: () => savedProduct(calls, id),
  })
}

async function savedProduct(calls: StoreClient, id: string): Promise<SavedProduct> {
  const { value, etag } = await calls.taggedDocument(id)
  return { text: documentText(value.data), etag }
}

/** Attempts to save while others change other fields. */
const ATTEMPTS_MAX = 5

/**
 * Saves only the changed fields, over the version that was read: what others write into other
 * fields stays.
 *
 * @param onNewest gets the newest version if others have changed one of the same fields
 * @throws RefusedError 412 then, and 404 if the product was deleted
 */
export async function saveProduct(
  { calls, schema }: { readonly calls: StoreClient; readonly schema: StoreSchema },
  id: string,
  { text, etag }: SavedProduct,
  product: Product,
  onNewest: (newest: SavedProduct) => void,
): Promise<DocumentWritten> {
  const isObject = (path: string): boolean =>
    schema.fields.some(({ name, type }) => name === path && type === 'object')
  const before = parseDocument(text) ?? {}
  const data = { ...changesBetween(before, product, isObject) }
  let ifMatch = etag
  for (let attempt = 1; ; attempt++) {
    try {
      return await calls.index({ id, action: 'update', data }, ifMatch)
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error
      const newest = await savedProduct(calls, id)
      const others = changesBetween(before, parseDocument(newest.text) ?? {}, isObject)
      const isContested = Object.keys(data).some(
        (name) =>
          Object.hasOwn(others, name) &&
          JSON.stringify(others[name]) !== JSON.stringify(data[name]),
      )
      if (isContested || attempt === ATTEMPTS_MAX) {
        onNewest(newest)
        throw error
      }
      ifMatch = newest.etag
    }
  }
}

/**
 * Deletes the version that is shown.
 *
 * @param onNewest gets the newest version if others have changed it
 * @throws RefusedError 412 then
 */
export async function deleteProduct(
  calls: StoreClient,
  id: string,
  { etag }: SavedProduct,
  onNewest: (newest: SavedProduct) => void,
): Promise<DocumentDeleted> {
  try {
    return await calls.deleteDocument(id, etag)
  } catch (error) {
    if (!isChangedMeanwhile(error)) throw error
    onNewest(await savedProduct(calls, id))
    throw new ChangedMeanwhileError()
  }
}
