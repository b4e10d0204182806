import { withBase } from 'vitepress'

/** A section that was found. Texts are HTML: escaped, with matched words in `<mark>`. */
export interface FoundSection {
  /** `/search#typos` */
  readonly path: string
  readonly title: string
  readonly heading?: string
  readonly text: string
}

export interface FoundSections {
  readonly hits: readonly FoundSection[]
  /** The query without its typos, if it had any. */
  readonly corrected?: string
  readonly problem?: string
}

interface SearchResponse {
  readonly corrected_query?: string
  readonly hits: readonly {
    readonly document: { readonly id: string }
    readonly snippets: { title: string; heading?: string; text?: string }
  }[]
}

/** Asks the service that these pages come from. */
export async function searchDocs(query: string, signal: AbortSignal): Promise<FoundSections> {
  const answer = await fetch(`${withBase('/find')}?q=${encodeURIComponent(query)}`, { signal })
  if (!answer.ok) {
    const problem = answer.status === 429 ? 'Too many searches: wait a moment' : 'Search failed'
    return { hits: [], problem }
  }
  const { hits, corrected_query: corrected } = (await answer.json()) as SearchResponse
  return {
    hits: hits.map(({ document, snippets: { title, heading, text = '' } }) => ({
      path: `/${document.id}`,
      title,
      text,
      ...(heading === undefined ? {} : { heading }),
    })),
    ...(corrected === undefined ? {} : { corrected }),
  }
}
