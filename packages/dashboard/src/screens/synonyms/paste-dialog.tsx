import type { SynonymItem } from '@aisle/client'
import { useState, type ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMutation } from '@tanstack/react-query'
import { parseItems } from '../../parts/word-lines.ts'

/** Bad lines that are named; more are counted. */
const NAMED_MAX = 8

/** Adds synonyms from a spreadsheet or a file to a set. */
export function PasteDialog({
  onClose,
  onAdd,
}: {
  readonly onClose: () => void
  readonly onAdd: (items: readonly SynonymItem[]) => Promise<unknown>
}): ReactNode {
  const [text, setText] = useState('')
  const { items, badLines } = parseItems(text)

  const adding = useMutation({ mutationFn: () => onAdd(items) })
  return (
    <FormDialog
      title="Import synonyms"
      submitLabel="Add synonyms"
      action={adding}
      isDisabled={items.length === 0 || badLines.length > 0}
      onClose={onClose}
    >
      <TextField
        label="One per line"
        about="“sofa, couch” for both ways, “couch => sofa, settee” for one way. You can paste CSV or spreadsheet cells."
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
    </FormDialog>
  )
}
