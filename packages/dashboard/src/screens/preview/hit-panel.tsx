import type { SearchResponse } from '@aisle/contract'
import type { ReactNode } from 'react'
import { useStore, storePath } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { hitsOf, type Hit } from '../../parts/hits.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { ScoreBar, scoreScale } from '../../parts/score-bar.tsx'
import { whyBefore, type ComparedHit } from '../../parts/score-comparison.ts'
import { scoreSummary, type ScoreSummary } from '../../parts/score-parts.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorState, Note, SkeletonLines } from '../../ui/states.tsx'
import { SidePanel, stepsOf } from '../../ui/side-panel.tsx'
import { TasteReasons } from './preview-visitor.tsx'
import { useAnswer, type PreviewState } from './preview-state.ts'

interface HitPanelProps {
  readonly state: PreviewState
  readonly card: ProductCardFields | undefined
}

interface Explained {
  readonly hit: Hit
  readonly position: number
  readonly summary: ScoreSummary | undefined
}

/** Why a product has its rank, and why another has not. */
export function HitPanel({ state, card }: HitPanelProps): ReactNode {
  const [openId] = useUrlState('hit')
  const change = useUrlChange()
  const isOpen = openId !== ''
  const { data, error, refetch } = useAnswer(
    { ...state.request, explain: true },
    state.visitor,
    isOpen,
  )
  const first = data === undefined ? 0 : (data.page - 1) * data.per_page
  const all = (data === undefined ? [] : hitsOf(data)).map((hit, i): Explained => ({
    hit,
    position: first + i + 1,
    summary: hit.explanation === undefined ? undefined : scoreSummary(hit.explanation),
  }))
  const at = all.findIndex(({ hit }) => hit.id === openId)
  const open = all[at]
  const title = open === undefined ? 'Why is this here' : `Why #${open.position} is here`
  return (
    <SidePanel
      title={title}
      isOpen={isOpen}
      onClose={() => change({ hit: undefined, with: undefined })}
      {...stepsOf(all, at, ({ hit }) => change({ hit: hit.id }))}
    >
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <SkeletonLines count={8} />
      ) : open === undefined ? (
        <Note>This product is no longer on this page of results.</Note>
      ) : (
        <Why open={open} all={all} answer={data} card={card} order={orderOf(state)} />
      )}
    </SidePanel>
  )
}

function Why({
  open,
  all,
  answer,
  card,
  order,
}: {
  readonly open: Explained
  readonly all: readonly Explained[]
  readonly answer: SearchResponse
  readonly card: ProductCardFields | undefined
  readonly order: string | undefined
}): ReactNode {
  const { storeId } = useStore()
  const [otherId, setOther] = useUrlState('with')
  const other = all.find(({ hit }) => hit.id === otherId && hit.id !== open.hit.id)
  const compared = other === undefined ? [open] : [open, other].toSorted(byPosition)
  const scale = scoreScale(compared.flatMap(({ summary }) => summary ?? []))
  const factsOf = ({ hit }: Explained) => productFacts(hit.id, hit.document, card)
  const options = all
    .filter(({ hit }) => hit.id !== open.hit.id)
    .map((one) => ({
      value: one.hit.id,
      label: `#${one.position} ${factsOf(one).title}`.slice(0, OPTION_MAX_CHARS),
    }))
  return (
    <div className="stack-groups">
      {order !== undefined && (
        <Note>
          The results are sorted by {order}: the score decides only where that asks for it.
        </Note>
      )}
      {compared.map((one) => (
        <div key={one.hit.id} className="stack">
          <div className="row preview-why-head row-whole">
            <span className="number muted">#{one.position}</span>
            <ProductLine facts={factsOf(one)} />
          </div>
          {one.summary === undefined ? (
            <Note>Pinned by a rule, not ranked.</Note>
          ) : (
            <ScoreBar summary={one.summary} scale={scale} label={`Score of #${one.position}`} />
          )}
        </div>
      ))}
      <TasteReasons answer={answer} lifts={open.hit.explanation?.personal?.lifts ?? []} />
      {other !== undefined && <Verdict pair={compared} order={order} />}
      {options.length > 0 && (
        <Select
          label="Compare with"
          options={[{ value: '', label: 'None' }, ...options]}
          value={other?.hit.id ?? ''}
          onChange={setOther}
        />
      )}
      <CodeBlock
        label="The product"
        samples={[
          { label: 'Product', code: JSON.stringify(open.hit.document, undefined, 2) },
          {
            label: 'Explanation',
            code: JSON.stringify(open.hit.explanation ?? null, undefined, 2),
          },
        ]}
      />
      <div className="row">
        <LinkButton
          size="small"
          to={`${storePath(storeId, 'documents')}?open=${encodeURIComponent(open.hit.id)}`}
        >
          Open product
        </LinkButton>
        <code className="muted">{open.hit.id}</code>
      </div>
    </div>
  )
}

function Verdict({
  pair: [first, second],
  order,
}: {
  readonly pair: readonly Explained[]
  readonly order: string | undefined
}): ReactNode {
  if (first === undefined || second === undefined) return null
  const reasons = whyBefore(comparedHit(first), comparedHit(second), order)
  return (
    <div className="preview-verdict stack gap-8">
      <h3>
        Why #{first.position} is before #{second.position}
      </h3>
      <ol>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ol>
    </div>
  )
}

const OPTION_MAX_CHARS = 80

function comparedHit({ position, summary }: Explained): ComparedHit {
  return { position, summary }
}

function byPosition(a: Explained, b: Explained): number {
  return a.position - b.position
}

/** What the results are sorted by, unless it is relevance. */
function orderOf({ request }: PreviewState): string | undefined {
  const [first = ''] = [request.sort_by ?? ''].flat()
  return first === '' || first.startsWith('_text_match') ? undefined : first
}
