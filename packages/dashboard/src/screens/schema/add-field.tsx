import type { SchemaFieldRequest } from '@aisle/contract'
import { useState, type ReactNode } from 'react'
import { hasRoles, ofType, typesOf, type FieldType } from '../../parts/field-types.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { TextField } from '../../ui/text-field.tsx'

const ROLES = [
  { role: 'searchable', label: 'Search: match its words' },
  { role: 'facet', label: 'Filter: facets and filters' },
  { role: 'sort', label: 'Sort: sort results by it' },
] as const

/** One more field, into the draft. */
export function AddField({
  taken,
  onAdd,
  onClose,
}: {
  readonly taken: ReadonlySet<string>
  readonly onAdd: (field: SchemaFieldRequest) => void
  readonly onClose: () => void
}): ReactNode {
  const [name, setName] = useState('')
  const [chosen, setType] = useState<FieldType>()
  const [roles, setRoles] = useState({ searchable: true, facet: false, sort: false })
  const trimmed = name.trim()
  const types = typesOf(trimmed)
  // A pattern begins with what it is mostly for; a field cannot have that.
  const type = types.find(({ value }) => value === chosen)?.value ?? types[0]!.value
  const error =
    trimmed === 'id'
      ? 'Every product already has an id'
      : taken.has(trimmed)
        ? 'A field with this name exists'
        : undefined
  const canAdd = trimmed !== '' && error === undefined
  return (
    <Dialog title="Add field" onClose={onClose} width="narrow">
      <Form onSubmit={() => canAdd && onAdd(ofType({ name: trimmed, type, ...roles }, type))}>
        <TextField
          label="Name"
          about="As in your products, such as `brand`. Inside an object: `variants.color`, or `specs.*` for any name."
          value={name}
          onChange={setName}
          error={error}
          isMono
          autoFocus
        />
        <Select label="Type" options={types} value={type} onChange={setType} />
        {ROLES.map(({ role, label }) => (
          <Checkbox
            key={role}
            isSelected={roles[role] && hasRoles(type)}
            isDisabled={!hasRoles(type)}
            onChange={(isOn) => setRoles({ ...roles, [role]: isOn })}
          >
            {label}
          </Checkbox>
        ))}
        <div className="row schema-foot">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={!canAdd}>
            Add to draft
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
