import type { ReactNode } from 'react'
import { useDateRange } from '../../state/date-range.ts'
import { Segmented } from '../../ui/choice.tsx'
import { DateRangeField } from '../../ui/date-range.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DocumentsTab } from './documents-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { FiltersTab } from './filters-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { QueriesTab } from './queries-tab.tsx'
import { QueryPanel } from './query-panel.tsx'
import { useTags } from './report-data.ts'
import { SalesTab } from './sales-tab.tsx'
import { SpeedTab } from './speed-tab.tsx'
import { preloadCharts } from '../../ui/line-chart.tsx'
import './analytics.css'

const MATCHES = [
  { value: 'any', label: 'Any tag' },
  { value: 'all', label: 'All tags' },
] as const

preloadCharts()

export function AnalyticsScreen(): ReactNode {
  const range = useDateRange()
  const { text, setText, tags, match, setMatch } = useTags()
  return (
    <Page title="Analytics" about="What visitors searched for, clicked and bought. Days in UTC.">
      <div className="row row-apart gap-12">
        <DateRangeField range={range} />
        <div className="analytics-tags row row-whole">
          <TextField
            label="Only events with these tags"
            isLabelHidden
            placeholder="All tags"
            value={text}
            onChange={setText}
            maxLength={500}
          />
          {tags.length > 1 && (
            <Segmented label="Match of tags" options={MATCHES} value={match} onChange={setMatch} />
          )}
        </div>
      </div>
      <Tabs
        label="Reports"
        tabs={[
          { id: 'overview', label: 'Overview', content: <OverviewTab /> },
          { id: 'queries', label: 'Queries', content: <QueriesTab /> },
          { id: 'products', label: 'Products', content: <DocumentsTab /> },
          { id: 'sales', label: 'Sales', content: <SalesTab /> },
          { id: 'filters', label: 'Filters', content: <FiltersTab /> },
          { id: 'speed', label: 'Speed', content: <SpeedTab /> },
          { id: 'events', label: 'Events', content: <EventsTab /> },
        ]}
      />
      <QueryPanel />
    </Page>
  )
}
