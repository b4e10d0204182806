import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { ProductLine } from '../../parts/product-card.tsx'
import { useSchema } from '../../parts/store-queries.ts'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { useDraft } from '../../state/draft.ts'
import { useUrlState } from '../../state/url-state.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { cardFacts } from '../../parts/product-fields.ts'
import { tabsRequest, type DraftTab } from './tabs-request.ts'

const TABS_MAX = 20

/**
 * Tabs are part of the request of the shop's page: composed and previewed here, and copied as code.
 */
export function TabsPanel(): ReactNode {
  const { storeId, calls } = useStore()
  const schema = useSchema()
  const fields = (schema.data?.fields ?? []).filter(({ facet }) => facet)
  const { value: tabs, set } = useDraft<readonly DraftTab[]>(`suggestions/${storeId}/tabs`, [])
  const [typed] = useUrlState('q')
  const request = useDebounced(tabsRequest(typed, tabs), 200)
  const { data, error } = useQuery({
    queryKey: ['suggest', storeId, request],
    queryFn: () => calls.suggest(request),
    placeholderData: keepPreviousData,
    enabled: request.filtered_tabs.length > 0,
  })
  const results = data?.results?.flatMap(({ extensions }) => extensions.filtered_tabs ?? []) ?? []
  const change = (place: number, changes: Partial<DraftTab>): void =>
    set(tabs.map((tab, i) => (i === place ? { ...tab, ...changes } : tab)))
  const options = fields.map(({ name }) => ({ value: name, label: name }))
  return (
    <div className="stack">
      <p className="muted">
        Groups of products in the dropdown, each with a filter. Your page sends them with its
        request: build them here, then copy the code.
      </p>
      {tabs.map((tab, i) => (
        <div key={i} className="suggestions-tab">
          <TextField
            label="Label"
            value={tab.label}
            onChange={(label) => change(i, { label })}
            maxLength={80}
          />
          <Select
            label="Field"
            options={options}
            value={tab.field}
            onChange={(field) => change(i, { field })}
          />
          <TextField label="Value" value={tab.value} onChange={(value) => change(i, { value })} />
          <IconButton
            size="medium"
            label={`Remove tab ${tab.label}`}
            icon={Trash2}
            onPress={() => set(tabs.filter((_, place) => place !== i))}
          />
        </div>
      ))}
      <div className="row">
        <Button
          icon={Plus}
          isDisabled={tabs.length >= TABS_MAX || options.length === 0}
          onPress={() => set([...tabs, { label: '', field: options[0]!.value, value: '' }])}
        >
          Add tab
        </Button>
        {schema.data !== undefined && options.length === 0 && (
          <span className="small muted">Tabs need a facet field in the schema.</span>
        )}
      </div>
      {error !== null && request.filtered_tabs.length > 0 && (
        <ErrorNote attempt="load" error={error} />
      )}
      {request.filtered_tabs.length > 0 && (
        <>
          {data?.warnings?.map((warning) => (
            <p key={warning} className="small muted">
              {warning}
            </p>
          ))}
          <div className="suggestions-groups">
            {results.map(({ id, label, nb_hits: found, products }) => (
              <section key={id} aria-label={label}>
                <h3 className="cut" title={label}>
                  {label} <span className="small muted number">{formatNumber(found)}</span>
                </h3>
                <ul>
                  {products.slice(0, 3).map((card) => (
                    <li key={card.id}>
                      <ProductLine facts={cardFacts(card)} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </div>
          <CodeBlock
            label="Request"
            samples={[{ label: 'JSON', code: JSON.stringify(request, null, 2) }]}
          />
        </>
      )}
    </div>
  )
}
