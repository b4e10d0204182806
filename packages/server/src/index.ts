/**
 * What the command line needs of the service: to run it, and to work on its folder while it does
 * not run.
 */
export { examineDataFolder } from './offline/examine-data-folder.ts'
export type { Finding } from './offline/examine-data-folder.ts'
export { readCluster } from './config-cluster.ts'
export type { ClusterConfig } from './config-cluster.ts'
export { ConfigError } from './config-options.ts'
export { exportCluster } from './offline/export-cluster.ts'
export { importSnapshot } from './offline/import-snapshot.ts'
export { OfflineError, restoreSnapshot, verifySnapshotFolder } from './offline/restore-snapshot.ts'
export { startService } from './threads/start.ts'
