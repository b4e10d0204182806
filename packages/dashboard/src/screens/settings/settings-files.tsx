import { Download, Upload } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { downloadParts } from '../../ui/download.ts'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Note } from '../../ui/note.tsx'
import { Section } from '../../ui/page.tsx'
import type { OpenedFiles } from './files-dialog.tsx'

/** With what reads and writes YAML and archives; loaded when it is needed. */
const loadDialog = () => import('./files-dialog.tsx')
const FilesDialog = lazy(async () => ({ default: (await loadDialog()).FilesDialog }))

/** The configuration of the store as files, out and in. */
export function SettingsFiles({
  onApplied,
}: {
  readonly onApplied: () => Promise<unknown>
}): ReactNode {
  const { storeId, calls } = useStore()
  const [isExporting, setExporting] = useState(false)
  const [error, setError] = useState<unknown>()
  const [opened, setOpened] = useState<OpenedFiles>()
  const [faults, setFaults] = useState<readonly string[]>([])

  const exportFiles = async (): Promise<void> => {
    setExporting(true)
    setError(undefined)
    try {
      const { configurationArchive } = await loadDialog()
      downloadParts(
        `${storeId}-settings.zip`,
        [await configurationArchive(calls)],
        'application/zip',
      )
    } catch (failure) {
      setError(failure)
    } finally {
      setExporting(false)
    }
  }
  const open = async (file: File): Promise<void> => {
    setError(undefined)
    setFaults([])
    try {
      const { openArchive } = await loadDialog()
      const result = await openArchive(file)
      if ('faults' in result) setFaults(result.faults)
      else setOpened(result)
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Section
      title="Files"
      about="Schema, settings, presets, rules and sets as the files of aisle pull, in one archive: to keep them with the code of the shop, or to bring them to another store. No products, keys or secrets."
    >
      <div className="row">
        <Button icon={Download} isPending={isExporting} onPress={() => void exportFiles()}>
          Export files
        </Button>
        <FileTrigger
          acceptedFileTypes={['.zip', 'application/zip']}
          onSelect={(files) => {
            const file = files?.[0]
            if (file !== undefined) void open(file)
          }}
        >
          <Button icon={Upload}>Import files</Button>
        </FileTrigger>
        <span className="muted small">Differences are shown first.</span>
      </div>
      {faults.length > 0 && (
        <Note kind="bad">
          <p>Nothing was changed. These files are wrong:</p>
          <ul className="settings-faults">
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </Note>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {opened !== undefined && (
        <Suspense>
          <FilesDialog opened={opened} onClose={() => setOpened(undefined)} onApplied={onApplied} />
        </Suspense>
      )}
    </Section>
  )
}
