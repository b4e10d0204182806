import {
  DeletedSource,
  PreviewSourceRequest,
  PutSourceRequest,
  RunSourceRequest,
  Source,
  SOURCE_SECRETS,
  SourceList,
  SourcePreview,
  SourceRun,
  SourceRunDetail,
  SourceRuns,
  WEBHOOK_BODY_MAX_BYTES,
  WebhookAnswer,
  type TObject,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { previewSource } from '../../services/sources/preview-source.ts'
import { SourceAlerts } from '../../services/sources/source-alerts.ts'
import { SourceFollower } from '../../services/sources/source-follower.ts'
import { receiveWebhook, WebhookRates } from '../../services/sources/receive-webhook.ts'
import { SourceRunner } from '../../services/sources/source-runner.ts'
import { beginRun, cancelRun, getRun, listRuns } from '../../services/sources/source-runs.ts'
import {
  deleteSource,
  getSource,
  listSources,
  pauseSource,
  putSource,
} from '../../services/sources/sources.ts'
import { changedBy } from '../actor.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyReader } from '../plugins/body.ts'

const SOURCES = '/api/v1/stores/:id/sources'
const SOURCE = `${SOURCES}/:name`
const RUNS = `${SOURCE}/runs`
const RUN = `${RUNS}/:run_id`
const PATH = { name: 'Name of the source.' }
const RUN_PATH = { ...PATH, run_id: 'Id of the run.' }
const CONNECTION = { kind: 'feed', url: 'https://shop.example/feed.xml' }

type Params = { readonly name: string }
type RunParams = Params & { readonly run_id: string }

/** The connection is read by its kind, so that an error names its member. */
function withAnyConnection({ properties, ...schema }: TObject): TObject {
  const kind = { enum: Object.keys(SOURCE_SECRETS) }
  const connection = { type: 'object', required: ['kind'], properties: { kind } }
  return { ...schema, properties: { ...properties, connection } } as unknown as TObject
}

/** Where the documents of a store come from: feeds that the service reads on a schedule. */
export function sourceRoutes(app: FastifyInstance, ports: AppDependencies): void {
  const { metrics, log } = app
  const alerts = new SourceAlerts(ports, ({ storeId, name }, error) =>
    log.warn(
      { store: storeId, source: name, reason: (error as Error).message },
      'An alert of a source was not sent',
    ),
  )
  const runner = new SourceRunner(ports, alerts, {
    onFault: (error) => log.error({ err: error }, 'A run of a source failed unexpectedly'),
    onEnded: ({ storeId, kind, state, isRemovalRefused, figures }) => {
      if (kind === 'dry_run') return
      metrics.sources.addRun(storeId, isRemovalRefused ? 'shrunk' : state, figures)
    },
  })
  const follower = new SourceFollower(ports, alerts, {
    onPolled: (states) => metrics.sources.setStates(states),
    onChanges: (storeId, figures) => metrics.sources.addChanges(storeId, figures),
    onUnread: (storeId) => metrics.sources.addFollowError(storeId),
    onFault: (error) => log.error({ err: error }, 'A source could not be followed'),
  })
  app.addHook('onReady', (done) => {
    runner.start()
    follower.start()
    done()
  })
  app.addHook('onClose', async () => {
    await Promise.all([runner.stop(), follower.stop()])
    await alerts.stop()
  })
  const rates = new WebhookRates()
  const readPut = bodyReader<PutSourceRequest>(withAnyConnection(PutSourceRequest as TObject))
  const readPreview = bodyReader<PreviewSourceRequest>(
    withAnyConnection(PreviewSourceRequest as TObject),
  )
  const readRun = bodyReader<RunSourceRequest>(RunSourceRequest as TObject)

  app.get(
    SOURCES,
    route('write', 'Documents', {
      role: 'editor',
      id: 'listSources',
      summary: 'List the sources of a store',
      success: jsonAnswer(SourceList),
    }),
    (request) => listSources(ports, request.storeId),
  )
  app.post(
    `${SOURCES}/preview`,
    route('write', 'Documents', {
      role: 'editor',
      audit: false,
      id: 'previewSource',
      summary: 'Read the first rows of a source',
      description:
        'Changes nothing. Shows documents, refused rows, and fields that the schema lacks.',
      body: { 'application/json': PreviewSourceRequest },
      example: { connection: CONNECTION },
      success: jsonAnswer(SourcePreview),
      errors: ['source_unreadable', 'source_not_found'],
    }),
    (request) => previewSource(ports, request.storeId, readPreview(request)),
  )
  app.get<{ Params: Params }>(
    SOURCE,
    route('write', 'Documents', {
      role: 'editor',
      id: 'getSource',
      summary: 'Read a source, its health and its last runs',
      path: PATH,
      success: jsonAnswer(Source),
      errors: ['source_not_found'],
    }),
    (request) => getSource(ports, request.storeId, request.params.name),
  )
  app.put<{ Params: Params }>(
    SOURCE,
    route('write', 'Documents', {
      id: 'putSource',
      summary: 'Create or replace a source',
      description:
        'The service reads it on its schedule and writes only what has changed. Secrets are never returned; without `secrets`, the stored ones are kept for the same server and user. See docs/sources.md.',
      path: PATH,
      body: { 'application/json': PutSourceRequest },
      example: {
        connection: CONNECTION,
        schedule: { cron: '0 5 * * *', time_zone: 'Europe/Berlin' },
        deletions: 'remove_missing',
      },
      success: { ...jsonAnswer(Source, 'Replaced.'), also: { 201: 'Created.' } },
      errors: ['source_limit_reached'],
    }),
    async (request, reply) => {
      const { name } = request.params
      const by = changedBy(request)
      const put = await putSource(ports, request.storeId, name, readPut(request), by)
      return reply.code(put.isNew ? 201 : 200).send(put.source)
    },
  )
  app.delete<{ Params: Params }>(
    SOURCE,
    route('write', 'Documents', {
      id: 'deleteSource',
      summary: 'Delete a source with its runs',
      description: 'The documents that it has written stay.',
      path: PATH,
      success: jsonAnswer(DeletedSource, 'Deleted.'),
      errors: ['source_not_found'],
    }),
    (request) => deleteSource(ports, request.storeId, request.params.name),
  )
  for (const [action, isPaused] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    app.post<{ Params: Params }>(
      `${SOURCE}/${action}`,
      route('write', 'Documents', {
        id: `${action}Source`,
        summary: isPaused ? 'Stop the schedule of a source' : 'Continue the schedule of a source',
        path: PATH,
        success: jsonAnswer(Source),
        errors: ['source_not_found'],
      }),
      (request) => pauseSource(ports, request.storeId, request.params.name, isPaused),
    )
  }
  app.post<{ Params: Params }>(
    RUNS,
    route('write', 'Documents', {
      id: 'runSource',
      summary: 'Run a source now',
      description: 'Runs as a job of the service, which begins again after a restart.',
      path: PATH,
      body: { 'application/json': RunSourceRequest },
      bodyOptional: true,
      example: { dry_run: true },
      success: jsonAnswer(SourceRun, 'The run has begun.', 202),
      errors: ['source_not_found', 'source_running'],
    }),
    async (request, reply) => {
      const { name } = request.params
      const wanted = hasBody(request.body) ? readRun(request) : {}
      const by = { trigger: 'request', changedBy: changedBy(request) } as const
      const run = await beginRun(ports, request.storeId, name, wanted, by)
      // This runner takes it now; if it cannot, another one does soon.
      void runner.poll().catch(() => undefined)
      return reply.code(202).send(run)
    },
  )
  app.post<{ Params: Params & { readonly id: string } }>(
    `${SOURCE}/webhook`,
    route('none', 'Documents', {
      id: 'receiveSourceWebhook',
      summary: 'Receive a webhook of a shop',
      description:
        'A shop of the kind `shopify` or `woocommerce` sends it, signed with a secret of the source. The products that it names are read from the shop, and written like those of a run. A source that does not exist is answered like a wrong signature.',
      path: PATH,
      takesAnyBody: true,
      bodyLimit: WEBHOOK_BODY_MAX_BYTES,
      success: jsonAnswer(WebhookAnswer, 'Received, and durable.'),
      errors: ['invalid_credentials', 'rate_limited'],
    }),
    ({ params, headers, body }) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array()
      return receiveWebhook(ports, rates, params.id, params.name, { headers, body: bytes })
    },
  )
  app.get<{ Params: Params }>(
    RUNS,
    route('write', 'Documents', {
      role: 'editor',
      id: 'listSourceRuns',
      summary: 'List the runs of a source',
      path: PATH,
      success: jsonAnswer(SourceRuns),
      errors: ['source_not_found'],
    }),
    (request) => listRuns(ports, request.storeId, request.params.name),
  )
  app.get<{ Params: RunParams }>(
    RUN,
    route('write', 'Documents', {
      role: 'editor',
      id: 'getSourceRun',
      summary: 'Read a run of a source, with what it changed',
      path: RUN_PATH,
      success: jsonAnswer(SourceRunDetail),
      errors: ['source_not_found', 'source_run_not_found'],
    }),
    ({ storeId, params }) => getRun(ports, storeId, params.name, params.run_id),
  )
  app.post<{ Params: RunParams }>(
    `${RUN}/cancel`,
    route('write', 'Documents', {
      id: 'cancelSourceRun',
      summary: 'Cancel a run that is in progress',
      description: 'What it has written stays.',
      path: RUN_PATH,
      success: jsonAnswer(SourceRun),
      errors: ['source_not_found', 'source_run_not_found'],
    }),
    ({ storeId, params }) => cancelRun(ports, storeId, params.name, params.run_id),
  )
}

function hasBody(body: unknown): boolean {
  return body instanceof Uint8Array && body.length > 0
}
