import type { DocumentDeleted, DocumentsCleared } from '@aisle/contract'
import type { ServicePorts } from '../service-ports.ts'
import { documentNotFound } from './get-document.ts'

/**
 * @param ifMatch the header of that name; see `requireMatch`
 * @throws ApiError document_not_found, precondition_failed
 */
export async function deleteDocument(
  { writer }: Pick<ServicePorts, 'writer'>,
  storeId: string,
  id: string,
  ifMatch?: string,
): Promise<DocumentDeleted> {
  if (!(await writer.deleteDocument(storeId, id, ifMatch))) throw documentNotFound(id)
  return { id, status: 'deleted', message: 'Document deleted' }
}

/** Deletes every document of a store and keeps its schema. */
export async function clearDocuments(
  { writer }: Pick<ServicePorts, 'writer'>,
  storeId: string,
): Promise<DocumentsCleared> {
  const deleted = await writer.clearDocuments(storeId)
  return { status: 'cleared', message: 'All documents deleted', documents_deleted: deleted }
}
