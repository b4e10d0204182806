import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Dropdown } from './dropdown.tsx'
import { optionsOf, type DropdownContent, type DropdownOption } from './dropdown-content.ts'
import { Icon } from './icons.tsx'
import { searchFor, type PageState } from './page-state.ts'
import { remembered, rememberFirst } from './remembered.ts'
import { SHOP } from './shop-config.ts'
import { useShop } from './shop-context.ts'

const RECENT = 'recent-searches'
const RECENT_MAX = 6

/** The search field, and a dropdown of suggestions. Each keystroke sends a request. */
export function SearchBox({ state }: { readonly state: PageState }) {
  const { visit, go } = useShop()
  const [text, setText] = useState(state.q)
  const [isOpen, setOpen] = useState(false)
  const [content, setContent] = useState<DropdownContent>()
  const [tab, setTab] = useState(0)
  const [active, setActive] = useState(-1)
  const box = useRef<HTMLFormElement>(null)
  const list = useId()

  useEffect(() => setText(state.q), [state])
  useEffect(() => {
    const close = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', close)
    return () => document.removeEventListener('pointerdown', close)
  }, [])

  const ask = async (q: string): Promise<void> => {
    // The previous answer stays until the next one arrives: nothing flashes between keystrokes.
    const answer = await visit?.suggest(q, SHOP.tabs).catch(() => undefined)
    if (answer === undefined) return
    setContent({ q, answer, recent: q.trim() === '' ? remembered(RECENT) : [] })
    setActive(-1)
  }
  const open = (): void => {
    setOpen(true)
    void ask(text)
  }
  const type = (value: string): void => {
    setText(value)
    setOpen(true)
    void ask(value)
  }
  const search = (q: string): void => {
    if (q.trim() !== '') rememberFirst(RECENT, q.trim(), RECENT_MAX)
    setOpen(false)
    go(searchFor(q.trim()))
  }
  const choose = (option: DropdownOption): void => {
    setOpen(false)
    if (option.kind === 'query') {
      setText(option.text)
      search(option.text)
      return
    }
    if (option.kind === 'product') visit?.clicked(option.id)
    go(option.to)
  }

  const options = content === undefined ? [] : optionsOf(content, tab)
  const press = (event: KeyboardEvent): void => {
    const { key } = event
    if (key === 'Escape') {
      setOpen(false)
      return
    }
    if (key === 'Enter' && isOpen && options[active] !== undefined) {
      event.preventDefault()
      choose(options[active])
      return
    }
    const tabs = content?.tabs ?? SHOP.tabs.length + 1
    if ((key === 'ArrowLeft' || key === 'ArrowRight') && options[active]?.kind === 'product') {
      event.preventDefault()
      setTab((tab + (key === 'ArrowRight' ? 1 : tabs - 1)) % tabs)
      return
    }
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return
    event.preventDefault()
    if (!isOpen) open()
    // The typed text comes before the first option.
    const places = options.length + 1
    setActive(((active + 1 + (key === 'ArrowDown' ? 1 : places - 1)) % places) - 1)
  }
  const isShown = isOpen && options.length > 0
  return (
    <form
      className="search"
      role="search"
      ref={box}
      onSubmit={(event) => {
        event.preventDefault()
        search(text)
      }}
    >
      <Icon name="search" />
      <input
        role="combobox"
        type="search"
        aria-label="Search the shop"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={list}
        aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        placeholder="Search the shop"
        maxLength={200}
        value={text}
        onChange={(event) => type(event.target.value)}
        onFocus={open}
        onClick={() => setOpen(true)}
        onKeyDown={press}
      />
      <div className="dropdown" hidden={!isShown}>
        {content !== undefined && (
          <Dropdown {...{ content, options, active, tab, list, setTab, choose }} />
        )}
      </div>
    </form>
  )
}
