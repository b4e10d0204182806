import type { IndexDocument } from '@aisle/engine'
import { embeddedText, textDigest } from '../../domain/documents/embedded-text.ts'
import type { DocumentStore, StoreRow } from '../../ports/catalog/document-store.ts'

/**
 * A document with the vectors that were made of its text as it is now. Every way into an index goes
 * through here: the index is a cache of the documents and their vectors.
 */
export function withVectors(
  documents: Pick<DocumentStore, 'vector'>,
  { catalog, schema }: Pick<StoreRow, 'catalog' | 'schema'>,
  document: IndexDocument,
): IndexDocument {
  if (schema?.spaces === undefined) return document
  const vectors = new Map<number, Int8Array>()
  for (const { number, fields } of schema.spaces) {
    const stored = documents.vector(catalog, number, document.id)
    if (stored === undefined) continue
    const text = embeddedText(document.values, schema, fields)
    if (textDigest(text).equals(stored.digest)) vectors.set(number, stored.codes)
  }
  return vectors.size === 0 ? document : { ...document, vectors }
}
