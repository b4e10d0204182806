import {
  ApiError,
  SETTINGS_VERSIONS_MAX,
  type ChangedBy,
  type GivenSettings,
} from '@aisle/contract'
import type { Resource, ResourceName } from '../../domain/store/resource.ts'
import { analysisOf } from '../../domain/store/store-settings.ts'
import type { ServicePorts } from '../service-ports.ts'
import { currentSettings, versionResource, type ReplacedResource } from './store-settings.ts'

/** If others change the settings at the same time, the change is applied again on top of theirs. */
const ATTEMPTS_MAX = 10

/** The content of a new settings version, with the sets and rules that change with it. */
export interface VersionContent {
  readonly settings: GivenSettings
  readonly puts?: readonly Resource[]
  /** Resources that do not exist are skipped. */
  readonly removes?: readonly ResourceName[]
}

/** The author of a version, and their note. */
export interface VersionAuthor {
  readonly changedBy?: ChangedBy | undefined
  readonly note?: string | undefined
}

/**
 * Adds a version of the settings, with its sets and rules, all or nothing. A version without
 * changes is not added.
 *
 * @param make called again if another change came first, with the newest version number
 * @throws ApiError
 */
export async function addSettingsVersion(
  ports: Pick<ServicePorts, 'resources' | 'writer' | 'clock'>,
  storeId: string,
  author: VersionAuthor,
  make: (settings: GivenSettings, version: number) => VersionContent,
): Promise<void> {
  const { writer, clock, resources } = ports
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const newest = resources.of(storeId)
    const before = currentSettings(newest)
    const { settings, puts = [], removes = [] } = make(before.settings, before.version)
    const kept = ({ kind, name }: ResourceName): string | null =>
      newest.get(kind, name)?.json ?? null
    const changedPuts = puts.filter((put) => put.json !== kept(put))
    const presentRemoves = removes.filter((remove) => kept(remove) !== null)
    const replaced: readonly ReplacedResource[] = [
      ...changedPuts.map(({ kind, name }) => ({ kind, name, json: kept({ kind, name }) })),
      ...presentRemoves.map(({ kind, name }) => ({
        kind,
        name,
        json: kept({ kind, name }),
        isDeleted: true,
      })),
    ]
    const isSame = JSON.stringify(settings) === JSON.stringify(before.settings)
    if (isSame && replaced.length === 0) return
    const version = before.version + 1
    const changedAt = new Date(clock.now()).toISOString()
    const { changedBy, note } = author
    const made = versionResource({
      version,
      changedAt,
      changedBy,
      note,
      settings,
      ...(replaced.length === 0 ? {} : { replaced }),
    })
    const versions = newest.list('settings')
    const analysis = analysisOf(settings)
    const isOtherAnalysis = analysis !== analysisOf(before.settings)
    const isDone = await writer.changeResources(
      storeId,
      {
        puts: [{ ...made, insert: true }, ...changedPuts],
        removes: [
          ...(versions.length < SETTINGS_VERSIONS_MAX ? [] : versions.slice(0, 1)),
          ...presentRemoves,
        ],
      },
      isOtherAnalysis ? analysis : undefined,
    )
    if (isDone) return
  }
  throw new ApiError('unavailable', 'Other requests are changing the settings: try again', {
    retryAfterSeconds: 1,
  })
}
