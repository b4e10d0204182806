import type { Source } from '@aisle/import'

/** The progress of an import, so that after a reload the same file can continue from there. */
export interface ImportMark {
  readonly storeId: string
  readonly name: string
  readonly bytes: number
  readonly changedMs: number
  readonly rows: number
}

const key = (storeId: string): string => `aisle.import.${storeId}`

export function importMark(
  { name, bytes, changedMs }: Pick<Source, 'name' | 'bytes' | 'changedMs'>,
  storeId: string,
  rows: number,
): ImportMark {
  return { storeId, name, bytes, changedMs, rows }
}

export function keepMark(mark: ImportMark): void {
  try {
    localStorage.setItem(key(mark.storeId), JSON.stringify(mark))
  } catch {
    // The storage is full or not allowed: then the import cannot continue after a reload.
  }
}

export function removeMark(storeId: string): void {
  localStorage.removeItem(key(storeId))
}

/** Rows of this file with a result from an earlier run. */
export function rowsDone(
  storeId: string,
  { name, bytes, changedMs }: Pick<Source, 'name' | 'bytes' | 'changedMs'>,
): number {
  try {
    const mark = JSON.parse(localStorage.getItem(key(storeId)) ?? 'null') as ImportMark | null
    const isSame = mark?.name === name && mark.bytes === bytes && mark.changedMs === changedMs
    return isSame && Number.isSafeInteger(mark.rows) ? mark.rows : 0
  } catch {
    return 0
  }
}
