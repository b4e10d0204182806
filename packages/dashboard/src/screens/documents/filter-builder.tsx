import type { StoreSchema } from '@aisle/contract'
import { ListFilter } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import { ClauseForm } from './clause-form.tsx'
import { filterableFields, type FilterClause } from './filter-clauses.ts'

/** One more condition: a field, a test, a value. */
export function FilterBuilder({
  schema,
  onAdd,
}: {
  readonly schema: StoreSchema
  readonly onAdd: (clause: FilterClause) => void
}): ReactNode {
  const fields = filterableFields(schema)
  const [isOpen, setOpen] = useState(false)
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <Button icon={ListFilter}>Add filter</Button>
      <Popover
        className="menu-popover floating documents-filter-popover"
        placement="bottom start"
        offset={4}
      >
        <Dialog className="documents-filter" aria-label="Add filter">
          <ClauseForm
            fields={fields}
            onAdd={(clause) => {
              onAdd(clause)
              setOpen(false)
            }}
          />
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
