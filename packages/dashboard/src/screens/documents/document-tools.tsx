import type { StoreSchema } from '@aisle/contract'
import { Package, SearchX, Table2, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../format/numbers.ts'
import { storePath, useStore } from '../../session/store.ts'
import { Chip } from '../../ui/badge.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import type { DocumentQuery } from './document-list.ts'
import { PAGE_ROWS, type DocumentPage } from './document-request.ts'
import { FilterBuilder } from './filter-builder.tsx'
import { clauseWords } from './filter-clauses.ts'
import { Pager } from '../../ui/pager.tsx'

/** Above the table: the search, and the filters as chips. */
export function DocumentTools({
  query,
  schema,
}: {
  readonly query: DocumentQuery
  readonly schema: StoreSchema
}): ReactNode {
  const { q, setQ, clauses, setClauses } = query
  return (
    <>
      <SearchField label="Search products" value={q} onChange={setQ} />
      <FilterBuilder schema={schema} onAdd={(clause) => setClauses([...clauses, clause])} />
      {clauses.map((clause, i) => (
        <Chip
          key={i}
          removeLabel={`Remove ${clauseWords(clause)}`}
          onRemove={() => setClauses(clauses.filter((_, at) => at !== i))}
        >
          {clauseWords(clause)}
        </Chip>
      ))}
    </>
  )
}

/** Shown instead of rows. */
export function NoDocuments({ query }: { readonly query: DocumentQuery }): ReactNode {
  const { storeId } = useStore()
  if (query.page > 1 || query.q !== '' || query.clauses.length > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No product matches"
        action={
          <Button
            onPress={() => {
              query.setQ('')
              query.setClauses([])
            }}
          >
            Clear search and filters
          </Button>
        }
      >
        Try other words or fewer filters.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Package}
      title="No products yet"
      action={
        <LinkButton to={storePath(storeId, 'import')} icon={Upload}>
          Import a file
        </LinkButton>
      }
    >
      Import them from CSV, TSV, JSON or JSONL, or send them through the API.
    </EmptyState>
  )
}

/** A store without a schema. */
export function NoSchema(): ReactNode {
  const { storeId } = useStore()
  return (
    <EmptyState
      icon={Package}
      title="No products yet"
      action={
        <>
          <LinkButton to={storePath(storeId, 'import')} variant="primary" icon={Upload}>
            Import a file
          </LinkButton>
          <LinkButton to={storePath(storeId, 'schema')} icon={Table2}>
            Define fields
          </LinkButton>
        </>
      }
    >
      The store has no fields yet. An import detects them in the file; you can also define them
      first.
    </EmptyState>
  )
}

export function DocumentPager({
  page: { pageCount, found, rows },
  query: { page, setPage },
}: {
  readonly page: DocumentPage
  readonly query: DocumentQuery
}): ReactNode {
  const first = (page - 1) * PAGE_ROWS
  return (
    <Pager page={page} pageCount={pageCount} onChange={setPage}>
      {rows.length === 0
        ? `Page ${formatNumber(page)} of ${formatNumber(pageCount)}`
        : `${formatNumber(first + 1)}–${formatNumber(first + rows.length)} of ${formatNumber(found)}`}
    </Pager>
  )
}
