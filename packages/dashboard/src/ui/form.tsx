import {
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react'
import { Form as AriaForm } from 'react-aria-components'
import { fieldErrors } from '../api/failure.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './states.tsx'
import './field.css'

/**
 * Fields with their buttons. Errors from the service are shown at the field whose `name` is the
 * parameter of the request; other errors in a note above the buttons.
 */
export function Form({
  id,
  onSubmit,
  error,
  actions,
  submit,
  children,
}: {
  readonly id?: string
  readonly onSubmit: () => void
  readonly error?: unknown
  /** Buttons; a form with one takes `submit`. */
  readonly actions?: ReactNode
  /** Verb and object, and whether it is in progress. */
  readonly submit?: { readonly label: string; readonly isPending: boolean } | undefined
  readonly children: ReactNode
}): ReactNode {
  const ownId = useId()
  const [seen, setSeen] = useState<unknown>()
  const [fields, setFields] = useState<ReadonlySet<string>>(NO_FIELDS)
  const errors = useMemo(() => fieldErrors(error), [error])
  const names = useMemo(() => Object.keys(errors), [errors])
  const form = useRef<HTMLFormElement>(null)
  const isAtField = names.length > 0 && names.every((name) => fields.has(name))
  const onEvent = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    // A form around a dialog is not meant.
    event.stopPropagation()
    onSubmit()
  }
  // An error may also be of another button than the one that sends the form.
  useLayoutEffect(() => {
    if (names.length > 0) setFields(new Set([...(form.current?.elements ?? [])].map(nameOf)))
  }, [names])
  return (
    <AriaForm
      ref={form}
      id={id ?? ownId}
      className="stack gap-16"
      // After a change the field may be valid: its error must not prevent sending the form again.
      validationErrors={seen === error ? NO_ERRORS : errors}
      onSubmit={onEvent}
    >
      <div className="form-fields" onInput={() => setSeen(error)}>
        {children}
      </div>
      {error !== undefined && error !== null && !isAtField && <ErrorNote error={error} />}
      {submit !== undefined && (
        <div className="form-actions">
          <Button type="submit" variant="primary" isPending={submit.isPending}>
            {submit.label}
          </Button>
        </div>
      )}
      {actions !== undefined && actions !== false && <div className="form-actions">{actions}</div>}
    </AriaForm>
  )
}

const NO_FIELDS: ReadonlySet<string> = new Set()
const NO_ERRORS = {}

function nameOf(element: Element): string {
  return element.getAttribute('name') ?? ''
}
