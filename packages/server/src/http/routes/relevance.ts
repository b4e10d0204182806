import {
  ApiError,
  COMPARED_SEARCHES_MAX,
  ComparedSearches,
  CompareRequest,
  PUBLISH_NOTE_MAX_CHARS,
  PublishedDraft,
  PublishRequest,
  SEARCH_BODY_MAX_BYTES,
} from '@aisle/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { compareDraft } from '../../services/search/compare-draft.ts'
import { publishDraft } from '../../services/search/publish-draft.ts'
import { settingsTag } from '../../services/store/change-settings.ts'
import { changedBy } from '../actor.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyJson } from '../plugins/body.ts'
import { errorBody, toApiError } from '../plugins/errors.ts'
import { requestLog } from '../request-id.ts'
import { DRAFT_ERRORS } from './named-resources.ts'
import { SEARCH_ERRORS } from './search.ts'

const RELEVANCE = '/api/v1/stores/:id/relevance'
const EXAMPLE_DRAFT = {
  ranking: { field_weights: { title: 8, tags: 3 }, popularity_weight: 0.3 },
  synonym_sets: { shop: { items: [{ synonyms: ['tent', 'shelter'] }], default: true } },
}

/** Compares drafts with what is in force, and publishes all parts of one together. */
export function relevanceRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.post(
    `${RELEVANCE}/compare`,
    route('write', 'Settings', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      role: 'analyst',
      audit: false,
      id: 'compareDraft',
      summary: 'Compare a draft with what is live',
      description:
        'Runs searches with the live configuration and with a draft of settings, sets, rules and presets. Nothing is changed, recorded or counted.',
      body: { 'application/json': CompareRequest },
      example: { draft: EXAMPLE_DRAFT, searches: [{ q: 'tent', per_page: 10 }] },
      success: jsonAnswer(ComparedSearches, 'Both responses to each search.'),
      errors: [...new Set([...DRAFT_ERRORS, ...SEARCH_ERRORS])],
    }),
    async (request, reply) => {
      const { draft, ...rest } = draftBody(request)
      const searches = searchesOf(rest)
      request.charge(2 * searches.length - 1)
      const json = await compareDraft(
        ports,
        request.storeId,
        { draft, searches },
        (error) => {
          const failure = toApiError(error)
          if (failure.code === 'internal') requestLog(request).error({ err: error }, 'query failed')
          return errorBody(failure, request.id)
        },
        request.pace,
      )
      return sendJson(reply, json)
    },
  )
  app.post(
    `${RELEVANCE}/publish`,
    route('write', 'Settings', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      id: 'publishDraft',
      summary: 'Publish a draft',
      tagged: true,
      description:
        'Publishes settings, sets, rules and presets together, all or nothing, as a new version of the settings. `settings/rollback` reverts all of it. `If-Match` and `ETag` are those of the settings.',
      body: { 'application/json': PublishRequest },
      example: { draft: EXAMPLE_DRAFT, note: 'Titles count more' },
      success: jsonAnswer(PublishedDraft, 'Now in force.'),
      errors: [...DRAFT_ERRORS, 'precondition_failed'],
    }),
    async (request, reply) => {
      const { draft, note } = draftBody(request)
      if (
        note !== undefined &&
        note !== null &&
        (typeof note !== 'string' || note.length > PUBLISH_NOTE_MAX_CHARS)
      ) {
        throw new ApiError(
          'invalid_parameter',
          `Parameter \`note\` must be a string of at most ${PUBLISH_NOTE_MAX_CHARS} characters`,
          { param: 'note' },
        )
      }
      const author = { changedBy: changedBy(request), note: note ?? undefined }
      const { storeId, pace, headers } = request
      const ifMatch = headers['if-match']
      const settings = await publishDraft(ports, storeId, draft, author, pace, ifMatch)
      return reply.header('etag', settingsTag(settings)).send({ settings })
    },
  )
}

/** Parsed here, because `null` has a meaning in a draft, while elsewhere it counts as absent. */
export function draftBody(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const body = bodyJson(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_parameter', 'The body must be a JSON object with `draft`')
  }
  const given = body as Readonly<Record<string, unknown>>
  if (!Object.hasOwn(given, 'draft')) {
    throw new ApiError('missing_parameter', 'Parameter `draft` is required', { param: 'draft' })
  }
  return given
}

function searchesOf({ searches }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (searches === undefined) {
    throw new ApiError('missing_parameter', 'Parameter `searches` is required', {
      param: 'searches',
    })
  }
  const isList =
    Array.isArray(searches) && searches.length >= 1 && searches.length <= COMPARED_SEARCHES_MAX
  if (isList) return searches
  throw new ApiError(
    'invalid_parameter',
    `Parameter \`searches\` must be a list of 1 to ${COMPARED_SEARCHES_MAX} searches`,
    { param: 'searches' },
  )
}
