import { Compass, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath } from '../../session/store.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'

/** What to do first, while there is only the demo shop. */
export function FirstSteps({
  hasDemo,
  onCreate,
}: {
  readonly hasDemo: boolean
  readonly onCreate: () => void
}): ReactNode {
  const isOwner = useMay('owner')
  return (
    <div className="first-steps">
      <Section title="Make a store for your shop">
        <p className="muted">
          Name it, bring in products from a CSV or JSON file, and search them. The page of the store
          leads through it, with code that has your keys in it.
        </p>
        {isOwner ? (
          <Button variant="primary" icon={Plus} onPress={onCreate}>
            New store
          </Button>
        ) : (
          <p className="small muted">{ROLE_HINTS.owner}.</p>
        )}
      </Section>
      {hasDemo && (
        <Section title="Or look around in the demo shop">
          <p className="muted">
            Two thousand products for camping, home and kitchen: try searches, rules and reports
            without harm.
          </p>
          <div className="row">
            <LinkButton to={storePath('demo', 'preview')} icon={Compass}>
              Search the demo shop
            </LinkButton>
          </div>
        </Section>
      )}
    </div>
  )
}
