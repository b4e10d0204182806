import type { ReactNode } from 'react'
import { formatDuration } from '../../format/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import type { SentRequest } from './history.ts'
import { MethodMark } from '../../parts/operation-list.tsx'

/** The requests of this tab; a click fills in the form again. */
export function RequestHistory({
  entries,
  onChoose,
  onClear,
}: {
  readonly entries: readonly SentRequest[]
  readonly onChoose: (entry: SentRequest) => void
  readonly onClear: () => void
}): ReactNode {
  if (entries.length === 0) return null
  return (
    <Section
      title="Sent from this tab"
      actions={
        <Button size="small" onPress={onClear}>
          Clear history
        </Button>
      }
    >
      <ul className="explorer-history">
        {entries.map((entry) => (
          <li key={`${entry.atMs} ${entry.operationId}`}>
            <button type="button" className="operation-sent" onClick={() => onChoose(entry)}>
              <MethodMark method={entry.method} />
              <code className="cut grow">{entry.path}</code>
              <Badge kind={entry.status < 400 ? 'good' : 'bad'}>{entry.status}</Badge>
              <span className="number">{formatDuration(entry.ms)}</span>
            </button>
            <span className="small muted explorer-when">
              <Time at={entry.atMs} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
