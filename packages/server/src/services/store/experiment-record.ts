import { ApiError, EXPERIMENT_DAYS_MAX, type Experiment, type GivenSettings } from '@aisle/contract'
import type { Analyzer, Schema } from '@aisle/engine'
import { resourceMemo } from '../../domain/store/resource-memo.ts'
import type { ResourceName } from '../../domain/store/resource.ts'
import type { Resource, StoreResources } from '../../ports/catalog/resource-reader.ts'
import { NO_SCHEMA } from '../open-view.ts'
import { draftResources, draftSettings, type DraftSettings } from './relevance-draft.ts'
import { currentSettings } from './store-settings.ts'

/** An experiment as a store remembers it. */
export interface ExperimentRecord extends Pick<
  Experiment,
  'id' | 'name' | 'kind' | 'goal' | 'category'
> {
  readonly draftPercent: number
  /** Only searches with one of these `analytics_tags`; empty: all. */
  readonly tags: readonly string[]
  readonly startedAt: string
  /** Login of the person; absent for a key. */
  readonly startedBy?: string
  /** May lie in the future. */
  readonly endedAt?: string
  readonly endedBy?: string
  /** Whether its end made the draft live. */
  readonly isPublished?: boolean
  readonly draft: DraftSettings
  readonly puts: readonly Resource[]
  readonly removes: readonly ResourceName[]
}

const DAY_MS = 86_400_000

export function experimentResource({ id, ...rest }: ExperimentRecord): Resource {
  return { kind: 'experiment', name: id, json: JSON.stringify(rest) }
}

export const recordOf = resourceMemo(({ name, json }): ExperimentRecord => ({
  id: name,
  ...(JSON.parse(json) as Omit<ExperimentRecord, 'id'>),
}))

/** When it ended, or ends if nobody ends it. */
export function endOf({ startedAt, endedAt }: ExperimentRecord): number {
  if (endedAt !== undefined) return Date.parse(endedAt)
  return Date.parse(startedAt) + EXPERIMENT_DAYS_MAX * DAY_MS
}

interface Made {
  readonly schema: Schema
  readonly analyzer: Analyzer
  readonly resources: StoreResources | undefined
}

const made = new WeakMap<StoreResources, Map<string, Made>>()

/**
 * The resources of a store as if the draft of an experiment were live; the same object until one of
 * both changes.
 *
 * @returns undefined if the draft does not suit the schema any more
 */
export function draftedResources(
  view: {
    readonly resources: StoreResources
    readonly schema: Schema | undefined
    readonly analyzer: Analyzer
  },
  experiment: ExperimentRecord,
): StoreResources | undefined {
  const { resources: live, schema = NO_SCHEMA, analyzer } = view
  const known = made.get(live) ?? new Map<string, Made>()
  made.set(live, known)
  const before = known.get(experiment.id)
  if (before?.schema === schema && before.analyzer === analyzer) return before.resources
  const resources = whereItFits(() => {
    const settings = (given: GivenSettings): GivenSettings =>
      draftSettings(given, experiment.draft, schema, analyzer)
    settings(currentSettings(live).settings)
    return draftResources(live, { ...experiment, settings })
  })
  known.set(experiment.id, { schema, analyzer, resources })
  return resources
}

function whereItFits<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
