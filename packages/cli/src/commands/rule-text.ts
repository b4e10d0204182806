import type { PreviewRuleRequest, StoreClient } from '@aisle/client'
import { textOf } from '../terminal/card.ts'
import { titlesOf } from './document-titles.ts'

/** A stored rule. */
export type RuleValue = PreviewRuleRequest['rule']

/** Maximum of named documents per rule. */
const DOCUMENTS_SHOWN_MAX = 5

/** Ids of the documents that a rule names. */
export function documentsOf({ pin = [], hide = [] }: RuleValue): string[] {
  return [
    ...pin.slice(0, DOCUMENTS_SHOWN_MAX).map(({ id }) => id),
    ...hide.slice(0, DOCUMENTS_SHOWN_MAX),
  ]
}

/** Warnings about pinned documents that the store does not have. */
export async function pinWarnings(store: StoreClient, { pin = [] }: RuleValue): Promise<string[]> {
  const ids = pin.map(({ id }) => id)
  try {
    const titles = await titlesOf(store, ids)
    return ids
      .filter((id) => !titles.has(id))
      .map((id) => `The store has no document "${id}", which the rule pins`)
  } catch (error) {
    // The rule itself is already saved.
    return [`Couldn't check the pinned documents: ${(error as Error).message}`]
  }
}

/**
 * Cells of a table: whether it is on, its priority, when it applies, what it does.
 *
 * @param titles of documents by id; documents without one do not exist
 */
export function ruleRow(rule: RuleValue, titles: ReadonlyMap<string, string>): string[] {
  const { enabled = true, priority = 0 } = rule
  return [enabled ? 'yes' : 'no', String(priority), whenText(rule), whatText(rule, titles)]
}

function whenText({ when = [], schedule = [] }: RuleValue): string {
  const conditions = when.map(({ query, match, contexts, filter_by: filter }) => {
    const words = query === undefined || query === '' ? '' : `"${query}"`
    const how = match === undefined || match === 'exact' ? '' : match.replaceAll('_', ' ')
    return [
      `${how} ${words}`.trim(),
      contexts === undefined ? '' : `in ${contexts.join(' or ')}`,
      filter === undefined ? '' : `filtered by ${filter}`,
    ]
      .filter((part) => part !== '')
      .join(', ')
  })
  const windows = schedule.map(({ from, until }) =>
    [from === undefined ? '' : `from ${from}`, until === undefined ? '' : `until ${until}`]
      .filter((part) => part !== '')
      .join(' '),
  )
  const always = conditions.length === 0 && windows.length === 0 ? ['always'] : []
  return [...always, conditions.join(' or '), windows.join(' or ')]
    .filter((part) => part !== '')
    .join('; ')
}

function whatText(rule: RuleValue, titles: ReadonlyMap<string, string>): string {
  const { pin = [], hide = [], boost = [] } = rule
  const named = (id: string): string => {
    const title = titles.get(id)
    return title === undefined ? `${id} (not found)` : title === '' ? id : `${id} "${title}"`
  }
  const many = (texts: readonly string[], total: number): string =>
    total > texts.length ? `${texts.join(', ')} and ${total - texts.length} more` : texts.join(', ')
  const pins = pin
    .slice(0, DOCUMENTS_SHOWN_MAX)
    .map(({ id, position }) => `${position}: ${named(id)}`)
  const hidden = hide.slice(0, DOCUMENTS_SHOWN_MAX).map(named)
  const parts: (string | undefined)[] = [
    pin.length === 0 ? undefined : `pins ${many(pins, pin.length)}`,
    hide.length === 0 ? undefined : `hides ${many(hidden, hide.length)}`,
    ...boost.map(({ filter_by: filter, weight }) =>
      weight < 1 ? `buries ${filter} × ${weight}` : `boosts ${filter} × ${weight}`,
    ),
    said('filters by', rule.filter_by),
    said('sorts by', rule.sort_by),
    said('searches instead', rule.replace_query),
    said('leaves out the words', rule.remove_words),
    said('banner', rule.banner),
    said('redirects to', rule.redirect),
    said('metadata', rule.metadata),
  ]
  return parts.filter((part) => part !== undefined).join('; ') || 'nothing'
}

const VALUE_MAX_CHARS = 80

function said(what: string, value: unknown): string | undefined {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined
  const text = textOf(value)
  const short =
    text.length <= VALUE_MAX_CHARS ? text : `${text.slice(0, VALUE_MAX_CHARS).toWellFormed()}…`
  return `${what} ${short}`
}
