import type { ComponentProps, MouseEvent } from 'react'
import { addressOf, type PageState } from './page-state.ts'
import { useShop } from './shop-context.ts'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { readonly to: PageState }

/** A link within the shop: keeps the page, unless the visitor opens a new window. */
export function Link({ to, onClick, ...others }: LinkProps) {
  const { base, go } = useShop()
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const isOther = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0
    if (isOther || event.defaultPrevented) return
    event.preventDefault()
    go(to)
  }
  return <a {...others} href={addressOf(to, base)} onClick={follow} />
}
