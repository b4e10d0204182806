import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from '@aisle/testing'
import { demoCatalog } from '../../packages/server/src/demo/demo-catalog.ts'
import { readCatalog, rows, type JudgedQuery, type JudgedSet } from './judged-set.ts'

/**
 * Our own judged sets: queries and grades are in the repository, written by the rules of
 * bench/relevance/judging.md. The documents are those of the demo shop, or of a catalog of the data
 * sets, which the judgments reference only by id.
 */
export const OWN_SETS = ['demo', 'amazon_in'] as const
export type OwnSetName = (typeof OWN_SETS)[number]

/** One of our queries, with the visitor's intent. */
export interface OwnQuery extends JudgedQuery {
  /** The difficulty: `head`, `misspelt`, `none` ... */
  readonly kind: string
  readonly intent: string
}

export interface OwnSet extends JudgedSet {
  readonly queries: readonly OwnQuery[]
}

/** Another judgment of a document for a query, made without seeing the first one. */
export interface SecondJudgment {
  readonly query: string
  readonly document: string
  readonly grade: number
}

export const GRADE_MAX = 3
/** The minimum grade of a document that counts in recall. */
const GOOD_GRADE = 2

/** The folder of the judgments. */
const OWN_FOLDER = join(REPOSITORY, 'bench/relevance')

/** @param dataFolder the unpacked data sets; the demo set does not need them */
export function readOwnSet(
  name: OwnSetName,
  dataFolder: () => string,
  folder = OWN_FOLDER,
): OwnSet {
  const judgments = new Map<string, Map<string, number>>()
  for (const [query = '', document = '', grade = '', reason = ''] of table(
    join(folder, `${name}.judgments.tsv`),
  )) {
    const ofQuery = judgments.get(query) ?? new Map<string, number>()
    judgments.set(query, ofQuery)
    if (ofQuery.has(document)) throw new Error(`${name}: ${query} ${document} is judged twice`)
    if (reason === '') throw new Error(`${name}: ${query} ${document} has no reason`)
    ofQuery.set(document, gradeOf(name, grade))
  }
  const queries = table(join(folder, `${name}.queries.tsv`)).map(
    ([id = '', kind = '', text = '', intent = '']) => {
      if (intent === '') throw new Error(`${name}: the query ${id} has no intent`)
      return { id, kind, text, intent, judgments: judgments.get(id) ?? new Map<string, number>() }
    },
  )
  const known = new Set(queries.map(({ id }) => id))
  if (known.size < queries.length) throw new Error(`${name}: two queries have one id`)
  const stray = [...judgments.keys()].find((query) => !known.has(query))
  if (stray !== undefined) throw new Error(`${name}: there are judgments of no query, "${stray}"`)
  const catalog = name === 'demo' ? demoSource() : readCatalog(dataFolder(), name)
  return { ...catalog, queries, goodGrade: GOOD_GRADE }
}

/** The second pass over a part of the judgments; empty if there is none yet. */
export function readSecondPass(name: OwnSetName, folder = OWN_FOLDER): SecondJudgment[] {
  const file = join(folder, `${name}.second.tsv`)
  if (!existsSync(file)) return []
  return table(file).map(([query = '', document = '', grade = '']) => ({
    query,
    document,
    grade: gradeOf(name, grade),
  }))
}

function demoSource(): Pick<JudgedSet, 'schema' | 'lines'> {
  const { schema, documents } = demoCatalog()
  return {
    schema,
    async *lines() {
      for (const { id, data } of documents) yield JSON.stringify({ id, ...data })
    },
  }
}

function gradeOf(name: string, text: string): number {
  const grade = Number(text)
  if (text !== '' && Number.isInteger(grade) && grade >= 0 && grade <= GRADE_MAX) return grade
  throw new Error(`${name}: "${text}" is not a grade: expected 0 to ${GRADE_MAX}`)
}

/** The rows below the heading; no file, no rows. */
function table(file: string): string[][] {
  return existsSync(file) ? rows(file).slice(1) : []
}
