import { useState, type ReactNode } from 'react'
import { dismissImport, isUnderWay, startImport, useImportJob } from '../../parts/import-job.ts'
import { rowsDone } from '../../parts/import-mark.ts'
import { useDeclaredSchema } from '../../parts/store-queries.ts'
import { useRefresh, useStore } from '../../session/store.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { FileDrop } from './file-drop.tsx'
import { setImportDraft, useImportDraft } from './import-draft.ts'
import { openFile, type Reading } from '../../parts/import-file.ts'
import { firstPlan, plannedImport, rowOptions, type ImportPlan } from './import-plan.ts'
import { ImportProgress } from './import-progress.tsx'
import { PlanForm } from './plan-form.tsx'
import { useMutation } from '@tanstack/react-query'
import './import.css'

/** Products from a file: choose it, map its columns, watch the import. */
export function ImportScreen(): ReactNode {
  const { storeId, calls } = useStore()
  const { data: schema, error: schemaError, refetch } = useDeclaredSchema()
  const draft = useImportDraft(storeId)
  const readAgain = useRefresh()
  const job = useImportJob()
  const [readShare, setReadShare] = useState<number>()
  const reading = useMutation({
    mutationFn: async ({
      file,
      how = {},
      plan,
    }: {
      file: File
      how?: Reading
      plan?: ImportPlan
    }) => {
      setReadShare(0)
      const idColumn = plan?.idColumn ?? ''
      const opened = await openFile(file, how, { idColumn, onProgress: setReadShare })
      if (!isUnderWay(job)) dismissImport()
      setImportDraft({ storeId, opened, plan: plan ?? firstPlan(opened) })
    },
    onSettled: () => setReadShare(undefined),
  })
  const change = (plan: ImportPlan): void => {
    if (draft === undefined) return
    setImportDraft({ ...draft, plan })
    const { opened } = draft
    const isCompared = plan.idColumn === '' || opened.profile.ids.has(plan.idColumn)
    // The values of another id column are compared, too.
    if (!isCompared) reading.mutate({ file: opened.file, how: opened.reading, plan })
  }
  const refresh = () => void readAgain('documents', 'schema', 'stores')
  const start = async (skip: number): Promise<void> => {
    if (draft === undefined || schema === undefined) return
    const { opened, plan } = draft
    const planned = plannedImport(opened, schema, plan)
    const fields = [...planned.added]
    if (fields.length > 0) await calls.changeSchema({ fields })
    if (planned.distinct !== undefined) {
      await calls.changeSettings({ distinct: { field: planned.distinct, limit: 1 } })
    }
    startImport({
      storeId,
      calls,
      source: opened.source,
      schema: await calls.schema(),
      options: rowOptions(planned, plan),
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
      about="Products from a file: a product feed, CSV, TSV, JSON or JSONL."
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
              error={reading.error}
              onRead={(how) => reading.mutate({ file: draft.opened.file, how })}
              onChange={change}
              onCancel={() => {
                reading.reset()
                setImportDraft(undefined)
              }}
              onStart={start}
            />
          ) : (
            job?.storeId !== storeId && (
              <FileDrop
                readShare={readShare}
                error={reading.error}
                onFile={(file) => reading.mutate({ file })}
              />
            )
          )}
        </>
      )}
    </Page>
  )
}
