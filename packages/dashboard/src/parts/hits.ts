import type { ScoreExplanation, SearchResponse } from '@aisle/contract'

/** A hit in either format. */
export interface Hit {
  readonly id: string
  readonly document: Readonly<Record<string, unknown>>
  readonly score: number
  readonly isPinned: boolean
  readonly highlight: Readonly<Record<string, string | string[]>>
  readonly explanation?: ScoreExplanation | undefined
}

type AnyHit = SearchResponse['hits'][number]

/** Those of groups one group after the other. `hit_format` may be wrapped or flat. */
export function hitsOf({
  hits,
  grouped_hits: groups = [],
}: Pick<SearchResponse, 'hits' | 'grouped_hits'>): Hit[] {
  return [...hits, ...groups.flatMap((group) => group.hits)].map(hitOf)
}

function hitOf(hit: AnyHit): Hit {
  if (!('_text_match_score' in hit)) {
    const { id, document, text_match_score: score, curated, highlight = {}, explanation } = hit
    return { id, document, score, isPinned: curated === true, highlight, explanation }
  }
  const {
    _highlight: highlight = {},
    _snippets: _,
    _text_match_score: score,
    _curated: curated,
    _explanation: explanation,
    ...document
  } = hit
  return { id: hit.id, document, score, isPinned: curated === true, highlight, explanation }
}
