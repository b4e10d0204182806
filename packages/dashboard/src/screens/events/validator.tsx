import type { EventCheck } from '@aisle/contract'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { verdictText } from '../../parts/verdicts.ts'
import { useStore } from '../../session/store.ts'
import { currentTimeMs } from '../../state/clock.ts'
import { useDraft } from '../../state/draft.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { EVENT_SAMPLES, sampleText } from './event-samples.ts'

const FIRST = sampleText('simple', 0)

/** Checks events as the ingest does, before a shop sends them; nothing is stored. */
export function Validator(): ReactNode {
  const { storeId, calls } = useStore()
  const draft = useDraft(`validator/${storeId}`, FIRST)
  const check = useMutation({ mutationFn: () => calls.checkEvents(JSON.parse(draft.value)) })
  const isJson = parses(draft.value)
  const set = (text: string): void => {
    check.reset()
    draft.set(text)
  }
  return (
    <div className="stack events-validator">
      <p className="muted">
        One event or a batch, in the simple format or that of Segment and RudderStack. Nothing is
        stored.
      </p>
      <JsonEditor label="Events to check" value={draft.value} onChange={set} height={300} />
      <div className="row">
        <Button
          variant="primary"
          isPending={check.isPending}
          isDisabled={!isJson}
          onPress={() => check.mutate()}
        >
          Check events
        </Button>
        <ActionMenu
          label="Samples"
          trigger={<Button>Use a sample</Button>}
          actions={EVENT_SAMPLES.map(({ id, label }) => ({
            id,
            label,
            onAction: () => set(sampleText(id, currentTimeMs())),
          }))}
        />
        {!isJson && <span className="small muted">Not valid JSON.</span>}
      </div>
      {check.error !== null && <ErrorNote attempt="load" error={check.error} />}
      {check.data !== undefined && <Verdicts check={check.data} />}
    </div>
  )
}

function Verdicts({ check }: { readonly check: EventCheck }): ReactNode {
  const { events, error, route } = check
  const accepted = events.filter(({ verdict }) => verdict === 'accepted')
  const isGood = error === undefined && accepted.length === events.length && events.length > 0
  return (
    <>
      <Note kind={isGood ? 'good' : error === undefined ? 'warn' : 'bad'}>
        <p className="strong">
          {error === undefined
            ? `${formatCount(accepted.length, 'event')} of ${events.length} would be accepted`
            : 'The request would fail'}
        </p>
        {error !== undefined && <p>{error}</p>}
        <p>
          Send it to <code>{route}</code>.
        </p>
        {check.warnings.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </Note>
      {events.length > 0 && (
        <ol className="events-verdicts lined card" aria-label="Verdicts">
          {events.map(({ verdict, name, reasons, warnings }, place) => (
            <li key={place} className="stack gap-4">
              <p className="row">
                <Badge kind={verdictText({ verdict, warnings }).kind}>
                  {verdictText({ verdict, warnings }).label}
                </Badge>
                <span className="strong events-name">{name}</span>
              </p>
              {[...reasons, ...warnings].map((text) => (
                <p key={text} className="small muted">
                  {text}
                </p>
              ))}
            </li>
          ))}
        </ol>
      )}
      {accepted.length > 0 && (
        <CodeBlock
          label="As stored"
          samples={[
            {
              label: 'As stored',
              code: JSON.stringify(
                accepted.map(({ event }) => event),
                null,
                2,
              ),
            },
          ]}
        />
      )}
    </>
  )
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
