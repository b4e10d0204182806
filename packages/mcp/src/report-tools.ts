import { text, whole, type Tool } from './tool.ts'

type ReportName = 'overview' | 'top-queries' | 'no-results' | 'no-clicks' | 'top-documents'

const period = {
  from: text('Start, ISO 8601: `2026-11-01`; 30 days before the end by default', 40),
  to: text('End, exclusive; now by default', 40),
}

const rows = { ...period, limit: whole('Rows, 20 by default', 1, 100) }

function report(
  name: string,
  title: string,
  description: string,
  of: ReportName,
  input: Tool['input'] = rows,
): Tool {
  return {
    name,
    title,
    description,
    input,
    run: async (store, given) => {
      const parameters = { ...('limit' in input ? { limit: 20 } : {}), ...given }
      return { ...(await store.report(of, parameters)) }
    },
  }
}

/** Report tools, which need the write secret. */
export const REPORT_TOOLS: readonly Tool[] = [
  report(
    'search_figures',
    'Search figures',
    'Searches, visitors, share of searches without results, click rate, orders and revenue of a period.',
    'overview',
    period,
  ),
  report('top_searches', 'Top searches', 'What visitors search for most.', 'top-queries'),
  report(
    'searches_without_results',
    'Searches without results',
    'What visitors searched for and did not find: candidates for synonyms, rules, or new products.',
    'no-results',
  ),
  report(
    'searches_without_clicks',
    'Searches without clicks',
    'Searches whose results nobody clicked.',
    'no-clicks',
  ),
  report(
    'top_products',
    'Top products',
    'Products by what visitors do with them: clicks, carts, orders.',
    'top-documents',
  ),
]
