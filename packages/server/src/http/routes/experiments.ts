import {
  EXPERIMENT_NAME_MAX_CHARS,
  Experiment,
  ExperimentList,
  ExperimentReportParameters,
  ExperimentWithReport,
  PublishedExperiment,
  PublishExperimentRequest,
  SEARCH_BODY_MAX_BYTES,
  StartExperimentRequest,
  Type,
} from '@aisle/contract'
import { parameterReader } from '@aisle/contract/check'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { startExperiment } from '../../services/search/start-experiment.ts'
import { countExperiment } from '../../services/store/experiment-report.ts'
import {
  endExperiment,
  listExperiments,
  presented,
  publishExperiment,
  requireExperiment,
  type ExperimentAuthor,
} from '../../services/store/experiments.ts'
import { draftJson } from '../../services/store/relevance-draft.ts'
import { changedBy } from '../actor.ts'
import type { AppDependencies } from '../dependencies.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'
import { decodeQuery } from '../query-parameters.ts'
import { DRAFT_ERRORS } from './named-resources.ts'
import { draftBody } from './relevance.ts'

const EXPERIMENTS = '/api/v1/stores/:id/experiments'
const EXPERIMENT = `${EXPERIMENTS}/:experiment_id`
const PATH = { experiment_id: 'Id of the experiment.' }
type Of = { Params: { readonly experiment_id: string } }
type Query = { Querystring: Readonly<Record<string, string | string[] | undefined>> }

/** Drafts against what is live, on visitors: docs/experiments.md. */
export function experimentRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const readStart = parameterReader<Omit<StartExperimentRequest, 'draft'>>(
    // The draft is checked apart, because `null` has a meaning in it.
    Type.Object(
      { ...StartExperimentRequest.properties, draft: Type.Unknown() },
      { additionalProperties: false },
    ),
  )
  app.post(
    EXPERIMENTS,
    route('write', 'Settings', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      id: 'startExperiment',
      summary: 'Start an experiment',
      description:
        'Compares a draft of settings, sets, rules and presets with what is live, on visitors, from now on. docs/experiments.md has the definition.',
      body: { 'application/json': StartExperimentRequest },
      example: {
        name: 'Titles count more',
        kind: 'interleaved',
        draft: { ranking: { field_weights: { title: 8, tags: 3 } } },
      },
      success: jsonAnswer(Experiment, 'It is running.'),
      errors: [...DRAFT_ERRORS, 'experiment_conflict'],
    }),
    async (request) => {
      const { draft, ...rest } = draftBody(request)
      const given = readStart({ ...rest, draft: {} })
      request.auditSubject = { target: given.name.slice(0, EXPERIMENT_NAME_MAX_CHARS) }
      return startExperiment(
        ports,
        request.storeId,
        { ...given, draft },
        loginOf(request),
        request.pace,
      )
    },
  )
  app.get(
    EXPERIMENTS,
    route('write', 'Settings', {
      id: 'listExperiments',
      summary: 'List experiments',
      description: 'Those that are running, and those that have ended.',
      success: jsonAnswer(ExperimentList),
    }),
    (request) => ({ experiments: listExperiments(ports, request.storeId) }),
  )
  const readReport = parameterReader<ExperimentReportParameters>(ExperimentReportParameters)
  app.get<Of & Query>(
    EXPERIMENT,
    route('write', 'Settings', {
      id: 'getExperiment',
      summary: 'Read an experiment and its report',
      path: PATH,
      query: ExperimentReportParameters,
      success: jsonAnswer(ExperimentWithReport),
      errors: ['experiment_not_found', 'invalid_parameter', 'disk_reserve'],
    }),
    async (request, reply) => {
      const asked = readReport(decodeQuery(ExperimentReportParameters, request.query))
      const { tags = [], tag_prefix: prefix = '', by_tag: isByTag = false } = asked
      const { storeId } = request
      const resources = ports.resources.of(storeId)
      const nowMs = ports.clock.now()
      const record = requireExperiment(resources, request.params.experiment_id, nowMs)
      const part = { tags: [...new Set(tags)], tagPrefix: isByTag ? prefix : undefined }
      const report = await countExperiment(ports, storeId, record, part)
      const experiment = presented(record, nowMs)
      // The draft is copied as it is stored: numbers keep their digits.
      const draft = draftJson(record.draft, record.puts, record.removes)
      const rest = JSON.stringify({ ...experiment, report })
      return sendJson(reply, `{"draft":${draft},${rest.slice(1)}`)
    },
  )
  app.post<Of>(
    `${EXPERIMENT}/end`,
    route('write', 'Settings', {
      id: 'endExperiment',
      summary: 'End an experiment',
      description: 'What is live stays live, for all visitors. The report stays.',
      path: PATH,
      success: jsonAnswer(Experiment, 'It has ended.'),
      errors: ['experiment_not_found', 'experiment_ended'],
    }),
    (request) =>
      endExperiment(ports, request.storeId, request.params.experiment_id, authorOf(request)),
  )
  const readPublish = bodyReader<PublishExperimentRequest>(PublishExperimentRequest)
  app.post<Of>(
    `${EXPERIMENT}/publish`,
    route('write', 'Settings', {
      id: 'publishExperiment',
      summary: 'Publish the draft of an experiment',
      description:
        'Makes its draft live for all visitors, as a version of the settings, and ends it. `settings/rollback` reverts the settings. An experiment that has ended may still be published.',
      path: PATH,
      body: { 'application/json': PublishExperimentRequest },
      example: { note: 'The experiment says so' },
      success: jsonAnswer(PublishedExperiment),
      errors: [...DRAFT_ERRORS, 'experiment_not_found', 'experiment_ended'],
    }),
    async (request) => {
      const { note } = readPublish(request)
      const author = { ...authorOf(request), note }
      return publishExperiment(ports, request.storeId, request.params.experiment_id, author)
    },
  )
}

function authorOf(request: FastifyRequest): ExperimentAuthor {
  return { changedBy: changedBy(request), by: loginOf(request) }
}

/** The person, for the history; keys have no name. */
function loginOf({ actor }: FastifyRequest): string | undefined {
  return actor?.kind === 'user' ? actor.login : undefined
}
