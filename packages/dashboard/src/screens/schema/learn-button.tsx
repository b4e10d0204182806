import type { SchemaFieldRequest } from '@aisle/contract'
import { FileSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { DropZone, FileTrigger } from 'react-aria-components'
import { formatCount } from '../../format/numbers.ts'
import { IMPORT_ENDINGS } from '../../parts/import-endings.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../state/toasts.ts'
import { useMutation } from '@tanstack/react-query'

/**
 * Fields from a file of products: chosen, or dropped on the button. The file itself is not sent.
 */
export function LearnButton({
  isDisabled,
  onLearned,
}: {
  readonly isDisabled: boolean
  readonly onLearned: (fields: readonly SchemaFieldRequest[]) => void
}): ReactNode {
  const { mutate: learn, isPending } = useMutation({
    mutationFn: async (file: File) => {
      const { learnFields } = await import('../../parts/import-file.ts')
      return await learnFields(file)
    },
    onSuccess: (fields, file) => {
      onLearned(fields)
      toast(`${formatCount(fields.length, 'field')} found in ${file.name}`)
    },
    onError: (error) => toast(error.message, 'bad'),
  })
  return (
    <DropZone
      className="schema-drop"
      isDisabled={isDisabled}
      onDrop={(event) => {
        const dropped = event.items.find((item) => item.kind === 'file')
        if (dropped?.kind === 'file') void dropped.getFile().then(learn)
      }}
    >
      <FileTrigger
        acceptedFileTypes={IMPORT_ENDINGS}
        onSelect={(files) => {
          const file = files?.[0]
          if (file !== undefined) learn(file)
        }}
      >
        <Button icon={FileSearch} isDisabled={isDisabled} isPending={isPending}>
          Detect from a file
        </Button>
      </FileTrigger>
    </DropZone>
  )
}
