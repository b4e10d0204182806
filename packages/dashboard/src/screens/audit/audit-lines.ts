import type { AuditEntry } from '@aisle/client'

export const RESULT_LABELS = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const

/** Reads of one page within this time are one line. */
const SAME_PAGE_MS = 10 * 60_000
/** Reads that are recorded, in words of the page that they belong to. */
const READS: Readonly<Record<string, string>> = { listKeys: 'View keys' }

/**
 * The lines of the log. A page reads again while it is open, which is one thing that a person did;
 * a line has the newest of its entries.
 *
 * @param entries newest first
 */
export function auditLines(entries: readonly AuditEntry[]): AuditEntry[] {
  const lines: AuditEntry[] = []
  /** By what was read: its last line, and the oldest read in it. */
  const open = new Map<string, { readonly at: number; oldestMs: number }>()
  for (const entry of entries) {
    if (!Object.hasOwn(READS, entry.action) || entry.result !== 'done') {
      lines.push(entry)
      continue
    }
    const { actor, login, action, store_id: storeId, address } = entry
    const key = JSON.stringify([actor, login, action, storeId, address])
    const ms = Date.parse(entry.at)
    const line = open.get(key)
    if (line !== undefined && line.oldestMs - ms <= SAME_PAGE_MS) {
      line.oldestMs = ms
      const { count = 1, ...newest } = lines[line.at]!
      lines[line.at] = { ...newest, count: count + (entry.count ?? 1) }
      continue
    }
    open.set(key, { at: lines.length, oldestMs: ms })
    lines.push(entry)
  }
  return lines
}

/** `rotateKey` in words: "Rotate key". */
export function actionText(action: string): string {
  const read = Object.hasOwn(READS, action) ? READS[action] : undefined
  if (read !== undefined) return read
  const words = action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
