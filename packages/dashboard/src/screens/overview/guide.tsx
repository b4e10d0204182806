import type { StoreKey } from '@aisle/client'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api.ts'
import { keptSecret } from '../../parts/secret-value.tsx'
import { useSchema } from '../../parts/store-queries.ts'
import { useMay } from '../../session/session.ts'
import { storePath, useStore } from '../../session/store.ts'
import { usePreference } from '../../state/stored.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import {
  eventSamples,
  importSamples,
  schemaSamples,
  searchSamplesOf,
  type SampleKeys,
} from './samples.ts'
import { TrySearch } from './try-search.tsx'

interface Step {
  readonly id: string
  readonly label: string
  readonly isDone: boolean
  readonly content: ReactNode
}

/** Visitor activity as far as the reports have it. */
interface Seen {
  readonly searches: number
  readonly clicks: number
  readonly orders: number
}

const PLACEHOLDER = 'YOUR_WRITE_SECRET'

/**
 * From an empty store to a working search, step by step. A step is ticked when the service has seen
 * it. The code contains the keys of the store.
 */
export function Guide({ totals }: { readonly totals: Seen | undefined }): ReactNode {
  const { storeId, summary } = useStore()
  const { data: schema } = useSchema()
  const [isHidden, hide] = usePreference<boolean | undefined>(`guide.hidden.${storeId}`, undefined)
  const [chosen, choose] = useUrlState('step')
  const hasFields = (schema?.fields.length ?? 0) > 0
  const hasProducts = summary.documents > 0
  const hasSearches = (totals?.searches ?? 0) > 0
  const hasEvents = (totals?.clicks ?? 0) + (totals?.orders ?? 0) > 0
  // Who has done it all has seen it.
  const isDone = hasFields && hasProducts && hasSearches && hasEvents
  const isClosed = (isHidden ?? isDone) && chosen === ''
  // Until it is known what is done: reading keys is recorded, and most shops need none here.
  const isUnknown = isHidden === undefined && hasProducts && totals === undefined && chosen === ''
  const keys = useSampleKeys(!isClosed && !isUnknown)
  if (isClosed || isUnknown) {
    return (
      <div className="row">
        <Button size="small" variant="ghost" onPress={() => hide(false)}>
          Show setup guide
        </Button>
      </div>
    )
  }
  const steps = stepsOf({
    keys,
    storeId,
    hasFields,
    hasProducts,
    hasSearches,
    hasEvents,
  })
  const next = steps.find(({ isDone }) => !isDone) ?? steps.at(-1)!
  const current = steps.find(({ id }) => id === chosen) ?? next
  return (
    <Section
      title="Connect your shop"
      about={`${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`}
      actions={
        <Button
          size="small"
          variant="ghost"
          onPress={() => {
            choose('')
            hide(true)
          }}
        >
          Hide
        </Button>
      }
    >
      <div className="guide">
        <ol className="guide-steps">
          {steps.map(({ id, label, isDone }, i) => (
            <li key={id}>
              <button
                type="button"
                className="guide-step pick"
                aria-current={id === current.id ? 'step' : undefined}
                onClick={() => choose(id)}
              >
                <span className={isDone ? 'guide-mark guide-mark-done' : 'guide-mark'}>
                  {isDone ? <Check size={12} strokeWidth={3} aria-label="Done" /> : i + 1}
                </span>
                {label}
              </button>
            </li>
          ))}
        </ol>
        <div className="stack">{current.content}</div>
      </div>
    </Section>
  )
}

function stepsOf({
  keys,
  storeId,
  hasFields,
  hasProducts,
  hasSearches,
  hasEvents,
}: {
  readonly keys: SampleKeys
  readonly storeId: string
  readonly hasFields: boolean
  readonly hasProducts: boolean
  readonly hasSearches: boolean
  readonly hasEvents: boolean
}): Step[] {
  const secrets = [keys.write, keys.read, keys.events].filter((one) => one !== PLACEHOLDER)
  const code = (label: string, samples: Parameters<typeof CodeBlock>[0]['samples']): ReactNode => (
    <CodeBlock label={label} samples={samples} secrets={secrets} />
  )
  const unknownSecret = keys.write === PLACEHOLDER && (
    <Note>
      The write secret was shown when the store was created. If you no longer have it,{' '}
      <a href={storePath(storeId, 'keys')}>create a new one</a>.
    </Note>
  )
  return [
    {
      id: 'import',
      label: 'Import products',
      isDone: hasFields && hasProducts,
      content: (
        <>
          <p>
            Import a CSV, TSV, JSON or JSONL file: its fields are detected, and you see a preview
            before anything is written. Or connect the product feed of your shop, which is then read
            on a schedule. Or use code for both steps.
          </p>
          <div className="row">
            <LinkButton
              to={storePath(storeId, 'import')}
              variant={hasProducts ? 'secondary' : 'primary'}
            >
              Import a file
            </LinkButton>
            <LinkButton to={`${storePath(storeId, 'sources')}?new=true`}>Connect a feed</LinkButton>
          </div>
          {unknownSecret}
          {!hasFields && code('Describe the products', schemaSamples(keys))}
          {code('Index products', importSamples(keys))}
        </>
      ),
    },
    {
      id: 'search',
      label: 'Search',
      isDone: hasSearches,
      content: (
        <>
          <p>The read secret can only search. It is safe to use in your shop's pages.</p>
          {code('Search', searchSamplesOf(keys))}
          <TrySearch />
        </>
      ),
    },
    {
      id: 'events',
      label: 'Send events',
      isDone: hasEvents,
      content: (
        <>
          <p>
            Clicks and orders improve ranking, reports and suggestions. Use Segment's clients or
            compatible ones.
          </p>
          {code('Send events', eventSamples(keys))}
          <div className="row">
            <LinkButton to={storePath(storeId, 'events')}>Watch events arrive</LinkButton>
          </div>
        </>
      ),
    },
  ]
}

/** Public keys from the service; the write secret only if this tab has seen it. */
function useSampleKeys(isNeeded: boolean): SampleKeys {
  const api = useApi()
  const { storeId } = useStore()
  const mayRead = useMay('editor')
  const { data } = useQuery({
    queryKey: ['keys', storeId],
    queryFn: async () => (await api.keys(storeId)).keys,
    enabled: mayRead && isNeeded,
    // Every reading of keys is audited, so read them once.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const secretOf = (kind: StoreKey['kind'], placeholder: string): string =>
    data?.find((key) => key.kind === kind)?.secret ?? placeholder
  return {
    url: location.origin,
    storeId,
    read: secretOf('read', 'YOUR_READ_SECRET'),
    events: secretOf('events', 'YOUR_EVENTS_WRITE_KEY'),
    write: keptSecret(storeId) ?? PLACEHOLDER,
  }
}
