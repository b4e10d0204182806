import { Plus, Store } from 'lucide-react'
import type { ReactNode } from 'react'
import { Autocomplete, Menu, MenuItem, Text, useFilter } from 'react-aria-components'
import { useLocation } from 'wouter'
import { formatCount } from '../format/numbers.ts'
import { useMay } from '../session/session.ts'
import { SearchField } from '../ui/text-field.tsx'
import { storePath, useStores } from '../session/store.ts'

/** All stores, and a button that creates another. */
export function StoreList({
  onChoose: go,
}: {
  readonly onChoose: (to: string) => void
}): ReactNode {
  const { data: stores = [] } = useStores()
  const [path] = useLocation()
  const { contains } = useFilter({ sensitivity: 'base' })
  const mayCreate = useMay('owner')
  return (
    <>
      <Autocomplete filter={contains}>
        {stores.length > 5 && <SearchField label="Find a store" autoFocus />}
        <Menu
          className="menu"
          aria-label="Stores"
          items={stores}
          onAction={(id) => go(storePath(String(id), screenOf(path)))}
        >
          {(store) => (
            <MenuItem
              id={store.store_id}
              textValue={`${store.name} ${store.store_id}`}
              className="menu-item"
            >
              <span className="grow">
                <Text slot="label" className="menu-name cut">
                  {store.name}
                </Text>
                <Text slot="description" className="menu-about cut">
                  {store.store_id} · {formatCount(store.documents, 'product')}
                </Text>
              </span>
            </MenuItem>
          )}
        </Menu>
      </Autocomplete>
      <Menu className="menu" aria-label="All stores" onAction={(to) => go(String(to))}>
        <MenuItem id="/stores" className="menu-item" textValue="All stores">
          <Store size={16} aria-hidden /> All stores
        </MenuItem>
        {mayCreate ? (
          <MenuItem id="/stores?new=store" className="menu-item" textValue="Create store">
            <Plus size={16} aria-hidden /> Create store
          </MenuItem>
        ) : null}
      </Menu>
    </>
  )
}

/** The same screen of the other store. */
function screenOf(path: string): string | undefined {
  return /^\/stores\/[^/]+\/([\w-]+)/.exec(path)?.[1]
}
