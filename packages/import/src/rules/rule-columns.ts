import type { ChangeRulesRequest } from '@aisle/client'
import { cellList, listCell } from './list-cell.ts'

/** A rule with its id, as the service takes it. */
export type RuleRow = NonNullable<ChangeRulesRequest['put']>[number]
export type RuleCells = Readonly<Record<string, string>>

/** Members of a rule, of a condition or of a time window; undefined: absent. */
type Members = Readonly<Record<string, unknown>>

/** A column of the table of rules: one member. */
export interface RuleColumn {
  readonly name: string
  /** The member that it holds, in errors of the service: `boost`, `query` of a condition. */
  readonly member: string
  /** Whether the rows that follow the first one of a rule may have it too. */
  readonly repeats?: 'when' | 'schedule'
  readonly write: (value: unknown) => string
  /** @throws CellError */
  readonly read: (cell: string) => unknown
}

/** What a cell must contain. */
class CellError extends Error {
  override readonly name = 'CellError'
}

const TRUE = new Set(['true', 'yes', 'on', '1', 'x'])
const FALSE = new Set(['false', 'no', 'off', '0'])

const asText = { write: (value: unknown) => String(value), read: (cell: string) => cell }
const asFlag = {
  write: (value: unknown) => (value === true ? 'yes' : 'no'),
  read: (cell: string) => {
    const word = cell.trim().toLowerCase()
    if (TRUE.has(word)) return true
    if (FALSE.has(word)) return false
    throw new CellError('must be yes or no')
  },
}
const asNumber = {
  write: (value: unknown) => String(value),
  read: (cell: string) => numberOf(cell, 'must be a number, such as 10 or 0.5'),
}
const asList = {
  write: (value: unknown) => listCell(value as string[]),
  read: (cell: string) => cellList(cell),
}
const asTime = {
  write: (value: unknown) => String(value),
  // Spreadsheets know days; the service checks all else.
  read: (cell: string) =>
    /^\d{4}-\d\d-\d\d$/.test(cell.trim()) ? `${cell.trim()}T00:00:00Z` : cell,
}
const asSort = {
  write: (value: unknown) =>
    Array.isArray(value) ? listCell(value as string[]) : listCell([String(value)]),
  read: (cell: string) => {
    const keys = cellList(cell)
    return keys.length === 1 ? keys[0] : keys
  },
}
const asPins = {
  write: (value: unknown) =>
    listCell(
      (value as { id: string; position: number }[]).map(({ id, position }) => `${position}: ${id}`),
    ),
  read: (cell: string) =>
    cellList(cell).map((text) => {
      const at = text.indexOf(':')
      const expected = 'must be positions with ids, such as 1: p-100; 3: p-7'
      if (at < 0) throw new CellError(expected)
      return {
        id: text.slice(at + 1).replace(/^ /, ''),
        position: numberOf(text.slice(0, at), expected),
      }
    }),
}
const asBoosts = {
  write: (value: unknown) =>
    listCell(
      (value as { filter_by: string; weight: number }[]).map(
        (one) => `${one.weight}: ${one.filter_by}`,
      ),
    ),
  read: (cell: string) =>
    cellList(cell).map((text) => {
      const at = text.indexOf(':')
      const expected = 'must be weights with filters, such as 2: brand:=Norrby; 0.5: price:>500'
      if (at < 0) throw new CellError(expected)
      return {
        filter_by: text.slice(at + 1).replace(/^ /, ''),
        weight: numberOf(text.slice(0, at), expected),
      }
    }),
}
/** A text, or JSON if it is an object; a text that looks like JSON is quoted as JSON. */
const asTextOrObject = {
  write: (value: unknown) =>
    typeof value === 'string' && !/^\s*["{]/.test(value) ? value : JSON.stringify(value),
  read: (cell: string) => (/^\s*["{]/.test(cell) ? jsonOf(cell) : cell),
}
const asObject = { write: (value: unknown) => JSON.stringify(value), read: jsonOf }

function numberOf(cell: string, expected: string): number {
  const text = cell.trim()
  // A decimal comma is what many spreadsheets write.
  const value = text === '' ? Number.NaN : Number(text.replace(',', '.'))
  if (!Number.isFinite(value)) throw new CellError(expected)
  return value
}

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell) as unknown
  } catch {
    throw new CellError('must be a JSON object, such as {"title": "Sale"}')
  }
}

const column = (
  name: string,
  kind: Pick<RuleColumn, 'write' | 'read'>,
  place: { readonly member?: string; readonly repeats?: 'when' | 'schedule' } = {},
): RuleColumn => ({ name, member: name, ...place, ...kind })

/** The columns of a table of rules, in their order. */
export const RULE_COLUMNS: readonly RuleColumn[] = [
  column('id', asText),
  column('description', asText),
  column('enabled', asFlag),
  column('priority', asNumber),
  column('strategy', asText),
  column('query', asText, { repeats: 'when' }),
  column('match', asText, { repeats: 'when' }),
  column('contexts', asList, { repeats: 'when' }),
  column('when_filter_by', asText, { member: 'filter_by', repeats: 'when' }),
  column('from', asTime, { repeats: 'schedule' }),
  column('until', asTime, { repeats: 'schedule' }),
  column('pin', asPins),
  column('hide', asList),
  column('boost', asBoosts),
  column('filter_by', asText),
  column('sort_by', asSort),
  column('replace_query', asText),
  column('remove_words', asList),
  column('banner', asTextOrObject),
  column('redirect', asTextOrObject),
  column('facet_display', asObject),
  column('metadata', asObject),
  column('exact_match_boost', asFlag),
  column('semantic', asText),
  column('semantic_weight', asNumber),
]

const OF_RULE = RULE_COLUMNS.filter(({ repeats }) => repeats === undefined)
const of = (list: 'when' | 'schedule'): readonly RuleColumn[] =>
  RULE_COLUMNS.filter(({ repeats }) => repeats === list)

/** The rows of a rule: its conditions and time windows, one per row; the rest is in the first. */
export function rowsOfRule(rule: RuleRow): RuleCells[] {
  const { when = [], schedule = [] } = rule
  const rows = Array.from({ length: Math.max(1, when.length, schedule.length) }, (_, i) => ({
    id: rule.id,
    ...(i === 0 ? cellsOf(OF_RULE, withDefaults(rule)) : {}),
    ...(when[i] === undefined ? {} : conditionCells(when[i])),
    ...(schedule[i] === undefined ? {} : cellsOf(of('schedule'), schedule[i])),
  }))
  return rows
}

function withDefaults(rule: RuleRow): Members {
  return { ...rule, enabled: rule.enabled ?? true, priority: rule.priority ?? 0 }
}

/** A condition without members always holds; a row without cells has no condition. */
function conditionCells(condition: Members): RuleCells {
  const cells = cellsOf(of('when'), condition)
  return Object.values(cells).some((cell) => cell !== '') ? cells : { match: 'any' }
}

function cellsOf(columns: readonly RuleColumn[], members: Members): RuleCells {
  return Object.fromEntries(
    columns.map(({ name, member, write }) => {
      const value = members[member]
      const isAbsent = value === undefined || (Array.isArray(value) && value.length === 0)
      return [name, isAbsent ? '' : write(value)]
    }),
  )
}

/** What is wrong with a cell. */
export type CellFault = (column: string, message: string, row: number) => void

/**
 * A rule from its rows. Columns that the table lacks keep what the saved rule has.
 *
 * @param rows of the rule, each with its place among them
 */
export function ruleOfRows(
  rows: readonly RuleCells[],
  columns: ReadonlySet<string>,
  saved: RuleRow | undefined,
  fault: CellFault,
): RuleRow {
  const id = rows[0]!['id']!
  const own = membersOf(OF_RULE, rows[0]!, columns, (name, message) => fault(name, message, 0))
  for (const [i, row] of rows.entries()) {
    if (i === 0) continue
    for (const { name } of OF_RULE) {
      if (name !== 'id' && (row[name] ?? '') !== '') {
        fault(name, 'must be empty: only the first row of a rule has it', i)
      }
    }
  }
  const lists = (['when', 'schedule'] as const).flatMap((list) => {
    const parts = of(list)
    if (!parts.some(({ name }) => columns.has(name))) return []
    const items = rows.flatMap((row, i) => {
      const read = membersOf(parts, row, columns, (name, message) => fault(name, message, i))
      if (Object.keys(read).length === 0) return []
      const before = Object.entries(saved?.[list]?.[i] ?? {})
      const kept = before.filter(
        ([member]) => !parts.some((part) => part.member === member && columns.has(part.name)),
      )
      return [{ ...Object.fromEntries(kept), ...read }]
    })
    return [[list, items.length === 0 ? undefined : items] as const]
  })
  const kept = Object.entries(saved ?? {}).filter(([member]) => !isIn(columns, member))
  const members = [...kept, ...Object.entries(own), ...lists].filter(
    ([, value]) => value !== undefined,
  )
  return { ...(Object.fromEntries(members) as Omit<RuleRow, 'id'>), id }
}

/** Whether the table has a member of a rule. */
function isIn(columns: ReadonlySet<string>, member: string): boolean {
  return RULE_COLUMNS.some(
    ({ name, member: own, repeats }) =>
      columns.has(name) && (repeats === undefined ? own === member : repeats === member),
  )
}

function membersOf(
  parts: readonly RuleColumn[],
  row: RuleCells,
  columns: ReadonlySet<string>,
  fault: (column: string, message: string) => void,
): Members {
  const members: Record<string, unknown> = {}
  for (const { name, member, read } of parts) {
    const cell = row[name] ?? ''
    if (!columns.has(name) || cell === '') continue
    try {
      members[member] = read(cell)
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      fault(name, error.message)
    }
  }
  return members
}
