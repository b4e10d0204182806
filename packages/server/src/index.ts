/**
 * Exports what the command line needs: running the service, and working on its data folder while it
 * does not run. `@aisle/cluster` moves such a folder to a cluster and back.
 */
export { keepNewFilesPrivate } from './adapters/lmdb/private-files.ts'
export { readSecrets } from './adapters/lmdb/secrets-file.ts'
export { describeSnapshot, readSnapshot, sealSnapshot } from './adapters/lmdb/snapshot-files.ts'
export { readCluster } from './config-cluster.ts'
export type { ClusterConfig } from './config-cluster.ts'
export { ConfigError } from './config-options.ts'
export { loadCluster, NoClusterError } from './load-cluster.ts'
export { EmbeddersFile, tryEmbedder } from './offline/embedders-file.ts'
export type { TriedEmbedder } from './offline/embedders-file.ts'
export { examineDataFolder } from './offline/examine-data-folder.ts'
export type { Finding } from './offline/examine-data-folder.ts'
export { openSnapshot } from './offline/folder-installation.ts'
export type { InstalledDocument, Installation, StoreState } from './offline/installation.ts'
export { OfflineError, restoreSnapshot, verifySnapshotFolder } from './offline/restore-snapshot.ts'
export { writeSnapshot } from './offline/write-snapshot.ts'
export { startService } from './threads/start.ts'
