import type { SynonymItem } from '@aisle/client'
import { useState, type ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-state.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { parseItems } from './synonym-items.ts'

/** Bad lines that are named; more are counted. */
const NAMED_MAX = 8

/** Adds synonyms from a spreadsheet or a file to a set. */
export function PasteDialog({
  onClose,
  onAdd,
}: {
  readonly onClose: () => void
  readonly onAdd: (items: readonly SynonymItem[]) => Promise<void>
}): ReactNode {
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const { items, badLines } = parseItems(text)

  const add = async (): Promise<void> => {
    setPending(true)
    try {
      await onAdd(items)
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  return (
    <Dialog
      title="Import synonyms"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={items.length === 0 || badLines.length > 0}
            onPress={() => void add()}
          >
            Add synonyms
          </Button>
        </>
      }
    >
      <TextField
        label="A line each"
        about="“sofa, couch” finds both ways, “couch => sofa, settee” one way. Cells of a CSV or a spreadsheet are words too."
        lines={10}
        isMono
        value={text}
        onChange={setText}
        placeholder={'sofa, couch, settee\nshoes => sneakers, boots'}
        error={
          badLines.length === 0
            ? undefined
            : `These lines need at least two words: ${badLines.slice(0, NAMED_MAX).join(', ')}${badLines.length > NAMED_MAX ? ` and ${badLines.length - NAMED_MAX} more` : ''}`
        }
      />
      <div className="row row-apart">
        <FileTrigger
          acceptedFileTypes={['text/csv', 'text/plain', '.csv', '.tsv', '.txt']}
          onSelect={(files) => void files?.[0]?.text().then(setText)}
        >
          <Button size="small">Choose file</Button>
        </FileTrigger>
        <span className="muted small">{formatCount(items.length, 'synonym')}</span>
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}
