import type { StoreSettings } from '@aisle/contract'
import type { YieldingWork } from '../../domain/turns/gradual.ts'
import { addSettingsVersion, type VersionAuthor } from './add-settings-version.ts'
import { describeSettings, type SettingsPorts } from './change-settings.ts'
import { checkDraft } from './relevance-draft.ts'

/** Publishes a draft (settings, sets and rules together) as a new version. @throws ApiError */
export async function publishDraft(
  ports: SettingsPorts,
  storeId: string,
  draft: unknown,
  author: VersionAuthor,
  work: YieldingWork,
): Promise<StoreSettings> {
  const { settings, puts, removes } = await checkDraft(ports, storeId, draft, work)
  await addSettingsVersion(ports, storeId, author, (given) => ({
    settings: settings(given),
    puts,
    removes,
  }))
  return describeSettings(ports, storeId)
}
