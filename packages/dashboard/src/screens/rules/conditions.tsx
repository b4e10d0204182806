import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { RuleEditorState } from './editor-state.ts'
import { FilterField } from '../../parts/filter-field.tsx'
import { RemovePart } from './part.tsx'
import type { Condition } from './rule-draft.ts'

type Match = NonNullable<Condition['match']>

const MATCHES: readonly {
  readonly value: Match
  readonly label: string
  readonly about: string
}[] = [
  { value: 'contains', label: 'contains', about: 'These words in a row, anywhere' },
  { value: 'exact', label: 'is', about: 'Exactly these words' },
  { value: 'starts_with', label: 'starts with', about: 'Begins with these words' },
  { value: 'ends_with', label: 'ends with', about: 'Ends with these words' },
  { value: 'any', label: 'is any', about: 'Any query' },
  { value: 'empty', label: 'is empty', about: 'Category pages without a query' },
]

/** When the rule applies, as sentences. */
export function Conditions({
  state: { rule, change },
  isDisabled,
  errorAt,
}: {
  readonly state: RuleEditorState
  readonly isDisabled: boolean
  readonly errorAt: (path: string) => string | undefined
}): ReactNode {
  const { when = [] } = rule
  const setAll = (next: readonly Condition[]): void =>
    change({ when: next.length === 0 ? undefined : [...next] })
  return (
    <div className="stack">
      {when.length === 0 && <p className="muted">Every search, and pages without a query.</p>}
      {when.map((condition, i) => (
        <OneCondition
          key={i}
          lead={i === 0 ? 'When the query' : 'Or when the query'}
          condition={condition}
          isDisabled={isDisabled}
          errorAt={(name) => errorAt(`when[${i}].${name}`)}
          onChange={(next) => setAll(when.with(i, next))}
          onRemove={() => setAll(when.toSpliced(i, 1))}
        />
      ))}
      <div>
        <Button
          size="small"
          icon={Plus}
          isDisabled={isDisabled}
          onPress={() => setAll([...when, { query: '', match: 'contains' }])}
        >
          {when.length === 0 ? 'Add condition' : 'Add another'}
        </Button>
      </div>
    </div>
  )
}

function OneCondition({
  lead,
  condition,
  onChange,
  onRemove,
  isDisabled,
  errorAt,
}: {
  readonly lead: string
  readonly condition: Condition
  readonly onChange: (condition: Condition) => void
  readonly onRemove: () => void
  readonly isDisabled: boolean
  readonly errorAt: (name: string) => string | undefined
}): ReactNode {
  const { query, match, contexts, filter_by } = condition
  const how = match ?? (query === undefined ? 'any' : 'exact')
  const hasWords = how !== 'any' && how !== 'empty'
  const set = (name: keyof Condition, value: unknown): void => {
    const { [name]: _, ...others } = condition
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  const setMatch = (next: Match): void => {
    const { query: words = '', ...others } = condition
    const isWordless = next === 'any' || next === 'empty'
    onChange(isWordless ? { ...others, match: next } : { ...others, match: next, query: words })
  }
  const more = [
    {
      label: 'Page context',
      about: 'From rule_contexts: web, app, a campaign',
      isDisabled: contexts !== undefined,
      onAction: () => set('contexts', []),
    },
    {
      label: 'Visitor filter',
      about: 'A category, a brand, a price',
      isDisabled: filter_by !== undefined,
      onAction: () => set('filter_by', ''),
    },
  ]
  return (
    <div className="rules-sentence stack gap-6">
      <Lead text={lead} label="Remove condition" isDisabled={isDisabled} onRemove={onRemove} />
      <div className="rules-words">
        <div className="rules-match">
          <Select
            label="Query match"
            isLabelHidden
            options={MATCHES}
            value={how}
            onChange={setMatch}
            isDisabled={isDisabled}
          />
        </div>
        {hasWords && (
          <div className="grow">
            <TextField
              label="Query words"
              isLabelHidden
              placeholder="tent"
              maxLength={200}
              value={query ?? ''}
              onChange={(words) => set('query', words)}
              isDisabled={isDisabled}
              error={errorAt('query')}
            />
          </div>
        )}
      </div>
      {contexts !== undefined && (
        <>
          <Lead
            text="and the context is one of"
            label="Remove contexts"
            isDisabled={isDisabled}
            onRemove={() => set('contexts', undefined)}
          />
          <div className="rules-words">
            <div className="grow">
              <TextField
                label="Contexts, separated by commas"
                isLabelHidden
                placeholder="web, app"
                value={contexts.join(', ')}
                onChange={(text) => set('contexts', contextsOf(text))}
                isDisabled={isDisabled}
                error={errorAt('contexts')}
              />
            </div>
          </div>
        </>
      )}
      {filter_by !== undefined && (
        <>
          <Lead
            text="and this filter is on"
            label="Remove filter"
            isDisabled={isDisabled}
            onRemove={() => set('filter_by', undefined)}
          />
          <FilterField
            label="Filter of the visitor"
            value={filter_by}
            onChange={(filter) => set('filter_by', filter)}
            isDisabled={isDisabled}
            error={errorAt('filter_by')}
          />
        </>
      )}
      {(contexts === undefined || filter_by === undefined) && (
        <ActionMenu
          label="And …"
          actions={more}
          trigger={
            <Button size="small" variant="ghost" icon={Plus} isDisabled={isDisabled}>
              And …
            </Button>
          }
        />
      )}
    </div>
  )
}

function Lead({
  text,
  label,
  isDisabled,
  onRemove,
}: {
  readonly text: string
  readonly label: string
  readonly isDisabled: boolean
  readonly onRemove: () => void
}): ReactNode {
  return (
    <div className="rules-words">
      <span className="grow">{text}</span>
      <RemovePart label={label} isDisabled={isDisabled} onPress={onRemove} />
    </div>
  )
}

/** A comma at the end means that a word is still being typed. */
function contextsOf(text: string): string[] {
  const parts = text.split(',').map((part) => part.trimStart())
  return text.trim() === '' ? [] : parts
}
