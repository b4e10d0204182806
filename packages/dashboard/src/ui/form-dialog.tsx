import { useMutation } from '@tanstack/react-query'
import { useId, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'

/** The request of a form; a mutation is one. */
export interface FormAction {
  readonly mutate: () => void
  readonly error?: unknown
  readonly isPending?: boolean
}

export interface FormDialogProps extends Omit<DialogProps, 'isOpen' | 'footer'> {
  /** Verb and object: "Create store". */
  readonly submitLabel: string
  readonly action: FormAction
  readonly isDisabled?: boolean
  readonly isDangerous?: boolean
}

/** A dialog that is one form: its fields, the error of its request, "Cancel" and the action. */
export function FormDialog({
  submitLabel,
  action: { mutate, error, isPending = false },
  isDisabled = false,
  isDangerous = false,
  children,
  ...dialog
}: FormDialogProps): ReactNode {
  const formId = useId()
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onPress={dialog.onClose} isDisabled={dialog.isFirm === true}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={isDangerous ? 'danger' : 'primary'}
            isPending={isPending}
            isDisabled={isDisabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <Form id={formId} onSubmit={mutate} error={error}>
        {children}
      </Form>
    </Dialog>
  )
}

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
  children,
  confirmLabel,
  nameToType,
  onConfirm,
  isDangerous = true,
  ...dialog
}: ConfirmDialogProps): ReactNode {
  const [typed, setTyped] = useState('')
  const action = useMutation({ mutationFn: onConfirm, onSuccess: dialog.onClose })
  return (
    <FormDialog
      title={dialog.title}
      onClose={dialog.onClose}
      submitLabel={confirmLabel}
      action={action}
      isDisabled={nameToType !== undefined && typed.trim() !== nameToType.trim()}
      isDangerous={isDangerous}
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
    </FormDialog>
  )
}
