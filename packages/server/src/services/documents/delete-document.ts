import type { DocumentDeleted } from '@aisle/contract'
import type { ServicePorts } from '../service-ports.ts'
import { documentNotFound } from './get-document.ts'

/** @throws ApiError document_not_found */
export async function deleteDocument(
  { writer }: Pick<ServicePorts, 'writer'>,
  storeId: string,
  id: string,
): Promise<DocumentDeleted> {
  if (!(await writer.deleteDocument(storeId, id))) throw documentNotFound(id)
  return { id, status: 'deleted', message: 'Document deleted' }
}
