export { ClusterConnection } from './cluster-connection.ts'
export { ClusterError } from './cluster-error.ts'
export { ControlFollower } from './control-follower.ts'
export { ControlIndex } from './control-index.ts'
export type {
  ControlDocument,
  ControlVersion,
  ControlWrite,
  StoredControl,
} from './control-document.ts'
