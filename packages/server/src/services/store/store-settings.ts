import type { GivenSettings } from '@aisle/contract'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import type { Resource, StoreResources } from '../../ports/resource-reader.ts'

/** One version of the settings of a store. */
export interface SettingsVersion {
  readonly version: number
  /** Absent for version 0, the defaults. */
  readonly changedAt?: string
  readonly settings: GivenSettings
}

/** The settings in force. */
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
export function versionResource({ version, changedAt, settings }: SettingsVersion): Resource {
  return {
    kind: 'settings',
    name: String(version).padStart(VERSION_DIGITS, '0'),
    json: JSON.stringify({ changedAt, settings }),
  }
}

const NEVER_SET: SettingsVersion = { version: 0, settings: {} }
const VERSION_DIGITS = 16

const versionOf = resourceMemo(({ name, json }): SettingsVersion => ({
  version: Number(name),
  ...(JSON.parse(json) as Omit<SettingsVersion, 'version'>),
}))
