import {
  GRADE_MAX,
  JUDGMENTS_PER_QUERY_MAX,
  QUERIES_PER_QUERY_SET_MAX,
} from '@aisle/contract/limits'
import type { SetQuery } from './judgments.ts'

/** Queries as typed: one per line, optionally followed by a tab and the number of searches. */
export function queriesFromLines(text: string, before: readonly SetQuery[] = []): SetQuery[] {
  const known = new Map(before.map((query) => [query.q, query]))
  const queries = new Map<string, SetQuery>()
  for (const line of text.split('\n')) {
    const [name = '', weightText = ''] = line.split('\t')
    const q = name.trim()
    if (q === '' || queries.has(q)) continue
    const weight = weightText.trim() === '' ? undefined : Number(weightText)
    const { weight: _, ...rest } = known.get(q) ?? { q }
    queries.set(q, weight === undefined || !(weight >= 0) ? rest : { ...rest, weight })
  }
  return [...queries.values()].slice(0, QUERIES_PER_QUERY_SET_MAX)
}

export function linesOfQueries(queries: readonly SetQuery[]): string {
  return queries.map(({ q, weight }) => (weight === undefined ? q : `${q}\t${weight}`)).join('\n')
}

export interface ReadFile {
  readonly queries: readonly SetQuery[]
  readonly judgments: number
  /** Lines that could not be read, at most a few. */
  readonly faults: readonly string[]
}

/**
 * A judged file: lines `query, document id, grade` separated by commas, tabs or semicolons (the
 * first line may be a header), or a query set as JSON. A line with only a query is a query without
 * judgments.
 */
export function readJudgedFile(text: string): ReadFile {
  const trimmed = text.trim()
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return readJson(trimmed)
  const lines = trimmed.split(/\r?\n/)
  const separator = ['\t', ';', ','].find((one) => lines[0]?.includes(one)) ?? ','
  const queries = new Map<string, { id: string; grade: number }[]>()
  const faults: string[] = []
  for (const [i, line] of lines.entries()) {
    const [q = '', id = '', gradeText = ''] = cells(line, separator).map((cell) => cell.trim())
    if (q === '') continue
    const judgments = queries.get(q) ?? []
    if (id === '' && gradeText === '') {
      queries.set(q, judgments)
      continue
    }
    const grade = Number(gradeText)
    if (gradeText === '' || !(grade >= 0 && grade <= GRADE_MAX)) {
      if (i > 0) faults.push(`Line ${i + 1}: the grade must be 0 to ${GRADE_MAX}`)
      continue
    }
    queries.set(q, [...judgments.filter((one) => one.id !== id), { id, grade }])
  }
  return limited(
    [...queries].map(([q, judgments]) => (judgments.length === 0 ? { q } : { q, judgments })),
    faults,
  )
}

function readJson(text: string): ReadFile {
  try {
    const value = JSON.parse(text) as { readonly queries?: unknown }
    const list: unknown = Array.isArray(value) ? value : value.queries
    if (!Array.isArray(list)) throw new Error('no list')
    const queries = list.flatMap((one: unknown): SetQuery[] => {
      if (typeof one === 'string') return [{ q: one }]
      const isQuery = typeof one === 'object' && one !== null && 'q' in one
      return isQuery && typeof one.q === 'string' ? [one as SetQuery] : []
    })
    return limited(queries, [])
  } catch {
    return { queries: [], judgments: 0, faults: ['Not a query set (JSON)'] }
  }
}

const FAULTS_SHOWN = 3

function limited(all: readonly SetQuery[], faults: readonly string[]): ReadFile {
  const queries = all
    .slice(0, QUERIES_PER_QUERY_SET_MAX)
    .map((query) =>
      query.judgments === undefined
        ? query
        : { ...query, judgments: query.judgments.slice(0, JUDGMENTS_PER_QUERY_MAX) },
    )
  const told = faults.slice(0, FAULTS_SHOWN)
  if (faults.length > told.length) told.push(`and ${faults.length - told.length} more`)
  if (all.length > queries.length) told.push(`Only the first ${queries.length} queries are used`)
  const judgments = queries.reduce((total, one) => total + (one.judgments?.length ?? 0), 0)
  return { queries, judgments, faults: told }
}

/** The cells of a line of CSV (RFC 4180); a value cannot span lines. */
function cells(line: string, separator: string): string[] {
  const found: string[] = []
  let cell = ''
  let isQuoted = false
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!
    if (isQuoted && char === '"' && line[i + 1] === '"') {
      cell += '"'
      i++
    } else if (char === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted
    else if (char === separator && !isQuoted) {
      found.push(cell)
      cell = ''
    } else cell += char
  }
  return [...found, cell]
}
