import { SHOP } from './shop-config.ts'

export type Range = readonly [low: number | undefined, high: number | undefined]

/** The content of an address. The pages have no other state that a link could carry. */
export interface PageState {
  readonly page: 'home' | 'search' | 'product' | 'cart'
  /** Id of the product. */
  readonly id: string
  readonly q: string
  /** Parts of the query that are searched as words, and not read as filters. */
  readonly words: readonly string[]
  /** Selected values by field; the tree has one, a flag has `true`. */
  readonly values: Readonly<Record<string, readonly string[]>>
  readonly ranges: Readonly<Record<string, Range>>
  /** Index in `SHOP.sorts`. */
  readonly sort: number
  /** From 1. */
  readonly pageNumber: number
  readonly layout: 'grid' | 'list'
}

/** The service takes no more. */
const WORDS_MAX = 8

const HOME: PageState = {
  page: 'home',
  id: '',
  q: '',
  words: [],
  values: {},
  ranges: {},
  sort: 0,
  pageNumber: 1,
  layout: 'grid',
}

export function searchFor(q: string, more: Partial<PageState> = {}): PageState {
  return { ...HOME, page: 'search', q, ...more }
}

export function productPage(id: string): PageState {
  return { ...HOME, page: 'product', id }
}

/** @param path path and query of the address; @param base path of the shop */
export function readAddress(path: string, base: string): PageState {
  const url = new URL(path, 'http://shop')
  const [first = '', second = ''] = url.pathname
    .slice(base.length)
    .split('/')
    .filter((part) => part !== '')
  if (first === 'p') return productPage(safeDecode(second))
  if (first === 'cart') return { ...HOME, page: 'cart' }
  if (first !== 'search') return HOME
  const { searchParams: params } = url
  const values: Record<string, readonly string[]> = {}
  const ranges: Record<string, Range> = {}
  for (const { field, kind } of SHOP.facets) {
    const given = params.getAll(field).filter((value) => value !== '')
    if (given.length === 0) continue
    if (kind === 'range') {
      const [low, high] = given[0]!.split('..').map(readNumber)
      ranges[field] = [low, high]
    } else values[field] = given
  }
  const sort = Math.trunc(Number(params.get('sort') ?? 0))
  return {
    ...HOME,
    page: 'search',
    q: (params.get('q') ?? '').slice(0, 500),
    words: params.getAll('word').slice(0, WORDS_MAX),
    values,
    ranges,
    sort: SHOP.sorts[sort] === undefined ? 0 : sort,
    pageNumber: Math.min(1_000, Math.max(1, Math.trunc(Number(params.get('page')) || 1))),
    layout: params.get('layout') === 'list' ? 'list' : 'grid',
  }
}

export function addressOf(state: PageState, base: string): string {
  if (state.page === 'home') return base === '' ? '/' : base
  if (state.page === 'cart') return `${base}/cart`
  if (state.page === 'product') return `${base}/p/${encodeURIComponent(state.id)}`
  const params = new URLSearchParams()
  if (state.q !== '') params.set('q', state.q)
  for (const text of state.words) params.append('word', text)
  for (const [field, chosen] of Object.entries(state.values)) {
    for (const value of chosen) params.append(field, value)
  }
  for (const [field, [low, high]] of Object.entries(state.ranges)) {
    params.set(field, `${low ?? ''}..${high ?? ''}`)
  }
  if (state.sort > 0) params.set('sort', String(state.sort))
  if (state.pageNumber > 1) params.set('page', String(state.pageNumber))
  if (state.layout === 'list') params.set('layout', 'list')
  const query = params.toString()
  return `${base}/search${query === '' ? '' : `?${query}`}`
}

/** The first page of the same search with other filters. */
export function withValues(state: PageState, field: string, chosen: readonly string[]): PageState {
  const { [field]: _, ...others } = state.values
  const values = chosen.length === 0 ? others : { ...others, [field]: chosen }
  return { ...state, page: 'search', values, pageNumber: 1 }
}

export function withRange(state: PageState, field: string, range: Range | undefined): PageState {
  const { [field]: _, ...others } = state.ranges
  const ranges = range === undefined ? others : { ...others, [field]: range }
  return { ...state, page: 'search', ranges, pageNumber: 1 }
}

/** The first page of the same search with a part of the query as words. */
export function withWords(state: PageState, text: string): PageState {
  return { ...state, words: [...state.words, text].slice(0, WORDS_MAX), pageNumber: 1 }
}

export function withoutFilters(state: PageState): PageState {
  return { ...state, values: {}, ranges: {}, pageNumber: 1 }
}

function readNumber(text: string): number | undefined {
  const number = text === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) ? number : undefined
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
