import { X, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import type { RuleEditorState } from './editor-state.ts'

export interface ConsequenceProps {
  readonly state: RuleEditorState
  readonly isDisabled: boolean
  /** Error from the service about a member of the rule: `boost[0].filter_by`. */
  readonly errorAt: (path: string) => string | undefined
}

export interface PartProps {
  readonly icon: LucideIcon
  readonly title: string
  /** Absent: its parts are removed one by one. */
  readonly onRemove?: () => void
  readonly isDisabled: boolean
  readonly children?: ReactNode
}

/** One consequence: its words, its fields, and a button that removes it. */
export function Part({ icon: Icon, title, onRemove, isDisabled, children }: PartProps): ReactNode {
  return (
    <div className="rules-part stack gap-8">
      <div className="rules-part-head">
        <Icon size={16} aria-hidden className="muted" />
        <span className="grow strong">{title}</span>
        {onRemove !== undefined && (
          <RemovePart label={`Remove: ${title}`} isDisabled={isDisabled} onPress={onRemove} />
        )}
      </div>
      {children !== undefined && <div className="stack gap-8">{children}</div>}
    </div>
  )
}

export function RemovePart({
  onPress,
  isDisabled,
  label = 'Remove',
}: {
  readonly onPress: () => void
  readonly isDisabled: boolean
  readonly label?: string
}): ReactNode {
  return <IconButton label={label} icon={X} isDisabled={isDisabled} onPress={onPress} />
}
