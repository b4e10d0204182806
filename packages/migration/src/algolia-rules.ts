import { facetDisplayOf, NO_FACET } from './algolia-facet-display.ts'
import { filterOfAlgolia, FilterError } from './algolia-filter.ts'
import { listOf, numberOf, objectOf, textOf, textsOf, type Json } from './json.ts'
import {
  ALGOLIA_CONDITION,
  ALGOLIA_CONSEQUENCE,
  ALGOLIA_RULE,
  ALGOLIA_RULE_PARAMETERS,
} from './known/algolia-settings.ts'
import { memberNotes, type KnownSettings } from './known/fate.ts'
import type { MigrationDraft } from './migration.ts'
import { pageMembers } from './page-members.ts'

interface RuleOfAlgolia {
  /** Undefined if nothing is migrated. */
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly notes: readonly string[]
}

const ANCHORINGS: Readonly<Record<string, string>> = {
  is: 'exact',
  contains: 'contains',
  startsWith: 'starts_with',
  endsWith: 'ends_with',
}

/**
 * Converts a rule of Algolia.
 *
 * @param draft the fields that its attributes became
 */
export function ruleOfAlgolia(
  rule: Json,
  draft: Pick<MigrationDraft, 'nameOf' | 'facetOf'>,
): RuleOfAlgolia {
  const notes: string[] = []
  const fieldOf = (attribute: string): string => draft.nameOf(attribute)
  const filterOf = (text: string): string | undefined => {
    try {
      return filterOfAlgolia(text, fieldOf)
    } catch (error) {
      if (!(error instanceof FilterError)) throw error
      notes.push(`the filter \`${text}\` is left out: ${error.message}`)
      return undefined
    }
  }
  const given = listOf(rule['conditions']).map(objectOf)
  // Older rules have one condition.
  const conditions = given.length > 0 ? given : [objectOf(rule['condition'])]
  const when = conditions.flatMap((condition) => conditionOf(condition, filterOf, notes))
  const hadConditions = conditions.some((one) => Object.keys(one).length > 0)
  if (hadConditions && when.length === 0) return { value: undefined, notes }
  const consequence = objectOf(rule['consequence'])
  const parameters = objectOf(consequence['params'])
  const known: readonly (readonly [Json, KnownSettings])[] = [
    [rule, ALGOLIA_RULE],
    ...conditions.map((condition) => [condition, ALGOLIA_CONDITION] as const),
    [consequence, ALGOLIA_CONSEQUENCE],
  ]
  for (const [members, settings] of known) notes.push(...memberNotes(members, settings))
  const content = objectOf(parameters['renderingContent'])
  const { redirect: _, facetOrdering, ...rendering } = content
  const display = facetDisplayOf(content, (attribute) => draft.facetOf(attribute))
  if (facetOrdering !== undefined && display === undefined) {
    notes.push(`\`renderingContent\` ${NO_FACET}`)
  }
  if (Object.keys(rendering).length > 0) {
    notes.push(`\`renderingContent\` (${Object.keys(rendering).join(', ')}) has no equivalent`)
  }
  for (const name of Object.keys(parameters)) {
    if (!ALGOLIA_RULE_PARAMETERS.includes(name))
      notes.push(`\`${name}\` has no equivalent in a rule`)
  }
  const filters = [
    textOf(parameters['filters']),
    ...alternatives(parameters['facetFilters']),
    ...alternatives(parameters['numericFilters']),
  ].flatMap((one) => (one === undefined ? [] : (filterOf(one) ?? [])))
  const value = {
    ...(rule['enabled'] === false ? { enabled: false } : {}),
    ...member('description', textOf(rule['description'])),
    ...(when.length === 0 ? {} : { when }),
    ...many('schedule', listOf(rule['validity']).map(objectOf).map(windowOf)),
    ...many('pin', listOf(consequence['promote']).map(objectOf).flatMap(pinsOf)),
    ...many(
      'hide',
      listOf(consequence['hide']).map((one) => String(objectOf(one)['objectID'])),
    ),
    ...many('boost', boostsOf(parameters['optionalFilters'], filterOf)),
    ...(filters.length === 0
      ? {}
      : {
          filter_by: filters.map((one) => (filters.length === 1 ? one : `(${one})`)).join(' && '),
        }),
    ...queryOf(parameters['query'], notes),
    ...metadataOf(consequence['userData'] ?? parameters['userData']),
    ...redirectOf(parameters),
    ...(display === undefined ? {} : { facet_display: display }),
    ...member('redirect', textOf(objectOf(consequence['redirect'])['url'])),
  }
  if (Object.keys(value).some((name) => !BOUNDS.includes(name))) return { value, notes }
  notes.push('is left out: none of its actions has an equivalent')
  return { value: undefined, notes }
}

/** Members that define when a rule applies, without an effect. */
const BOUNDS = ['enabled', 'description', 'when', 'schedule']

/** `["a:1", ["b:2", "b:-3"]]`: all must match, and any of an inner list. */
function alternatives(given: unknown): string[] {
  const one = (text: string): string => {
    const at = text.indexOf(':-')
    return at < 0 ? text : `NOT ${text.slice(0, at)}:${text.slice(at + 2)}`
  }
  if (typeof given === 'string') return [one(given)]
  return listOf(given).flatMap((each) => {
    if (typeof each === 'string') return [one(each)]
    const any = textsOf(each).map(one)
    return any.length === 0 ? [] : [any.map((text) => `(${text})`).join(' OR ')]
  })
}

function member(name: string, value: unknown): Json {
  return value === undefined || value === '' ? {} : { [name]: value }
}

function many(name: string, values: readonly unknown[]): Json {
  return values.length === 0 ? {} : { [name]: values }
}

function conditionOf(
  { pattern, anchoring, context, filters }: Json,
  filterOf: (text: string) => string | undefined,
  notes: string[],
): Json[] {
  if (typeof pattern === 'string' && pattern.includes('{')) {
    notes.push(`the condition "${pattern}" is left out: placeholders have no equivalent`)
    return []
  }
  const filter = typeof filters === 'string' && filters !== '' ? filterOf(filters) : undefined
  const isEmpty = pattern === ''
  const one = {
    ...(typeof pattern === 'string' && !isEmpty
      ? { query: pattern, match: ANCHORINGS[String(anchoring)] ?? 'exact' }
      : {}),
    ...(isEmpty ? { match: anchoring === 'is' ? 'empty' : 'any' } : {}),
    ...(typeof context === 'string' && context !== '' ? { contexts: [context] } : {}),
    ...member('filter_by', filter),
  }
  return Object.keys(one).length === 0 ? [] : [one]
}

/** Seconds since 1970. */
function windowOf({ from, until }: Json): Json {
  const time = (seconds: unknown): string | undefined => {
    const number = numberOf(seconds)
    return number === undefined ? undefined : new Date(number * 1000).toISOString()
  }
  return { ...member('from', time(from)), ...member('until', time(until)) }
}

/** Positions start at 0 there, at 1 here. */
function pinsOf({ objectID, objectIDs, position }: Json): Json[] {
  const ids = typeof objectID === 'string' ? [objectID] : textsOf(objectIDs)
  return ids.map((id, i) => ({ id, position: (numberOf(position) ?? 0) + i + 1 }))
}

/** The score of an optional filter is added there and multiplied here. The default doubles. */
function boostsOf(
  optional: unknown,
  filterOf: (text: string) => string | undefined,
): { filter_by: string; weight: number }[] {
  const texts = typeof optional === 'string' ? [optional] : listOf(optional).flat().filter(isText)
  return texts.flatMap((text) => {
    const isBuried = text.startsWith('-')
    const filter = filterOf(isBuried ? text.slice(1) : text)
    if (filter === undefined) return []
    const score = Number(/<score=(\d{1,4})>/.exec(text)?.[1] ?? 1)
    return [{ filter_by: filter, weight: isBuried ? 1 / (1 + score) : 1 + score }]
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** `query` is a new query, or the words to remove. */
function queryOf(query: unknown, notes: string[]): Json {
  if (typeof query === 'string') return query === '' ? {} : { replace_query: query }
  const { remove, edits } = objectOf(query)
  const removed = [...textsOf(remove)]
  for (const edit of listOf(edits).map(objectOf)) {
    const deleted = textOf(edit['delete'])
    if (edit['type'] === 'remove' && deleted !== undefined) removed.push(deleted)
    else if (edit['type'] === 'replace') {
      notes.push(
        `replacing "${String(deleted)}" by "${String(edit['insert'])}" has no equivalent in a rule: use a one-way synonym`,
      )
    }
  }
  return many('remove_words', removed)
}

function redirectOf(parameters: Json): Json {
  const rendering = objectOf(parameters['renderingContent'])
  return member('redirect', textOf(objectOf(rendering['redirect'])['url']))
}

function metadataOf(userData: unknown): Json {
  if (userData === undefined || userData === null) return {}
  const data = objectOf(userData)
  return pageMembers(Object.keys(data).length > 0 ? data : { user_data: userData })
}
