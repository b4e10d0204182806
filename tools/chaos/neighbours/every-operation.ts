import { resolved, ROUTES, type JsonSchema, type Route } from '../../fuzz/open-api.ts'
import { ask, type Attack, type Attacker, type AttackRequest } from './attack-request.ts'
import { FACETS } from './attacker-store.ts'

/** Length of a text and of a list whose schema has no limit, or one beyond reason. */
const TEXT_CHARS = 20_000
const LIST_LENGTH = 500
const DEPTH_MAX = 6
/** Characters of a list: about what a body may have. */
const LIST_CHARS = 8_000_000

/** Worst values of what a schema describes as any text. */
const WORDS = Array.from({ length: 31 }, (_, i) => `word${(i * 7_919) % 4_001}`).join(' ')
const FILTER = Array.from({ length: 60 }, (_, i) => `f${i % 32}:value ${i} || price:>${i}`)
  .slice(0, 45)
  .join(' || ')
const KNOWN: Readonly<Record<string, readonly unknown[]>> = {
  q: [WORDS, '*'],
  query: [WORDS.slice(0, 200)],
  filter_by: [FILTER],
  facet_by: [FACETS, ['unique', 'specs.*']],
  facet_query: ['unique:value'],
  sort_by: [['_eval(text:word1 || unique:value):desc', 'price:desc', '_rand(7)']],
  group_by: [['unique'], ['brand', 'f1', 'f2']],
  search_fields: [['title', 'text', 'unique', 'variants.color']],
  return_fields: [['*'], FACETS],
  omit_fields: [FACETS],
  snippet_fields: [['text', 'unique']],
  full_snippet_fields: [['text']],
  ids: [Array.from({ length: 10 }, (_, i) => `d${i}`)],
  time_zone: ['Pacific/Apia'],
  from: ['2025-12-01T00:00:00Z'],
  to: ['2026-11-30T00:00:00Z'],
  days: [365],
}
/** Path parameters. */
const NAMES: Readonly<Record<string, string>> = {
  document_id: 'd1',
  name: 'generated',
  kind: 'read',
}

/**
 * Not sent: they end what the others attack, or refuse everybody, and `heavy-attacks.ts` has what
 * they can do to a neighbour.
 */
const LEFT_OUT = new Set([
  'clearDocuments',
  'deleteStore',
  'rotateAdminToken',
  'createFirstOwner',
  'getServiceMetrics',
])

/** Every operation, each of its parameters once with its worst legal value: one attack each. */
export function everyOperation(attacker: Attacker): Attack[] {
  return ROUTES.filter(({ operation }) => !LEFT_OUT.has(operation.operationId)).map((route) => ({
    name: route.operation.operationId,
    requests: requestsOf(attacker, route),
  }))
}

function requestsOf(attacker: Attacker, { path, method, operation }: Route): AttackRequest[] {
  const at = path
    .replace('{id}', attacker.storeId)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => NAMES[name] ?? 'generated')
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const base = parameters.some(({ name }) => name === 'q') ? 'q=*&' : ''
  const queries = parameters.flatMap(({ name, schema = {} }) =>
    worstValues(name, schema).map((value) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `?${name === 'q' ? '' : base}${name}=${encodeURIComponent(text.slice(0, 6_000))}`
    }),
  )
  const schema = operation.requestBody?.content['application/json']?.schema
  const bodies = schema === undefined ? [undefined] : bodiesOf(attacker, schema)
  return ['', ...queries].flatMap((query) =>
    bodies.map((body) => ask(attacker, method, at + query, body)),
  )
}

/** The required members, and each other one beside them. */
function bodiesOf({ eventsWriteKey }: Attacker, schema: JsonSchema): unknown[] {
  const { properties = {}, required = [], anyOf } = resolved(schema)
  if (anyOf !== undefined) return anyOf.map((one) => worst('', one))
  const worstOf = (name: string): unknown => worst(name, properties[name] ?? {})
  const base = Object.fromEntries(
    (properties['q'] === undefined ? required : ['q', ...required]).map((name) => [
      name,
      worstOf(name),
    ]),
  )
  const key = properties['writeKey'] === undefined ? {} : { writeKey: eventsWriteKey }
  return [
    { ...base, ...key },
    ...Object.entries(properties).flatMap(([name, one]) =>
      worstValues(name, one).map((value) => ({ ...base, [name]: value, ...key })),
    ),
  ]
}

function worst(name: string, schema: JsonSchema): unknown {
  return worstValues(name, schema)[0]
}

function worstValues(name: string, schema: JsonSchema, depth = 0): readonly unknown[] {
  if (KNOWN[name] !== undefined && depth === 0) return KNOWN[name]
  const one = resolved(schema)
  if (one.enum !== undefined) return one.enum
  if (one.const !== undefined) return [one.const]
  if (one.anyOf !== undefined) return one.anyOf.flatMap((of) => worstValues(name, of, depth))
  if (depth > DEPTH_MAX) return [null]
  switch (one.type) {
    case 'boolean':
      return [true, false]
    case 'integer':
    case 'number':
      return [one.maximum ?? one.minimum ?? 1]
    case 'array': {
      const [item] = worstValues(name, one.items ?? {}, depth + 1)
      const chars = JSON.stringify(item ?? null).length
      const length = Math.min(one.maxItems ?? LIST_LENGTH, LIST_LENGTH, LIST_CHARS / chars)
      return [Array.from({ length }, (_, i) => (typeof item === 'string' ? `${item}${i}` : item))]
    }
    case 'object':
      return [
        Object.fromEntries(
          Object.entries(one.properties ?? {}).map(([key, of]) => [
            key,
            worstValues(key, of, depth + 1)[0],
          ]),
        ),
      ]
    default:
      return ['word '.repeat(one.maxLength ?? TEXT_CHARS).slice(0, one.maxLength ?? TEXT_CHARS)]
  }
}
