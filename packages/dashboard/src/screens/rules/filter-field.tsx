import { ListFilter } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { FilterDialog } from './filter-dialog.tsx'

export interface FilterFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isDisabled: boolean
  /** Error from the service, by its place in the rule. */
  readonly error?: string | undefined
}

/** A filter as text, with a dialog that builds it from the values of the catalog. */
export function FilterField({ label, value, onChange, ...rest }: FilterFieldProps): ReactNode {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <div className="rules-filter-field">
      <TextField
        {...rest}
        label={label}
        isLabelHidden
        isMono
        placeholder="brand:=Norrby"
        value={value}
        onChange={onChange}
      />
      <Button
        size="small"
        icon={ListFilter}
        isDisabled={rest.isDisabled}
        onPress={() => setChoosing(true)}
      >
        Choose
      </Button>
      {isChoosing && (
        <FilterDialog
          onClose={() => setChoosing(false)}
          onChoose={(filter) => {
            onChange(filter)
            setChoosing(false)
          }}
        />
      )}
    </div>
  )
}
