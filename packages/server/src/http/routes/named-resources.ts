import {
  Collection,
  CollectionList,
  DeletedResource,
  DeletedRule,
  Preset,
  PresetList,
  PutCollectionRequest,
  PutPresetRequest,
  PutQuerySetRequest,
  PutRuleRequest,
  PutStopwordSetRequest,
  PutStrategyRequest,
  PutSynonymSetRequest,
  QuerySet,
  QuerySetList,
  Rule,
  RuleList,
  StopwordSet,
  StopwordSetList,
  Strategy,
  StrategyList,
  SynonymSet,
  SynonymSetList,
  type ErrorCode,
  type TObject,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { RequestPace } from '../../services/search/request-pace.ts'
import { putPreset } from '../../services/search/put-preset.ts'
import { putRule } from '../../services/store/put-rule.ts'
import { putStrategy } from '../../services/store/put-strategy.ts'
import { putStopwordSet, putSynonymSet } from '../../services/store/put-sets.ts'
import { putCollection } from '../../services/store/put-collection.ts'
import {
  COLLECTION,
  deleteResource,
  listResources,
  PRESET,
  putResource,
  QUERY_SET,
  readResource,
  RULE,
  STOPWORD_SET,
  STRATEGY,
  SYNONYM_SET,
  type NamedKind,
} from '../../services/store/resources.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendTagged } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'
import { SEARCH_ERRORS } from './search.ts'

/** The four routes of a kind of named resource: list, read, put, delete. */
interface NamedRoutes<Request extends object> {
  readonly named: NamedKind
  /** The path segment, e.g. `synonym-sets`; with `_` it is the key of the list. */
  readonly plural: string
  /** Suffix of the operation ids, e.g. `SynonymSet`. */
  readonly call: string
  /** The plurals of `call` and of the noun. Default: with an `s`. */
  readonly many?: { readonly call: string; readonly noun: string }
  readonly description?: string
  readonly request: TObject
  readonly one: TObject
  readonly list: TObject
  /** Default: `DeletedResource`. */
  readonly deleted?: TObject
  readonly example: Record<string, unknown>
  readonly putErrors: readonly ErrorCode[]
  readonly put: (
    ports: AppDependencies,
    storeId: string,
    name: string,
    request: Request,
    ifMatch: string | undefined,
    pace: RequestPace,
  ) => Promise<string>
}

/** Synonym sets, stopword sets, presets, rules, strategies and collections of a store. */
export function namedResourceRoutes(app: FastifyInstance, ports: AppDependencies): void {
  register<PutSynonymSetRequest>(app, ports, {
    named: SYNONYM_SET,
    plural: 'synonym-sets',
    call: 'SynonymSet',
    request: PutSynonymSetRequest,
    one: SynonymSet,
    list: SynonymSetList,
    example: {
      items: [
        { synonyms: ['sofa', 'couch', 'settee'] },
        { root: 'sneakers', synonyms: ['running shoe', 'trainers'] },
      ],
      default: true,
    },
    putErrors: [],
    put: putSynonymSet,
  })
  register<PutStopwordSetRequest>(app, ports, {
    named: STOPWORD_SET,
    plural: 'stopword-sets',
    call: 'StopwordSet',
    description: 'Words that are removed from a query, unless it has no others.',
    request: PutStopwordSetRequest,
    one: StopwordSet,
    list: StopwordSetList,
    example: { stopwords: ['cheap', 'best', 'buy online'], default: true },
    putErrors: [],
    put: putStopwordSet,
  })
  register<PutPresetRequest>(app, ports, {
    named: PRESET,
    plural: 'presets',
    call: 'Preset',
    description:
      'Named search parameters, for `preset_name`. Parameters of the request take precedence.',
    request: PutPresetRequest,
    one: Preset,
    list: PresetList,
    example: { value: { per_page: 24, facet_by: 'brand', prefix_mode: 'off' } },
    putErrors: PRESET_ERRORS,
    put: putPreset,
  })
  register<PutCollectionRequest>(app, ports, {
    named: COLLECTION,
    plural: 'collections',
    call: 'Collection',
    description:
      'A saved filter with a name, which every other filter can refer to: `_collection:summer`.',
    request: PutCollectionRequest,
    one: Collection,
    list: CollectionList,
    example: { title: 'Summer sale', filter_by: 'price:<50 && !sold_out:true' },
    putErrors: ['missing_parameter', 'invalid_parameter', ...FILTER_FAULTS],
    put: putCollection,
  })
  register<PutQuerySetRequest>(app, ports, {
    named: QUERY_SET,
    plural: 'query-sets',
    call: 'QuerySet',
    description: 'Queries for comparing settings, with their weights and graded documents.',
    request: PutQuerySetRequest,
    one: QuerySet,
    list: QuerySetList,
    example: {
      queries: [
        { q: 'tent', weight: 120, judgments: [{ id: 'p-100', grade: 3 }] },
        { q: 'sleeping bag', weight: 80 },
      ],
    },
    putErrors: [],
    put: (all, storeId, name, request, ifMatch) =>
      putResource(all, storeId, QUERY_SET, name, request, ifMatch),
  })
  register<PutRuleRequest>(app, ports, {
    named: RULE,
    plural: 'rules',
    call: 'Rule',
    description:
      'A merchandising rule: conditions on a search, and actions to apply to its results.',
    request: PutRuleRequest,
    one: Rule,
    list: RuleList,
    deleted: DeletedRule,
    example: {
      description: 'Tents: our own first',
      priority: 10,
      when: [{ query: 'tent', match: 'contains' }],
      pin: [{ id: 'p-100', position: 1 }],
      boost: [{ filter_by: 'brand:=Norrby', weight: 2 }],
      banner: { title: 'Camping week' },
      schedule: [{ from: '2026-05-01T00:00:00+02:00', until: '2026-06-01T00:00:00+02:00' }],
    },
    putErrors: RULE_ERRORS,
    put: putRule,
  })
  register<PutStrategyRequest>(app, ports, {
    named: STRATEGY,
    plural: 'strategies',
    call: 'Strategy',
    many: { call: 'Strategies', noun: 'strategies' },
    description: 'A group of rules that are switched on and off together.',
    request: PutStrategyRequest,
    one: Strategy,
    list: StrategyList,
    example: {
      title: 'Summer sale',
      schedule: [{ from: '2026-06-01T00:00:00+02:00', until: '2026-07-01T00:00:00+02:00' }],
    },
    putErrors: ['invalid_parameter'],
    put: putStrategy,
  })
}

/** Errors that refuse a filter, without those of the collections that it names. */
const FILTER_FAULTS: readonly ErrorCode[] = [
  'invalid_filter',
  'unknown_field',
  'field_not_filterable',
]

/** Errors that refuse a rule. */
export const RULE_ERRORS: readonly ErrorCode[] = [
  'missing_parameter',
  'invalid_parameter',
  'invalid_sort',
  'field_not_sortable',
  'field_not_facetable',
  ...FILTER_FAULTS,
  'unknown_collection',
]

/** Errors that refuse a preset. */
const PRESET_ERRORS = SEARCH_ERRORS.filter(
  (code) => code !== 'unknown_preset' && code !== 'quota_exceeded',
)

/** Errors that refuse a draft of settings, sets, rules and presets. */
export const DRAFT_ERRORS: readonly ErrorCode[] = [...new Set([...RULE_ERRORS, ...PRESET_ERRORS])]

function register<Request extends object>(
  app: FastifyInstance,
  ports: AppDependencies,
  routes: NamedRoutes<Request>,
): void {
  const { named, plural, call, description } = routes
  const { noun, notFound } = named
  const { many = { call: `${call}s`, noun: `${noun}s` } } = routes
  const all = `/api/v1/stores/:id/${plural}`
  const one = `${all}/:name`
  const described = description === undefined ? {} : { description }
  const read = bodyReader<Request>(routes.request)
  type Named = { Params: { name: string } }

  app.get(
    all,
    route('write', 'Settings', {
      ...described,
      id: `list${many.call}`,
      summary: `List the ${many.noun}`,
      tagged: true,
      success: jsonAnswer(routes.list, 'Sorted by name.'),
    }),
    (request, reply) => {
      const key = plural.replace('-', '_')
      return sendTagged(reply, listResources(ports, request.storeId, named, key))
    },
  )
  app.get<Named>(
    one,
    route('write', 'Settings', {
      ...described,
      id: `get${call}`,
      summary: `Read a ${noun}`,
      tagged: true,
      success: jsonAnswer(routes.one),
      errors: [notFound],
    }),
    ({ storeId, params }, reply) =>
      sendTagged(reply, readResource(ports, storeId, named, params.name)),
  )
  app.put<Named>(
    one,
    route('write', 'Settings', {
      ...described,
      id: `put${call}`,
      summary: `Create or replace a ${noun}`,
      tagged: true,
      body: { 'application/json': routes.request },
      example: routes.example,
      success: jsonAnswer(routes.one, 'As stored now.'),
      errors: [...routes.putErrors, 'precondition_failed'],
    }),
    async (request, reply) => {
      const { storeId, params, headers, pace } = request
      const ifMatch = headers['if-match']
      return sendTagged(
        reply,
        await routes.put(ports, storeId, params.name, read(request), ifMatch, pace),
      )
    },
  )
  app.delete<Named>(
    one,
    route('write', 'Settings', {
      ...described,
      id: `delete${call}`,
      summary: `Delete a ${noun}`,
      success: jsonAnswer(routes.deleted ?? DeletedResource, 'Deleted.'),
      errors: [notFound, 'precondition_failed'],
    }),
    ({ storeId, params, headers }) =>
      deleteResource(ports, storeId, named, params.name, headers['if-match']),
  )
}
