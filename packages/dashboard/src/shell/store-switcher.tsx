import { ChevronsUpDown, Plus, Store } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  Autocomplete,
  Button as AriaButton,
  Dialog,
  DialogTrigger,
  Menu,
  MenuItem,
  Popover,
  Text,
  useFilter,
} from 'react-aria-components'
import { useLocation } from 'wouter'
import { formatCount } from '../format/numbers.ts'
import { useMay } from '../session/session.ts'
import { SearchField } from '../ui/text-field.tsx'
import '../ui/menu.css'
import { storePath } from './paths.ts'
import { useStores } from './store-context.ts'

/** On top of the rail: the store that is open, and the way to the others. */
export function StoreSwitcher({
  storeId,
  isNarrow,
}: {
  readonly storeId: string | undefined
  readonly isNarrow: boolean
}): ReactNode {
  const { data: stores = [] } = useStores()
  const [path, navigate] = useLocation()
  const [isOpen, open] = useState(false)
  const { contains } = useFilter({ sensitivity: 'base' })
  const mayCreate = useMay('owner')
  const current = stores.find(({ store_id: id }) => id === storeId)
  const name = current?.name ?? 'No store yet'
  const go = (to: string): void => {
    open(false)
    navigate(to)
  }
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={open}>
      <AriaButton className="switcher" {...(isNarrow ? { 'aria-label': `Store ${name}` } : {})}>
        <span className="rail-initial rail-initial-square" aria-hidden>
          {[...name][0]}
        </span>
        {!isNarrow && (
          <>
            <span className="grow">
              <span className="switcher-name cut">{name}</span>
              <span className="small muted cut">
                {current === undefined
                  ? 'Make the first one'
                  : formatCount(current.documents, 'product')}
              </span>
            </span>
            <ChevronsUpDown size={16} aria-hidden />
          </>
        )}
      </AriaButton>
      <Popover className="menu-popover" placement="bottom start">
        <Dialog className="switcher-list" aria-label="Stores">
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
                    <Text slot="label" className="cut">
                      {store.name}
                    </Text>
                    <Text slot="description" className="menu-about">
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
              <MenuItem id="/stores?new=store" className="menu-item" textValue="New store">
                <Plus size={16} aria-hidden /> New store
              </MenuItem>
            ) : null}
          </Menu>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}

/** The same screen of the other store. */
function screenOf(path: string): string | undefined {
  return /^\/stores\/[^/]+\/([\w-]+)/.exec(path)?.[1]
}
