import type { ReactNode } from 'react'
import { SettingVersions } from '../../parts/setting-versions.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'

/** What was published, by whom, with rollback. */
export function HistoryPanel({
  onClose,
  onChanged,
}: {
  readonly onClose: () => void
  readonly onChanged: () => Promise<unknown>
}): ReactNode {
  return (
    <SidePanel title="History" isOpen onClose={onClose}>
      <SettingVersions onRestored={onChanged} />
    </SidePanel>
  )
}
