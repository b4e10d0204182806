import type { CatalogWriter } from '@aisle/server/ports'
import type { ClusterDocuments } from './cluster-documents.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'

/** Combines the writers of stores and of documents. */
export function clusterWriter(stores: ClusterStores, documents: ClusterDocuments): CatalogWriter {
  return {
    createStore: (request) => stores.createStore(request),
    deleteStore: (storeId) => stores.deleteStore(storeId),
    swapStores: (storeId, otherId) => stores.swapStores(storeId, otherId),
    renameStore: (storeId, name) => stores.renameStore(storeId, name),
    rotateKey: (storeId, kind, graceSeconds) => stores.rotateKey(storeId, kind, graceSeconds),
    revokePreviousKey: (storeId, kind) => stores.revokePreviousKey(storeId, kind),
    noteKeyUses: (uses) => stores.noteKeyUses(uses),
    // Only the embedded engine needs it: the cluster opens indexes automatically.
    openIndex: () => Promise.resolve(),
    async changeResources(storeId, change, language) {
      const isDone = await stores.changeResources(storeId, change)
      if (isDone && language !== undefined) await documents.changeLanguage(storeId, language)
      return isDone
    },
    changeSchema: (...of) => documents.changeSchema(...of),
    redefineFields: (...of) => documents.redefineFields(...of),
    cancelRedefinition: (storeId) => documents.cancelRedefinition(storeId),
    writeDocuments: (...of) => documents.writeDocuments(...of),
    deleteDocument: (...of) => documents.deleteDocument(...of),
    changeVersions: (...of) => documents.changeVersions(...of),
    clearDocuments: (...of) => documents.clearDocuments(...of),
  }
}
