import type { PutStrategyRequest } from '@aisle/contract'
import { useMutation } from '@tanstack/react-query'
import { Layers, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { formatCount } from '../../format/numbers.ts'
import { TIME_ZONE } from '../../format/time.ts'
import { useMay } from '../../session/session.ts'
import { storePath, useStore } from '../../session/store.ts'
import { perform } from '../../state/change.ts'
import { useNow } from '../../state/clock.ts'
import { toast } from '../../state/toasts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { ConfirmDialog, FormDialog } from '../../ui/form-dialog.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { NamedRule, Window } from './rule-draft.ts'
import { instantOf, localInput, ruleState, scheduleText } from './rule-words.ts'
import type { NamedStrategy, Strategies } from './rules-data.ts'

const STATES = {
  on: ['On', 'good'],
  off: ['Off', 'plain'],
  planned: ['Scheduled', 'accent'],
  ended: ['Ended', 'plain'],
} as const

/** Groups of rules that are switched on and off together. */
export function StrategyList({
  strategies,
  rules,
}: {
  readonly strategies: Strategies
  readonly rules: readonly NamedRule[]
}): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const nowMs = useNow()
  const [edited, edit] = useState<NamedStrategy | 'new'>()
  const [deleted, remove] = useState<NamedStrategy>()
  const { mutate: turn } = useMutation({
    mutationFn: ({ name, value, enabled }: NamedStrategy & { readonly enabled: boolean }) =>
      perform({
        write: () => strategies.change(name, (newest) => ({ ...newest, enabled })),
        done: () => `“${value.title}” is ${enabled ? 'on' : 'off'}`,
        undo: () => strategies.change(name, (newest) => ({ ...newest, enabled: !enabled })),
      }),
    onError: (_, { value }) => toast(`Couldn't change “${value.title}”`, 'bad'),
  })
  const { query } = strategies
  const createButton = (
    <Button icon={Plus} isDisabled={!mayEdit} onPress={() => edit('new')}>
      Create strategy
    </Button>
  )
  return (
    <div className="stack">
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data?.length === 0 ? (
        <EmptyState icon={Layers} title="No strategies yet" action={createButton}>
          A strategy is a group of rules, such as “Summer sale”: switch all of them on and off
          together, or set their dates once.
        </EmptyState>
      ) : (
        <>
          <div className="row">
            <p className="muted grow">A rule applies only while its strategy is on.</p>
            {createButton}
          </div>
          <ul className="stack gap-8" aria-label="Strategies">
            {query.data?.map((strategy) => {
              const { name, value } = strategy
              const count = rules.filter((rule) => rule.value.strategy === name).length
              const [label, kind] = STATES[ruleState(value, nowMs)]
              return (
                <li key={name} className="card rules-strategy">
                  <Switch
                    aria-label={`${value.title} is on`}
                    isSelected={value.enabled !== false}
                    isDisabled={!mayEdit}
                    onChange={(enabled) => turn({ ...strategy, enabled })}
                  />
                  <div className="grow rules-order-text">
                    <span className="strong">{value.title}</span>
                    <span className="small muted">
                      {scheduleText(value) ?? 'At any time'} ·{' '}
                      <Link
                        href={`${storePath(storeId, 'rules')}?strategy=${encodeURIComponent(name)}`}
                      >
                        {formatCount(count, 'rule')}
                      </Link>
                    </span>
                  </div>
                  <Badge kind={kind}>{label}</Badge>
                  <ActionMenu
                    label={`Change ${value.title}`}
                    actions={[
                      {
                        label: 'Edit',
                        icon: Pencil,
                        isDisabled: !mayEdit,
                        onAction: () => edit(strategy),
                      },
                      {
                        label: 'Delete strategy',
                        icon: Trash2,
                        isDangerous: true,
                        isDisabled: !mayEdit,
                        onAction: () => remove(strategy),
                      },
                    ]}
                  />
                </li>
              )
            })}
          </ul>
        </>
      )}
      {edited !== undefined && (
        <StrategyForm
          saved={edited === 'new' ? undefined : edited}
          strategies={strategies}
          onClose={() => edit(undefined)}
        />
      )}
      <ConfirmDialog
        title={`Delete “${deleted?.value.title ?? ''}”`}
        confirmLabel="Delete strategy"
        isOpen={deleted !== undefined}
        onClose={() => remove(undefined)}
        onConfirm={() => strategies.remove(deleted!.name, deleted!.value)}
      >
        <p>Its rules stay, but do not apply until they have another strategy or none.</p>
      </ConfirmDialog>
    </div>
  )
}

function StrategyForm({
  saved,
  strategies,
  onClose,
}: {
  readonly saved: NamedStrategy | undefined
  readonly strategies: Strategies
  readonly onClose: () => void
}): ReactNode {
  const [value, set] = useState<PutStrategyRequest>(saved?.value ?? { title: '' })
  const name = saved?.name ?? nameOf(value.title)
  const isTaken =
    saved === undefined && strategies.query.data?.some((other) => other.name === name) === true
  const action = useMutation({
    mutationFn: () =>
      perform({
        write: () => strategies.save(name, value, saved?.value),
        after: onClose,
        done: () => `“${value.title}” saved`,
      }),
  })
  const window: Window = value.schedule?.[0] ?? {}
  const setEnd = (end: 'from' | 'until', local: string): void => {
    const { [end]: _, ...other } = window
    const at = instantOf(local)
    const first: Window = at === undefined ? other : { ...other, [end]: at }
    const schedule = [first, ...(value.schedule ?? []).slice(1)].filter(
      ({ from, until }) => from !== undefined || until !== undefined,
    )
    const { schedule: __, ...rest } = value
    set(schedule.length === 0 ? rest : { ...rest, schedule })
  }
  return (
    <FormDialog
      title={saved === undefined ? 'Create strategy' : 'Edit strategy'}
      submitLabel={saved === undefined ? 'Create strategy' : 'Save strategy'}
      onClose={onClose}
      action={{ ...action, mutate: () => action.mutate() }}
      isDisabled={name === '' || value.title.trim() === '' || isTaken}
    >
      <TextField
        name="title"
        label="Title"
        value={value.title}
        onChange={(title) => set({ ...value, title })}
        maxLength={200}
        error={isTaken ? 'There is a strategy with this title' : undefined}
        autoFocus
      />
      <div className="rules-window">
        <TextField
          type="datetime-local"
          label="From"
          value={localInput(window.from)}
          onChange={(local) => setEnd('from', local)}
        />
        <TextField
          type="datetime-local"
          label="until"
          value={localInput(window.until)}
          onChange={(local) => setEnd('until', local)}
        />
      </div>
      <p className="small muted">Without dates, always. In the time zone {TIME_ZONE}.</p>
    </FormDialog>
  )
}

const NAME_MAX_CHARS = 60

/** The name of a new strategy: the words of its title. */
function nameOf(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.join('-').slice(0, NAME_MAX_CHARS)
}
