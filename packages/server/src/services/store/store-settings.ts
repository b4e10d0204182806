import type { ChangedBy, GivenSettings } from '@aisle/contract'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import type { ResourceName } from '../../domain/store/resource.ts'
import type { Resource, StoreResources } from '../../ports/resource-reader.ts'

/** One version of the settings of a store. */
export interface SettingsVersion {
  readonly version: number
  /** Absent for version 0, the defaults. */
  readonly changedAt?: string
  readonly changedBy?: ChangedBy | undefined
  readonly note?: string | undefined
  readonly settings: GivenSettings
  /** Sets and rules that changed with it, as they were before. */
  readonly replaced?: readonly ReplacedResource[]
}

export interface ReplacedResource extends ResourceName {
  /** `null`: there was none. */
  readonly json: string | null
  /** It is gone since. */
  readonly isDeleted?: boolean
}

/** As of the newest acknowledged change. */
export function currentSettings(resources: StoreResources): SettingsVersion {
  const newest = resources.list('settings').at(-1)
  return newest === undefined ? NEVER_SET : versionOf(newest)
}

/** The versions that are kept, newest first; the defaults among them until the history is full. */
export function settingsVersions(resources: StoreResources): SettingsVersion[] {
  const versions = resources.list('settings').map(versionOf)
  if ((versions[0]?.version ?? 1) === 1) versions.unshift(NEVER_SET)
  return versions.toReversed()
}

/** Versions are named so that the order of the names is that of the numbers. */
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
