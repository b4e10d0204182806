import type { StoreSchema } from '@aisle/contract'
import { History, Layers, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { useSchema, useSettings } from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { BulkEditDialog, type EditSelection } from './bulk-edit.tsx'
import { DeleteDialog, SelectionBar, type Deletion } from './delete-documents.tsx'
import { documentColumns } from './document-columns.tsx'
import { useDocumentQuery, useDocuments, type DocumentQuery } from './document-list.ts'
import { DocumentPanel, NEW_DOCUMENT } from './document-panel.tsx'
import { DocumentTools, NoDocuments, NoSchema, DocumentPager } from './document-tools.tsx'
import { EditHistoryDialog } from './edit-job.tsx'
import { ExportMenu } from './export-menu.tsx'
import { useMutation } from '@tanstack/react-query'
import { stepsOf } from '../../ui/side-panel.tsx'
import { clauseWords, idsExpression } from './filter-clauses.ts'
import './documents.css'

const ABOUT = 'Find, add, edit, delete and export the products of this store.'

/** Every product of the store as a table, each as a form, and many edited at once. */
export function DocumentsScreen(): ReactNode {
  const { data: schema, error, refetch } = useSchema()
  if (schema !== undefined && schema.fields.length > 0) return <Documents schema={schema} />
  return (
    <Page width="reading" title="Products" about={ABOUT}>
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : schema === undefined ? (
        <SkeletonLines count={8} />
      ) : (
        <NoSchema />
      )}
    </Page>
  )
}

function Documents({ schema }: { readonly schema: StoreSchema }): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const { data: settings } = useSettings()
  const query = useDocumentQuery(schema)
  const { data: page, error } = useDocuments(query.request)
  const [openId] = useUrlState('open')
  const change = useUrlChange()
  const [, navigate] = useLocation()
  const open = (id: string | undefined): void => change({ open: id })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [deletion, setDeletion] = useState<Deletion>()
  const [edited, setEdited] = useState<EditSelection>()
  const [shownEdits, showEdits] = useUrlState('edits')

  const rows = page?.rows
  const at = rows?.findIndex(({ id }) => id === openId) ?? -1
  const found = page?.found ?? 0
  const canDeleteFiltered = query.filterBy !== '' && query.q === '' && found > 0
  const { mutate: askForAll } = useMutation({
    mutationFn: () => calls.search({ q: '*', per_page: 0, analytics: false, apply_rules: false }),
    onSuccess: (all) => setDeletion({ kind: 'all', count: all.found }),
  })

  return (
    <Page
      title="Products"
      about={mayEdit ? ABOUT : `${ABOUT} ${ROLE_HINTS.editor}.`}
      actions={
        <>
          {mayEdit && (
            <Button
              icon={Pencil}
              isDisabled={found === 0}
              onPress={() => setEdited(selectionOf(query, found))}
            >
              Edit products
            </Button>
          )}
          <ExportMenu schema={schema} filterBy={query.filterBy} />
          <Button
            variant="primary"
            icon={Plus}
            isDisabled={!mayEdit}
            onPress={() => open(NEW_DOCUMENT)}
          >
            Add product
          </Button>
          {mayEdit && (
            <ActionMenu
              label="More actions"
              actions={[
                {
                  label: 'Bulk edits',
                  about: 'What was edited, and undo',
                  icon: History,
                  onAction: () => showEdits('all'),
                },
                {
                  label: 'Save filter as collection',
                  about:
                    query.filterBy === ''
                      ? 'Set a filter first'
                      : 'A name for these products, for searches and rules',
                  icon: Layers,
                  isDisabled: query.filterBy === '',
                  onAction: () => navigate(newCollectionPath(storeId, query.filterBy)),
                },
                {
                  label: 'Delete filtered products',
                  about: canDeleteFiltered
                    ? `${formatNumber(found)} match the filters`
                    : 'Set a filter first, and clear the search',
                  icon: Trash2,
                  isDangerous: true,
                  isDisabled: !canDeleteFiltered,
                  onAction: () =>
                    setDeletion({ kind: 'filtered', count: found, filterBy: query.filterBy }),
                },
                {
                  label: 'Delete all products',
                  icon: Trash2,
                  isDangerous: true,
                  onAction: () => askForAll(),
                },
              ]}
            />
          )}
        </>
      }
    >
      {error !== null && <ErrorNote attempt="load" error={error} />}
      <Table
        label="Products"
        name={`documents.${storeId}`}
        rows={error !== null && page === undefined ? [] : rows}
        columns={documentColumns(schema, settings?.product_card)}
        rowId={({ id }) => id}
        onOpen={({ id }) => open(id)}
        openRowId={openId === '' ? undefined : openId}
        {...(mayEdit ? { selection: ticked, onSelect: setTicked } : {})}
        {...(page === undefined ? {} : { total: found })}
        isSortedByService
        tools={<DocumentTools query={query} schema={schema} />}
        empty={error === null && <NoDocuments query={query} />}
      />
      {page !== undefined && page.pageCount > 1 && <DocumentPager page={page} query={query} />}
      <SelectionBar
        ids={ticked}
        onClear={() => setTicked(new Set())}
        onEdit={() => setEdited(selectionOfIds([...ticked]))}
        onDelete={() => setDeletion({ kind: 'chosen', ids: [...ticked] })}
      />
      <DocumentPanel
        openId={openId}
        schema={schema}
        onOpen={open}
        {...stepsOf(rows, at, ({ id }) => open(id))}
      />
      {edited !== undefined && (
        <BulkEditDialog selection={edited} schema={schema} onClose={() => setEdited(undefined)} />
      )}
      {shownEdits !== '' && (
        <EditHistoryDialog
          openId={shownEdits === 'all' ? '' : shownEdits}
          onOpen={(id) => showEdits(id === '' ? 'all' : id)}
          onClose={() => showEdits('')}
        />
      )}
      <DeleteDialog
        deletion={deletion}
        onClose={() => setDeletion(undefined)}
        onDone={() => setTicked(new Set())}
      />
    </Page>
  )
}

function newCollectionPath(storeId: string, filterBy: string): string {
  return `${storePath(storeId, 'collections')}?new=true&filter=${encodeURIComponent(filterBy)}`
}

/** What the table shows, on all of its pages. */
function selectionOf({ q, clauses, filterBy }: DocumentQuery, found: number): EditSelection {
  const words = [
    ...(q.trim() === '' ? [] : [`search “${q.trim()}”`]),
    ...clauses.map((clause) => clauseWords(clause)),
  ]
  const request = {
    ...(filterBy === '' ? {} : { filter_by: filterBy }),
    ...(q.trim() === '' && filterBy !== '' ? {} : { q: q.trim() === '' ? '*' : q.trim() }),
  }
  const count = formatCount(found, 'product')
  return words.length === 0
    ? { words: `All ${count} of the store.`, request }
    : { words: `${count}: ${words.join(', ')}.`, request }
}

function selectionOfIds(ids: readonly string[]): EditSelection {
  const request = { filter_by: idsExpression(ids) }
  return { words: `${formatCount(ids.length, 'selected product')}.`, request }
}
