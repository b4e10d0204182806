import { Wand } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { useMay } from '../../session/session.ts'
import { useNow } from '../../state/clock.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Select, Switch } from '../../ui/choice.tsx'
import { EmptyState, Note } from '../../ui/states.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { UsagePeriod, usageColumns, useUsage } from '../../parts/usage.tsx'
import { TextHint } from '../../ui/hint.tsx'
import type { Column } from '../../ui/table-model.ts'
import { Table } from '../../ui/table.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { toast } from '../../state/toasts.ts'
import { conflictText } from './conflict-words.ts'
import { changedRule, type NamedRule } from './rule-draft.ts'
import { effectTexts, ruleState, scheduleText, whenText, type RuleState } from './rule-words.ts'
import type { RuleConflict } from '@aisle/contract'
import { useRuleConflicts, useStrategies, type Rules } from './rules-data.ts'
import { RuleFiles } from './rule-files.tsx'
import { RuleOrder } from './rule-order.tsx'
import { StrategyList } from './strategy-list.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useMutation } from '@tanstack/react-query'
import { perform } from '../../state/change.ts'
import { numberColumn, textColumn } from '../../ui/columns.tsx'

interface Row extends NamedRule {
  readonly state: RuleState
  readonly conflicts: readonly RuleConflict[]
  /** The title of its strategy. */
  readonly strategy: string | undefined
}

const STATES: Readonly<Record<RuleState, readonly [string, 'good' | 'plain' | 'accent']>> = {
  on: ['On', 'good'],
  off: ['Off', 'plain'],
  planned: ['Scheduled', 'accent'],
  ended: ['Ended', 'plain'],
}
const NO_CONFLICTS: readonly RuleConflict[] = []

/** All rules, in the order in which they apply. */
export function RulesList({ rules }: { readonly rules: Rules }): ReactNode {
  const { query } = rules
  const mayEdit = useMay('editor')
  const change = useUrlChange()
  const [text, setText] = useUrlState('find', '', { isTyped: true })
  const [state, setState] = useUrlState('state')
  const nowMs = useNow()
  const usage = useUsage('rules')
  const [strategy, setStrategy] = useUrlState('strategy')
  const conflicts = useRuleConflicts().data
  const strategies = useStrategies()
  const groups = strategies.query.data
  const rows = useMemo(() => {
    const titles = new Map(groups?.map(({ name, value }) => [name, value.title]))
    return query.data?.map((rule): Row => ({
      ...rule,
      state: ruleState(rule.value, nowMs),
      conflicts: conflicts?.byRule.get(rule.id) ?? NO_CONFLICTS,
      strategy: rule.value.strategy && (titles.get(rule.value.strategy) ?? rule.value.strategy),
    }))
  }, [query.data, nowMs, conflicts, groups])
  const isIdle = (row: Row): boolean =>
    row.state === 'on' && (usage.searches ?? 0) > 0 && usage.of(row.id) === undefined
  const shown = rows?.filter(
    (row) =>
      (state === 'idle' ? isIdle(row) : hasState(row, state)) &&
      (strategy === '' || row.value.strategy === strategy) &&
      hasWords(row, text),
  )

  const { mutate: turn } = useMutation({
    mutationFn: ({ row: { id, value }, enabled }: { row: Row; enabled: boolean }) =>
      perform({
        write: () => rules.change(id, (newest) => changedRule(newest, { enabled })),
        done: () => (enabled ? `“${id}” applies again` : `“${id}” is off`),
        undo: () => rules.change(id, (newest) => changedRule(newest, { enabled: value.enabled })),
      }),
    onError: (_, { row }) => toast(`Couldn't change “${row.id}”`, 'bad'),
  })
  const columns: readonly Column<Row>[] = [
    textColumn('rule', 'Rule', ({ id }) => id, {
      width: '20%',
      cell: ({ id, value, strategy }) => (
        <span className="rules-name">
          <span className="strong">{id}</span>
          {value.description !== undefined && (
            <span className="small muted rules-lines">{value.description}</span>
          )}
          {strategy !== undefined && <span className="small muted">In “{strategy}”</span>}
        </span>
      ),
    }),
    textColumn('when', 'When', ({ value }) => whenText(value), {
      cell: ({ value }) => {
        const schedule = scheduleText(value)
        return (
          <span className="rules-name">
            <span className="rules-lines">{whenText(value)}</span>
            {schedule !== undefined && <span className="small muted">{schedule}</span>}
          </span>
        )
      },
    }),
    textColumn('effect', 'What it does', ({ value }) => effectTexts(value).join(', '), {
      cell: ({ value }) => (
        <span className="rules-effect">
          <span className="rules-lines">{effectTexts(value).join(', ') || 'nothing yet'}</span>
        </span>
      ),
    }),
    ...usageColumns<Row>(
      usage,
      'Applied',
      ({ id }) => id,
      (row) => row.state === 'on',
    ),
    numberColumn('conflicts', 'Conflicts', ({ conflicts }) => conflicts.length, {
      isNumber: false,
      width: '104px',
      cell: ({ id, conflicts }) =>
        conflicts.length === 0 ? (
          <span className="muted">–</span>
        ) : (
          <TextHint
            text={conflicts
              .slice(0, 3)
              .map((one) => conflictText(one, id))
              .join(' ')}
          >
            <Badge kind="warn">{formatCount(conflicts.length, 'conflict')}</Badge>
          </TextHint>
        ),
    }),
    numberColumn('priority', 'Priority', ({ value }) => value.priority ?? 0, { width: '92px' }),
    textColumn('state', 'Status', (row) => STATES[row.state][0], {
      isMain: true,
      width: '132px',
      cell: (row) => (
        <span className="row row-whole">
          <Switch
            aria-label={`${row.id} applies`}
            isSelected={row.value.enabled !== false}
            isDisabled={!mayEdit}
            onChange={(enabled) => turn({ row, enabled })}
          />
          <Badge kind={STATES[row.state][1]}>{STATES[row.state][0]}</Badge>
        </span>
      ),
    }),
  ]
  const table = (
    <>
      {conflicts?.isComplete === false && (
        <Note kind="warn">
          Only the first {formatCount(conflicts.count, 'conflict')} are listed: a rule may have more
          than it shows.
        </Note>
      )}
      <Table
        label="Rules"
        name="rules"
        rows={shown}
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => change({ rule: id })}
        total={rows?.length ?? 0}
        tools={
          <>
            <SearchField label="Find rules" value={text} onChange={setText} />
            <div className="rules-filter">
              <Select
                label="State"
                isLabelHidden
                options={FILTERS}
                value={state}
                onChange={setState}
              />
            </div>
            {groups !== undefined && groups.length > 0 && (
              <div className="rules-filter">
                <Select
                  label="Strategy"
                  isLabelHidden
                  options={[
                    { value: '', label: 'Any strategy' },
                    ...groups.map(({ name, value }) => ({ value: name, label: value.title })),
                  ]}
                  value={strategy}
                  onChange={setStrategy}
                />
              </div>
            )}
            <UsagePeriod usage={usage} />
          </>
        }
        empty={
          <EmptyState icon={Wand} title="No rule matches">
            Try other words or another status.
          </EmptyState>
        }
      />
    </>
  )
  const none = (
    <EmptyState icon={Wand} title="No rules yet">
      A rule changes the results of chosen searches: this week's tents first, sold-out products
      last, a banner, a redirect for “returns”.
    </EmptyState>
  )
  const isEmpty = query.data?.length === 0
  return (
    <ListPage
      title="Rules"
      about="Pin, hide and boost products, show banners and rewrite queries for the searches you choose."
      icon={Wand}
      query={query}
      makeLabel="Create rule"
      more={<RuleFiles rules={query.data ?? []} />}
      onMake={() => change({ new: 'true' })}
    >
      <Tabs
        label="Rules"
        parameter="list"
        tabs={[
          { id: 'rules', label: 'Rules', content: isEmpty ? none : table },
          {
            id: 'order',
            label: 'Order',
            content: isEmpty ? none : <RuleOrder all={query.data ?? []} />,
          },
          {
            id: 'strategies',
            label: 'Strategies',
            content: <StrategyList strategies={strategies} rules={query.data ?? []} />,
          },
        ]}
      />
    </ListPage>
  )
}

const FILTERS = [
  { value: '', label: 'Any status' },
  ...Object.entries(STATES).map(([value, [label]]) => ({ value, label })),
  { value: 'conflict', label: 'In conflict' },
  { value: 'idle', label: 'On, never applied' },
]

function hasState(row: Row, state: string): boolean {
  if (state === 'conflict') return row.conflicts.length > 0
  return state === '' || row.state === state
}

function hasWords({ id, value }: Row, text: string): boolean {
  const all = [id, value.description ?? '', whenText(value), ...effectTexts(value)].join(' ')
  return all.toLowerCase().includes(text.trim().toLowerCase())
}
