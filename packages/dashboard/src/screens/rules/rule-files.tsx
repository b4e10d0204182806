import { RefusedError } from '@aisle/client'
import { faultAt, readRules, rulesCsv, type RuleFault, type RuleTableChange } from '@aisle/import'
import { useMutation } from '@tanstack/react-query'
import { Download, FileUp } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { fileSource } from '../../parts/import-file.ts'
import { useMay } from '../../session/session.ts'
import { useStore } from '../../session/store.ts'
import { toast } from '../../state/toasts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { downloadText } from '../../ui/download.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import type { NamedRule } from './rule-draft.ts'
import { useManyRules } from './rules-data.ts'

const ROWS_SHOWN = 100

/** All rules as a table for a spreadsheet, and back. */
export function RuleFiles({ rules }: { readonly rules: readonly NamedRule[] }): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const [isImporting, setImporting] = useState(false)
  return (
    <>
      <ActionMenu
        label="Rules as CSV"
        actions={[
          {
            label: 'Export as CSV',
            icon: Download,
            isDisabled: rules.length === 0,
            onAction: () => {
              const rows = rules.map(({ id, value }) => ({ ...value, id }))
              downloadText(`rules-${storeId}.csv`, rulesCsv(rows), 'text/csv')
            },
          },
          {
            label: 'Import CSV',
            icon: FileUp,
            isDisabled: !mayEdit,
            onAction: () => setImporting(true),
          },
        ]}
      />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </>
  )
}

interface ReadTable {
  readonly file: File
  readonly isWhole: boolean
  readonly etag: string
  readonly change: RuleTableChange
}

/** Shows what a file would change, and applies all of it or nothing. */
function ImportDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { calls } = useStore()
  const many = useManyRules()
  const read = useMutation({
    mutationFn: async ({ file, isWhole }: Pick<ReadTable, 'file' | 'isWhole'>) => {
      const { value: saved, etag } = await calls.taggedRules()
      const change = await readRules(fileSource(file, 'csv'), saved, { isWhole })
      const faults = change.faults.length > 0 ? change.faults : await refused(change, etag)
      return { file, isWhole, etag, change: { ...change, faults } }
    },
  })
  const refused = async (change: RuleTableChange, etag: string): Promise<readonly RuleFault[]> => {
    try {
      const { put, delete: removed } = change
      await calls.changeRules({ put: [...put], delete: [...removed], dry_run: true }, etag)
      return []
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status !== 400) throw error
      const faults = error.details.flatMap(
        ({ param, message }) => faultAt(change, param, message) ?? [],
      )
      if (faults.length === 0) throw error
      return faults
    }
  }
  const apply = useMutation({
    mutationFn: async ({ change, etag }: ReadTable) => {
      await many.change({ put: [...change.put], delete: [...change.delete] }, etag)
    },
    onSuccess: (_, { change }) => {
      toast(`${formatCount(change.differences.length, 'rule')} changed`, 'good')
      onClose()
    },
  })
  const table = read.data
  const faults = table?.change.faults ?? []
  const differences = table?.change.differences ?? []
  return (
    <FormDialog
      title="Import CSV"
      width="wide"
      onClose={onClose}
      submitLabel={
        faults.length > 0 || differences.length === 0
          ? 'Apply changes'
          : `Apply ${formatCount(differences.length, 'change')}`
      }
      action={{
        mutate: () => table !== undefined && apply.mutate(table),
        error: apply.error,
        isPending: apply.isPending,
      }}
      isDisabled={table === undefined || faults.length > 0 || differences.length === 0}
      isDangerous={differences.some(({ verb }) => verb === 'remove')}
    >
      <p className="muted">
        One row per rule, with the columns of an export; columns that the file lacks stay as they
        are. Nothing changes unless every row is valid.
      </p>
      <div className="row gap-12">
        <FileTrigger
          acceptedFileTypes={['.csv', '.txt']}
          onSelect={(files) => {
            const file = files?.[0]
            if (file !== undefined) read.mutate({ file, isWhole: table?.isWhole ?? false })
          }}
        >
          <Button icon={FileUp} isPending={read.isPending}>
            Choose file
          </Button>
        </FileTrigger>
        {table !== undefined && (
          <>
            <span className="cut">{table.file.name}</span>
            <Checkbox
              isSelected={table.isWhole}
              onChange={(isWhole) => read.mutate({ file: table.file, isWhole })}
            >
              Delete rules that are not in the file
            </Checkbox>
          </>
        )}
      </div>
      {read.isError && <ErrorNote error={read.error} attempt="load" />}
      {faults.length > 0 && <Faults faults={faults} />}
      {table !== undefined && faults.length === 0 && <Differences change={table.change} />}
    </FormDialog>
  )
}

function Faults({ faults }: { readonly faults: readonly RuleFault[] }): ReactNode {
  return (
    <>
      <Note kind="bad">
        {formatCount(faults.length, 'fault')}. Correct the file and choose it again.
      </Note>
      <div className="rules-scroll">
        <table className="rules-plain">
          <thead>
            <tr>
              <th>Row</th>
              <th>Column</th>
              <th>Fault</th>
            </tr>
          </thead>
          <tbody>
            {faults.slice(0, ROWS_SHOWN).map(({ row, column, message }, i) => (
              <tr key={i}>
                <td className="number">{row}</td>
                <td>{column ?? '–'}</td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const VERBS = {
  add: ['Add', 'good'],
  change: ['Change', 'accent'],
  remove: ['Delete', 'warn'],
} as const

function Differences({
  change: { differences, unchanged },
}: {
  readonly change: RuleTableChange
}): ReactNode {
  if (differences.length === 0) {
    return (
      <Note>Nothing to change: all {formatNumber(unchanged)} rules are like this already.</Note>
    )
  }
  return (
    <>
      <p role="status">
        {formatCount(differences.length, 'change')}, {formatNumber(unchanged)} unchanged
        {differences.length > ROWS_SHOWN && `; the first ${ROWS_SHOWN}:`}
      </p>
      <div className="rules-scroll">
        <ul className="stack gap-8">
          {differences.slice(0, ROWS_SHOWN).map(({ id, verb, cells }) => (
            <li key={`${verb} ${id}`}>
              <Badge kind={VERBS[verb][1]}>{VERBS[verb][0]}</Badge>{' '}
              <span className="strong">{id}</span>
              {cells.map(({ column, before, after }) => (
                <div key={column} className="small rules-cell-change">
                  {column}: <del>{before || '(empty)'}</del> → <ins>{after || '(empty)'}</ins>
                </div>
              ))}
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
