import { useSyncExternalStore } from 'react'
import type { ImportPlan } from './import-plan.ts'
import type { OpenedFile } from '../../parts/import-file.ts'

/**
 * A chosen file that is not imported yet. It is kept while other screens are open, but not longer
 * than the tab.
 */
export interface ImportDraft {
  readonly storeId: string
  readonly opened: OpenedFile
  readonly plan: ImportPlan
}

let draft: ImportDraft | undefined
const listeners = new Set<() => void>()

export function useImportDraft(storeId: string): ImportDraft | undefined {
  const current = useSyncExternalStore(subscribe, () => draft)
  return current?.storeId === storeId ? current : undefined
}

export function setImportDraft(next: ImportDraft | undefined): void {
  draft = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
