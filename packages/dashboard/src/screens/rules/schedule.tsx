import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { TIME_ZONE } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { RemovePart, type ConsequenceProps } from './part.tsx'
import type { Window } from './rule-draft.ts'
import { instantOf, localInput } from './rule-words.ts'

/** Windows of time in which the rule applies. */
export function Schedule({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const windows = state.rule.schedule ?? []
  const setAll = (next: readonly Window[]): void =>
    state.change({ schedule: next.length === 0 ? undefined : [...next] })
  const set = (i: number, end: 'from' | 'until', local: string): void => {
    const { [end]: _, ...others } = windows[i]!
    const at = instantOf(local)
    setAll(windows.with(i, at === undefined ? others : { ...others, [end]: at }))
  }
  return (
    <div className="stack">
      {windows.length === 0 && <p className="muted">At any time.</p>}
      {windows.map((window, i) => (
        <div key={i} className="rules-window">
          <TextField
            type="datetime-local"
            label={i === 0 ? 'From' : 'or from'}
            value={localInput(window.from)}
            onChange={(local) => set(i, 'from', local)}
            isDisabled={isDisabled}
            error={errorAt(`schedule[${i}].from`) ?? errorAt(`schedule[${i}]`)}
          />
          <TextField
            type="datetime-local"
            label="until"
            value={localInput(window.until)}
            onChange={(local) => set(i, 'until', local)}
            isDisabled={isDisabled}
            error={errorAt(`schedule[${i}].until`)}
          />
          <RemovePart
            label="Remove period"
            isDisabled={isDisabled}
            onPress={() => setAll(windows.toSpliced(i, 1))}
          />
        </div>
      ))}
      {windows.length > 0 && <p className="small muted">In the time zone {TIME_ZONE}.</p>}
      <div>
        <Button
          size="small"
          icon={Plus}
          isDisabled={isDisabled}
          onPress={() => setAll([...windows, {}])}
        >
          {windows.length === 0 ? 'Set schedule' : 'Add period'}
        </Button>
      </div>
    </div>
  )
}
