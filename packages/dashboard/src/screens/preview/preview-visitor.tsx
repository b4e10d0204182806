import type { SearchResponse } from '@aisle/contract'
import type { ReactNode } from 'react'
import { useUrlState } from '../../state/url-state.ts'
import { Badge } from '../../ui/badge.tsx'
import { Select } from '../../ui/choice.tsx'
import { Note } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** The ids of a visitor, as headers of a search. */
export interface Visitor {
  readonly userId?: string
  readonly anonymousId?: string
  readonly sessionId?: string
}

const KINDS = ['none', 'userId', 'anonymousId', 'sessionId'] as const
type Kind = (typeof KINDS)[number]

const OPTIONS: readonly { readonly value: Kind; readonly label: string }[] = [
  { value: 'none', label: 'Anyone' },
  { value: 'userId', label: 'User id' },
  { value: 'anonymousId', label: 'Anonymous id' },
  { value: 'sessionId', label: 'Session id' },
]

interface PreviewVisitor {
  readonly kind: Kind
  readonly id: string
  readonly setKind: (kind: Kind) => void
  readonly setId: (id: string) => void
  readonly visitor: Visitor | undefined
}

/** The visitor in the address. */
export function usePreviewVisitor(): PreviewVisitor {
  const [text, setKind] = useUrlState('as', 'none')
  const [id, setId] = useUrlState('visitor', '', { isTyped: true })
  const kind = KINDS.find((one) => one === text) ?? 'none'
  const visitor = kind === 'none' || id.trim() === '' ? undefined : { [kind]: id.trim() }
  return { kind, id, setKind, setId, visitor }
}

/** Shows the results of a visitor, for stores that personalize. */
export function VisitorChoice(): ReactNode {
  const { kind, id, setKind, setId } = usePreviewVisitor()
  return (
    <div className="row preview-visitor">
      <Select label="Search as" options={OPTIONS} value={kind} onChange={setKind} />
      {kind !== 'none' && (
        <TextField label="Id of the visitor" value={id} onChange={setId} maxLength={ID_MAX_CHARS} />
      )}
    </div>
  )
}

const ID_MAX_CHARS = 256

/** What is personal about the results. */
export function TasteNotes({ answer }: { readonly answer: SearchResponse }): ReactNode {
  const { personalized } = answer
  if (personalized === undefined) return null
  if (personalized.skipped !== undefined) {
    return <Note kind="warn">The taste of the visitor was not ready in time. Search again.</Note>
  }
  return (
    <div className="row small">
      <span className="muted">Taste of the visitor</span>
      {(personalized.lifts ?? []).map(({ field, value, price, share }, i) => (
        <Badge key={i} kind="accent">
          {[value ?? field, ...(price === undefined ? [] : [`${price.from}–${price.to}`])].join(
            ' ',
          )}
          {` +${Math.round(share * 1000) / 10} %`}
        </Badge>
      ))}
    </div>
  )
}

/** Why the taste of the visitor lifts a product: what they did. */
export function TasteReasons({
  answer,
  lifts,
}: {
  readonly answer: SearchResponse
  readonly lifts: readonly number[]
}): ReactNode {
  const met = lifts.flatMap((at) => answer.personalized?.lifts?.[at] ?? [])
  if (met.length === 0) return null
  return (
    <div className="stack gap-4">
      <h3>Because of what the visitor did</h3>
      <ul className="small">
        {met.map(({ field, value, price, because = [] }, i) => (
          <li key={i}>
            <strong>
              {field}
              {value === undefined ? '' : `: ${value}`}
              {price === undefined ? '' : `, ${price.field} ${price.from}–${price.to}`}
            </strong>
            {': '}
            {because.map(({ action, id }) => reasonText(action, id)).join(', ')}
          </li>
        ))}
      </ul>
    </div>
  )
}

const VERBS = { looked: 'looked at', cart: 'added to the cart', bought: 'bought' } as const

function reasonText(action: keyof typeof VERBS | 'searched', id: string | undefined): string {
  return action === 'searched' ? 'searched for it' : `${VERBS[action]} ${id ?? ''}`
}
