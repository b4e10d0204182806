import type { Mend, SearchResponse } from '@aisle/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Package } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ProductPicker } from '../../parts/product-picker.tsx'
import { useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { Button } from '../../ui/button.tsx'
import { Segmented } from '../../ui/choice.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { MendCard } from './mend-card.tsx'

const KINDS = [
  { value: 'synonym', label: 'Synonym' },
  { value: 'replace_query', label: 'Search instead' },
] as const

/** A synonym, another query or a product that the reader thinks of, previewed as it is typed. */
export function OwnMend({
  query,
  now,
  isPending,
  onMake,
}: {
  readonly query: string
  readonly now: SearchResponse
  readonly isPending: boolean
  readonly onMake: (mend: Mend) => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const [kind, setKind] = useState<(typeof KINDS)[number]['value']>('synonym')
  const [typed, setTyped] = useState('')
  const [documents, setDocuments] = useState<readonly string[]>([])
  const [isPicking, setPicking] = useState(false)
  const to = useDebounced(typed.trim())
  const mend: Mend | undefined =
    to !== ''
      ? { kind, to }
      : documents.length > 0
        ? { kind: 'pin', documents: [...documents] }
        : undefined
  const preview = useQuery({
    queryKey: ['mends', storeId, query, mend],
    queryFn: () => calls.previewMend(query, mend!),
    enabled: mend !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <div className="stack gap-12">
      <div className="row missed-own">
        <div className="grow">
          <TextField
            label="Other words"
            placeholder="Words that your products use"
            value={typed}
            onChange={setTyped}
            maxLength={100}
          />
        </div>
        <Segmented label="Kind of fix" options={KINDS} value={kind} onChange={setKind} />
      </div>
      <div className="row">
        <Button size="small" icon={Package} onPress={() => setPicking(true)}>
          Choose product
        </Button>
        {documents.length > 0 && (
          <Button size="small" variant="ghost" onPress={() => setDocuments([])}>
            Clear products
          </Button>
        )}
      </div>
      {mend !== undefined && preview.isError && <ErrorNote error={preview.error} attempt="load" />}
      {mend !== undefined && preview.data !== undefined && (
        <ul>
          <MendCard
            key={JSON.stringify(preview.data.mend)}
            query={query}
            preview={preview.data}
            now={now}
            mayEdit
            isPending={isPending || preview.isPlaceholderData}
            onMake={onMake}
          />
        </ul>
      )}
      {isPicking && (
        <ProductPicker
          title="Choose product"
          action="Choose"
          q=""
          onClose={() => setPicking(false)}
          onPick={(id) => {
            setPicking(false)
            setTyped('')
            setDocuments((before) => [...before.filter((one) => one !== id), id])
          }}
        />
      )}
    </div>
  )
}
