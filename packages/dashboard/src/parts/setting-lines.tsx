import { useState, type ReactNode } from 'react'
import { TextField } from '../ui/text-field.tsx'
import { linesOf, valueOfLines } from './setting-changes.ts'

/** Lines as typed: an incomplete line has no value yet. */
export function SettingLines({
  path,
  value,
  onChange,
  ...rest
}: {
  readonly path: string
  readonly label: string
  readonly about?: string
  readonly error?: string | undefined
  readonly isLabelHidden?: boolean
  readonly value: unknown
  readonly placeholder: string
  readonly isDisabled?: boolean
  readonly onChange: (value: unknown) => void
}): ReactNode {
  const text = linesOf(path, value)
  const [written, setWritten] = useState(text)
  // The value is not the one typed here: it was discarded or reset.
  const isStale = linesOf(path, valueOfLines(path, written)) !== text
  const shown = isStale ? text : written
  const exampleLines = rest.placeholder.split('\n').length
  return (
    <TextField
      {...rest}
      lines={Math.min(8, Math.max(3, exampleLines, shown.split('\n').length + 1))}
      isMono
      value={shown}
      onChange={(next) => {
        setWritten(next)
        onChange(valueOfLines(path, next))
      }}
    />
  )
}
