import type { StoreSchema } from '@aisle/contract'
import { SlidersHorizontal } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useSchema, useSettings } from '../../parts/store-queries.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useDebounced } from '../../state/clock.ts'
import { useMedia } from '../../state/media.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { HitPanel } from './hit-panel.tsx'
import { Inspector } from './inspector.tsx'
import { useAnswer, usePreview } from './preview-state.ts'
import { VisitorChoice } from './preview-visitor.tsx'
import { Storefront } from './storefront.tsx'
import './preview.css'

/** Above this width the controls are beside the results; below it they are a sheet. */
const WIDE = '(min-width: 1180px)'
const ABOUT =
  'Search the store as a visitor, with all parameters beside the results. Not counted in reports.'

export function PreviewScreen(): ReactNode {
  const { data: schema, error, refetch } = useSchema()
  // The first search counts the facets of the schema: without it there would be a second one.
  if (schema !== undefined) return <Preview schema={schema} />
  return (
    <Page title="Preview" about={ABOUT}>
      {error === null ? (
        <SkeletonLines count={8} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  )
}

function Preview({ schema }: { readonly schema: StoreSchema }): ReactNode {
  const { storeId, summary } = useStore()
  const settings = useSettings()
  const state = usePreview(schema)
  const request = useDebounced(state.request)
  const { data: answer, error, refetch } = useAnswer(request, useDebounced(state.visitor))
  const [openHit] = useUrlState('hit')
  const change = useUrlChange()
  const isWide = useMedia(WIDE)
  const [isSheetOpen, setSheetOpen] = useState(false)
  const card = settings.data?.product_card
  const inspector = <Inspector state={state} answer={answer} />
  const count = Object.keys(state.given).length
  const isEmpty = summary.documents === 0 && answer?.found === 0
  return (
    <Page
      title="Preview"
      about={ABOUT}
      actions={
        isWide ? undefined : (
          <Button icon={SlidersHorizontal} onPress={() => setSheetOpen(true)}>
            {count === 0 ? 'Show controls' : `Show controls (${count} set)`}
          </Button>
        )
      }
    >
      <div className="preview-search">
        <SearchField
          label="Search products"
          value={state.q}
          onChange={state.setQ}
          maxLength={QUERY_MAX_CHARS}
          autoFocus
        />
        {(settings.data?.ranking.personalize ?? null) !== null && <VisitorChoice />}
      </div>
      <div className="preview-columns">
        {error !== null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isEmpty ? (
          <EmptyState
            icon={SlidersHorizontal}
            title="The store has no products yet"
            action={
              <LinkButton to={storePath(storeId, 'import')} variant="primary">
                Import products
              </LinkButton>
            }
          >
            See results as a visitor does, with the reason for each.
          </EmptyState>
        ) : (
          <Storefront
            state={state}
            answer={answer}
            schema={schema}
            card={card}
            openHit={openHit}
            onOpen={(id) => change({ hit: id })}
          />
        )}
        {isWide && <aside className="preview-inspector card">{inspector}</aside>}
      </div>
      {!isWide && (
        <SidePanel title="Search details" isOpen={isSheetOpen} onClose={() => setSheetOpen(false)}>
          {inspector}
        </SidePanel>
      )}
      <HitPanel state={state} card={card} />
    </Page>
  )
}

const QUERY_MAX_CHARS = 1_000
