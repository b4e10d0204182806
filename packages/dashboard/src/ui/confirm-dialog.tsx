import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-state.tsx'
import { TextField } from './text-field.tsx'

export interface ConfirmDialogProps {
  readonly title: string
  /** What will be deleted or changed, with the count. */
  readonly children: ReactNode
  /** Verb and object: "Delete store". */
  readonly confirmLabel: string
  /** Must be typed first: the name of what will be deleted. */
  readonly nameToType?: string
  readonly isOpen: boolean
  readonly onClose: () => void
  /** The dialog closes when the action is done, and shows the error if it fails. */
  readonly onConfirm: () => Promise<unknown>
  readonly isDangerous?: boolean
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  // Typed text and errors disappear with the dialog.
  return props.isOpen ? <Open {...props} /> : null
}

function Open({
  title,
  children,
  confirmLabel,
  nameToType,
  onClose,
  onConfirm,
  isDangerous = true,
}: ConfirmDialogProps): ReactNode {
  const [typed, setTyped] = useState('')
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const confirm = async (): Promise<void> => {
    setPending(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }
  const mayConfirm = nameToType === undefined || typed.trim() === nameToType.trim()
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            isPending={isPending}
            isDisabled={!mayConfirm}
            onPress={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
      {nameToType !== undefined && (
        <TextField
          label={`Type “${nameToType}” to confirm`}
          value={typed}
          onChange={setTyped}
          autoFocus
        />
      )}
      {error !== undefined && <ErrorNote error={error} />}
    </Dialog>
  )
}
