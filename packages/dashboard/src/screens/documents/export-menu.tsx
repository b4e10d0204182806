import type { StoreSchema } from '@aisle/contract'
import { Braces, Download, Sheet } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { failureText } from '../../api/failure.ts'
import { formatNumber } from '../../format/numbers.ts'
import { useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { downloadParts } from '../../ui/download.ts'
import { ActionMenu } from '../../ui/menu.tsx'
import { toast } from '../../state/toasts.ts'
import { exportedCsvLine } from './document-export.ts'
import { useMutation } from '@tanstack/react-query'

/** Lines between two updates of the progress. */
const STEP_LINES = 2_000

/** All products, or those that meet the filters, as a file. */
export function ExportMenu({
  schema,
  filterBy,
}: {
  readonly schema: StoreSchema
  readonly filterBy: string
}): ReactNode {
  const { storeId, calls } = useStore()
  const [progress, setProgress] = useState<string>()
  const { mutate: save, isPending } = useMutation({
    mutationFn: async (format: 'jsonl' | 'csv') => {
      const { docCount, lines } = await calls.exportDocuments(
        filterBy === '' ? undefined : filterBy,
      )
      const names = schema.fields.map(({ name }) => name)
      const parts = format === 'csv' ? [`${['id', ...names].join(',')}\r\n`] : []
      let step: string[] = []
      let count = 0
      for await (const line of lines) {
        step.push(format === 'csv' ? `${exportedCsvLine(line, names)}\r\n` : `${line}\n`)
        if (++count % STEP_LINES !== 0) continue
        parts.push(step.join(''))
        step = []
        setProgress(`${formatNumber(count)} of ${formatNumber(docCount)}`)
      }
      parts.push(step.join(''))
      const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
      downloadParts(`${storeId}-products.${format}`, parts, type)
      toast(`${formatNumber(count)} products exported`)
    },
    onError: (error) => {
      const { title, why } = failureText(error)
      toast(`${title}: ${why}`, 'bad')
    },
    onSettled: () => setProgress(undefined),
  })
  const what = filterBy === '' ? 'all products' : 'the filtered products'
  return (
    <ActionMenu
      label="Export products"
      trigger={
        <Button icon={Download} isPending={isPending}>
          {isPending ? (progress ?? 'Exporting') : 'Export products'}
        </Button>
      }
      actions={[
        {
          label: 'As JSONL',
          about: `All fields of ${what}; can be imported again`,
          icon: Braces,
          onAction: () => save('jsonl'),
        },
        {
          label: 'As CSV',
          about: `${what[0]!.toUpperCase()}${what.slice(1)}, for a spreadsheet`,
          icon: Sheet,
          onAction: () => save('csv'),
        },
      ]}
    />
  )
}
