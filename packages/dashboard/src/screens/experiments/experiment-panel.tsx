import type { Experiment, ExperimentReport, ExperimentWithReport } from '@aisle/contract'
import { Check, Square } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount, formatPercent } from '../../format/numbers.ts'
import { draftChanges } from '../../parts/draft-changes.ts'
import { useSettings } from '../../parts/store-queries.ts'
import { useMay } from '../../session/session.ts'
import { useDebounced } from '../../state/clock.ts'
import { Button } from '../../ui/button.tsx'
import { SidePanel, type SidePanelProps } from '../../ui/side-panel.tsx'
import { ErrorNote, Note, SkeletonLines } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Time } from '../../ui/time.tsx'
import { ExperimentChart } from './experiment-chart.tsx'
import { useEnd, useExperiment } from './experiment-data.ts'
import { ExperimentTags } from './experiment-tags.tsx'
import { figureText, GOAL_TEXTS, GOALS, KIND_TEXTS, verdictText } from './experiment-text.ts'
import { Difference } from './figure-difference.tsx'

const REST_MS = 400

/** One experiment: what leads, by how much, how sure that is, and its end. */
export function ExperimentPanel({
  experiment,
  ...panel
}: { readonly experiment: Experiment } & Pick<
  SidePanelProps,
  'onClose' | 'onPrevious' | 'onNext'
>): ReactNode {
  const mayEdit = useMay('editor')
  const end = useEnd(experiment)
  const [tag, setTag] = useState('')
  const asked = useDebounced(tag.trim(), REST_MS)
  const { data, error } = useExperiment(experiment.id, asked)
  const { state, name } = experiment
  return (
    <SidePanel
      title={name}
      {...panel}
      footer={
        mayEdit &&
        state !== 'published' && (
          <>
            {state === 'running' && (
              <Button icon={Square} isDisabled={end.isPending} onPress={() => end.mutate('end')}>
                End
              </Button>
            )}
            <Button
              icon={Check}
              variant={data?.report.verdict === 'draft' ? 'primary' : 'secondary'}
              isDisabled={end.isPending}
              onPress={() => end.mutate('publish')}
            >
              Publish draft
            </Button>
          </>
        )
      }
    >
      {error !== null && <ErrorNote error={error} attempt="load" />}
      {end.error !== null && <ErrorNote error={end.error} attempt="save" />}
      {data === undefined ? (
        error === null && <SkeletonLines count={8} />
      ) : (
        <Report experiment={data} />
      )}
      <TextField
        label="Only searches tagged"
        about="A device or country that your shop sends as an analytics tag"
        value={tag}
        onChange={setTag}
        placeholder="mobile"
      />
    </SidePanel>
  )
}

function Report({ experiment }: { readonly experiment: ExperimentWithReport }): ReactNode {
  const { report, draft, state, kind, draft_percent: percent, tags, category } = experiment
  const settings = useSettings()
  const live = settings.data?.ranking
  const isWon = report.verdict === 'draft'
  return (
    <>
      <Note kind={isWon ? 'good' : 'info'}>{verdictText(experiment, report)}</Note>
      {report.votes === undefined ? null : <Votes votes={report.votes} />}
      {report.figures !== undefined && <Figures experiment={experiment} />}
      <ExperimentTags experiment={experiment} />
      <ExperimentChart experiment={experiment} />
      <p className="muted small">
        {visitorsText(report, kind)}. {KIND_TEXTS[kind]}
        {kind === 'split' && `, ${percent}% of visitors get the draft`}
        {category !== undefined && `, only the page ${category.value}`}
        {tags.length > 0 && `, only searches tagged ${tags.join(', ')}`}. Started{' '}
        <Time at={experiment.started_at} />
        {experiment.started_by !== undefined && ` by ${experiment.started_by}`}
        {state === 'running' ? ', stops ' : ', ended '}
        <Time at={experiment.ends_at} />.
      </p>
      {live !== undefined && (
        <section className="stack gap-4">
          <h3>Draft</h3>
          <ul className="experiment-changes stack gap-4">
            {draftChanges(draft, live).map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function visitorsText({ visitors }: ExperimentReport, kind: Experiment['kind']): string {
  if (kind === 'interleaved') return `${formatCount(visitors.draft, 'visitor')} saw both orders`
  return `${formatCount(visitors.live, 'visitor')} saw what is live, ${formatCount(visitors.draft, 'visitor')} the draft`
}

function Votes({ votes }: { readonly votes: NonNullable<ExperimentReport['votes']> }): ReactNode {
  const { draft, live, ties, draft_share: share, low, high } = votes
  return (
    <div className="stack gap-12">
      <div
        className="experiment-votes"
        role="img"
        aria-label={`${formatPercent(share, 0)} of the votes are for the draft`}
      >
        <span style={{ flexGrow: share ?? 0.5 }} className="experiment-votes-draft" />
        <span style={{ flexGrow: 1 - (share ?? 0.5) }} />
      </div>
      <table className="experiment-figures">
        <tbody>
          <tr>
            <th scope="row">Prefer the draft</th>
            <td>{formatCount(draft, 'visitor')}</td>
          </tr>
          <tr>
            <th scope="row">Prefer what is live</th>
            <td>{formatCount(live, 'visitor')}</td>
          </tr>
          <tr>
            <th scope="row">No preference</th>
            <td>{formatCount(ties, 'visitor')}</td>
          </tr>
          {share !== null && (
            <tr>
              <th scope="row">Share for the draft</th>
              <td>
                {formatPercent(share)}{' '}
                <span className="muted">
                  ({formatPercent(low)} to {formatPercent(high)})
                </span>
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function Figures({ experiment }: { readonly experiment: ExperimentWithReport }): ReactNode {
  const { goal, report } = experiment
  return (
    <table className="experiment-figures">
      <thead>
        <tr>
          <th scope="col">Per visitor</th>
          <th scope="col">Live</th>
          <th scope="col">Draft</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {GOALS.map((name) => {
          const figure = report.figures![name]
          return (
            <tr key={name} className={name === goal ? 'strong' : undefined}>
              <th scope="row">{GOAL_TEXTS[name]}</th>
              <td>{figureText(name, figure.live, report.currency)}</td>
              <td>{figureText(name, figure.draft, report.currency)}</td>
              <td>
                <Difference goal={name} figure={figure} currency={report.currency} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
