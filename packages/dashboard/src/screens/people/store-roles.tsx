import type { User } from '@aisle/client'
import { useState, type ReactNode } from 'react'
import { useStores } from '../../session/store.ts'
import { Select, type Option } from '../../ui/choice.tsx'
import { Note } from '../../ui/states.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import './people.css'

export type StoreRoles = NonNullable<User['stores']>
type Choice = StoreRoles[string] | 'none'

const CHOICES: readonly Option<Choice>[] = [
  { value: 'none', label: 'No access' },
  { value: 'analyst', label: 'Analyst' },
  { value: 'editor', label: 'Editor' },
]
/** A longer list gets a search field. */
const PLAIN_STORES_MAX = 8

/** The stores of a member, with the role in each. */
export function StoreRolesField({
  value,
  onChange,
}: {
  readonly value: StoreRoles
  readonly onChange: (value: StoreRoles) => void
}): ReactNode {
  const { data: stores = [] } = useStores()
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = stores.filter(({ name, store_id: id }) =>
    `${name} ${id}`.toLowerCase().includes(wanted),
  )
  const set = (storeId: string, choice: Choice): void => {
    const { [storeId]: _, ...others } = value
    onChange(choice === 'none' ? others : { ...others, [storeId]: choice })
  }
  return (
    <fieldset className="store-roles-field stack gap-8">
      <legend className="field-label">Stores</legend>
      {stores.length > PLAIN_STORES_MAX && (
        <SearchField label="Find a store" value={filter} onChange={setFilter} />
      )}
      <ul className="store-roles" aria-label="Stores">
        {shown.map(({ store_id: id, name }) => (
          <li key={id} className="row">
            <span className="grow cut">
              {name} <span className="muted small">{id}</span>
            </span>
            <Select
              label={`Role in ${name}`}
              isLabelHidden
              options={CHOICES}
              value={Object.hasOwn(value, id) ? value[id]! : 'none'}
              onChange={(choice) => set(id, choice)}
            />
          </li>
        ))}
      </ul>
      {Object.keys(value).length === 0 && (
        <Note>Without a role in a store, this person sees no store.</Note>
      )}
    </fieldset>
  )
}

/** What a table says of a person's role. */
export function roleText({ role, stores = {} }: Pick<User, 'role' | 'stores'>): string {
  if (role !== 'member') return role[0]!.toUpperCase() + role.slice(1)
  const [only, ...others] = Object.entries(stores)
  if (only === undefined) return 'Member of no store'
  return others.length === 0
    ? `${only[1][0]!.toUpperCase()}${only[1].slice(1)} of ${only[0]}`
    : `Member of ${others.length + 1} stores`
}
