import type { FieldView } from '../../parts/changed-meanwhile.tsx'
import type { NamedRule, RuleValue } from './rule-draft.ts'
import { effectTexts, scheduleText, whenText } from './rule-words.ts'

const LABELS: Readonly<Record<string, string>> = {
  when: 'When it applies',
  pin: 'Pinned products',
  hide: 'Hidden products',
  boost: 'Boosted and buried products',
  filter_by: 'Filter products',
  sort_by: 'Sort products',
  replace_query: 'Replace the query',
  remove_words: 'Remove words',
  redirect: 'Redirect to a page',
  banner: 'Banner',
  facet_display: 'Facets',
  metadata: 'Custom data',
  schedule: 'Schedule',
  description: 'Description',
  priority: 'Priority',
  enabled: 'Applies once published',
}

/** A rule by its parts, in the words of its editor. */
export const RULE_VIEW: FieldView<NamedRule> = {
  of: ({ value }) => value,
  back: (fields, mine) => ({ ...mine, value: fields as RuleValue }),
  label: (name) => LABELS[name] ?? name,
  text: partText,
}

function partText(value: unknown, name: string): string {
  if (value === undefined) return '—'
  const part = { [name]: value } as RuleValue
  if (name === 'when') return whenText(part)
  if (name === 'schedule') return scheduleText(part) ?? 'Always'
  if (name === 'pin') return part.pin!.map(({ id, position }) => `${position}. ${id}`).join(', ')
  if (name === 'hide') return part.hide!.join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return effectTexts(part).join(', ') || JSON.stringify(value)
}
