import { openRows } from '../rows.ts'
import type { Source } from '../source.ts'
import {
  RULE_COLUMNS,
  rowsOfRule,
  ruleOfRows,
  type RuleCells,
  type RuleColumn,
  type RuleRow,
} from './rule-columns.ts'

/** Something wrong in a table of rules. */
export interface RuleFault {
  /** As spreadsheets count: the names of the columns are row 1. */
  readonly row: number
  readonly column: string | undefined
  /** What is wrong, and what was expected. */
  readonly message: string
}

/** What a table of rules would do. */
export interface RuleTableChange {
  readonly put: readonly RuleRow[]
  readonly delete: readonly string[]
  readonly faults: readonly RuleFault[]
  readonly differences: readonly RuleDifference[]
  /** Rules of the table that are saved like this already. */
  readonly unchanged: number
  /** By id of a rule: its first row. */
  readonly rows: ReadonlyMap<string, number>
}

export interface RuleDifference {
  readonly id: string
  readonly verb: 'add' | 'change' | 'remove'
  /** Columns of a changed rule, with both texts. */
  readonly cells: readonly {
    readonly column: string
    readonly before: string
    readonly after: string
  }[]
}

/** Faults that are listed. */
const FAULTS_MAX = 1_000
/** Rules that a store can have; more rows than this per rule are not read. */
const ROWS_MAX = 150_000

/** The rules of a store as CSV (RFC 4180) with a byte order mark, for any spreadsheet. */
export function rulesCsv(rules: readonly RuleRow[]): string {
  const names = RULE_COLUMNS.map(({ name }) => name)
  const lines = rules.flatMap((rule) =>
    rowsOfRule(rule).map((row) =>
      RULE_COLUMNS.map((column) => quoted(shown(column, row[column.name] ?? ''))),
    ),
  )
  return `\uFEFF${[names, ...lines].map((line) => `${line.join(',')}\r\n`).join('')}`
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`
}

/** Numbers, which may begin with a minus sign. */
const NUMERIC = new Set(['priority', 'semantic_weight'])
/** What a spreadsheet would read as a formula, perhaps after apostrophes that prevent it. */
const FORMULA = /^'*[=+\-@\t\r]/

function shown({ name }: RuleColumn, cell: string): string {
  return !NUMERIC.has(name) && FORMULA.test(cell) ? `'${cell}` : cell
}

function meant(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell
}

/**
 * Compares a table of rules with those of a store. Nothing is missing in the result if it has no
 * faults.
 *
 * @param isWhole whether rules that are not in the table are deleted
 * @throws ImportError if it is not a table
 */
export async function readRules(
  source: Source,
  saved: readonly RuleRow[],
  {
    isWhole = false,
    delimiter,
  }: { readonly isWhole?: boolean; readonly delimiter?: string | undefined } = {},
): Promise<RuleTableChange> {
  const { columns = [], all } = await openRows(source, { asRows: true, delimiter })
  const faults: RuleFault[] = columns.flatMap((name) =>
    name === '' || KNOWN.has(name)
      ? []
      : [{ row: 1, column: name, message: `is unknown: the columns are ${[...KNOWN].join(', ')}` }],
  )
  if (!columns.includes('id')) {
    faults.push({ row: 1, column: 'id', message: 'is missing: every row needs the id of its rule' })
  }
  const byId = new Map<string, { readonly row: number; readonly cells: RuleCells[] }>()
  if (faults.length === 0) {
    let row = 1
    let last: string | undefined
    for await (const one of all) {
      if (++row > ROWS_MAX) {
        faults.push({
          row,
          column: undefined,
          message: `is too many: a table may have ${ROWS_MAX} rows`,
        })
        break
      }
      if (one.kind !== 'table') {
        const message =
          one.kind === 'ragged' ? one.error.replace(/^the row /, '') : 'is not a table row'
        faults.push({ row, column: undefined, message })
        continue
      }
      const cells = Object.fromEntries(
        Object.entries(one.cells).map(([name, cell]) => [name, meant(cell)]),
      )
      if (Object.values(cells).every((cell) => cell.trim() === '')) continue
      const id = (cells['id'] ?? '').trim()
      const known = byId.get(id)
      if (id === '') {
        faults.push({ row, column: 'id', message: 'must not be empty' })
      } else if (known === undefined) byId.set(id, { row, cells: [{ ...cells, id }] })
      else if (last === id) known.cells.push({ ...cells, id })
      else
        faults.push({
          row,
          column: 'id',
          message: `is that of row ${known.row} too: rows of one rule must follow each other`,
        })
      last = id
    }
  }
  return comparison(byId, new Set(columns), saved, faults, isWhole)
}

const KNOWN: ReadonlySet<string> = new Set(RULE_COLUMNS.map(({ name }) => name))

function comparison(
  byId: ReadonlyMap<string, { readonly row: number; readonly cells: readonly RuleCells[] }>,
  columns: ReadonlySet<string>,
  saved: readonly RuleRow[],
  faults: RuleFault[],
  isWhole: boolean,
): RuleTableChange {
  const known = new Map(saved.map((rule) => [rule.id, rule]))
  const put: RuleRow[] = []
  const differences: RuleDifference[] = []
  let unchanged = 0
  for (const [id, { row, cells }] of byId) {
    const before = known.get(id)
    const rule = ruleOfRows(cells, columns, before, (column, message, place) =>
      faults.push({ row: row + place, column, message }),
    )
    const changed = before === undefined ? [] : changedCells(before, rule)
    if (before !== undefined && changed.length === 0) unchanged++
    else {
      put.push(rule)
      differences.push({ id, verb: before === undefined ? 'add' : 'change', cells: changed })
    }
  }
  const removed = isWhole ? saved.map(({ id }) => id).filter((id) => !byId.has(id)) : []
  for (const id of removed) differences.push({ id, verb: 'remove', cells: [] })
  return {
    put,
    delete: removed,
    faults: faults.toSorted((a, b) => a.row - b.row).slice(0, FAULTS_MAX),
    differences,
    unchanged,
    rows: new Map([...byId].map(([id, { row }]) => [id, row])),
  }
}

function changedCells(before: RuleRow, after: RuleRow): RuleDifference['cells'] {
  const [rows, others] = [rowsOfRule(before), rowsOfRule(after)]
  return RULE_COLUMNS.flatMap(({ name }) => {
    if (name === 'id') return []
    const [own, other] = [rows, others].map((list) =>
      list
        .map((row) => row[name] ?? '')
        .join('\n')
        .trimEnd(),
    )
    return own === other ? [] : [{ column: name, before: own!, after: other! }]
  })
}

/**
 * A fault of a rule that the service found, at its row and column.
 *
 * @param param `put[3].boost[0].filter_by`
 */
export function faultAt(
  { put, rows }: RuleTableChange,
  param: string | undefined,
  message: string,
): RuleFault | undefined {
  const [, index, member = '', place] =
    /^put\[(\d+)\](?:\.(\w+))?(?:\[(\d+)\])?/.exec(param ?? '') ?? []
  const rule = put[Number(index)]
  const row = rule === undefined ? undefined : rows.get(rule.id)
  if (row === undefined) return undefined
  const isRepeated = member === 'when' || member === 'schedule'
  const part = isRepeated ? /\.(\w+)$/.exec(param ?? '')?.[1] : member
  const column = RULE_COLUMNS.find(
    (one) =>
      one.member === part && (isRepeated ? one.repeats === member : one.repeats === undefined),
  )
  return {
    row: row + (isRepeated ? Number(place ?? 0) : 0),
    column: column?.name,
    message: message.replace(PLACE, ''),
  }
}

/** The place in the request, which the row and column of the table replace. */
const PLACE = /^[\w.[\]]+, column \d+: /
