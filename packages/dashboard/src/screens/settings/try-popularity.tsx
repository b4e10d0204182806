import { FlaskConical } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ExperimentDialog } from '../../parts/experiment-dialog.tsx'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'

const DRAFT = { ranking: { popularity_weight: 0.3 } }

/** Asks the shop's visitors whether popularity helps. */
export function TryPopularity(): ReactNode {
  const mayEdit = useMay('editor')
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="try-popularity stack" aria-label="Try popularity">
      <p className="muted small">
        Does popularity help? An experiment shows visitors results with a popularity of 0.3 beside
        what is live, and their clicks decide.
      </p>
      <div className="row">
        <Button
          size="small"
          icon={FlaskConical}
          isDisabled={!mayEdit}
          onPress={() => setOpen(true)}
        >
          Try popularity
        </Button>
      </div>
      {isOpen && (
        <ExperimentDialog
          title="Try popularity"
          name="Popularity 0.3"
          draft={DRAFT}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}
