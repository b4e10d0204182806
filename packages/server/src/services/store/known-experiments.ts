import { POPULARITY_TRIAL_ID } from '@aisle/contract'
import { parseInstant } from '../../domain/values/iso-instant.ts'
import type { Resource, StoreResources } from '../../ports/catalog/resource-reader.ts'
import { endOf, recordOf, type ExperimentRecord } from './experiment-record.ts'
import { popularityTrial } from './popularity-trial.ts'
import { currentSettings } from './store-settings.ts'

export function experimentOf(
  resources: StoreResources,
  id: string,
  nowMs: number,
): ExperimentRecord | undefined {
  if (id === POPULARITY_TRIAL_ID) return popularityTrial(resources, nowMs)
  const resource = resources.get('experiment', id)
  return resource === undefined ? undefined : recordOf(resource)
}

/** Newest first. */
export function experimentsOf(
  resources: StoreResources,
  nowMs: number,
): readonly ExperimentRecord[] {
  const trial = popularityTrial(resources, nowMs)
  const stored = storedExperiments(resources)
  return trial === undefined ? stored : [trial, ...stored].toSorted(byStart).toReversed()
}

/** Without the popularity trial of the settings; newest first. */
export function storedExperiments(resources: StoreResources): readonly ExperimentRecord[] {
  return inOrder(resources.list('experiment')).toReversed()
}

/** Those that take searches at a moment, in the order of their starts; a popularity trial last. */
export function runningExperiments(
  resources: StoreResources,
  nowMs: number,
): readonly ExperimentRecord[] {
  const list = resources.list('experiment')
  const trial = popularityTrial(resources, nowMs)
  if (list.length === 0 && trial === undefined) return NONE
  const all = trial === undefined ? inOrder(list) : [...inOrder(list), trial]
  return all.filter((one) => nowMs < endOf(one))
}

/** What a popularity trial of the settings, running or planned, loses to other experiments. */
export function trialWarnings(resources: StoreResources, nowMs: number): string[] {
  const { popularity_trial: trial } = currentSettings(resources).settings
  if (trial === undefined || nowMs >= parseInstant(trial.until)!) return []
  const firstMs = Math.max(nowMs, parseInstant(trial.from)!)
  return inOrder(resources.list('experiment'))
    .filter((one) => firstMs < endOf(one))
    .map(({ id, name, tags, category }) => {
      const rest =
        tags.length === 0 && category === undefined
          ? 'no searches'
          : 'only the searches that it does not take'
      return `While the experiment "${name}" (${id}) runs, the popularity trial gets ${rest}`
    })
}

const NONE: readonly ExperimentRecord[] = []

/** A list stays the same array until one of the experiments changes. */
const ordered = new WeakMap<readonly Resource[], readonly ExperimentRecord[]>()

function inOrder(list: readonly Resource[]): readonly ExperimentRecord[] {
  let records = ordered.get(list)
  if (records === undefined) {
    records = list.map(recordOf).toSorted(byStart)
    ordered.set(list, records)
  }
  return records
}

function byStart(a: ExperimentRecord, b: ExperimentRecord): number {
  return a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0
}
