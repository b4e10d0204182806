import { isDeepStrictEqual } from 'node:util'
import type { PlannedGroups } from '@aisle/engine'
import { rawJson } from '@aisle/server/domain'
import { VALUES_MAX } from './facet-request.ts'
import type { GroupValues } from './group-values.ts'
import type { Query, SearchAnswer } from './product-searches.ts'

/** A group in a list: its values by number of the group field, numbers maybe rounded. */
interface ListedGroup {
  readonly key: Readonly<Record<string, unknown>>
  /** Values by number of the group field, as integers with all digits. */
  readonly [exact: `exact${string}`]: { readonly buckets: readonly { key_as_string: string }[] }
}

interface ListedGroups {
  readonly buckets: readonly ListedGroup[]
}

/** Counts documents that are each a separate group. */
interface ApartGroups {
  readonly doc_count: number
  readonly values?: {
    readonly buckets: readonly { readonly key: string | number; readonly doc_count: number }[]
  }
}

export interface GroupCountOptions {
  readonly groups: PlannedGroups
  readonly values: GroupValues
  /** Matches the documents whose groups are counted. */
  readonly query: Query
  /** Maximum of groups, or of groups with a value, that the cluster lists in one answer. */
  readonly listedMax: number
  /** Counts groups for each value in this column, whose integers are all below 2^53. */
  readonly column?: string
}

/**
 * Counts groups exactly: the cluster lists them by value, page by page. Its own count of distinct
 * values is an estimate.
 */
export class GroupCount {
  readonly #options: GroupCountOptions
  #after: Readonly<Record<string, unknown>> | undefined
  /** Whether the next page returns integers with all digits, which takes much longer. */
  #isExact = false
  isComplete = false
  /** The cluster has returned the same page again: some value does not survive the round trip. */
  isStuck = false
  /** Groups counted so far; with `column`, pairs of a value and a group. */
  found = 0
  /** With `column`: groups counted so far, by value. */
  readonly byValue = new Map<string | number, number>()

  constructor(options: GroupCountOptions) {
    this.#options = options
  }

  /** Returns the next question; pass its answer to `read`. */
  body(): object {
    const { groups, values, query, listedMax, column } = this.#options
    const isFirst = this.#after === undefined
    const isApart = groups.missing === 'apart'
    const lists = groups.fields.map((field, i) => ({
      [i]: { terms: { field: values.columnName(field), missing_bucket: !isApart } },
    }))
    const listed = {
      composite: {
        size: listedMax,
        sources: column === undefined ? lists : [{ value: { terms: { field: column } } }, ...lists],
        ...(isFirst ? {} : { after: this.#after }),
      },
      ...(this.#isExact ? { aggs: this.#exactParts() } : {}),
    }
    // Groups of a single document.
    const apart = {
      filter: values.incomplete,
      ...(column === undefined
        ? {}
        : { aggs: { values: { terms: { field: column, size: VALUES_MAX } } } }),
    }
    const aggs = isFirst && isApart ? { listed, apart } : { listed }
    return { size: 0, track_total_hits: false, query, aggs }
  }

  read({ aggregations }: SearchAnswer): void {
    const { listed, apart } = aggregations as { listed?: ListedGroups; apart?: ApartGroups }
    const buckets = listed?.buckets ?? []
    const isFull = buckets.length >= this.#options.listedMax
    const isRounded = isFull && Object.values(buckets.at(-1)!.key).some(mayBeRounded)
    if (isRounded && !this.#isExact) {
      // A rounded value would return the same page again.
      this.#isExact = true
      return
    }
    this.#isExact = false
    this.isComplete = !isFull
    this.found += buckets.length + (apart?.doc_count ?? 0)
    if (this.#options.column !== undefined) {
      for (const { key } of buckets) this.#count(key['value'] as string | number, 1)
      for (const one of apart?.values?.buckets ?? []) this.#count(one.key, one.doc_count)
    }
    if (!isFull) return
    const before = this.#after
    this.#after = afterOf(buckets.at(-1)!)
    this.isStuck = isDeepStrictEqual(before, this.#after)
  }

  #count(value: string | number, groups: number): void {
    this.byValue.set(value, (this.byValue.get(value) ?? 0) + groups)
  }

  #exactParts(): Record<string, object> {
    const { groups, values } = this.#options
    const parts = [...groups.fields.entries()]
      .filter(([, field]) => values.isWide(field))
      .map(([i, field]): [string, object] => {
        const terms = { field: values.columnName(field), size: 1, format: '0' }
        return [`exact${i}`, { terms }]
      })
    return Object.fromEntries(parts)
  }
}

/**
 * Runs all counts to their end concurrently.
 * @returns whether time ran out
 */
export async function countGroups(
  counts: readonly GroupCount[],
  ask: (bodies: readonly object[]) => Promise<readonly SearchAnswer[]>,
): Promise<boolean> {
  for (let open = counts; open.length > 0; open = open.filter((count) => !count.isComplete)) {
    const answers = await ask(open.map((count) => count.body()))
    open.forEach((count, i) => count.read(answers[i]!))
    if (answers.some((answer) => answer.timed_out)) return true
    if (open.some(({ isStuck }) => isStuck)) return true
  }
  return false
}

/** Whether a number may be rounded: integers of an answer are parsed as doubles. */
function mayBeRounded(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
}

/** The position after a group, from which the next page of a list continues. */
function afterOf(last: ListedGroup): Record<string, unknown> {
  const entries = Object.entries(last.key).map(([name, value]) => {
    const exact = last[`exact${name}`]?.buckets[0]?.key_as_string
    return [name, exact === undefined ? value : rawJson(exact)] as const
  })
  return Object.fromEntries(entries)
}
