import { useState, type ReactNode } from 'react'
import { formatMoney } from '../format/numbers.ts'
import { useSession } from '../session/session.ts'
import { markedPieces, type TextMarks } from './marked-text.ts'
import { productInitial, shownImage, type ProductFacts } from './product-fields.ts'
import './product-card.css'

/** The picture of a product, or the initial of its category instead. */
export function ProductPicture({
  facts,
  size = 'card',
}: {
  readonly facts: ProductFacts
  readonly size?: 'card' | 'small'
}): ReactNode {
  const { image_hosts } = useSession().session
  const image = facts.image === undefined ? undefined : shownImage(facts.image, image_hosts)
  const [missing, setMissing] = useState<string>()
  return (
    <span className={`product-picture product-picture-${size}`} aria-hidden>
      {image === undefined || image === missing ? (
        <span className="product-initial">{productInitial(facts)}</span>
      ) : (
        <img
          src={image}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={() => setMissing(image)}
        />
      )}
    </span>
  )
}

/** Matched words are marked; everything else is plain text. */
export function MarkedText({
  marked,
  isEscaped = true,
  marks,
}: {
  readonly marked: string
  readonly isEscaped?: boolean
  readonly marks?: TextMarks | undefined
}): ReactNode {
  return markedPieces(marked, isEscaped, marks).map(({ text, isMarked }, i) =>
    isMarked ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>,
  )
}

/** `EUR 12.50`; a price that is a text stays one. */
export function productPrice({ price, currency }: ProductFacts): string | undefined {
  if (price === undefined) return undefined
  return typeof price === 'number' ? formatMoney(price, currency) : price
}

export interface ProductCardProps {
  readonly facts: ProductFacts
  /** The title with matched words marked. */
  readonly title?: ReactNode
  /** Its place among the hits, from 1. */
  readonly position?: number
  /** In the corner: pinned, new, moved. */
  readonly badge?: ReactNode
  readonly isChosen?: boolean
  readonly onOpen?: (() => void) | undefined
  /** Label of the card as a button: what a click does. */
  readonly openLabel?: string
}

/** A product in a grid of results, as a shop would show it. */
export function ProductCard({
  facts,
  title,
  position,
  badge,
  isChosen = false,
  onOpen,
  openLabel = 'Why is this here',
}: ProductCardProps): ReactNode {
  const price = productPrice(facts)
  return (
    <div className={isChosen ? 'product-card card product-card-chosen' : 'product-card card'}>
      <ProductPicture facts={facts} />
      {position !== undefined && <span className="product-position number">{position}</span>}
      {badge !== undefined && <span className="product-badge">{badge}</span>}
      <div className="product-card-text">
        {onOpen === undefined ? (
          <span className="product-title" title={facts.title}>
            {title ?? facts.title}
          </span>
        ) : (
          <button
            type="button"
            className="product-title product-open"
            title={facts.title}
            aria-label={`${openLabel}: ${facts.title}`}
            onClick={onOpen}
          >
            {title ?? facts.title}
          </button>
        )}
        <span className="product-more small muted">
          <span className="cut">{facts.brand ?? facts.category ?? ''}</span>
          {price !== undefined && <span className="product-price number">{price}</span>}
        </span>
      </div>
    </div>
  )
}

/** The same in one line: for lists, and results side by side. */
export function ProductLine({
  facts,
  title,
}: Pick<ProductCardProps, 'facts' | 'title'>): ReactNode {
  const price = productPrice(facts)
  return (
    <span className="product-line">
      <ProductPicture facts={facts} size="small" />
      <span className="grow">
        <span className="product-title-short" title={facts.title}>
          {title ?? facts.title}
        </span>
        <span className="small muted cut product-line-more">
          {[price, facts.brand].filter((one) => one !== undefined).join(' · ')}
        </span>
      </span>
    </span>
  )
}
