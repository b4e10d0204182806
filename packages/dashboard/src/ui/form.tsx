import { useMemo, useState, type ReactNode } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { fieldErrors } from '../api/failure.ts'
import './field.css'

/**
 * Fields with their button. Errors from the service are shown at the field whose `name` is the
 * parameter of the request; other errors belong in an `ErrorNote` beside the button.
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
  // After a change the field may be valid, so its error must not prevent sending the form again.
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
