import {
  ApiError,
  SETTINGS_VERSIONS_MAX,
  type GivenSettings,
  type SettingsHistory,
  type StoreAnalysis,
  type StoreSettings,
} from '@aisle/contract'
import { endOfMonthMs } from '../../domain/values/month.ts'
import { productCard } from '../../domain/suggestions/product-card.ts'
import {
  checkSettings,
  DEFAULT_LANGUAGE,
  mergePatch,
  withDefaults,
} from '../../domain/store/store-settings.ts'
import type { StoreStatistics } from '../../ports/store-registry.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { currentSettings, settingsVersions, versionResource } from './store-settings.ts'

/** If others change the settings at the same time, this change is reapplied on top of theirs. */
const ATTEMPTS_MAX = 10

/** The settings in force, with the defaults and guesses that stand for what was not set. */
export function describeSettings(ports: ServicePorts, storeId: string): StoreSettings {
  const { schema = NO_SCHEMA, resources } = openView(ports, storeId)
  const { version, changedAt, settings } = currentSettings(resources)
  const { card, guessed } = productCard(schema, settings.product_card)
  return {
    ...withDefaults(settings),
    quota: presentQuota(ports, storeId, settings),
    product_card: { ...card, metadata: [...card.metadata] },
    guessed: [...guessed],
    version,
    ...(changedAt === undefined ? {} : { changed_at: changedAt }),
    analysis: presentAnalysis(ports.registry.statistics(storeId)),
  }
}

/** @param patch the parsed JSON of the request, a merge patch */
export async function patchSettings(
  ports: ServicePorts,
  storeId: string,
  patch: unknown,
): Promise<StoreSettings> {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    throw new ApiError('invalid_parameter', 'The body must be a JSON object of settings')
  }
  const { analyzer, schema = NO_SCHEMA } = openView(ports, storeId)
  const changed = new Set(Object.keys(patch))
  await change(ports, storeId, (settings) =>
    checkSettings(mergePatch(settings, patch), changed, schema, analyzer),
  )
  return describeSettings(ports, storeId)
}

export function describeHistory(ports: ServicePorts, storeId: string): SettingsHistory {
  return {
    versions: settingsVersions(ports.resources.of(storeId)).map(
      ({ version, changedAt, settings }) => ({
        version,
        ...(changedAt === undefined ? {} : { changed_at: changedAt }),
        settings,
      }),
    ),
  }
}

/** Makes an earlier version the newest one; the versions in between stay in the history. */
export async function rollbackSettings(
  ports: ServicePorts,
  storeId: string,
  version: number,
): Promise<StoreSettings> {
  const earlier = settingsVersions(ports.resources.of(storeId)).find(
    (one) => one.version === version,
  )
  if (earlier === undefined) {
    throw new ApiError('invalid_parameter', `The history has no version ${version}`, {
      param: 'version',
    })
  }
  await change(ports, storeId, () => earlier.settings)
  return describeSettings(ports, storeId)
}

function presentQuota(
  { usage, clock }: ServicePorts,
  storeId: string,
  { quota }: GivenSettings,
): StoreSettings['quota'] {
  const nowMs = clock.now()
  return {
    searches_per_month: quota?.searches_per_month ?? null,
    searches_used: usage.used(storeId, nowMs),
    resets_at: new Date(endOfMonthMs(nowMs)).toISOString(),
  }
}

/** What is analysed how, and how far a change of language has come. */
export function presentAnalysis({
  docCount,
  language,
  reanalysis,
}: StoreStatistics): StoreAnalysis {
  if (reanalysis === undefined) {
    return { language, state: 'ready', documents_done: docCount, documents_total: docCount }
  }
  return {
    language,
    state: reanalysis.failed ? 'failed' : 'running',
    target_language: reanalysis.language,
    documents_done: reanalysis.documentsDone,
    documents_total: reanalysis.documentsTotal,
  }
}

async function change(
  ports: ServicePorts,
  storeId: string,
  make: (settings: GivenSettings) => GivenSettings,
): Promise<void> {
  const { writer, clock, resources } = ports
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const newest = resources.of(storeId)
    const before = currentSettings(newest)
    const settings = make(before.settings)
    if (JSON.stringify(settings) === JSON.stringify(before.settings)) return
    const version = before.version + 1
    const changedAt = new Date(clock.now()).toISOString()
    const kept = newest.list('settings')
    const { language = DEFAULT_LANGUAGE } = settings
    const isOtherLanguage = language !== (before.settings.language ?? DEFAULT_LANGUAGE)
    const isDone = await writer.changeResources(
      storeId,
      {
        puts: [{ ...versionResource({ version, changedAt, settings }), insert: true }],
        removes: kept.length < SETTINGS_VERSIONS_MAX ? [] : kept.slice(0, 1),
      },
      isOtherLanguage ? language : undefined,
    )
    if (isDone) return
  }
  throw new ApiError('unavailable', 'The settings are being changed by others: try again', {
    retryAfterSeconds: 1,
  })
}
