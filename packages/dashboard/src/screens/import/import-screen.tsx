import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { dismissImport, isUnderWay, startImport, useImportJob } from '../../parts/import-job.ts'
import { rowsDone } from '../../parts/import-mark.ts'
import { useDeclaredSchema } from '../../parts/store-queries.ts'
import { STORES_QUERY, useStore } from '../../shell/store-context.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { FileDrop } from './file-drop.tsx'
import { setImportDraft, useImportDraft } from './import-draft.ts'
import { openFile, type Reading } from '../../parts/import-file.ts'
import { addedFields, proposedPlan, rowOptions } from './import-plan.ts'
import { ImportProgress } from './import-progress.tsx'
import { PlanForm } from './plan-form.tsx'
import './import.css'

/** Products from a file: choose it, map its columns, watch the import. */
export function ImportScreen(): ReactNode {
  const { storeId, calls } = useStore()
  const { data: schema, error: schemaError, refetch } = useDeclaredSchema()
  const draft = useImportDraft(storeId)
  const queries = useQueryClient()
  const job = useImportJob()
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<unknown>()

  const read = async (file: File, reading: Reading = {}): Promise<void> => {
    if (schema === undefined) return
    setReading(true)
    setError(undefined)
    try {
      const opened = await openFile(file, reading)
      if (!isUnderWay(job)) dismissImport()
      setImportDraft({ storeId, opened, plan: proposedPlan(opened.rows, schema) })
    } catch (failure) {
      setError(failure)
    } finally {
      setReading(false)
    }
  }
  const refresh = (): void => {
    for (const queryKey of [['documents', storeId], ['schema', storeId], STORES_QUERY]) {
      void queries.invalidateQueries({ queryKey })
    }
  }
  const start = async (skip: number): Promise<void> => {
    if (draft === undefined || schema === undefined) return
    const { opened, plan } = draft
    const fields = addedFields(plan, schema)
    if (fields.length > 0) await calls.changeSchema({ fields })
    startImport({
      storeId,
      calls,
      source: opened.source,
      schema: await calls.schema(),
      options: rowOptions(plan, opened.rows.columns !== undefined),
      delimiter: opened.reading.delimiter,
      encoding: opened.reading.encoding,
      skip,
      onEnd: refresh,
    })
    setImportDraft(undefined)
    refresh()
  }

  return (
    <Page
      title="Import"
      about="Products from a file: CSV, TSV, JSON or JSONL."
      width={draft === undefined ? 'reading' : 'full'}
    >
      {schemaError !== null ? (
        <ErrorState error={schemaError} onRetry={() => void refetch()} />
      ) : schema === undefined ? (
        <SkeletonLines count={5} />
      ) : (
        <>
          {job !== undefined && draft === undefined && <ImportProgress job={job} />}
          {draft !== undefined ? (
            <PlanForm
              key={`${draft.opened.file.name}/${JSON.stringify(draft.opened.reading)}`}
              draft={draft}
              schema={schema}
              isBusy={isUnderWay(job)}
              done={rowsDone(storeId, draft.opened.source)}
              error={error}
              onRead={(reading) => void read(draft.opened.file, reading)}
              onChange={(plan) => setImportDraft({ ...draft, plan })}
              onCancel={() => {
                setError(undefined)
                setImportDraft(undefined)
              }}
              onStart={start}
            />
          ) : (
            job?.storeId !== storeId && (
              <FileDrop isReading={isReading} error={error} onFile={(file) => void read(file)} />
            )
          )}
        </>
      )}
    </Page>
  )
}
