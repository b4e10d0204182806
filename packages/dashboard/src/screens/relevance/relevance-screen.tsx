import type { RelevanceDraft } from '@aisle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { FlaskConical, History, Scale, SlidersHorizontal } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { SettingVersions } from '../../parts/setting-versions.tsx'
import { useSettings } from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { useDraft } from '../../state/draft.ts'
import { useMedia } from '../../state/media.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Note, SkeletonLines } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { draftChanges } from '../../parts/draft-changes.ts'
import { ExperimentDialog } from '../../parts/experiment-dialog.tsx'
import { DraftPanel } from './draft-panel.tsx'
import { gainInterval } from './interval.ts'
import { gainsOfClicks, gainsOfPeople, gradeOf, sessionsBehind, withGrade } from './judgments.ts'
import { runSummary } from './metrics.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { RunFigures, type JudgedBy } from './run-figures.tsx'
import { RunTable } from './run-table.tsx'
import { SetBar } from './set-bar.tsx'
import { SideBySide } from './side-by-side.tsx'
import {
  RUN_QUERIES_MAX,
  useClicks,
  useQueryList,
  useRun,
  useSides,
  type QueryList,
} from './workbench-state.ts'
import './relevance.css'

const NO_DRAFT: RelevanceDraft = {}
/** Above this width the draft is beside the results; below it is a sheet. */
const WIDE = '(min-width: 1180px)'
/** While a slider moves, queries wait until it rests. */
const REST_MS = 350

/** The relevance workbench: a draft beside the live configuration, over many queries. */
export function RelevanceScreen(): ReactNode {
  const { storeId } = useStore()
  const client = useQueryClient()
  const mayEdit = useMay('editor')
  const settings = useSettings()
  const list = useQueryList()
  const draft = useDraft<RelevanceDraft>(`relevance/${storeId}`, NO_DRAFT)
  const [isPublishing, setPublishing] = useState(false)
  const [isTrying, setTrying] = useState(false)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const live = settings.data?.ranking
  const count = live === undefined ? 0 : draftChanges(draft.value, live).length
  const isWide = useMedia(WIDE)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const panel = live !== undefined && (
    <DraftPanel draft={draft.value} live={live} onChange={draft.set} onDiscard={draft.clear} />
  )
  const changed = async (): Promise<void> => {
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === storeId })
  }
  return (
    <Page
      title="Relevance"
      about="Compare draft settings with the live ones over many queries, and publish the better ones."
      actions={
        <>
          {!isWide && (
            <Button icon={SlidersHorizontal} onPress={() => setSheetOpen(true)}>
              Change B
            </Button>
          )}
          <Button icon={History} onPress={() => setHistoryOpen(true)}>
            History
          </Button>
          <Button
            icon={FlaskConical}
            isDisabled={!mayEdit || count === 0}
            onPress={() => setTrying(true)}
          >
            Run as experiment
          </Button>
          <Button
            variant="primary"
            isDisabled={!mayEdit || count === 0}
            onPress={() => setPublishing(true)}
          >
            {count === 0 ? 'Publish B' : `Publish B (${formatNumber(count)})`}
          </Button>
        </>
      }
    >
      {!mayEdit && (
        <Note>{ROLE_HINTS.editor}. You can try a draft, but not publish it or save queries.</Note>
      )}
      {settings.error !== null ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : live === undefined ? (
        <SkeletonLines count={8} />
      ) : (
        <div className="relevance-columns">
          {isWide ? (
            panel
          ) : (
            <SidePanel title="Change B" isOpen={isSheetOpen} onClose={() => setSheetOpen(false)}>
              {panel}
            </SidePanel>
          )}
          <Comparison list={list} draft={draft.value} />
        </div>
      )}
      {isPublishing && settings.data !== undefined && (
        <PublishDialog
          draft={draft.value}
          settings={settings.data}
          onClose={() => setPublishing(false)}
          onPublished={() => {
            draft.clear()
            void changed()
          }}
        />
      )}
      {isTrying && (
        <ExperimentDialog
          title="Run B as experiment"
          draft={draft.value}
          onClose={() => setTrying(false)}
        />
      )}
      <SidePanel title="History" isOpen={isHistoryOpen} onClose={() => setHistoryOpen(false)}>
        <SettingVersions onRestored={changed} />
      </SidePanel>
    </Page>
  )
}

function Comparison({
  list,
  draft: moving,
}: {
  readonly list: QueryList
  readonly draft: RelevanceDraft
}): ReactNode {
  const queries = list.draft.value
  const draft = useDebounced(moving, REST_MS)
  const [judgedBy, setJudgedBy] = useUrlState('judged', 'people')
  const byClicks = judgedBy === 'clicks'
  const clicks = useClicks(byClicks)
  const { result, done, total } = useRun(draft, queries)
  const [chosen, choose] = useUrlState('q')
  const run = result.data
  // Until a query is chosen, one with results is shown.
  const first = run?.find(({ live }) => live.found > 0)?.q
  const open =
    queries.find(({ q }) => q === chosen) ?? queries.find(({ q }) => q === first) ?? queries[0]
  const rows = clicks.data
  const gainsOf = useMemo(
    () => (byClicks ? gainsOfClicks(rows ?? []) : gainsOfPeople(queries)),
    [byClicks, rows, queries],
  )
  const summary = useMemo(
    () => (run === undefined ? undefined : runSummary(run, gainsOf)),
    [run, gainsOf],
  )
  const interval = useMemo(
    () => (run === undefined ? undefined : gainInterval(run, gainsOf, byClicks ? rows : undefined)),
    [run, gainsOf, byClicks, rows],
  )
  const sessions =
    byClicks && run !== undefined && rows !== undefined
      ? sessionsBehind(
          rows,
          run.map(({ q }) => q),
        )
      : undefined
  return (
    <div className="stack-groups relevance-main">
      <SetBar list={list} />
      {list.error !== null ? (
        <ErrorState error={list.error} />
      ) : queries.length === 0 && !list.isLoading ? (
        <EmptyState icon={Scale} title="No queries to compare">
          Your visitors' top queries appear here. Until then, type a few queries or import
          judgments.
        </EmptyState>
      ) : result.error !== null ? (
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      ) : (
        <>
          <RunFigures
            summary={summary}
            interval={interval}
            judgedBy={byClicks ? 'clicks' : 'people'}
            onJudgedBy={(by: JudgedBy) => setJudgedBy(by)}
            sessions={sessions}
          />
          {result.isFetching && total > 0 && (
            <div className="relevance-progress row row-whole gap-12">
              <progress max={total} value={done} aria-label="Queries compared" />
              <span className="small muted number">
                {formatNumber(done)} of {formatNumber(total)}
              </span>
            </div>
          )}
          {queries.length > RUN_QUERIES_MAX && (
            <Note>
              The {formatNumber(RUN_QUERIES_MAX)} queries that count most are compared, of{' '}
              {formatNumber(queries.length)}.
            </Note>
          )}
          {open !== undefined && (
            <OpenQuery
              draft={draft}
              q={open.q}
              gradeOf={(id) => gradeOf(open, id)}
              onGrade={(id, grade) => list.draft.set(withGrade(queries, open.q, id, grade))}
            />
          )}
          <section className="section card" aria-label="All queries">
            <RunTable run={run} gainsOf={gainsOf} openQuery={open?.q ?? ''} onOpen={choose} />
          </section>
        </>
      )}
    </div>
  )
}

function OpenQuery({
  draft,
  q,
  gradeOf: grade,
  onGrade,
}: {
  readonly draft: RelevanceDraft
  readonly q: string
  readonly gradeOf: (id: string) => number | undefined
  readonly onGrade: (id: string, grade: number | undefined) => void
}): ReactNode {
  const settings = useSettings()
  const { data, error, refetch } = useSides(draft, q)
  return (
    <section className="section card" aria-label="Results side by side">
      <h2 className="cut" title={q}>
        {q}
      </h2>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines count={10} />
      ) : (
        <SideBySide
          {...data}
          card={settings.data?.product_card}
          gradeOf={grade}
          onGrade={onGrade}
        />
      )}
    </section>
  )
}
