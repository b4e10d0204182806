import { valuesFilter } from '../../format/quoting.ts'
import type { Condition, NamedRule } from './rule-draft.ts'

/** The page of a category: all of its products, without a query. */
export interface CategoryPage {
  readonly field: string
  readonly value: string
  /** The filter that the page of the shop sends. */
  readonly filter: string
}

export function categoryPage(field: string, value: string): CategoryPage {
  return { field, value, filter: valuesFilter(field, [value]) }
}

/** A new rule for the page. */
export function categoryRule({ value, filter }: CategoryPage): NamedRule {
  const when: Condition[] = [{ match: 'empty', filter_by: filter }]
  return { id: '', value: { description: `Category page: ${value}`, when } }
}

const ID_MAX_CHARS = 100

/** The id of a new rule for the page: the words of the category. */
export function categoryRuleId({ value }: CategoryPage): string {
  const words = value.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return ['category', ...words].join('-').slice(0, ID_MAX_CHARS)
}

/** Rules for a category page alone, by its filter as `categoryPage` writes it. */
export function rulesByCategory(
  rules: readonly NamedRule[],
  pages: readonly CategoryPage[],
): ReadonlyMap<string, readonly NamedRule[]> {
  const filters = new Map(
    pages.flatMap((page) => spellings(page).map((text) => [text, page.filter] as const)),
  )
  const found = new Map<string, NamedRule[]>()
  for (const rule of rules) {
    const own = new Set((rule.value.when ?? []).map((one) => pageFilter(one)))
    for (const text of own) {
      const filter = text === undefined ? undefined : filters.get(text)
      if (filter === undefined) continue
      const known = found.get(filter)
      if (known === undefined) found.set(filter, [rule])
      else known.push(rule)
    }
  }
  return found
}

/** The filter of a condition that holds on a page without a query. */
function pageFilter({ match, contexts, filter_by: filter }: Condition): string | undefined {
  return match === 'empty' && contexts === undefined ? filter?.trim() : undefined
}

/** Ways to write the filter. */
function spellings({ field, value, filter }: CategoryPage): string[] {
  return [filter, `${field}:="${value}"`, `${field}:=\`${value}\``, `${field}:=${value}`]
}

/** Fields that hold the categories of products: one, or one for each level. */
export interface CategorySource {
  readonly name: string
  readonly fields: readonly string[]
}

const LEVEL = /^(.+)[._](?:lvl|level)_?\d$/i
const LIKELY = /categor|breadcrumb|department|taxonomy|kind|type/i

/** What may hold categories, the likeliest first. @param fields facets with texts */
export function categorySources(fields: readonly string[]): CategorySource[] {
  const byName = new Map<string, string[]>()
  for (const field of fields) {
    const name = LEVEL.exec(field)?.[1] ?? field
    byName.set(name, [...(byName.get(name) ?? []), field])
  }
  const sources = [...byName].map(([name, own]) => {
    const levels = own.filter((field) => field !== name)
    // Beside its levels, a field repeats the deepest of them without their parents.
    return { name, fields: levels.length === 0 ? own : levels.toSorted() }
  })
  const rank = ({ name, fields: own }: CategorySource): number => {
    const at = LIKELY.exec(name) === null ? 0 : /categor/i.test(name) ? 2 : 1
    return at * 2 + (own.length > 1 ? 1 : 0)
  }
  return sources.toSorted((a, b) => rank(b) - rank(a))
}

const PATH_SEPARATOR = ' > '

/** How deep a category is, and its own name. */
export function levelOf(value: string): { readonly depth: number; readonly label: string } {
  const parts = value.split(PATH_SEPARATOR)
  return { depth: parts.length - 1, label: parts.at(-1) ?? value }
}

/** Faster than `localeCompare` for thousands of categories. */
const COLLATOR = new Intl.Collator()

/** Parents before their children. */
export function inPathOrder<Row extends { readonly value: string }>(rows: readonly Row[]): Row[] {
  const parts = new Map(rows.map((row) => [row, row.value.split(PATH_SEPARATOR)]))
  return rows.toSorted((a, b) => byPath(parts.get(a)!, parts.get(b)!))
}

function byPath(one: readonly string[], other: readonly string[]): number {
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    if (one[i] === other[i]) continue
    const order = COLLATOR.compare(one[i]!, other[i]!)
    if (order !== 0) return order
  }
  return one.length - other.length
}
