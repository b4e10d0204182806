import type { CatalogWriter } from '@aisle/server/ports'
import type { ClusterDocuments } from './cluster-documents.ts'
import type { ClusterEmbedding } from './embedding.ts'
import type { ClusterStores } from '../stores/cluster-stores.ts'

/** Combines the writers of stores, of documents and of their vectors. */
export function clusterWriter(
  stores: ClusterStores,
  documents: ClusterDocuments,
  embedding: ClusterEmbedding,
): CatalogWriter {
  return {
    createStore: (request) => stores.createStore(request),
    deleteStore: (storeId) => stores.deleteStore(storeId),
    finishBulkLoad: (storeId) => documents.bulkLoads.finish(storeId),
    async swapStores(storeId, otherId) {
      await documents.bulkLoads.requireFinished([storeId, otherId])
      await stores.swapStores(storeId, otherId)
    },
    renameStore: (storeId, name) => stores.renameStore(storeId, name),
    rotateKey: (storeId, kind, graceSeconds) => stores.rotateKey(storeId, kind, graceSeconds),
    revokePreviousKey: (storeId, kind) => stores.revokePreviousKey(storeId, kind),
    noteKeyUses: (uses) => stores.noteKeyUses(uses),
    // Only the embedded engine needs it: the cluster opens indexes automatically.
    openIndex: () => Promise.resolve(),
    async changeResources(storeId, change, language) {
      const isDone = await stores.changeResources(storeId, change)
      if (isDone && language !== undefined) await documents.changeLanguage(storeId, language)
      if (isDone) await embedding.consider(storeId)
      return isDone
    },
    async changeSchema(...of) {
      const change = await documents.changeSchema(...of)
      await embedding.consider(of[0])
      return change
    },
    async redefineFields(...of) {
      const change = await documents.redefineFields(...of)
      await embedding.consider(of[0])
      return change
    },
    cancelRedefinition: (storeId) => documents.cancelRedefinition(storeId),
    async writeDocuments(...of) {
      const outcomes = await documents.writeDocuments(...of)
      embedding.written(of[0])
      return outcomes
    },
    deleteDocument: (...of) => documents.deleteDocument(...of),
    async changeVersions(...of) {
      const outcomes = await documents.changeVersions(...of)
      embedding.written(of[0])
      return outcomes
    },
    clearDocuments: (...of) => documents.clearDocuments(...of),
  }
}
