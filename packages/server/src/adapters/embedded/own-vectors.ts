import type { IndexDocument } from '@aisle/engine'
import { embeddedText, textDigest } from '../../domain/documents/embedded-text.ts'
import type {
  DocumentStore,
  StoredVector,
  StoreRow,
  VectorName,
} from '../../ports/catalog/document-store.ts'

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
  const own = ownVectors(documents, { catalog, schema }, document)
  if (own.length === 0) return document
  return { ...document, vectors: new Map(own.map(({ space, codes }) => [space, codes])) }
}

/** The vectors that were made of the text of a document as it is now. */
export function ownVectors(
  documents: Pick<DocumentStore, 'vector'>,
  { catalog, schema }: Pick<StoreRow, 'catalog' | 'schema'>,
  { id, values }: Pick<IndexDocument, 'id' | 'values'>,
): (VectorName & StoredVector)[] {
  return (schema?.spaces ?? []).flatMap(({ number: space, fields }) => {
    const stored = documents.vector(catalog, space, id)
    if (stored === undefined) return []
    const text = embeddedText(values, schema!, fields)
    return textDigest(text).equals(stored.digest) ? [{ space, id, ...stored }] : []
  })
}
