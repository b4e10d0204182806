import type { Analyzer } from '@aisle/engine'
import { shownVariant, type QueryRecord } from '../history/query-table.ts'
import { mayBeShown } from '../text/query-text.ts'

/** The part of a query that depends only on its spelling. */
export interface PreparedQuery {
  readonly shown: string
  readonly folded: string
  readonly words: readonly string[]
  /** Further spellings of words (t-shirt: tshirt). */
  readonly joined: readonly string[]
  readonly isShown: boolean
}

const prepared = new WeakMap<QueryRecord, PreparedQuery>()

/** A query in its commonest spelling; cached between builds. */
export function preparedRecord(record: QueryRecord, analyzer: Analyzer): PreparedQuery {
  const known = prepared.get(record)
  const shown = shownVariant(record.variants)
  const ready = known?.shown === shown ? known : prepareQuery(shown, analyzer)
  if (ready !== known) prepared.set(record, ready)
  return ready
}

export function prepareQuery(shown: string, analyzer: Analyzer): PreparedQuery {
  const words: string[] = []
  const joined: string[] = []
  for (const { kind, form } of analyzer.analyze(shown))
    (kind === 'joined' ? joined : words).push(form)
  return { shown, folded: words.join(' '), words, joined, isShown: mayBeShown(shown) }
}
