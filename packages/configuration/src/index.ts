/** The configuration of a store as files, for Node and browsers. */
export { applyChanges } from './apply-changes.ts'
export type { FileFailure } from './apply-changes.ts'
export { changesTo, differencesOfChange, fileOf, redefinesFields } from './changes.ts'
export type { Change } from './changes.ts'
export {
  configurationOf,
  ConfigurationFilesError,
  filesOf,
  isConfigurationFile,
  siblingsOf,
} from './configuration-files.ts'
export { copyConfiguration } from './copy-configuration.ts'
export type { Difference } from './differences.ts'
export { knownEverywhere } from './known-everywhere.ts'
export { isSecondStoreName, secondStoreName } from './second-store.ts'
export { fetchConfiguration, RESOURCE_KINDS } from './store-configuration.ts'
export type { StoreConfiguration } from './store-configuration.ts'
export { parseValue, valueText } from './value-text.ts'
export type { ValueFormat } from './value-text.ts'
