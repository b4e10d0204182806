import { ChevronDown, ChevronUp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { IconButton } from './button.tsx'
import './dialog.css'

export interface SidePanelProps {
  readonly title: string
  readonly isOpen?: boolean
  readonly onClose: () => void
  /** Steps through the rows of a table; absent at the first or last row. */
  readonly onPrevious?: (() => void) | undefined
  readonly onNext?: (() => void) | undefined
  readonly footer?: ReactNode
  readonly children: ReactNode
}

/** Details of a table row, on the right while the table stays visible. */
export function SidePanel({
  title,
  isOpen = true,
  onClose,
  onPrevious,
  onNext,
  footer,
  children,
}: SidePanelProps): ReactNode {
  const steps = onPrevious !== undefined || onNext !== undefined
  return (
    <ModalOverlay
      className="panel-overlay"
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable
    >
      <Modal className="panel">
        <AriaDialog className="dialog-content">
          <header className="dialog-header">
            <Heading slot="title" level={2} className="cut grow">
              {title}
            </Heading>
            {steps && (
              <>
                <IconButton
                  label="Previous"
                  icon={ChevronUp}
                  isDisabled={onPrevious === undefined}
                  onPress={() => onPrevious?.()}
                />
                <IconButton
                  label="Next"
                  icon={ChevronDown}
                  isDisabled={onNext === undefined}
                  onPress={() => onNext?.()}
                />
              </>
            )}
            <IconButton label="Close" icon={X} onPress={onClose} />
          </header>
          <div className="dialog-body stack">{children}</div>
          {footer !== undefined && <footer className="dialog-footer">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** The buttons to the rows before and after the open one. */
export function stepsOf<Row>(
  rows: readonly Row[] | undefined,
  at: number,
  open: (row: Row) => void,
): Pick<SidePanelProps, 'onPrevious' | 'onNext'> {
  const step = (to: number): (() => void) | undefined => {
    const row = at < 0 ? undefined : rows?.[to]
    return row === undefined ? undefined : () => open(row)
  }
  return { onPrevious: step(at - 1), onNext: step(at + 1) }
}
