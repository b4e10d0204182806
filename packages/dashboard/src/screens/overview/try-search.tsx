import { useMutation } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatCount, formatDuration } from '../../format/numbers.ts'
import { storePath, useStore } from '../../session/store.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** Pictures in documents are long. */
const SHOWN_CHARS = 4_000

/** Runs the search of the code, and shows the result and its time. */
export function TrySearch(): ReactNode {
  const { storeId, calls } = useStore()
  const [query, setQuery] = useState('tent')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const startedMs = performance.now()
      const answer = await calls.search({
        q: query === '' ? '*' : query,
        per_page: 3,
        analytics: false,
      })
      return { answer, tookMs: performance.now() - startedMs }
    },
  })
  return (
    <Form onSubmit={() => mutate()}>
      <div className="row guide-try">
        <TextField label="Try it" value={query} onChange={setQuery} />
        <Button type="submit" icon={Play} isPending={isPending}>
          Run search
        </Button>
      </div>
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {data !== undefined && (
        <>
          <p className="row" role="status">
            <span>
              {formatCount(data.answer.found, 'product')} in {formatDuration(data.tookMs)}
            </span>
            <LinkButton
              size="small"
              to={`${storePath(storeId, 'preview')}?q=${encodeURIComponent(query)}`}
            >
              Open in preview
            </LinkButton>
          </p>
          <pre className="guide-answer" tabIndex={0} aria-label="Answer">
            {JSON.stringify(data.answer, shortTexts, 2).slice(0, SHOWN_CHARS)}
          </pre>
        </>
      )}
    </Form>
  )
}

function shortTexts(_key: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > 120 ? `${value.slice(0, 119)}…` : value
}
