import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { Button, IconButton } from './button.tsx'
import { Form } from './form.tsx'
import { TextField } from './text-field.tsx'
import './dialog.css'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons, the primary one last. */
  readonly footer?: ReactNode
  readonly width?: 'narrow' | 'medium' | 'wide'
  /** Whether it closes only by its buttons. */
  readonly isFirm?: boolean
}

export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  footer,
  width = 'medium',
  isFirm = false,
}: DialogProps): ReactNode {
  return (
    <ModalOverlay
      className="dialog-overlay"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isFirm}
      isKeyboardDismissDisabled={isFirm}
    >
      <Modal className={`dialog dialog-${width}`}>
        <AriaDialog className="dialog-content">
          <header className="dialog-header">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!isFirm && <IconButton label="Close" icon={X} onPress={onClose} />}
          </header>
          <div className="dialog-body">{children}</div>
          {footer !== undefined && <footer className="dialog-footer">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

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
      isOpen
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
