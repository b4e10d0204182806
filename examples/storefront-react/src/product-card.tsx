import { useState, type ReactNode } from 'react'
import { isSoldOut, count, numberOf, price, textOf } from './format.ts'
import { Icon } from './icons.tsx'
import { Link } from './link.tsx'
import type { Product } from './page-data.ts'
import { productPage } from './page-state.ts'
import { useShop } from './shop-context.ts'

interface ProductCardProps {
  readonly product: Product & { readonly id: string }
  /** Text below the price: why the product is here. */
  readonly children?: ReactNode
  /** The first pictures of a page load eagerly. */
  readonly isFirst?: boolean
}

export function ProductCard({ product, children, isFirst = false }: ProductCardProps) {
  const { visit } = useShop()
  const brand = textOf(product, 'brand')
  return (
    <article className="card">
      <Link
        className="card-link"
        to={productPage(product.id)}
        onClick={() => visit?.clicked(product.id)}
      >
        <Picture product={product} isFirst={isFirst} />
        <span className="card-text">
          {brand !== '' && <span className="card-brand">{brand}</span>}
          <span className="card-title">{textOf(product, 'title')}</span>
          <Rating product={product} />
          <Price product={product} />
          {isSoldOut(product) && <span className="card-stock">Sold out</span>}
        </span>
      </Link>
      {children}
    </article>
  )
}

export function Picture({
  product,
  isFirst = false,
}: Pick<ProductCardProps, 'product' | 'isFirst'>) {
  const image = textOf(product, 'image')
  const [missing, setMissing] = useState('')
  if (image === '' || image === missing) {
    return (
      <span className="picture picture-none" aria-hidden="true">
        {textOf(product, 'title').slice(0, 1)}
      </span>
    )
  }
  // The title is next to it, so the alternative text is empty.
  return (
    <img
      className="picture"
      src={image}
      alt=""
      ref={(element) => {
        // It may have failed before hydration.
        if (element?.complete === true && element.naturalWidth === 0) setMissing(image)
      }}
      onError={() => setMissing(image)}
      width={240}
      height={240}
      loading={isFirst ? 'eager' : 'lazy'}
    />
  )
}

export function Price({ product }: Pick<ProductCardProps, 'product'>) {
  const now = numberOf(product, 'price')
  const before = numberOf(product, 'listPrice')
  if (now === undefined) return null
  if (before === undefined || before <= now) return <span className="price">{price(now)}</span>
  return (
    <span className="price">
      <span className="price-now">{price(now)}</span>{' '}
      <s className="price-before">
        <span className="unseen">instead of </span>
        {price(before)}
      </s>
    </span>
  )
}

export function Rating({ product }: Pick<ProductCardProps, 'product'>) {
  const rating = numberOf(product, 'rating')
  if (rating === undefined) return null
  const votes = numberOf(product, 'ratingCount')
  return (
    <span className="rating">
      <Icon name="star" />
      <span className="unseen">Rated </span>
      {rating.toFixed(1)}
      {votes !== undefined && <span className="rating-count"> ({count(votes)})</span>}
    </span>
  )
}
