import type { ReportAnswer, StoreSettings } from '@aisle/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount, formatPercent } from '../../format/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { useMay } from '../../session/session.ts'
import { overSettings } from '../../parts/store-queries.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { currentTimeMs, useNow } from '../../state/clock.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote, Note, Skeleton } from '../../ui/states.tsx'
import { perform } from '../../state/change.ts'

const DAY_MS = 86_400_000
const TRIAL_DAYS = 28
/** What a trial compares with 0. */
const WEIGHT = 0.3

/** Whether popularity helps, asked of the shop's own visitors: a trial, its report, its outcome. */
export function PopularityTrial({ settings }: { readonly settings: StoreSettings }): ReactNode {
  const { calls } = useStore()
  const refresh = useRefresh()
  const mayEdit = useMay('editor')
  const { popularity_trial: trial, version } = settings
  // Seen again while the page is open, and at once when it was ended here.
  const nowMs = Math.max(useNow(), currentTimeMs())
  const isRunning = trial !== null && Date.parse(trial.until) > nowMs

  const {
    mutate: change,
    error,
    isPending,
  } = useMutation({
    mutationFn: ({ patch, done }: { patch: Record<string, unknown>; done: string }) =>
      perform({
        write: () => overSettings(calls, settings, (etag) => calls.changeSettings(patch, etag)),
        after: () => refresh('settings'),
        done: () => done,
        undo: ({ etag }) => calls.rollbackSettings(version, etag).then(() => refresh('settings')),
      }),
    onError: () => refresh('settings'),
  })
  const start = (): void => {
    const startMs = currentTimeMs()
    const [from, until] = [startMs, startMs + TRIAL_DAYS * DAY_MS].map((ms) =>
      new Date(ms).toISOString(),
    )
    change({ patch: { popularity_trial: { from, until } }, done: 'Trial started' })
  }
  const common = { size: 'small', isDisabled: !mayEdit || isPending } as const

  return (
    <section className="popularity-trial stack" aria-label="Trial of popularity">
      <div className="row row-apart">
        <h3>Trial of popularity</h3>
        {trial !== null && (
          <span className="row small">
            <Badge kind={isRunning ? 'accent' : 'plain'}>{isRunning ? 'Running' : 'Over'}</Badge>
            <span className="muted">
              {isRunning ? 'ends ' : 'ended '}
              <Time at={trial.until} />
            </span>
          </span>
        )}
      </div>
      <p className="muted small">
        For {TRIAL_DAYS} days, visitors see results drawn from two orders: without popularity, and
        with a popularity of {WEIGHT}. Their clicks show which order they prefer. Nothing else
        changes.
      </p>
      {trial !== null && <Outcome trial={trial} />}
      {error !== null && <ErrorNote attempt="load" error={error} />}
      <div className="row">
        {!isRunning && (
          <Button {...common} onPress={start}>
            {trial === null ? 'Start trial' : 'Start another trial'}
          </Button>
        )}
        {isRunning && (
          <Button
            {...common}
            onPress={() =>
              change({
                patch: { popularity_trial: { until: new Date(currentTimeMs()).toISOString() } },
                done: 'Trial ended',
              })
            }
          >
            End trial
          </Button>
        )}
        {trial !== null && settings.ranking.popularity_weight !== WEIGHT && (
          <Button
            {...common}
            onPress={() =>
              change({
                patch: { ranking: { popularity_weight: WEIGHT }, popularity_trial: null },
                done: `Popularity counts ${WEIGHT}`,
              })
            }
          >
            Set popularity to {WEIGHT}
          </Button>
        )}
      </div>
    </section>
  )
}

function Outcome({ trial }: { readonly trial: { from: string; until: string } }): ReactNode {
  const { storeId, calls } = useStore()
  const report = useQuery({
    queryKey: ['popularity-trial', storeId, trial.from, trial.until],
    queryFn: () =>
      calls.report('popularity-trial', { from: trial.from, to: trial.until, limit: 1 }),
    staleTime: 60_000,
    retry: false,
  })
  if (report.isError) return <ErrorNote attempt="load" error={report.error} />
  if (report.data === undefined) return <Skeleton height={72} />
  const { totals } = report.data
  return (
    <>
      <dl className="popularity-figures">
        <Figure label="Saw a difference" value={formatCount(totals.sessions, 'session')} />
        <Figure label="Chose popularity" value={String(totals.wins)} />
        <Figure label="Chose without popularity" value={String(totals.losses)} />
        <Figure label="No preference" value={String(totals.ties)} />
        <Figure
          label="Share for popularity"
          value={
            totals.win_rate === null
              ? '–'
              : `${formatPercent(totals.win_rate, 0)} (${formatPercent(totals.low, 0)} to ${formatPercent(totals.high, 0)})`
          }
        />
      </dl>
      <Note kind={totals.is_won ? 'good' : 'info'}>{verdictText(totals)}</Note>
    </>
  )
}

function verdictText(totals: ReportAnswer<'popularity-trial'>['totals']): string {
  if (totals.is_won) return 'Visitors prefer popularity. Set its weight.'
  if (totals.high !== null && totals.high < 0.5 && totals.wins + totals.losses >= 100) {
    return 'Visitors prefer results without popularity. Leave its weight at 0.'
  }
  return 'Not decided: at least 100 visitors must choose, and the whole interval must lie above 50%.'
}

function Figure({ label, value }: { readonly label: string; readonly value: string }): ReactNode {
  return (
    <div>
      <dt className="muted small">{label}</dt>
      <dd className="number">{value}</dd>
    </div>
  )
}
