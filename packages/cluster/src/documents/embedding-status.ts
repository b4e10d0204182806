import type { EmbeddingStatus } from '@aisle/server/ports'
import type { VectorCounts } from '../opensearch/vector-requests.ts'
import type { StoreDocuments } from '../stores/store-places.ts'

/** What is shown of the vectors of a store whose schema has a space for them. */
export function embeddingStatus(
  { schema, embedding }: StoreDocuments,
  { vectors, none }: VectorCounts,
  documentsTotal: number,
): EmbeddingStatus {
  const spaces = schema!.spaces!
  const { embedder, fields } = spaces.at(-1)!
  const isDone = spaces.length === 1 && vectors + none >= documentsTotal
  const problem = isDone ? undefined : embedding?.problem
  return {
    embedder,
    fields,
    state: isDone ? 'ready' : problem === undefined ? 'running' : 'waiting',
    // Both are counted one after the other.
    documentsDone: Math.min(vectors, documentsTotal),
    documentsTotal,
    ...(problem === undefined ? {} : { problem }),
    ...(spaces.length > 1 ? { replaces: spaces[0]!.embedder } : {}),
  }
}
