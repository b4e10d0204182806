import type { SearchParameters, SearchResponse } from '@aisle/client'
import type { Context } from '../context.ts'
import { excerptOf } from '../terminal/excerpt.ts'
import type { Piece } from '../terminal/excerpt.ts'
import { printable, styleOf } from '../terminal/style.ts'
import type { Style } from '../terminal/style.ts'
import { count } from '../terminal/table.ts'
import { addCommand, collect, readPair, Run, wholeNumber } from './command.ts'
import type { Command, CommonOptions } from './command.ts'
import { readValue } from './named-values.ts'

interface Options extends CommonOptions {
  readonly filter?: string
  readonly sort?: string
  readonly facet?: string
  readonly fields?: string
  readonly perPage?: number
  readonly page?: number
  readonly param?: readonly string[]
}

/** What highlighting marks with, as it is asked for: no text can hold it. */
const MARK_PATTERN = /<mark>([^<]*)<\/mark>/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}
/** Of a value on the terminal; `--json` has all of it. */
const VALUE_MAX_CHARS = 200

/** A search from the terminal. */
export function addSearchCommand(program: Command, context: Context): void {
  addCommand(program, {
    name: 'search <query>',
    summary: 'search a store; * finds everything',
    talksTo: 'store',
    examples: [
      `aisle search 'red shoe' --filter 'price:<100' --sort price:asc --facet brand`,
      'aisle search tent --param typo_max=0 --param preset_name=homepage',
    ],
  })
    .option('--filter <filter>', 'filter_by')
    .option('--sort <keys>', 'sort_by')
    .option('--facet <fields>', 'facet_by')
    .option('--fields <names>', 'fields to show, separated by commas')
    .option('--per-page <n>', 'hits', wholeNumber)
    .option('--page <n>', 'page, from 1', wholeNumber)
    .option('--param <name=value>', 'any other parameter of a search', collect)
    .action(async (query: string, options: Options) => {
      const run = new Run(context, options)
      const answer = await (await run.store('read')).search(parametersOf(query, options))
      run.print(answer, searchText(answer, styleOf(context.out.isTerminal, context.environment)))
    })
}

function parametersOf(query: string, options: Options): SearchParameters {
  const { filter, sort, facet, fields, perPage, page, param = [] } = options
  const given = {
    filter_by: filter,
    sort_by: sort,
    facet_by: facet,
    return_fields: fields?.split(',').map((name) => name.trim()),
    per_page: perPage,
    page,
  }
  return {
    q: query,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...Object.fromEntries(param.map(readPair).map(([name, value]) => [name, readValue(value)])),
  }
}

/** The hits for a person: the first field as a title, the others below it, marks in colour. */
export function searchText(answer: SearchResponse, style: Style): string {
  const lines: string[] = []
  for (const hit of answer.hits as readonly Hit[]) lines.push(...hitLines(hit, style), '')
  for (const [field, facet] of Object.entries((answer.facets ?? {}) as Record<string, unknown>)) {
    lines.push(`${style.bold(field)}  ${facetText(facet)}`)
  }
  const corrected = answer.corrected_query
  if (corrected !== undefined) lines.push(`Also searched: ${printable(corrected)}`)
  const meant = answer.did_you_mean
  if (meant !== undefined) lines.push(`Did you mean: ${printable(meant)}`)
  for (const warning of answer.warnings ?? []) lines.push(style.dim(`Warning: ${warning}`))
  lines.push(style.dim(`${count(answer.found)} found in ${answer.search_time_ms} ms`))
  return `${lines.join('\n')}\n`
}

interface Hit {
  readonly id?: string
  readonly document?: Readonly<Record<string, unknown>>
  readonly highlight?: Readonly<Record<string, string | readonly string[]>>
}

function hitLines({ id = '', document, highlight = {}, ...flat }: Hit, style: Style): string[] {
  const fields = Object.entries(document ?? flat).filter(([name]) => name !== 'id')
  const shown = fields.map(([name, value]) => {
    const marked = highlight[name]
    const pieces =
      marked === undefined
        ? [{ text: typeof value === 'string' ? value : JSON.stringify(value), isMarked: false }]
        : piecesOf([marked].flat().join(', '))
    const text = excerptOf(
      pieces.map((piece) => ({ ...piece, text: printable(piece.text) })),
      VALUE_MAX_CHARS,
    ).map((piece) => (piece.isMarked ? style.mark(piece.text) : piece.text))
    return [name, text.join('')] as const
  })
  const [title, ...rest] = shown
  return [
    `${style.bold(title?.[1] ?? '')}  ${style.dim(printable(id))}`,
    ...rest.map(([name, text]) => `  ${style.dim(`${name}:`)} ${text}`),
  ]
}

/** HTML with marks as what it stands for. */
function piecesOf(html: string): Piece[] {
  const plain = (text: string): string =>
    text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
  const pieces: Piece[] = []
  let from = 0
  for (const match of html.matchAll(MARK_PATTERN)) {
    pieces.push({ text: plain(html.slice(from, match.index)), isMarked: false })
    pieces.push({ text: plain(match[1] ?? ''), isMarked: true })
    from = match.index + match[0].length
  }
  return [...pieces, { text: plain(html.slice(from)), isMarked: false }]
}

function facetText(facet: unknown): string {
  if (!Array.isArray(facet)) return printable(JSON.stringify(facet))
  return (facet as { value: unknown; count: number }[])
    .map(({ value, count: documents }) => `${printable(String(value))} (${count(documents)})`)
    .join('  ')
}
