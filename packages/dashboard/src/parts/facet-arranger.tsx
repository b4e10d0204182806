import type { FacetDisplay, StoreSchema } from '@aisle/contract'
import { Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { SortableList } from '../ui/sortable-list.tsx'
import {
  arrangement,
  withFacetAt,
  withFacetHidden,
  withFacetValues,
  type ArrangedFacet,
} from './facet-arrangement.ts'
import { isRange, type FacetCount } from './facet-counts.ts'
import { FacetValues } from './facet-values.tsx'
import './facet-arranger.css'

/** The facets in an order that people change, and beside it the values of the chosen one. */
export function FacetArranger({
  display,
  names,
  schema,
  counts,
  isDisabled,
  onChange,
}: {
  readonly display: FacetDisplay
  /** Of all facets of the store. */
  readonly names: readonly string[]
  readonly schema: StoreSchema
  /** Undefined while they load. */
  readonly counts: readonly FacetCount[] | undefined
  readonly isDisabled: boolean
  readonly onChange: (display: FacetDisplay) => void
}): ReactNode {
  const [chosen, choose] = useState<string>()
  const all = arrangement(display, names)
  const shown = all.filter(({ isHidden }) => !isHidden)
  const hidden = all.filter(({ isHidden }) => isHidden)
  const open = all.find(({ name }) => name === chosen) ?? all[0]
  const row = (facet: ArrangedFacet): ReactNode => (
    <div className="row row-whole gap-4">
      <AriaButton
        className="arranger-name grow cut"
        aria-pressed={facet.name === open?.name}
        onPress={() => choose(facet.name)}
      >
        <bdi>{facet.name}</bdi>
      </AriaButton>
      {marksOf(facet).map((mark) => (
        <Badge key={mark}>{mark}</Badge>
      ))}
      <IconButton
        label={facet.isHidden ? `Show ${facet.name}` : `Hide ${facet.name}`}
        icon={facet.isHidden ? EyeOff : Eye}
        isDisabled={isDisabled}
        onPress={() => onChange(withFacetHidden(display, facet.name, !facet.isHidden))}
      />
    </div>
  )
  return (
    <div className="arranger">
      <div className="stack gap-8">
        <SortableList
          label="Facets, in order"
          isDisabled={isDisabled}
          entries={shown.map((facet) => ({
            id: facet.name,
            name: facet.name,
            content: row(facet),
          }))}
          onMove={(name, place) => onChange(withFacetAt(display, names, name, place))}
        />
        {hidden.length > 0 && (
          <>
            <h3 className="small muted">Hidden</h3>
            <ul className="arranger-hidden stack gap-4">
              {hidden.map((facet) => (
                <li key={facet.name}>{row(facet)}</li>
              ))}
            </ul>
          </>
        )}
      </div>
      {open !== undefined && (
        <FacetValues
          key={open.name}
          name={open.name}
          isRange={isRange(schema, open.name)}
          values={open.values}
          counts={counts?.find(({ field }) => field === open.name)?.counts}
          isDisabled={isDisabled}
          onChange={(values) => onChange(withFacetValues(display, open.name, values))}
        />
      )}
    </div>
  )
}

function marksOf({ values: { sort, pin = [], hide = [], limit } }: ArrangedFacet): string[] {
  return [
    ...(pin.length === 0 ? [] : [`${pin.length} pinned`]),
    ...(hide.length === 0 ? [] : [`${hide.length} hidden`]),
    ...(sort === 'alpha' ? ['A to Z'] : []),
    ...(limit === undefined ? [] : [`${limit} shown`]),
  ]
}
