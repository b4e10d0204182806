import { ImportError } from '@aisle/import'
import { FileUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { DropZone, FileTrigger, Text } from 'react-aria-components'
import { IMPORT_ENDINGS } from '../../parts/import-endings.ts'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'

/** Takes a file, dropped or chosen. */
export function FileDrop({
  readShare,
  error,
  onFile,
}: {
  /** Of the file that is being read, 0..1. */
  readonly readShare: number | undefined
  readonly error: unknown
  readonly onFile: (file: File) => void
}): ReactNode {
  return (
    <div className="stack">
      <DropZone
        className="import-drop"
        onDrop={(event) => {
          const dropped = event.items.find((item) => item.kind === 'file')
          if (dropped?.kind === 'file') void dropped.getFile().then(onFile)
        }}
      >
        <span className="state-icon" aria-hidden>
          <FileUp size={20} />
        </span>
        <Text slot="label" className="strong">
          Drop a product file here
        </Text>
        <p className="muted import-drop-text">
          A product feed of Google or Meta (XML, TSV, CSV), or any CSV, TSV, JSON or JSONL file,
          also compressed (.gz). You map the columns to fields before anything is sent.
        </p>
        <FileTrigger
          acceptedFileTypes={IMPORT_ENDINGS}
          onSelect={(files) => {
            const file = files?.[0]
            if (file !== undefined) onFile(file)
          }}
        >
          <Button variant="primary" isPending={readShare !== undefined}>
            Choose file
          </Button>
        </FileTrigger>
        {readShare !== undefined && <Progress value={readShare} label="Reading the file" />}
      </DropZone>
      {error !== null && <FileError error={error} />}
      <p className="small muted">
        In a terminal, <code>aisle import products.csv</code> does the same.
      </p>
    </div>
  )
}

/** An error of the file, not of the page or the service. */
export function FileError({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof ImportError)) return <ErrorNote error={error} />
  return (
    <Note kind="bad">
      <p className="strong">This file can't be imported</p>
      <p>{error.message}</p>
    </Note>
  )
}
