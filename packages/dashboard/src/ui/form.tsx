import type { ReactNode } from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { fieldErrors } from '../api/failure.ts'
import './field.css'

/**
 * Fields and their button. What the service finds wrong is shown at the field whose `name` is that of the
 * parameter in the request; what belongs to no field is for an `ErrorNote` beside the button.
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
  return (
    <AriaForm
      className="form"
      validationErrors={fieldErrors(error)}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </AriaForm>
  )
}
