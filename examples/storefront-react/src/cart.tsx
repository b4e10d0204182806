import { useEffect, useState } from 'react'
import { numberOf, price } from './format.ts'
import type { PageData, Product } from './page-data.ts'
import { ProductCard } from './product-card.tsx'
import { ProductRow } from './product-row.tsx'
import { useShop } from './shop-context.ts'

type Line = Product & { readonly id: string }

/**
 * There is no payment: an order is an event, from which the shop learns what is bought together.
 */
export function Cart({ rows }: PageData) {
  const { visit, cart, setCart } = useShop()
  const [lines, setLines] = useState<readonly Line[]>([])
  const [isOrdered, setOrdered] = useState(false)
  const ids = [...new Set(cart)].join(' ')
  useEffect(() => {
    let isCurrent = true
    const wanted = ids.split(' ').filter((id) => id !== '')
    const load = async (id: string) => await visit?.shop.document(id).catch(() => undefined)
    void Promise.all(wanted.map(load)).then((documents) => {
      if (!isCurrent) return
      setLines(documents.flatMap((one) => (one === undefined ? [] : [{ ...one.data, id: one.id }])))
    })
    return () => {
      isCurrent = false
    }
  }, [visit, ids])
  const sum = lines.reduce((all, line) => all + (numberOf(line, 'price') ?? 0), 0)
  const order = (): void => {
    visit?.ordered(
      lines.map((line) => {
        const each = numberOf(line, 'price')
        return each === undefined ? { id: line.id } : { id: line.id, price: each }
      }),
    )
    setCart([])
    setOrdered(true)
  }
  return (
    <div className="cart-page">
      <h1>Your cart</h1>
      {lines.length === 0 ? (
        <p role="status">
          {isOrdered
            ? 'Order placed. Nothing will be delivered: this is a demo.'
            : 'Your cart is empty.'}
        </p>
      ) : (
        <>
          <ul className="grid">
            {lines.map((line) => (
              <li key={line.id}>
                <ProductCard product={line}>
                  <button
                    type="button"
                    className="quiet"
                    onClick={() => setCart(cart.filter((id) => id !== line.id))}
                  >
                    Remove
                  </button>
                </ProductCard>
              </li>
            ))}
          </ul>
          <p className="cart-sum">
            Total <span className="price">{price(sum)}</span>
          </p>
          <button type="button" className="primary" onClick={order}>
            Place demo order
          </button>
        </>
      )}
      {rows.map((row) => (
        <ProductRow {...row} key={row.title} />
      ))}
    </div>
  )
}
