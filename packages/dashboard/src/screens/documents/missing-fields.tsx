import type { StoreSchema } from '@aisle/contract'
import type { ReactNode } from 'react'
import { parseDocument, withField } from './document-text.ts'

/** Fields of the schema that the JSON of a product lacks; a click adds one, empty. */
export function MissingFields({
  schema,
  text,
  onAdd,
}: {
  readonly schema: StoreSchema
  readonly text: string
  readonly onAdd: (text: string) => void
}): ReactNode {
  const document = parseDocument(text === '' ? '{}' : text)
  if (document === undefined) return null
  // What is inside of objects is added there.
  const objects = schema.fields.filter(({ type }) => type.startsWith('object'))
  const isInside = (name: string): boolean => objects.some((one) => name.startsWith(`${one.name}.`))
  const missing = schema.fields.filter(
    ({ name }) => !Object.hasOwn(document, name) && !isInside(name),
  )
  if (missing.length === 0) return null
  return (
    <div className="row gap-6">
      <span className="small muted">Add a field:</span>
      {missing.map(({ name, type }) => (
        <button
          key={name}
          type="button"
          className="documents-missing-field"
          title={type}
          onClick={() => onAdd(withField(text, name, type))}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
