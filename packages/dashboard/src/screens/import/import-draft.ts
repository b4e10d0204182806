import { Shared, useShared } from '../../state/shared.ts'
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

const DRAFT = new Shared<ImportDraft | undefined>(undefined)

export function useImportDraft(storeId: string): ImportDraft | undefined {
  const current = useShared(DRAFT)
  return current?.storeId === storeId ? current : undefined
}

export function setImportDraft(next: ImportDraft | undefined): void {
  DRAFT.set(next)
}
