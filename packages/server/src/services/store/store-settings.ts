import type { ChangedBy, GivenSettings } from '@aisle/contract'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import type { ResourceName } from '../../domain/store/resource.ts'
import type { Resource, StoreResources } from '../../ports/catalog/resource-reader.ts'

/** One version of the settings of a store. */
export interface SettingsVersion {
  readonly version: number
  /** Absent for version 0, the defaults. */
  readonly changedAt?: string
  readonly changedBy?: ChangedBy | undefined
  readonly note?: string | undefined
  readonly settings: GivenSettings
  /** Sets and rules that changed with this version, as they were before. */
  readonly replaced?: readonly ReplacedResource[]
}

export interface ReplacedResource extends ResourceName {
  /** `null`: it did not exist. */
  readonly json: string | null
  /** It was deleted in this version. */
  readonly isDeleted?: boolean
}

/** The settings as of the newest acknowledged change. */
export function currentSettings(resources: StoreResources): SettingsVersion {
  const newest = resources.list('settings').at(-1)
  return newest === undefined ? NEVER_SET : versionOf(newest)
}

/** The stored versions, newest first; the defaults are among them until the history is full. */
export function settingsVersions(resources: StoreResources): SettingsVersion[] {
  const versions = resources.list('settings').map(versionOf)
  if ((versions[0]?.version ?? 1) === 1) versions.unshift(NEVER_SET)
  return versions.toReversed()
}

/** The resource of a version. Its name sorts like its number. */
export function versionResource({ version, ...rest }: SettingsVersion): Resource {
  return {
    kind: 'settings',
    name: String(version).padStart(VERSION_DIGITS, '0'),
    json: JSON.stringify(rest),
  }
}

const NEVER_SET: SettingsVersion = { version: 0, settings: {} }
const VERSION_DIGITS = 16

const versionOf = resourceMemo(({ name, json }): SettingsVersion => ({
  version: Number(name),
  ...(JSON.parse(json) as Omit<SettingsVersion, 'version'>),
}))
