import type { SynonymItem } from '@aisle/contract'
import { useState, type ReactNode } from 'react'
import { useResources } from '../../parts/store-queries.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { withMember, type DraftProps } from './draft-changes.ts'
import { linesOfSynonyms, synonymsOfLines } from './synonym-lines.ts'
import { ownValue } from '../../format/own-value.ts'

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
  const lines = linesOfSynonyms((own ?? saved).items ?? [])
  const text = typed?.name === name ? typed.text : lines
  const { faults } = synonymsOfLines(text)
  const take = (next: string): void => {
    setTyped({ name, text: next })
    const { items } = synonymsOfLines(next)
    const isSaved =
      JSON.stringify(linesOfSynonyms(items)) === JSON.stringify(linesOfSynonyms(saved.items ?? []))
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
        placeholder={'sofa, couch\nsneakers -> trainers'}
        value={text}
        onChange={take}
        onBlur={() => setTyped(undefined)}
        about={
          faults.length === 0
            ? 'A line each; -> finds one way only.'
            : `Not complete yet: ${faults[0]}`
        }
      />
    </>
  )
}
