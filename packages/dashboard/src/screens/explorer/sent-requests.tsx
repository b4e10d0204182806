import type { UseMutationResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { formatBytes, formatDuration } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNote, Skeleton } from '../../ui/states.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { Section } from '../../ui/page.tsx'
import type { Answer } from './answer.ts'
import { Time } from '../../ui/time.tsx'
import { Button } from '../../ui/button.tsx'
import type { SentRequest } from './history.ts'
import { MethodMark } from '../../parts/operation-list.tsx'

/** What came back: status, time, size, and the text. */
export function AnswerView({
  sending: { data, error, isPending },
}: {
  readonly sending: Pick<UseMutationResult<Answer>, 'data' | 'error' | 'isPending'>
}): ReactNode {
  // The answer before stays until the next one comes.
  const [answer, setAnswer] = useState(data)
  if (answer !== data && !isPending) setAnswer(data)
  return (
    <Section
      title="Response"
      actions={answer !== undefined && <CopyButton text={answer.text} label="Copy response" />}
    >
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {answer === undefined ? (
        isPending ? (
          <Skeleton height={160} />
        ) : (
          error === null && <p className="muted">Send the request to see the response.</p>
        )
      ) : (
        <>
          <div className="row small number" role="status">
            <Badge kind={answer.status < 400 ? 'good' : 'bad'}>
              {`${answer.status} ${answer.statusText}`.trim()}
            </Badge>
            <span>{formatDuration(answer.ms)}</span>
            <span className="muted">{formatBytes(answer.bytes)}</span>
            {answer.requestId !== undefined && (
              <span className="muted cut">request {answer.requestId}</span>
            )}
          </div>
          {answer.isCut && (
            <p className="muted small">Truncated. Use curl for the full response.</p>
          )}
          <JsonEditor label="Response" value={answer.text} isReadOnly height={380} />
        </>
      )}
    </Section>
  )
}

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
            <button type="button" className="operation-sent pick" onClick={() => onChoose(entry)}>
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
