import { Download, Upload } from 'lucide-react'
import { lazy, Suspense, type ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components'
import { useStore } from '../../session/store.ts'
import { Button } from '../../ui/button.tsx'
import { downloadParts } from '../../ui/download.ts'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { useMutation } from '@tanstack/react-query'

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
  const exporting = useMutation({
    mutationFn: async () => {
      const { configurationArchive } = await loadDialog()
      const archive = await configurationArchive(calls)
      downloadParts(`${storeId}-settings.zip`, [archive], 'application/zip')
    },
  })
  const opening = useMutation({
    mutationFn: async (file: File) => (await loadDialog()).openArchive(file),
  })
  const opened = opening.data
  const error = exporting.error ?? opening.error
  return (
    <Section
      title="Files"
      about="Schema, settings, presets, rules and sets as one archive, in the format of aisle pull. Keep it with your shop's code, or import it into another store. No products, keys or secrets."
    >
      <div className="row">
        <Button icon={Download} isPending={exporting.isPending} onPress={() => exporting.mutate()}>
          Export files
        </Button>
        <FileTrigger
          acceptedFileTypes={['.zip', 'application/zip']}
          onSelect={(files) => {
            const file = files?.[0]
            if (file === undefined) return
            exporting.reset()
            opening.mutate(file)
          }}
        >
          <Button icon={Upload}>Import files</Button>
        </FileTrigger>
        <span className="muted small">You see the differences first.</span>
      </div>
      {opened !== undefined && 'faults' in opened && (
        <Note kind="bad">
          <p>Nothing was changed. These files are invalid:</p>
          <ul className="settings-faults">
            {opened.faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        </Note>
      )}
      {error !== null && <ErrorNote error={error} />}
      {opened !== undefined && 'wanted' in opened && (
        <Suspense>
          <FilesDialog opened={opened} onClose={opening.reset} onApplied={onApplied} />
        </Suspense>
      )}
    </Section>
  )
}
