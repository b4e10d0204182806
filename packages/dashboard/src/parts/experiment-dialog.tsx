import type { Experiment, RelevanceDraft } from '@aisle/contract'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { storePath, useRefresh, useStore } from '../session/store.ts'
import { toast } from '../state/toasts.ts'
import { RadioCards, Select } from '../ui/choice.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/text-field.tsx'

const KINDS = [
  {
    value: 'interleaved',
    label: 'Interleaved',
    about:
      'Every visitor sees both orders in one list, and clicks choose. A few hundred visitors suffice.',
  },
  {
    value: 'split',
    label: 'Split by visitor',
    about:
      'Half of the visitors get the draft. Measures orders and revenue; needs thousands of visitors.',
  },
] as const
const GOALS = [
  { value: 'order', label: 'Orders' },
  { value: 'revenue', label: 'Revenue per visitor' },
  { value: 'add_to_cart', label: 'Add to cart' },
  { value: 'click', label: 'Click-through' },
] as const

/** Starts an experiment with a draft. */
export function ExperimentDialog({
  title = 'Run as experiment',
  name: proposed = '',
  draft,
  category,
  onClose,
}: {
  readonly title?: string
  readonly name?: string
  readonly draft: RelevanceDraft
  /** Only this category page takes part. */
  readonly category?: NonNullable<Experiment['category']>
  readonly onClose: () => void
}): ReactNode {
  const { storeId, calls } = useStore()
  const refresh = useRefresh()
  const [, go] = useLocation()
  const [name, setName] = useState(proposed)
  const [kind, setKind] = useState<Experiment['kind']>('interleaved')
  const [goal, setGoal] = useState<Experiment['goal']>('order')
  const [tags, setTags] = useState('')
  const starting = useMutation({
    mutationFn: async () => {
      const own = tags.split(',').flatMap((tag) => (tag.trim() === '' ? [] : tag.trim()))
      const started = await calls.startExperiment({
        name: name.trim(),
        kind,
        draft,
        ...(kind === 'split' ? { goal } : {}),
        ...(own.length === 0 ? {} : { tags: own }),
        ...(category && { category: { field: category.field, value: category.value } }),
      })
      await refresh('experiments')
      toast(`Started “${started.name}”`, 'good')
      go(`${storePath(storeId, 'experiments')}?experiment=${started.id}`)
    },
  })
  return (
    <FormDialog
      title={title}
      submitLabel="Start experiment"
      action={starting}
      isDisabled={name.trim() === ''}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} autoFocus />
      {category !== undefined && (
        <p className="muted">
          Only views of the page {category.value}, without a query, take part.
        </p>
      )}
      <RadioCards label="Kind" options={KINDS} value={kind} onChange={setKind} />
      {kind === 'split' && (
        <Select label="Decided by" options={GOALS} value={goal} onChange={setGoal} />
      )}
      <TextField
        label="Only searches tagged"
        about="Analytics tags such as mobile, separated by commas. Empty: all searches"
        value={tags}
        onChange={setTags}
      />
    </FormDialog>
  )
}
