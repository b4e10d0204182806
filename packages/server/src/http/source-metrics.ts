import type { SourceState } from '../services/sources/source-follower.ts'
import { Counter, Gauge, type Registry } from './prometheus.ts'

/** Sources with separate figures; of the others the worst is shown. */
const SOURCES_LABELLED_MAX = 100

type RunFigures = Readonly<
  Record<'added' | 'changed' | 'unchanged' | 'removed' | 'refused', number>
>
type FollowFigures = Readonly<Record<'changed' | 'deleted' | 'refused', number>>

/** Figures of sources. States are those of the last poll, so that a scrape reads nothing. */
export interface SourceMetrics {
  readonly addRun: (storeId: string, state: string, figures: RunFigures) => void
  readonly addChanges: (storeId: string, figures: FollowFigures) => void
  readonly addFollowError: (storeId: string) => void
  /** Of all sources that are scheduled or followed, the oldest source first. */
  readonly setStates: (states: readonly SourceState[]) => void
}

interface Options {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly namesStores: boolean
  readonly storeLabel: (storeId: string) => string
}

export function createSourceMetrics(
  registry: Registry,
  { now, namesStores, storeLabel }: Options,
): SourceMetrics {
  const registers = [registry]
  const runs = new Counter({
    name: 'aisle_source_runs_total',
    help: 'Runs of sources by their end; shrunk = removed nothing because too much was missing',
    labelNames: ['store', 'state'],
    registers,
  })
  const documents = new Counter({
    name: 'aisle_source_documents_total',
    help: 'Documents of sources: added, changed, unchanged, removed, refused',
    labelNames: ['store', 'result'],
    registers,
  })
  const followed = new Counter({
    name: 'aisle_source_follow_documents_total',
    help: 'Documents of sources that are followed: changed, deleted, refused',
    labelNames: ['store', 'result'],
    registers,
  })
  const errors = new Counter({
    name: 'aisle_source_follow_errors_total',
    help: 'Attempts to read the changes of a source that failed',
    labelNames: ['store'],
    registers,
  })
  let states: readonly SourceState[] = []
  const gauge = (
    name: string,
    help: string,
    sinceOf: (state: SourceState) => number | undefined,
  ): Gauge =>
    new Gauge({
      name,
      help,
      labelNames: ['store', 'source'],
      // Every thread sees the same sources.
      aggregator: 'max',
      registers,
      collect() {
        this.reset()
        const rest = namesStores ? 'other' : 'all'
        const labelledMax = namesStores ? SOURCES_LABELLED_MAX : 0
        let restSeconds: number | undefined
        for (const [i, state] of states.entries()) {
          const sinceMs = sinceOf(state)
          if (sinceMs === undefined) continue
          const seconds = Math.max(0, now() - sinceMs) / 1_000
          if (i < labelledMax) this.set({ store: state.storeId, source: state.name }, seconds)
          else restSeconds = Math.max(restSeconds ?? 0, seconds)
        }
        if (restSeconds !== undefined) this.set({ store: rest, source: rest }, restSeconds)
      },
    })
  gauge(
    'aisle_source_good_age_seconds',
    'Seconds since a source was last read completely, or answered that nothing has changed',
    ({ goodAtMs }) => goodAtMs,
  )
  gauge(
    'aisle_source_follow_lag_seconds',
    'Seconds since a source that is followed last answered',
    ({ readAtMs }) => readAtMs,
  )
  return {
    addRun(storeId, state, figures) {
      const store = storeLabel(storeId)
      runs.inc({ store, state })
      for (const result of ['added', 'changed', 'unchanged', 'removed', 'refused'] as const) {
        documents.inc({ store, result }, figures[result])
      }
    },
    addChanges(storeId, figures) {
      const store = storeLabel(storeId)
      for (const result of ['changed', 'deleted', 'refused'] as const) {
        if (figures[result] > 0) followed.inc({ store, result }, figures[result])
      }
    },
    addFollowError: (storeId) => errors.inc({ store: storeLabel(storeId) }),
    setStates(all) {
      states = all
    },
  }
}
