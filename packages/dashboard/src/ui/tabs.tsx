import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components'
import { useUrlState } from '../state/url-state.ts'
import './tabs.css'

export interface TabEntry {
  readonly id: string
  readonly label: string
  readonly content: ReactNode
}

/** Parts of a page, one visible at a time; the address names it. */
export function Tabs({
  label,
  tabs,
  parameter = 'tab',
}: {
  readonly label: string
  readonly tabs: readonly TabEntry[]
  readonly parameter?: string
}): ReactNode {
  const first = tabs[0]?.id ?? ''
  const [chosen, choose] = useUrlState(parameter, first)
  const selected = tabs.some(({ id }) => id === chosen) ? chosen : first
  return (
    <AriaTabs
      className="stack gap-16"
      selectedKey={selected}
      onSelectionChange={(key) => choose(String(key))}
    >
      <TabList className="tab-list" aria-label={label}>
        {tabs.map(({ id, label: text }) => (
          <Tab key={id} id={id} className="tab">
            {text}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tab-panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
