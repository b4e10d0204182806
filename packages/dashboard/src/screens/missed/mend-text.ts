import type { Mend, MendPreview } from '@aisle/client'
import { formatNumber } from '../../format/numbers.ts'

/** A mend in one sentence, as the list of fixes shows it. */
export function mendText(query: string, mend: Mend): string {
  const { from = query, to = '', field = '', value = '', url = '', documents = [] } = mend
  switch (mend.kind) {
    case 'synonym':
      return `“${from}” also finds “${to}”`
    case 'replace_query':
      return `Searches for “${to}” instead`
    case 'category':
      return `Shows all products of ${field} “${value}”`
    case 'redirect':
      return `Sends visitors to ${url}`
    case 'pin':
      return documents.length === 1 ? 'Pins 1 product' : `Pins ${documents.length} products`
  }
}

/** The button that makes it. */
export const MEND_ACTIONS: Readonly<Record<Mend['kind'], string>> = {
  synonym: 'Add synonym',
  replace_query: 'Add rule',
  category: 'Add rule',
  redirect: 'Add redirect',
  pin: 'Pin products',
}

/** Why it is proposed. */
export function mendReason({ mend: { kind }, source, visitors, similarity }: MendPreview): string {
  if (source === 'meaning') return `By meaning: similarity ${formatNumber(similarity ?? 0, 2)}`
  if (visitors !== undefined) {
    return `${visitors === 1 ? '1 visitor' : `${visitors} visitors`} typed it next`
  }
  if (source === 'spelling') return 'Spelling in your catalog'
  if (kind === 'pin') return 'Clicked after the next search'
  if (kind === 'redirect') return 'Same pattern as your other redirects'
  return 'A value in your catalog'
}
