import { useQuery } from '@tanstack/react-query'
import { CornerDownLeft, Package, Search, Store, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  Text,
} from 'react-aria-components'
import { useLocation } from 'wouter'
import { useApi } from '../api/api.ts'
import { useDebounced } from '../state/clock.ts'
import { SearchField } from '../ui/text-field.tsx'
import { mayIn, useSession } from '../session/session.ts'
import { useCurrentStoreId, storePath, useStores } from '../session/store.ts'
import { useScreens } from './screen.ts'
import './palette.css'

interface Entry {
  readonly to: string
  readonly label: string
  readonly about?: string
  readonly icon: LucideIcon
}

const PRODUCTS_SHOWN = 5
const TITLE_FIELDS = ['title', 'name', 'label']

/**
 * Finds every page, store and product by name; typed text can also be searched as a visitor would.
 */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [text, setText] = useState('')
  const [, navigate] = useLocation()
  const storeId = useCurrentStoreId()
  const groups = usePaletteGroups(text, storeId)
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <Modal className="dialog dialog-medium">
        <Dialog className="palette" aria-label="Go to">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField label="Go to a page, store or product…" autoFocus />
            <Menu
              className="menu palette-menu"
              aria-label="Results"
              onAction={(key) => {
                onClose()
                navigate(addressOf(String(key)))
              }}
              renderEmptyState={() => <p className="palette-empty muted">No results</p>}
            >
              {groups.map(({ label, entries }) => (
                <MenuSection key={label}>
                  <Header className="rail-label">{label}</Header>
                  {entries.map(({ to, label: name, about, icon: Icon }) => (
                    <MenuItem
                      key={to}
                      id={entryKey(label, to)}
                      textValue={name}
                      className="menu-item"
                    >
                      <Icon size={16} aria-hidden />
                      <Text slot="label" className="cut grow">
                        {name}
                      </Text>
                      {about !== undefined && (
                        <Text slot="description" className="small muted cut">
                          {about}
                        </Text>
                      )}
                      <CornerDownLeft size={14} aria-hidden className="palette-enter" />
                    </MenuItem>
                  ))}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function usePaletteGroups(
  text: string,
  storeId: string | undefined,
): { readonly label: string; readonly entries: readonly Entry[] }[] {
  const api = useApi()
  const { session } = useSession()
  const { data: stores = [] } = useStores()
  const screens = useScreens()
  const query = useDebounced(text.trim())
  const { data: products = [] } = useQuery({
    queryKey: ['palette', storeId, query],
    enabled: storeId !== undefined && query.length > 1,
    queryFn: async () => {
      const { hits } = await api.store(storeId!).search({
        q: query,
        per_page: PRODUCTS_SHOWN,
        highlight: false,
        analytics: false,
      })
      return hits.map((hit) => ({
        to: `${storePath(storeId!, 'documents')}?open=${encodeURIComponent(hit.id)}`,
        label: ('document' in hit ? titleOf(hit.document) : undefined) ?? hit.id,
        about: hit.id,
        icon: Package,
      }))
    },
    // A store without a schema has nothing to search.
    throwOnError: false,
  })
  const pages: Entry[] = [
    ...(storeId === undefined
      ? []
      : screens.store.flatMap(({ label: group, screens: own }) =>
          own
            .filter(({ role }) => mayIn(session, storeId, role))
            .map(({ path, label, icon }) => ({
              to: storePath(storeId, path),
              label,
              icon,
              ...(group === '' ? {} : { about: group }),
            })),
        )),
    ...[...screens.service, ...screens.foot]
      .filter(({ role }) => mayIn(session, undefined, role))
      .map(({ path, label, icon }) => ({ to: `/${path}`, label, icon })),
  ]
  const search: Entry[] =
    storeId === undefined || query === ''
      ? []
      : [
          {
            to: `${storePath(storeId, 'preview')}?q=${encodeURIComponent(query)}`,
            label: `Search for “${query}”`,
            icon: Search,
          },
        ]
  return [
    {
      label: 'Pages',
      entries: beginningFirst(
        pages.filter(({ label }) => isLike(label, text)),
        text,
      ),
    },
    {
      label: 'Stores',
      entries: stores
        .filter(({ name, store_id: id }) => isLike(name, text) || isLike(id, text))
        .slice(0, 6)
        .map(({ name, store_id: id }) => ({
          to: storePath(id),
          label: name,
          about: id,
          icon: Store,
        })),
    },
    { label: 'Products', entries: query === '' ? [] : products },
    { label: 'Search', entries: search },
  ].filter(({ entries }) => entries.length > 0)
}

/** A store and its first page have one address, and two entries of a menu never one key. */
function entryKey(group: string, to: string): string {
  return `${group} ${to}`
}

function addressOf(key: string): string {
  return key.slice(key.indexOf('/'))
}

function isLike(name: string, typed: string): boolean {
  return name.toLocaleLowerCase().includes(typed.trim().toLocaleLowerCase())
}

/** Analytics before Relevance for "an": whose name begins with what was typed comes first. */
function beginningFirst(entries: readonly Entry[], typed: string): readonly Entry[] {
  const start = typed.trim().toLocaleLowerCase()
  const begins = ({ label }: Entry): number => (label.toLocaleLowerCase().startsWith(start) ? 0 : 1)
  return entries.toSorted((a, b) => begins(a) - begins(b))
}

function titleOf(document: Readonly<Record<string, unknown>>): string | undefined {
  const field = TITLE_FIELDS.find((name) => typeof document[name] === 'string')
  return field === undefined ? undefined : String(document[field])
}
