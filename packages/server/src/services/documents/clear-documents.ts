import type { DocumentsCleared } from '@aisle/contract'
import type { ServicePorts } from '../service-ports.ts'

/** Deletes every document of a store and keeps its schema. */
export async function clearDocuments(
  { writer }: Pick<ServicePorts, 'writer'>,
  storeId: string,
): Promise<DocumentsCleared> {
  const deleted = await writer.clearDocuments(storeId)
  return { status: 'cleared', message: 'All documents deleted', documents_deleted: deleted }
}
