import { SeededRandom } from '@aisle/testing'
import { GRADE_MAX, type SecondJudgment } from './own-set.ts'
import type { JudgedQuery } from './judged-set.ts'

/** The same pairs at every call, so that a second pass can be written over several days. */
const SEED = 20_261_122
const SECOND_SHARE = 0.1

export interface TitledJudgment {
  readonly document: string
  readonly title: string
  readonly grade: number
}

/** A tenth of the judged pairs: document ids by query id. */
export function drawSecondPass(
  queries: readonly Pick<JudgedQuery, 'id' | 'judgments'>[],
): Map<string, string[]> {
  const random = new SeededRandom(SEED)
  const drawn = new Map<string, string[]>()
  for (const { id, judgments } of queries) {
    const documents = [...judgments.keys()].filter(() => random.next() < SECOND_SHARE)
    if (documents.length > 0) drawn.set(id, documents.toSorted())
  }
  return drawn
}

/**
 * Products that differ only in colour, pack or code, with unequal grades for one query, and with
 * the same words of the query in their titles and ids: a list for review, because a query may name
 * the difference in other words.
 */
export function unequalTwins(
  query: string,
  judgments: readonly TitledJudgment[],
): TitledJudgment[][] {
  const asked = new Set(partsOf(query))
  const families = Map.groupBy(judgments, ({ title, document }) => {
    const held = partsOf(`${title} ${document}`).filter((part) => asked.has(part))
    return `${familyOf(title)}\n${[...new Set(held)].toSorted().join(' ')}`
  })
  return [...families.values()].filter((twins) => new Set(twins.map(({ grade }) => grade)).size > 1)
}

export interface Agreement {
  /** Pairs judged in both passes. */
  readonly pairs: number
  readonly same: number
  /**
   * Cohen's kappa with quadratic weights (Cohen, "Weighted kappa", 1968): 1 is full agreement, 0 is
   * chance level.
   */
  readonly kappa: number
}

export function agreement(
  queries: readonly Pick<JudgedQuery, 'id' | 'judgments'>[],
  second: readonly SecondJudgment[],
): Agreement {
  const first = new Map(queries.map(({ id, judgments }) => [id, judgments]))
  const pairs = second.flatMap(({ query, document, grade }) => {
    const before = first.get(query)?.get(document)
    return before === undefined ? [] : [[before, grade] as const]
  })
  const grades = Array.from({ length: GRADE_MAX + 1 }, (_, grade) => grade)
  const share = (pass: 0 | 1, grade: number): number =>
    pairs.filter((pair) => pair[pass] === grade).length / pairs.length
  const seen = pairs.reduce((sum, [a, b]) => sum + (a - b) ** 2, 0) / pairs.length
  const byChance = grades
    .flatMap((a) => grades.map((b) => share(0, a) * share(1, b) * (a - b) ** 2))
    .reduce((sum, value) => sum + value, 0)
  return {
    pairs: pairs.length,
    same: pairs.filter(([a, b]) => a === b).length,
    kappa: byChance === 0 ? 1 : 1 - seen / byChance,
  }
}

/** A title without text in brackets, codes (words with digits), and text after a comma. */
function familyOf(title: string): string {
  const [head = ''] = title.toLowerCase().split(',')
  return head
    .replaceAll(/\([^()]*\)/g, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !(word.length > 4 && /\d/.test(word)))
    .join(' ')
}

/** Separates words and numbers, so that `30cm` is `30 cm`. */
function partsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
}
