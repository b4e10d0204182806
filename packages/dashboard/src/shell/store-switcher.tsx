import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { useLocation } from 'wouter'
import { formatCount } from '../format/numbers.ts'
import { useStores } from '../session/store.ts'
import '../ui/menu.css'

/** Loaded on first use. */
const StoreList = lazy(async () => ({ default: (await import('./store-list.tsx')).StoreList }))

/** At the top of the rail: the open store, and a menu of the others. */
export function StoreSwitcher({
  storeId,
  isNarrow,
}: {
  readonly storeId: string | undefined
  readonly isNarrow: boolean
}): ReactNode {
  const { data: stores = [] } = useStores()
  const [, navigate] = useLocation()
  const [isOpen, open] = useState(false)
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
                  ? 'Create your first store'
                  : formatCount(current.documents, 'product')}
              </span>
            </span>
            <ChevronsUpDown size={16} aria-hidden />
          </>
        )}
      </AriaButton>
      <Popover className="menu-popover floating" placement="bottom start">
        <Dialog className="switcher-list" aria-label="Stores">
          <Suspense>
            <StoreList onChoose={go} />
          </Suspense>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
