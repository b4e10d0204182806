import type { HttpRequest, StoreKeys } from '@aisle/testing'
import { pick, type Random } from './filter-texts.ts'
import { ODD_BODIES, ODD_PATHS, ODD_VALUES, resolved, ROUTES, valuesFor } from './open-api.ts'
import type { JsonSchema, Operation, Route } from './open-api.ts'

/** Valid values for a parameter with this name, so that many requests pass the first checks. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  q: ['red tent', '*', 'shoe', '"red tent" -blue', 'jackte', 'T', 'mug 10 cm', ''],
  query: ['red tent', 'sho', 'm', '', 'jackte'],
  filter_by: ['price:>20', 'brand:=Northfold || in_stock:true', 'stock:[1..9]', 'id:1', 'price:'],
  sort_by: ['price:desc', 'rating(missing:first),_text_match', '_rand(7)', 'title', 'nope'],
  facet_by: ['brand', 'brand(limit:3),price(low:[0,50],high:[50,])', '*', 'nope'],
  facet_query: ['brand:no', 'color:b'],
  field: ['title', 'brand', 'price', 'nope'],
  search_fields: ['title', 'description'],
  fields: ['title', 'price', 'rating_count'],
  snippet_fields: ['description'],
  type: ['string', 'int32', 'float', 'bool', 'string[]', 'track', 'page', 'identify'],
  language: ['en', 'de', 'ja', 'xx'],
  event: ['Product Viewed', 'Order Completed', 'Products Searched', 'Odd One'],
  event_type: ['click', 'purchase', 'search', 'view'],
  timestamp: ['2026-11-01T10:00:00Z', '1999-01-01', 'now'],
  from: ['2026-11-01', '2026-11-01T00:00:00Z'],
  to: ['2026-11-30', '2026-01-01'],
  format: ['json', 'csv'],
  compare: ['previous'],
  sentAt: ['2026-11-01T10:00:00Z'],
  mode: ['additive'],
}
const PLAIN_TEXTS = ['x', 'red tent', 'Northfold', 'ä 日本 😀', 'a-1', '<b>&amp;</b>']
const PATH_NAMES = ['x', 'y', 'red', 'ada@example.com', 'read', 'events', 'default']

/** These are slow, or occupy another thread: they are rare. */
const HEAVY =
  /^(?:report|suggestSynonyms|readJourney|getMetrics|getServiceMetrics|rebuild|erase|drop|createUser|changePassword|changeUser|deleteUser|createStore|clearDocuments|changeSchema|getOpenApi)/
const HEAVY_SHARE = 0.01
const DEPTH_MAX = 6
const TEXT_MAX = 3_000

/** A value that the schema accepts, or, rarely, rejects. */
function valueOf(schema: JsonSchema, name: string, random: Random, depth = 0): unknown {
  const one = resolved(schema)
  if (random() < 0.02) return pick(valuesFor(one), random)
  if (one.const !== undefined) return one.const
  if (one.enum !== undefined) return pick(one.enum, random)
  if (one.anyOf !== undefined) {
    return valueOf(
      depth > DEPTH_MAX ? one.anyOf[0]! : pick(one.anyOf, random),
      name,
      random,
      depth + 1,
    )
  }
  const { minimum = -5, maximum = 50, type } = one
  if (type === 'boolean') return random() < 0.5
  if (type === 'integer' || type === 'number') {
    const chance = random()
    if (chance < 0.1) return minimum
    if (chance < 0.2) return maximum
    const near = minimum + random() * (Math.min(maximum, minimum + 20) - minimum)
    return type === 'integer' ? Math.round(near) : near
  }
  if (type === 'array') {
    const count = Math.max(one.minItems ?? 0, Math.floor(random() * 4))
    return Array.from({ length: count }, () => valueOf(one.items ?? {}, name, random, depth + 1))
  }
  if (type === 'object' || one.properties !== undefined) return objectOf(one, random, depth)
  if (type === undefined && random() < 0.5) return pick(ODD_VALUES, random)
  return textOf(one, name, random)
}

function objectOf(schema: JsonSchema, random: Random, depth: number): Record<string, unknown> {
  const { properties = {}, patternProperties = {}, required = [] } = schema
  const names = Object.keys(properties).filter((name) => {
    if (required.includes(name)) return random() > 0.02
    return depth <= DEPTH_MAX && random() < Math.max(0.1, 3 / Object.keys(properties).length)
  })
  const entries = names.map((name) => [name, valueOf(properties[name]!, name, random, depth + 1)])
  for (const free of Object.values(patternProperties)) {
    const name = pick(['title', 'price', 'x'], random)
    entries.push([name, valueOf(free, name, random, depth + 1)])
  }
  if (random() < 0.03) entries.push([pick(['nope', '__proto__', 'Q', ''], random), 1])
  return Object.fromEntries(entries) as Record<string, unknown>
}

function textOf({ minLength = 0, maxLength = 100 }: JsonSchema, name: string, random: Random) {
  const chance = random()
  if (chance < 0.03) return 'a b '.repeat(TEXT_MAX).slice(0, Math.min(maxLength, TEXT_MAX))
  if (chance < 0.05) return 'a'.repeat(Math.min(maxLength + 1, TEXT_MAX))
  const text = pick(FITTING[name] ?? PLAIN_TEXTS, random)
  return text.length < minLength ? text.padEnd(minLength, 'a') : text
}

function bodyOf(operation: Operation, random: Random): { body: string; type: string } | undefined {
  const content = operation.requestBody?.content
  if (content === undefined) return random() < 0.02 ? { body: '{}', type: 'text/plain' } : undefined
  const schema = content['application/json']?.schema ?? {}
  const type = random() < 0.02 ? 'application/xml' : 'application/json'
  if (random() < 0.05) return { body: pick(ODD_BODIES, random), type }
  const value = valueOf(schema, '', random)
  if (content['application/x-ndjson'] !== undefined && random() < 0.5) {
    const entries = Array.isArray(value) ? value : [value]
    const lines = entries.map((entry) => JSON.stringify(entry)).join('\n')
    return { body: lines, type: 'application/x-ndjson' }
  }
  const text = JSON.stringify(value) ?? ''
  if (random() > 0.03) return { body: text, type }
  const at = Math.floor(random() * text.length)
  return {
    body: text.slice(0, at) + pick(['', '"', '{', '\0', '1'], random) + text.slice(at + 1),
    type,
  }
}

function queryOf({ parameters = [] }: Operation, random: Random): string {
  const parts = parameters
    .filter((one) => one.in === 'query' && random() < Math.max(0.15, 2 / parameters.length))
    .map(({ name, schema = {} }) => {
      const value = valueOf(schema, name, random)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `${name}=${encodeURIComponent(text.toWellFormed())}`
    })
  if (random() < 0.02) parts.push(pick(['nope=1', '%ff=%00', 'q', 'q=a&q=b', '='], random))
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** @returns a request generated from the description of one of the operations */
export function randomRequest(
  random: Random,
  { storeId, readSecret, writeSecret }: StoreKeys,
  adminToken: string,
): { readonly route: Route; readonly request: HttpRequest } {
  let route = pick(ROUTES, random)
  while (HEAVY.test(route.operation.operationId) && random() > HEAVY_SHARE) {
    route = pick(ROUTES, random)
  }
  const { path, method, operation } = route
  const isAdmin = path.includes('/admin/')
  const filled = path
    .replace('{id}', random() < 0.02 ? pick(ODD_PATHS, random) : storeId)
    .replaceAll(/\{\w+\}/g, () => pick(random() < 0.1 ? ODD_PATHS : PATH_NAMES, random))
  const store = { 'x-storeid': storeId, 'x-storesecret': readSecret }
  const credentials: Record<string, string> = isAdmin
    ? { authorization: `Bearer ${adminToken}` }
    : { ...store, ...(random() < 0.97 ? { 'x-store-write-secret': writeSecret } : {}) }
  const sent = bodyOf(operation, random)
  const headers = {
    ...credentials,
    ...(sent === undefined ? {} : { 'content-type': sent.type }),
  }
  const request: HttpRequest = {
    method,
    path: filled + queryOf(operation, random),
    headers,
    ...(sent === undefined ? {} : { body: sent.body }),
  }
  return { route, request }
}
