import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useResources } from '../../parts/store-queries.ts'
import { Button } from '../../ui/button.tsx'
import { Switch, Select } from '../../ui/choice.tsx'
import { NumberField, TextField } from '../../ui/text-field.tsx'
import { withMember, type DraftProps } from '../../parts/draft-changes.ts'
import { ownValue } from '../../format/own-value.ts'
import type { SynonymItem } from '@aisle/contract'
import { itemLine, parseItems } from '../../parts/word-lines.ts'

/** Rules that are listed; those of a large shop are found on their own page. */
const RULES_SHOWN = 8

/** Rules of B: those of the store on or off, and a boost that is made here. */
export function DraftRules({ draft, onChange }: DraftProps): ReactNode {
  const { data: rules = [] } = useResources('rules')
  const [filter, setFilter] = useState('')
  const [weight, setWeight] = useState(2)
  const own = draft.rules ?? {}
  const made = Object.keys(own).filter((id) => !rules.some(({ name }) => name === id))
  const add = (): void => {
    const ids = new Set([...rules.map(({ name }) => name), ...made])
    let number = 1
    while (ids.has(`boost-${number}`)) number++
    const rule = {
      boost: [{ filter_by: filter.trim(), weight }],
      description: 'Created in the workbench',
    }
    onChange(withMember(draft, 'rules', `boost-${number}`, rule))
    setFilter('')
  }
  return (
    <>
      <h3>Rules</h3>
      {rules.slice(0, RULES_SHOWN).map(({ name, value }) => {
        const isLive = value['enabled'] !== false
        const drafted = ownValue(own, name) as { readonly enabled?: boolean } | null | undefined
        return (
          <div key={name} className="relevance-row">
            <span className="cut" title={name}>
              {name}
              {drafted !== undefined && (
                <span className="small relevance-live"> A: {isLive ? 'on' : 'off'}</span>
              )}
            </span>
            <Switch
              aria-label={`Rule ${name}`}
              isSelected={drafted === undefined ? isLive : drafted?.enabled !== false}
              onChange={(enabled) =>
                onChange(
                  withMember(
                    draft,
                    'rules',
                    name,
                    enabled === isLive ? undefined : { ...value, enabled },
                  ),
                )
              }
            />
          </div>
        )
      })}
      {rules.length > RULES_SHOWN && (
        <p className="small muted">{rules.length - RULES_SHOWN} more, unchanged.</p>
      )}
      {made.map((id) => (
        <div key={id} className="relevance-row">
          <span className="cut small" title={ruleText(ownValue(own, id))}>
            {ruleText(ownValue(own, id))}
          </span>
          <button
            type="button"
            className="text-link"
            onClick={() => onChange(withMember(draft, 'rules', id, undefined))}
          >
            remove
          </button>
        </div>
      ))}
      <div className="relevance-boost">
        <TextField
          label="Boost by a filter"
          isMono
          placeholder="brand:=Norrby"
          value={filter}
          onChange={setFilter}
        />
        <NumberField
          label="Factor"
          minValue={0.001}
          maxValue={1_000}
          value={weight}
          onChange={(next) => setWeight(Number.isFinite(next) ? next : 2)}
        />
        <Button icon={Plus} isDisabled={filter.trim() === ''} onPress={add}>
          Add boost
        </Button>
      </div>
    </>
  )
}

function ruleText(rule: unknown): string {
  const { boost = [] } = (rule ?? {}) as {
    readonly boost?: readonly { readonly filter_by: string; readonly weight: number }[]
  }
  return boost.map(({ filter_by: filter, weight }) => `${filter} × ${weight}`).join(', ')
}

interface SynonymSetValue {
  readonly items?: readonly SynonymItem[]
  readonly default?: boolean
}

/** The set that a store without any gets. */
const NEW_SET = 'synonyms'

/** Synonyms of B, as lines of one of the sets. */
export function DraftSynonyms({ draft, onChange }: DraftProps): ReactNode {
  const { data: sets = [] } = useResources('synonym-sets')
  const [chosen, choose] = useState('')
  const [typed, setTyped] = useState<{ readonly name: string; readonly text: string }>()
  const names = sets.map(({ name }) => name)
  const name = names.includes(chosen) ? chosen : (names[0] ?? NEW_SET)
  const saved = (sets.find((one) => one.name === name)?.value ?? {}) as SynonymSetValue
  const own = ownValue(draft.synonym_sets, name) as SynonymSetValue | undefined
  const lines = linesOf((own ?? saved).items)
  const text = typed?.name === name ? typed.text : lines
  const { badLines } = parseItems(text)
  const take = (next: string): void => {
    setTyped({ name, text: next })
    const { items } = parseItems(next)
    const isSaved = linesOf(items) === linesOf(saved.items)
    const value = { items, default: saved.default ?? true }
    onChange(withMember(draft, 'synonym_sets', name, isSaved ? undefined : value))
  }
  return (
    <>
      <h3>Synonyms</h3>
      {names.length > 1 && (
        <Select
          label="Synonym set"
          isLabelHidden
          options={names.map((value) => ({ value, label: value }))}
          value={name}
          onChange={choose}
        />
      )}
      <TextField
        label={`Synonyms of the set ${name}`}
        isLabelHidden
        lines={3}
        isMono
        placeholder={'sofa, couch\nsneakers => trainers'}
        value={text}
        onChange={take}
        onBlur={() => setTyped(undefined)}
        about={
          badLines.length === 0
            ? 'One per line; => for one way.'
            : `Incomplete: line ${badLines[0]}`
        }
      />
    </>
  )
}

function linesOf(items: readonly SynonymItem[] = []): string {
  return items.map(itemLine).join('\n')
}
