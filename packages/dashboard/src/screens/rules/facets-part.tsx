import type { FacetDisplay, StoreSchema } from '@aisle/contract'
import { ListChecks } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { displayWords, facetNames } from '../../parts/facet-arrangement.ts'
import { FacetArranger } from '../../parts/facet-arranger.tsx'
import { useFacetCounts } from '../../parts/facet-counts.ts'
import { useSchema, useSettings } from '../../parts/store-queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { Part, type ConsequenceProps } from './part.tsx'

/** Other facets for the searches of a rule: their order, and that of their values. */
export function FacetsPart({ state, isDisabled, errorAt }: ConsequenceProps): ReactNode {
  const { rule, change } = state
  const schema = useSchema()
  const [isOpen, setOpen] = useState(false)
  const display = rule.facet_display
  if (display === undefined) return null
  const error = errorAt('facet_display')
  return (
    <Part
      icon={ListChecks}
      title="Arrange facets"
      isDisabled={isDisabled}
      onRemove={() => change({ facet_display: undefined })}
    >
      <div className="row row-whole">
        <span className="grow small muted">
          <bdi>{displayWords(display) || 'Nothing yet'}</bdi>
        </span>
        <Button
          size="small"
          isDisabled={isDisabled || schema.data === undefined}
          onPress={() => setOpen(true)}
        >
          Arrange
        </Button>
      </div>
      {error !== undefined && <p className="field-error">{error}</p>}
      {isOpen && schema.data !== undefined && (
        <ArrangeDialog
          display={display}
          schema={schema.data}
          onClose={() => setOpen(false)}
          onUse={(next) => {
            change({ facet_display: next })
            setOpen(false)
          }}
        />
      )}
    </Part>
  )
}

function ArrangeDialog({
  display,
  schema,
  onClose,
  onUse,
}: {
  readonly display: FacetDisplay
  readonly schema: StoreSchema
  readonly onClose: () => void
  readonly onUse: (display: FacetDisplay) => void
}): ReactNode {
  const settings = useSettings()
  const counts = useFacetCounts('')
  const [draft, setDraft] = useState(display)
  return (
    <Dialog
      title="Arrange facets"
      width="wide"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button variant="primary" onPress={() => onUse(draft)}>
            Use arrangement
          </Button>
        </>
      }
    >
      <p className="muted">
        For the searches of this rule. What it does not arrange follows the store’s facets.
      </p>
      {counts.isError && <ErrorNote attempt="load" error={counts.error} />}
      <FacetArranger
        display={draft}
        names={facetNames(schema, settings.data?.omit_fields)}
        schema={schema}
        counts={counts.data}
        isDisabled={false}
        onChange={setDraft}
      />
    </Dialog>
  )
}
