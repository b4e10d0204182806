import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react'
import { useState, type DragEvent, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import './sortable-list.css'

export interface SortableEntry {
  readonly id: string
  /** For screen readers: "Move brand up". */
  readonly name: string
  readonly content: ReactNode
}

/** Entries in an order that people change: by dragging, or by the buttons of each. */
export function SortableList({
  label,
  entries,
  onMove,
  isDisabled = false,
}: {
  readonly label: string
  readonly entries: readonly SortableEntry[]
  /** @param place from 0, among the entries */
  readonly onMove: (id: string, place: number) => void
  readonly isDisabled?: boolean
}): ReactNode {
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  const end = (): void => {
    setDragged(undefined)
    setOver(undefined)
  }
  const onDrop = (event: DragEvent, place: number): void => {
    event.preventDefault()
    if (dragged !== undefined) onMove(dragged, place)
    end()
  }
  return (
    <ol className="sortable" aria-label={label}>
      {entries.map(({ id, name, content }, place) => (
        <li
          key={id}
          className={`sortable-entry${dragged === id ? ' sortable-dragged' : ''}${over === id && dragged !== id ? ' sortable-over' : ''}`}
          draggable={!isDisabled}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData('text/plain', name)
            setDragged(id)
          }}
          onDragEnd={end}
          onDragOver={(event) => {
            if (dragged === undefined) return
            event.preventDefault()
            setOver(id)
          }}
          onDrop={(event) => onDrop(event, place)}
        >
          <GripVertical size={14} aria-hidden className="sortable-grip" />
          <div className="grow">{content}</div>
          <IconButton
            label={`Move ${name} up`}
            icon={ChevronUp}
            isDisabled={isDisabled || place === 0}
            onPress={() => onMove(id, place - 1)}
          />
          <IconButton
            label={`Move ${name} down`}
            icon={ChevronDown}
            isDisabled={isDisabled || place === entries.length - 1}
            onPress={() => onMove(id, place + 1)}
          />
        </li>
      ))}
    </ol>
  )
}
