import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from './button.tsx'
import './dialog.css'

export interface DialogProps {
  readonly title: string
  readonly isOpen?: boolean
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
  isOpen = true,
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
          <div className="dialog-body stack">{children}</div>
          {footer !== undefined && <footer className="dialog-footer">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}
