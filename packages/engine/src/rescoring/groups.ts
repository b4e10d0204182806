import type { GroupOutcome, PlannedGroups } from '../query/plan.ts'
import type { Scalar } from '../schema/schema.ts'
import type { CandidateDocument } from './candidate-document.ts'
import type { RankedDocument } from './sort.ts'

interface Group {
  readonly key: GroupOutcome['key']
  readonly documents: RankedDocument[]
}

/** A page of groups, and the documents to show of each. */
export interface GroupedPage {
  /** Number of groups of all documents. */
  readonly found: number
  readonly page: readonly GroupOutcome[]
  /** Documents group by group, in the order of the page. */
  readonly shown: readonly RankedDocument[]
}

/**
 * "Groups" in docs/ranking.md.
 *
 * @param ranked all documents found, in order
 * @param from rank of the first group of the page, from 0
 * @param size groups of the page
 */
export function groupDocuments(
  groups: PlannedGroups,
  ranked: readonly RankedDocument[],
  from: number,
  size: number,
): GroupedPage {
  // Maps keep insertion order, which is that of the groups' best documents.
  const byKey = new Map<unknown, Group>()
  for (const one of ranked) {
    const key = groupKeyOf(groups, one.document)
    const identity = groupOf(groups, one.document)
    let group = byKey.get(identity)
    if (group === undefined) byKey.set(identity, (group = { key, documents: [] }))
    group.documents.push(one)
  }
  const page = [...byKey.values()].slice(from, from + size)
  const shownOf = ({ documents }: Group) => documents.slice(0, groups.limit)
  return {
    found: byKey.size,
    page: page.map((group) => ({
      key: group.key,
      found: group.documents.length,
      hitCount: shownOf(group).length,
    })),
    shown: page.flatMap(shownOf),
  }
}

/** Equal for documents of the same group, and different for others. */
export function groupOf(groups: PlannedGroups, document: CandidateDocument): unknown {
  const key = groupKeyOf(groups, document)
  return groups.missing === 'apart' && key.includes(null) ? document : textOf(key)
}

/** The values of a document in the group fields; null if it has none. */
export function groupKeyOf(
  { fields }: PlannedGroups,
  { values }: CandidateDocument,
): GroupOutcome['key'] {
  return fields.map((field) => {
    const value = (values[field] as Scalar | undefined) ?? null
    // -0 is 0.
    return value === 0 ? 0 : value
  })
}

/** Each field has one type, so equal texts are equal values. */
function textOf(key: GroupOutcome['key']): string {
  return JSON.stringify(key.map((value) => (value === null ? null : String(value))))
}
