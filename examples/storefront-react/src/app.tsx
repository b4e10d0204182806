import { useEffect, useMemo, useRef, useState } from 'react'
import { Cart } from './cart.tsx'
import { categoryPage } from './facets.tsx'
import { Home } from './home.tsx'
import { Icon } from './icons.tsx'
import { Link } from './link.tsx'
import { loadPage, type PageData } from './page-data.ts'
import { addressOf, readAddress, type PageState } from './page-state.ts'
import { ProductPage } from './product-page.tsx'
import { remember, remembered } from './remembered.ts'
import { Results } from './results.tsx'
import { SearchBox } from './search-box.tsx'
import { SHOP } from './shop-config.ts'
import { ShopContext, type Shop } from './shop-context.ts'
import { Story } from './story.tsx'
import type { Visit } from './visit.ts'

const CART = 'cart'
/** A page that takes longer shows a loading state. */
const PATIENCE_MS = 150

export interface AppProps {
  readonly path: string
  readonly base: string
  /** Data rendered by the server; undefined: nothing is loaded yet. */
  readonly first: PageData | undefined
  readonly visit: Visit | undefined
}

/** The pages of the shop. The current page stays until the next one is loaded. */
export function App({ path, base, first, visit }: AppProps) {
  const [state, setState] = useState(() => readAddress(path, base))
  const [shown, setShown] = useState({ state, data: first })
  const [isSlow, setSlow] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const [isExplaining, setExplaining] = useState(false)
  const [cart, setCart] = useState<readonly string[]>([])
  const main = useRef<HTMLElement>(null)

  useEffect(() => setCart(remembered(CART)), [])
  useEffect(() => {
    const back = (): void => setState(readAddress(location.pathname + location.search, base))
    addEventListener('popstate', back)
    return () => removeEventListener('popstate', back)
  }, [base])
  useEffect(() => {
    if (visit === undefined) return
    const stop = new AbortController()
    const slow = setTimeout(() => setSlow(true), PATIENCE_MS)
    // Reloads the data rendered by the server: only now the visitor is known.
    loadPage(visit.shop, state, { explain: isExplaining, signal: stop.signal })
      .then((data) => {
        const redirect = data.answer?.metadata?.redirect?.url
        if (redirect?.startsWith('/') === true && !redirect.startsWith('//')) {
          location.assign(redirect)
          return
        }
        setShown({ state, data })
        setMissing(false)
        if (data.answer !== undefined) visit.shown(data.answer)
      })
      .catch(() => {
        if (!stop.signal.aborted) setMissing(true)
      })
      .finally(() => {
        clearTimeout(slow)
        if (!stop.signal.aborted) setSlow(false)
      })
    return () => {
      clearTimeout(slow)
      stop.abort()
    }
  }, [visit, state, isExplaining])

  const shop = useMemo<Shop>(
    () => ({
      visit,
      base,
      isExplaining,
      cart,
      go: (next) => {
        const isOther = next.page !== state.page || next.pageNumber !== state.pageNumber
        history.pushState(undefined, '', addressOf(next, base))
        setState(next)
        if (isOther) scrollTo(0, 0)
        if (next.page !== state.page) main.current?.focus({ preventScroll: true })
      },
      setCart: (ids) => {
        remember(CART, ids)
        setCart(ids)
      },
    }),
    [visit, base, isExplaining, cart, state],
  )
  useEffect(() => {
    document.title = titleOf(shown.state, shown.data)
  }, [shown])

  return (
    <ShopContext value={shop}>
      <a className="skip" href="#main">
        Skip to the products
      </a>
      <Header state={state} categories={shown.data?.categories ?? []} cartCount={cart.length} />
      <main
        id="main"
        ref={main}
        tabIndex={-1}
        className={isSlow ? 'is-loading' : undefined}
        aria-busy={isSlow}
      >
        {isMissing ? <Missing /> : <Page state={shown.state} data={shown.data} />}
      </main>
      <Story isExplaining={isExplaining} setExplaining={setExplaining} />
    </ShopContext>
  )
}

function Page({ state, data }: { readonly state: PageState; readonly data: PageData | undefined }) {
  if (data === undefined) return <div className="blank" />
  switch (state.page) {
    case 'search':
      return <Results state={state} data={data} />
    case 'product':
      return <ProductPage {...data} />
    case 'cart':
      return <Cart {...data} />
    case 'home':
      return <Home {...data} />
  }
}

function Missing() {
  return (
    <div className="no-results">
      <h1>Couldn't show this page</h1>
      <p>The product is no longer available, or the shop isn't responding. Try another search.</p>
    </div>
  )
}

interface HeaderProps {
  readonly state: PageState
  readonly categories: readonly string[]
  readonly cartCount: number
}

function Header({ state, categories, cartCount }: HeaderProps) {
  return (
    <header className="header">
      <div className="header-line">
        <Link className="logo" to={readAddress('/', '')} aria-label={`${SHOP.name}, home page`}>
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect className="logo-ground" width="32" height="32" rx="8" />
            <path className="logo-tree" d="m16 5 7 9h-4l6 8H7l6-8H9z" />
            <path className="logo-soil" d="M7 24h18v3H7z" />
          </svg>
          <span>{SHOP.name}</span>
        </Link>
        <SearchBox state={state} />
        <Link
          className="cart-link"
          to={readAddress('/cart', '')}
          aria-label={cartCount === 0 ? 'Cart' : `Cart, ${cartCount} products`}
        >
          <Icon name="cart" />
          {cartCount > 0 && <span className="cart-count">{cartCount}</span>}
        </Link>
      </div>
      <nav className="strip" aria-label="Categories">
        {categories.map((name) => (
          <Link to={categoryPage(name)} key={name}>
            {name}
          </Link>
        ))}
      </nav>
    </header>
  )
}

export function titleOf(state: PageState, data: PageData | undefined): string {
  const { title } = SHOP.fields
  const name = state.page === 'product' ? data?.product?.[title] : state.q
  return typeof name === 'string' && name !== '' ? `${name} · ${SHOP.name}` : SHOP.name
}
