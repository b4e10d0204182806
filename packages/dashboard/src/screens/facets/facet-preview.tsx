import { arrangedFacets } from '@aisle/client'
import type { FacetDisplay, StoreSchema } from '@aisle/contract'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { arrangement } from '../../parts/facet-arrangement.ts'
import { isRange, useFacetCounts, type FacetCount } from '../../parts/facet-counts.ts'
import { useDebounced } from '../../state/clock.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Section } from '../../ui/page.tsx'
import { ErrorNote, SkeletonLines } from '../../ui/states.tsx'
import { SearchField } from '../../ui/text-field.tsx'

/** Values of a facet without a limit that the preview has room for. */
const VALUES_SHOWN = 8

/** The facets of a query as visitors would see them. */
export function FacetPreview({
  display,
  schema,
  isChanged,
}: {
  readonly display: FacetDisplay
  readonly schema: StoreSchema
  readonly isChanged: boolean
}): ReactNode {
  const [typed, setTyped] = useUrlState('try', '', { isTyped: true })
  const { data, error } = useFacetCounts(useDebounced(typed))
  const names = data?.map(({ field }) => field) ?? []
  const order = arrangement(display, names).flatMap(({ name, isHidden }) => (isHidden ? [] : name))
  const facets = arrangedFacets({
    facet_counts: [...(data ?? [])],
    facet_display: { order, facets: display.facets ?? {} },
  }).filter(({ total_values: count }) => count > 0)
  return (
    <Section title="Preview" about={isChanged ? 'With your unsaved changes.' : 'As it is now.'}>
      <div className="row">
        <SearchField label="Query for the preview" value={typed} onChange={setTyped} />
      </div>
      {error !== null && <ErrorNote attempt="load" error={error} />}
      {data === undefined && error === null && <SkeletonLines count={8} />}
      {data !== undefined && facets.length === 0 && <p className="muted">No results.</p>}
      <div className="facets-preview">
        {facets.map((facet) => (
          <PreviewedFacet
            key={facet.field}
            facet={facet}
            range={rangeOf(schema, facet)}
            all={data?.find(({ field }) => field === facet.field)}
          />
        ))}
      </div>
    </Section>
  )
}

function PreviewedFacet({
  facet: { field, counts },
  range,
  all,
}: {
  readonly facet: FacetCount
  /** The text of a range; undefined: the facet has values. */
  readonly range: string | undefined
  readonly all: FacetCount | undefined
}): ReactNode {
  const shown = counts.slice(0, VALUES_SHOWN)
  const more = counts.length - shown.length
  const left = (all?.counts.length ?? 0) - counts.length
  return (
    <section className="stack gap-4">
      <h3 className="small">
        <bdi>{field}</bdi>
      </h3>
      {range !== undefined ? (
        <p className="small muted">{range}</p>
      ) : (
        <ul>
          {shown.map(({ value, count }) => (
            <li key={value} className="row row-whole small">
              <span className="grow cut">
                <bdi>{value}</bdi>
              </span>
              <span className="number muted">{formatNumber(count)}</span>
            </li>
          ))}
        </ul>
      )}
      {range === undefined && more > 0 && (
        <p className="small muted">and {formatNumber(more)} more</p>
      )}
      {range === undefined && left > 0 && (
        <p className="small muted">{formatNumber(left)} not shown</p>
      )}
    </section>
  )
}

/** "9.00 to 329.00"; dates are not written out here. */
function rangeOf(schema: StoreSchema, { field, stats }: FacetCount): string | undefined {
  if (!isRange(schema, field)) return undefined
  const type = schema.fields.find(({ name }) => name === field)!.type
  if (stats === undefined || type.startsWith('date')) return 'A range'
  return `${formatNumber(stats.min, 2)} to ${formatNumber(stats.max, 2)}`
}
