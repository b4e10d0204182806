import type { ReactNode } from 'react'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useConfig } from './config-data.ts'
import { Dropdown } from './dropdown.tsx'
import { LimitsForm } from './limits-form.tsx'
import { PinnedList, WordList } from './entry-lists.tsx'
import { TabsPanel } from './tabs-panel.tsx'
import './suggestions.css'

/** The dropdown as visitors see it, beside its configuration. */
export function SuggestionsScreen(): ReactNode {
  const { data: config, error, refetch } = useConfig()
  return (
    <Page
      title="Suggestions"
      about="What the search field suggests while a visitor types: popular queries, brands, categories and products."
    >
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : config === undefined ? (
        <Skeleton height={420} />
      ) : (
        <div className="suggestions-columns">
          <Dropdown config={config} />
          <Tabs
            label="Sources"
            tabs={[
              { id: 'pinned', label: 'Pinned', content: <PinnedList config={config} /> },
              {
                id: 'blocked',
                label: 'Blocked',
                content: (
                  <WordList
                    name="blocklist"
                    label="Blocked words"
                    about="No suggestion contains these words or phrases, in any form: “knife” also blocks “kitchen knives”."
                    empty="Nothing is blocked. Personal data, links and words not in the catalog are never suggested."
                    words={config.blocklist}
                  />
                ),
              },
              {
                id: 'allowed',
                label: 'Allowed',
                content: (
                  <WordList
                    name="allowlist"
                    label="Allowed queries"
                    about="If set, only these queries are suggested. Brands and categories are not affected."
                    empty="All visitor queries can be suggested."
                    words={config.allowlist}
                  />
                ),
              },
              { id: 'limits', label: 'Limits', content: <LimitsForm config={config} /> },
              { id: 'tabs', label: 'Tabs', content: <TabsPanel /> },
            ]}
          />
        </div>
      )}
    </Page>
  )
}
