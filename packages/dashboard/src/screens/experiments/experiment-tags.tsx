import type { Experiment, ExperimentTagReport, ExperimentWithReport } from '@aisle/contract'
import { useState, type ReactNode } from 'react'
import { formatNumber, formatPercent } from '../../format/numbers.ts'
import { Select } from '../../ui/choice.tsx'
import { figureText, GOAL_TEXTS, GOALS } from './experiment-text.ts'
import { Difference } from './figure-difference.tsx'

const OPTIONS = GOALS.map((goal) => ({ value: goal, label: GOAL_TEXTS[goal] }))

/** The same figures for each tag of the searches: devices, countries. */
export function ExperimentTags({
  experiment: { kind, goal, report },
}: {
  readonly experiment: ExperimentWithReport
}): ReactNode {
  const [shown, setShown] = useState<Experiment['goal']>(goal)
  const tags = report.by_tag ?? []
  if (tags.length === 0) return null
  return (
    <section className="stack gap-8">
      <h3>By tag</h3>
      {kind === 'split' && (
        <Select label="Figure" options={OPTIONS} value={shown} onChange={setShown} />
      )}
      <div className="experiment-tags">
        {kind === 'split' ? <SplitTags tags={tags} goal={shown} /> : <VoteTags tags={tags} />}
      </div>
      <p className="muted small">
        Each interval may be wrong for 1 row in 20, so one clear row among many proves nothing. Try
        it in an experiment with only this tag.
      </p>
    </section>
  )
}

function SplitTags({
  tags,
  goal,
}: {
  readonly tags: readonly ExperimentTagReport[]
  readonly goal: Experiment['goal']
}): ReactNode {
  return (
    <table className="experiment-figures">
      <thead>
        <tr>
          <th scope="col">Tag</th>
          <th scope="col">Visitors</th>
          <th scope="col">Live</th>
          <th scope="col">Draft</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {tags.map(({ tag, visitors, figures, currency }) => {
          const figure = figures![goal]
          return (
            <tr key={tag}>
              <th scope="row">
                <bdi>{tag}</bdi>
              </th>
              <td>{formatNumber(visitors.live + visitors.draft)}</td>
              <td>{figureText(goal, figure.live, currency)}</td>
              <td>{figureText(goal, figure.draft, currency)}</td>
              <td>
                <Difference goal={goal} figure={figure} currency={currency} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function VoteTags({ tags }: { readonly tags: readonly ExperimentTagReport[] }): ReactNode {
  return (
    <table className="experiment-figures">
      <thead>
        <tr>
          <th scope="col">Tag</th>
          <th scope="col">Visitors</th>
          <th scope="col">For live</th>
          <th scope="col">For the draft</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {tags.map(({ tag, visitors, votes }) => (
          <tr key={tag}>
            <th scope="row">
              <bdi>{tag}</bdi>
            </th>
            <td>{formatNumber(visitors.draft)}</td>
            <td>{formatNumber(votes?.live ?? 0)}</td>
            <td>{formatNumber(votes?.draft ?? 0)}</td>
            <td>
              {formatPercent(votes?.draft_share ?? null)}
              {typeof votes?.low === 'number' && (
                <div className="muted small">
                  {formatPercent(votes.low)} to {formatPercent(votes.high)}
                </div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
