import { readAnalysisName } from '@aisle/engine'
import {
  ApiError,
  type GivenSettings,
  type SettingsHistory,
  type StoreAnalysis,
  type StoreEmbedding,
  type StoreSettings,
} from '@aisle/contract'
import { endOfMonthMs } from '../../domain/values/month.ts'
import { checkSemantic } from '../../domain/store/semantic-settings.ts'
import { productCard } from '../../domain/store/product-card.ts'
import { checkSettings, mergePatch, withDefaults } from '../../domain/store/store-settings.ts'
import type { StoreStatistics } from '../../ports/catalog/store-registry.ts'
import type { ServicePorts } from '../service-ports.ts'
import { NO_SCHEMA, openView } from '../open-view.ts'
import { trialWarnings } from './known-experiments.ts'
import { requireMatch } from '../../domain/values/preconditions.ts'
import {
  addSettingsVersion,
  type VersionAuthor,
  type VersionContent,
} from './add-settings-version.ts'
import {
  currentSettings,
  settingsVersions,
  type ReplacedResource,
  type SettingsVersion,
} from './store-settings.ts'

export type SettingsPorts = Pick<
  ServicePorts,
  'registry' | 'resources' | 'writer' | 'backend' | 'clock' | 'usage' | 'embedders'
>

/** Returns the current settings, with defaults and guesses for those that are not set. */
export async function describeSettings(
  ports: Pick<ServicePorts, 'registry' | 'backend' | 'clock' | 'usage' | 'embedders'>,
  storeId: string,
): Promise<StoreSettings> {
  const { schema = NO_SCHEMA, resources } = openView(ports, storeId)
  const { version, changedAt, settings } = currentSettings(resources)
  const { card, guessed } = productCard(schema, settings.product_card)
  const statistics = await ports.registry.statistics(storeId)
  const warnings = trialWarnings(resources, ports.clock.now())
  return {
    ...withDefaults(settings),
    embedders: [...ports.embedders.names()],
    quota: presentQuota(ports, storeId, settings),
    product_card: { ...card, metadata: [...card.metadata] },
    guessed: [...guessed],
    version,
    ...(changedAt === undefined ? {} : { changed_at: changedAt }),
    analysis: presentAnalysis(statistics),
    ...presentEmbedding(statistics),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** The `ETag` of the settings: their quota and progress are not part of it. */
export function settingsTag({ version }: Pick<StoreSettings, 'version'>): string {
  return `"v${version}"`
}

/**
 * @param patch the parsed JSON of the request, a merge patch
 * @param ifMatch the header of that name; see `requireMatch`
 */
export async function patchSettings(
  ports: SettingsPorts,
  storeId: string,
  patch: unknown,
  author: VersionAuthor = {},
  ifMatch?: string,
): Promise<StoreSettings> {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    throw new ApiError('invalid_parameter', 'The body must be a JSON object of settings')
  }
  const { analyzer, schema = NO_SCHEMA } = openView(ports, storeId)
  const changed = new Set(Object.keys(patch))
  const requireCurrent = await settingsMatch(ports, storeId, ifMatch)
  await addSettingsVersion(ports, storeId, author, (settings, version) => {
    requireCurrent(version)
    const checked = checkSettings(mergePatch(settings, asPatch(patch)), changed, schema, analyzer)
    if (changed.has('semantic')) checkSemantic(checked, schema, ports.embedders)
    return { settings: checked }
  })
  return describeSettings(ports, storeId)
}

/**
 * Compares an `If-Match` with the version that a change replaces.
 *
 * @returns throws `precondition_failed` for another version
 */
export async function settingsMatch(
  ports: SettingsPorts,
  storeId: string,
  ifMatch: string | undefined,
): Promise<(version: number) => void> {
  if (ifMatch === undefined) return () => undefined
  const current = JSON.stringify(await describeSettings(ports, storeId))
  return (version) => requireMatch(ifMatch, current, settingsTag({ version }))
}

/** Without an embedder, the other parts of `semantic` mean nothing. */
function asPatch(patch: object): object {
  const { semantic } = patch as { semantic?: { embedder?: unknown } | null }
  return semantic?.embedder === null ? { ...patch, semantic: null } : patch
}

export function describeHistory(
  ports: Pick<ServicePorts, 'resources'>,
  storeId: string,
): SettingsHistory {
  return {
    versions: settingsVersions(ports.resources.of(storeId)).map((one) => ({
      version: one.version,
      ...(one.changedAt === undefined ? {} : { changed_at: one.changedAt }),
      ...(one.changedBy === undefined ? {} : { changed_by: one.changedBy }),
      ...(one.note === undefined ? {} : { note: one.note }),
      settings: one.settings,
      ...(one.replaced === undefined ? {} : { resources: one.replaced.flatMap(presentReplaced) }),
    })),
  }
}

const REPLACED_KINDS = {
  synonymSet: 'synonym_set',
  stopwordSet: 'stopword_set',
  rule: 'rule',
  preset: 'preset',
} as const

function presentReplaced({
  kind,
  name,
  json,
  isDeleted,
}: ReplacedResource): NonNullable<SettingsHistory['versions'][number]['resources']> {
  if (!isReplacedKind(kind)) return []
  const action = isDeleted === true ? 'deleted' : json === null ? 'made' : 'changed'
  return [{ kind: REPLACED_KINDS[kind], name, action }]
}

function isReplacedKind(kind: string): kind is keyof typeof REPLACED_KINDS {
  return Object.hasOwn(REPLACED_KINDS, kind)
}

/**
 * Rolls back to an earlier version by adding it as the newest one; the history keeps the versions
 * in between. Sets, rules and presets published with later versions are restored.
 *
 * @param ifMatch the header of that name; see `requireMatch`
 */
export async function rollbackSettings(
  ports: SettingsPorts,
  storeId: string,
  version: number,
  author: VersionAuthor = {},
  ifMatch?: string,
): Promise<StoreSettings> {
  const versions = settingsVersions(ports.resources.of(storeId))
  const earlier = versions.find((one) => one.version === version)
  if (earlier === undefined) {
    throw new ApiError('invalid_parameter', `The history has no version ${version}`, {
      param: 'version',
    })
  }
  const requireCurrent = await settingsMatch(ports, storeId, ifMatch)
  await addSettingsVersion(ports, storeId, author, (_, newest) => {
    requireCurrent(newest)
    return {
      settings: earlier.settings,
      ...resourcesBefore(settingsVersions(ports.resources.of(storeId)), version),
    }
  })
  return describeSettings(ports, storeId)
}

/** @param versions newest first */
function resourcesBefore(
  versions: readonly SettingsVersion[],
  version: number,
): Pick<VersionContent, 'puts' | 'removes'> {
  const before = new Map<string, ReplacedResource>()
  for (const later of versions) {
    if (later.version <= version) break
    for (const one of later.replaced ?? []) before.set(`${one.kind} ${one.name}`, one)
  }
  const all = [...before.values()]
  return {
    puts: all.flatMap(({ kind, name, json }) => (json === null ? [] : [{ kind, name, json }])),
    removes: all.filter(({ json }) => json === null),
  }
}

function presentQuota(
  { usage, clock }: Pick<ServicePorts, 'clock' | 'usage'>,
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

/** Shows the text analysis of a store, and the progress of a language change. */
export function presentAnalysis({
  docCount,
  language: name,
  reanalysis,
}: StoreStatistics): StoreAnalysis {
  const { language } = readAnalysisName(name)
  if (reanalysis === undefined) {
    return { language, state: 'ready', documents_done: docCount, documents_total: docCount }
  }
  return {
    language,
    state: reanalysis.failed ? 'failed' : 'running',
    target_language: readAnalysisName(reanalysis.language).language,
    documents_done: reanalysis.documentsDone,
    documents_total: reanalysis.documentsTotal,
  }
}

/** Shows the vectors of a store, and the progress of making them. */
export function presentEmbedding({ embedding }: StoreStatistics): { embedding?: StoreEmbedding } {
  if (embedding === undefined) return {}
  const { embedder, fields, state, documentsDone, documentsTotal } = embedding
  const { perSecond, problem, replaces } = embedding
  return {
    embedding: {
      embedder,
      fields: [...fields],
      state,
      documents_done: documentsDone,
      documents_total: documentsTotal,
      ...(perSecond === undefined ? {} : { documents_per_second: Math.round(perSecond * 10) / 10 }),
      ...(problem === undefined ? {} : { problem }),
      ...(replaces === undefined ? {} : { replaces }),
    },
  }
}
