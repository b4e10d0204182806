import { useMemo, useState, type ReactNode } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { fieldErrors } from '../api/failure.ts'
import './field.css'

/**
 * Fields and their button. What the service finds wrong is shown at the field whose `name` is that
 * of the parameter in the request; what belongs to no field is for an `ErrorNote` beside the
 * button.
 */
export function Form({
  onSubmit,
  error,
  children,
}: {
  readonly onSubmit: () => void
  readonly error?: unknown
  readonly children: ReactNode
}): ReactNode {
  const [seen, setSeen] = useState<unknown>()
  // From the first change on the fault may be mended: it must not keep the form from being sent
  // again.
  const faults = useMemo(() => (seen === error ? {} : fieldErrors(error)), [seen, error])
  return (
    <AriaForm
      className="form"
      validationErrors={faults}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className="form-fields" onInput={() => setSeen(error)}>
        {children}
      </div>
    </AriaForm>
  )
}
