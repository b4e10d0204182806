import { ImportError } from '@aisle/import'
import type { ReactNode } from 'react'
import { ErrorNote } from '../../ui/error-state.tsx'
import { Note } from '../../ui/note.tsx'

/** An error of the file, not of the page or the service. */
export function FileError({ error }: { readonly error: unknown }): ReactNode {
  if (!(error instanceof ImportError)) return <ErrorNote error={error} />
  return (
    <Note kind="bad">
      <p className="strong">This file cannot be imported as it is</p>
      <p>{error.message}</p>
    </Note>
  )
}
