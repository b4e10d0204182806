import type { ReactNode } from 'react'
import { formatBytes, formatDuration } from '../../format/numbers.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Answer } from './answer.ts'

/** What came back: status, time, size, and the text. */
export function AnswerView({
  answer,
  error,
  isPending,
}: {
  readonly answer: Answer | undefined
  readonly error: unknown
  readonly isPending: boolean
}): ReactNode {
  return (
    <Section
      title="Response"
      actions={answer !== undefined && <CopyButton text={answer.text} label="Copy response" />}
    >
      {error !== undefined && <ErrorNote error={error} />}
      {answer === undefined ? (
        isPending ? (
          <Skeleton height={160} />
        ) : (
          error === undefined && (
            <p className="muted">Send the request to see what the service answers.</p>
          )
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
            <p className="muted small">
              This is the beginning: the rest was not read. Take it with curl.
            </p>
          )}
          <JsonEditor label="Response" value={answer.text} isReadOnly height={380} />
        </>
      )}
    </Section>
  )
}
