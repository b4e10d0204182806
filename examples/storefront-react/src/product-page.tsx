import { Fragment, useEffect } from 'react'
import { isSoldOut, lastLevel, numberOf, textOf } from './format.ts'
import { categoryPage } from './facets.tsx'
import { Link } from './link.tsx'
import type { PageData } from './page-data.ts'
import { readAddress } from './page-state.ts'
import { Picture, Price, Rating } from './product-card.tsx'
import { ProductRow } from './product-row.tsx'
import { SHOP } from './shop-config.ts'
import { useShop } from './shop-context.ts'

export function ProductPage({ product, rows }: PageData) {
  const { visit, cart, setCart } = useShop()
  const id = product?.id
  useEffect(() => {
    if (id !== undefined) visit?.viewed(id)
  }, [visit, id])
  if (product === undefined) return null
  const add = (): void => {
    visit?.added(product.id, numberOf(product, 'price'))
    setCart([...cart, product.id])
  }
  return (
    <div className="product-page">
      <Way product={product} />
      <div className="product">
        <Picture product={product} isFirst />
        <div className="product-text">
          <p className="card-brand">{textOf(product, 'brand')}</p>
          <h1>{textOf(product, 'title')}</h1>
          <Rating product={product} />
          <p className="product-price">
            <Price product={product} />
          </p>
          <Stock product={product} />
          <button type="button" className="primary" disabled={isSoldOut(product)} onClick={add}>
            {isSoldOut(product) ? 'Sold out' : 'Add to cart'}
          </button>
          <p role="status">
            {cart.includes(product.id) && <Link to={readAddress('/cart', '')}>In your cart</Link>}
          </p>
          <p className="description">{textOf(product, 'description')}</p>
          <Facts product={product} />
        </div>
      </div>
      {rows.map((row) => (
        <ProductRow {...row} key={row.title} />
      ))}
    </div>
  )
}

/** Up to this stock, the page shows the number. */
const FEW_LEFT = 5

function Stock({ product }: { readonly product: NonNullable<PageData['product']> }) {
  const left = numberOf(product, 'stock')
  if (isSoldOut(product)) return null
  if (left === undefined || left === 0) return null
  const isScarce = left <= FEW_LEFT
  return (
    <p className={isScarce ? 'stock stock-few' : 'stock'}>
      {isScarce ? `Only ${left} left in stock` : 'In stock'}
    </p>
  )
}

/** The categories above the product. */
function Way({ product }: { readonly product: NonNullable<PageData['product']> }) {
  const { category } = SHOP.fields
  const values = category === undefined ? [] : [product[category]].flat()
  const paths = values.filter((value): value is string => typeof value === 'string')
  return (
    <nav className="way" aria-label="Categories of this product">
      {paths.slice(0, 4).map((path, i) => (
        <Fragment key={path}>
          {i > 0 && <span aria-hidden="true">/</span>}
          <Link to={categoryPage(path)}>{lastLevel(path)}</Link>
        </Fragment>
      ))}
    </nav>
  )
}

function Facts({ product }: { readonly product: NonNullable<PageData['product']> }) {
  const facts = SHOP.facts.flatMap(({ field, label }) => {
    const values = [product[field]].flat().filter((value) => value !== undefined && value !== null)
    return values.length === 0 ? [] : [{ label, text: values.map(String).join(', ') }]
  })
  return (
    <table className="facts">
      <tbody>
        {facts.map(({ label, text }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
