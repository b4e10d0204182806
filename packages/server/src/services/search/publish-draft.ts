import type { StoreSettings } from '@aisle/contract'
import type { YieldingWork } from '../../domain/turns/gradual.ts'
import { addSettingsVersion, type VersionAuthor } from '../store/add-settings-version.ts'
import { describeSettings, settingsMatch, type SettingsPorts } from '../store/change-settings.ts'
import { checkDraft } from './check-draft.ts'

/**
 * Publishes a draft (settings, sets, rules and presets together) as a new version.
 *
 * @param ifMatch the header of that name, about the settings; see `requireMatch`
 * @throws ApiError
 */
export async function publishDraft(
  ports: SettingsPorts,
  storeId: string,
  draft: unknown,
  author: VersionAuthor,
  work: YieldingWork,
  ifMatch?: string,
): Promise<StoreSettings> {
  const { settings, puts, removes } = await checkDraft(ports, storeId, draft, work)
  const requireCurrent = await settingsMatch(ports, storeId, ifMatch)
  await addSettingsVersion(ports, storeId, author, (given, version) => {
    requireCurrent(version)
    return { settings: settings(given), puts, removes }
  })
  return describeSettings(ports, storeId)
}
