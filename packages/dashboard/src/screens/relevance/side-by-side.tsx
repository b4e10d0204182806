import { ThumbsDown, ThumbsUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { GRADE_MAX } from '@aisle/contract/limits'
import { formatCount } from '../../format/numbers.ts'
import type { Hit } from '../../parts/hits.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { productFacts, type ProductCardFields } from '../../parts/product-fields.ts'
import { MoveBadge } from '../../parts/move-badge.tsx'
import { moveOf, type Move } from '../../parts/moves.ts'
import type { SideHits } from './workbench-state.ts'

interface SideBySideProps {
  readonly live: SideHits
  readonly draft: SideHits
  readonly card: ProductCardFields | undefined
  readonly gradeOf: (id: string) => number | undefined
  /** Undefined takes the grade away. */
  readonly onGrade: (id: string, grade: number | undefined) => void
}

/** Height of a hit in pixels; lines connect the middles. */
const ROW_PIXELS = 56
const GAP_PIXELS = 56

/** The results of a query, live and with the draft; lines connect products that moved. */
export function SideBySide(props: SideBySideProps): ReactNode {
  const { live, draft } = props
  const before = live.hits.map(({ id }) => id)
  const after = draft.hits.map(({ id }) => id)
  return (
    <div className="relevance-sides">
      <Side {...props} title="A: live" side={live} moveOf={(id) => goneOf(id, before, after)} />
      <Lines before={before} after={after} />
      <Side {...props} title="B: draft" side={draft} moveOf={(id) => moveOf(id, before, after)} />
    </div>
  )
}

/** Side A marks only what is missing in B; all other changes are marked in B. */
function goneOf(id: string, before: readonly string[], after: readonly string[]): Move | undefined {
  const move = moveOf(id, before, after)
  return move.kind === 'gone' ? move : undefined
}

function Side({
  title,
  side,
  card,
  moveOf: move,
  gradeOf,
  onGrade,
}: SideBySideProps & {
  readonly title: string
  readonly side: SideHits
  readonly moveOf: (id: string) => Move | undefined
}): ReactNode {
  return (
    <section aria-label={title} className="relevance-side">
      <header className="row row-apart">
        <h3>{title}</h3>
        <span className="small muted number">{formatCount(side.found, 'product')}</span>
      </header>
      {side.error !== undefined && <p className="small relevance-bad">{side.error}</p>}
      {side.error === undefined && side.hits.length === 0 && (
        <p className="small muted">No results.</p>
      )}
      <ol>
        {side.hits.map((hit, i) => (
          <li key={hit.id} className="relevance-hit" style={{ height: ROW_PIXELS }}>
            <span className="number small muted relevance-rank">{i + 1}</span>
            <span className="grow">
              <ProductLine facts={productFacts(hit.id, hit.document, card)} />
            </span>
            <MoveBadge move={move(hit.id)} isPinned={hit.isPinned} />
            <Thumbs hit={hit} grade={gradeOf(hit.id)} onGrade={onGrade} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Thumbs({
  hit,
  grade,
  onGrade,
}: {
  readonly hit: Hit
  readonly grade: number | undefined
} & Pick<SideBySideProps, 'onGrade'>): ReactNode {
  const isGood = grade !== undefined && grade >= GRADE_MAX / 2
  const isBad = grade !== undefined && !isGood
  return (
    <span className="relevance-thumbs">
      <button
        type="button"
        aria-label="Good result"
        aria-pressed={isGood}
        onClick={() => onGrade(hit.id, isGood ? undefined : GRADE_MAX)}
      >
        <ThumbsUp size={14} aria-hidden />
      </button>
      <button
        type="button"
        aria-label="Bad result"
        aria-pressed={isBad}
        onClick={() => onGrade(hit.id, isBad ? undefined : 0)}
      >
        <ThumbsDown size={14} aria-hidden />
      </button>
    </span>
  )
}

function Lines({
  before,
  after,
}: {
  readonly before: readonly string[]
  readonly after: readonly string[]
}): ReactNode {
  const height = ROW_PIXELS * Math.max(before.length, after.length, 1)
  const middle = (rank: number): number => (rank + 0.5) * ROW_PIXELS
  return (
    <svg className="relevance-lines" width={GAP_PIXELS} height={height} aria-hidden>
      {before.flatMap((id, from) => {
        const to = after.indexOf(id)
        if (to < 0) return []
        const [y, z] = [middle(from), middle(to)]
        const kind = to < from ? 'up' : to > from ? 'down' : 'same'
        return (
          <path
            key={id}
            className={`relevance-line-${kind}`}
            d={`M 0 ${y} C ${GAP_PIXELS / 2} ${y}, ${GAP_PIXELS / 2} ${z}, ${GAP_PIXELS} ${z}`}
          />
        )
      })}
    </svg>
  )
}
