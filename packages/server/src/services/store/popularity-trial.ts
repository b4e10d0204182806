import {
  EXPERIMENT_PERCENT_DEFAULT,
  POPULARITY_TRIAL_ID,
  POPULARITY_TRIAL_WEIGHT,
  type GivenSettings,
} from '@aisle/contract'
import { parseInstant } from '../../domain/values/iso-instant.ts'
import type { StoreResources } from '../../ports/catalog/resource-reader.ts'
import type { ExperimentRecord } from './experiment-record.ts'
import { currentSettings } from './store-settings.ts'

const records = new WeakMap<GivenSettings, ExperimentRecord>()

/**
 * The experiment that the setting `popularity_trial` describes; undefined without the setting, and
 * before the trial begins.
 */
export function popularityTrial(
  resources: StoreResources,
  nowMs: number,
): ExperimentRecord | undefined {
  const { settings } = currentSettings(resources)
  // The common case allocates nothing.
  if (settings.popularity_trial === undefined) return undefined
  let record = records.get(settings)
  if (record === undefined) records.set(settings, (record = recordOf(settings)))
  return nowMs < Date.parse(record.startedAt) ? undefined : record
}

function recordOf({ popularity_trial: trial, ranking }: GivenSettings): ExperimentRecord {
  const time = (text: string | undefined): string => new Date(parseInstant(text!)!).toISOString()
  return {
    id: POPULARITY_TRIAL_ID,
    name: 'Popularity trial',
    kind: 'interleaved',
    goal: 'click',
    draftPercent: EXPERIMENT_PERCENT_DEFAULT,
    tags: [],
    startedAt: time(trial?.from),
    endedAt: time(trial?.until),
    isPublished: ranking?.popularity_weight === POPULARITY_TRIAL_WEIGHT,
    draft: { ranking: { popularity_weight: POPULARITY_TRIAL_WEIGHT } },
    puts: [],
    removes: [],
  }
}

/** Settings in which the trial is over. */
export function withTrialEnded(settings: GivenSettings, nowMs: number): GivenSettings {
  const { popularity_trial: trial } = settings
  if (trial === undefined || nowMs >= parseInstant(trial.until)!) return settings
  const untilMs = Math.max(nowMs, parseInstant(trial.from)! + 1)
  const ended = { ...trial, until: new Date(untilMs).toISOString() }
  return { ...settings, popularity_trial: ended }
}
