import { useState, type ReactNode } from 'react'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Operation } from '../../parts/operations.ts'
import { ProseText } from '../../ui/code-block.tsx'

/** With more than these, only what is required or filled in is shown at first. */
const SHOWN_MAX = 6

export function ParameterFields({
  parameters,
  values,
  onChange,
}: {
  readonly parameters: Operation['parameters']
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (values: Readonly<Record<string, string>>) => void
}): ReactNode {
  const [isAll, showAll] = useState(false)
  // A visible field stays visible while it is emptied.
  const [first] = useState(
    () =>
      new Set(
        parameters
          .filter(
            ({ name, required }, at) =>
              required === true ||
              values[name] !== undefined ||
              parameters.length <= SHOWN_MAX ||
              at < 1,
          )
          .map(({ name }) => name),
      ),
  )
  const shown = isAll ? parameters : parameters.filter(({ name }) => first.has(name))
  if (parameters.length === 0) return null
  return (
    <>
      <div className="explorer-fields">
        {shown.map(({ name, in: place, required, description }) => (
          <TextField
            key={name}
            label={`${name}${required === true ? '' : ' (optional)'}`}
            about={
              <ProseText text={`${place === 'path' ? 'In the path. ' : ''}${description ?? ''}`} />
            }
            isMono
            value={values[name] ?? ''}
            onChange={(value) => onChange({ ...values, [name]: value })}
          />
        ))}
      </div>
      {shown.length < parameters.length && (
        <div>
          <Button variant="ghost" size="small" onPress={() => showAll(true)}>
            Show {formatCount(parameters.length - shown.length, 'more parameter')}
          </Button>
        </div>
      )}
    </>
  )
}
