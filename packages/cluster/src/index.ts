/** An API node of a cluster, and the way of an installation to a cluster and back. */
export { runClusterService } from './node/run-cluster-service.ts'
export { exportCluster } from './transfer/export-cluster.ts'
export { importSnapshot } from './transfer/import-snapshot.ts'
