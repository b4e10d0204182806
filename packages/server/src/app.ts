import { randomUUID } from 'node:crypto'
import { ApiError, SEARCH_BODY_MAX_BYTES } from '@aisle/contract'
import { fastify, LogController, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { AppDependencies } from './http/dependencies.ts'
import { answerBrokenConnection, sendError } from './http/plugins/errors.ts'
import { registerPlugins } from './http/plugin-order.ts'
import { PATIENCE } from './http/plugins/patience.ts'
import { unicodeFault } from './http/plugins/url-text.ts'
import { requestIdOf } from './http/request-id.ts'
import { activityRoutes } from './http/routes/activity.ts'
import { analyticsRoutes } from './http/routes/analytics.ts'
import { checkEventsRoutes } from './http/routes/check-events.ts'
import { dashboardRoutes } from './http/routes/dashboard.ts'
import { demoRoutes } from './http/routes/demo.ts'
import { docsRoutes } from './http/routes/docs.ts'
import { bulkRoutes } from './http/routes/bulk.ts'
import { documentsByFilterRoutes } from './http/routes/documents-by-filter.ts'
import { editRoutes } from './http/routes/edits.ts'
import { documentRoutes } from './http/routes/documents.ts'
import { eventTailRoutes } from './http/routes/event-tail.ts'
import { healthRoutes } from './http/routes/health.ts'
import { ingestRoutes } from './http/routes/ingest.ts'
import { mcpRoutes } from './http/routes/mcp.ts'
import { metricsRoutes } from './http/routes/metrics.ts'
import { namedResourceRoutes } from './http/routes/named-resources.ts'
import { referenceRoutes } from './http/routes/reference.ts'
import { ruleChangeRoutes } from './http/routes/rule-changes.ts'
import { rulePreviewRoutes } from './http/routes/rule-preview.ts'
import { relevanceRoutes } from './http/routes/relevance.ts'
import { experimentRoutes } from './http/routes/experiments.ts'
import { missedSearchRoutes } from './http/routes/missed-searches.ts'
import { semanticRoutes } from './http/routes/semantic.ts'
import { synonymSuggestionRoutes } from './http/routes/synonym-suggestions.ts'
import { reportRoutes } from './http/routes/reports.ts'
import { schemaRoutes } from './http/routes/schema.ts'
import { searchRoutes } from './http/routes/search.ts'
import { settingsRoutes } from './http/routes/settings.ts'
import { sessionRoutes } from './http/routes/session.ts'
import { restoreRoutes } from './http/routes/restores.ts'
import { snapshotRoutes } from './http/routes/snapshots.ts'
import { storeKeyRoutes } from './http/routes/store-keys.ts'
import { sourceRoutes } from './http/routes/sources.ts'
import { storeRoutes } from './http/routes/stores.ts'
import { userRoutes } from './http/routes/users.ts'
import { UseNotes } from './services/access/use-notes.ts'
import { recommendationRoutes } from './http/routes/recommendations.ts'
import { suggestionRoutes } from './http/routes/suggestions.ts'

export type { AppDependencies, AppOptions } from './http/dependencies.ts'

/** Length of a document id of 512 bytes, each percent-encoded. */
const PATH_PARAMETER_MAX_CHARS = 1_536
const IDLE_CONNECTION_MAX_MS = 65_000
const REQUESTS_PER_CONNECTION_MAX = 1_000_000
/** Fraction of the time limit of request heads at which late ones are looked for. */
const HEAD_LOOKS = 5

/**
 * The use cases validate bodies and write responses; the schemas are only documentation. With this
 * option the framework does not even load its compilers (Ajv and others).
 */
const NO_COMPILERS = {
  compilersFactory: {
    buildValidator: () => () => () => true,
    buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

/**
 * Builds the HTTP application: routes and rules over the ports, without I/O and without reading the
 * environment. Every serving thread and the tests run it on the embedded engine.
 */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { options, access, writer } = dependencies
  const { logger, trustProxy } = options
  const patience = { ...PATIENCE, ...options.patience }
  const app = fastify({
    ...(logger === false ? { logger: false } : { loggerInstance: logger }),
    // One log line per request, written with its response, is enough.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    bodyLimit: SEARCH_BODY_MAX_BYTES,
    schemaController: NO_COMPILERS,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX_CHARS },
    keepAliveTimeout: IDLE_CONNECTION_MAX_MS,
    // Work on a request has no time limit here. `registerSlowPeers` disconnects peers that send or
    // read nothing.
    connectionTimeout: 0,
    requestTimeout: 0,
    maxRequestsPerSocket: REQUESTS_PER_CONNECTION_MAX,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      void sendError(unicodeFault(request.url) ?? error, request, reply)
    },
    // Our own code rejects it, in the shape of all errors.
    http: {
      requireHostHeader: false,
      headersTimeout: patience.headMs,
      connectionsCheckingInterval: patience.headMs / HEAD_LOOKS,
    },
    clientErrorHandler: (error, socket) => answerBrokenConnection(error, socket, randomUUID()),
  }) as FastifyInstance

  // A logger per request would be created for a single line: see `requestLog`.
  app.setChildLoggerFactory((parent) => parent)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    void reply.header('x-content-type-options', 'nosniff')
    if (request.raw.headers.host === undefined && request.raw.httpVersion === '1.1') {
      return done(new ApiError('malformed_request', 'The request has no Host header'))
    }
    done()
  })
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response)
  })
  const uses = new UseNotes(writer, access)
  app.decorate('uses', uses)
  app.addHook('onClose', () => uses.flush())
  registerPlugins(app, dependencies, { uses, patience })
  registerRoutes(app, dependencies, uses)
  return app
}

/** Registered after all plugins, so that every hook applies to every route. */
function registerRoutes(app: FastifyInstance, dependencies: AppDependencies, uses: UseNotes): void {
  searchRoutes(app, dependencies)
  mcpRoutes(app, dependencies)
  documentRoutes(app, dependencies)
  documentsByFilterRoutes(app, dependencies)
  editRoutes(app, dependencies)
  bulkRoutes(app, dependencies)
  sourceRoutes(app, dependencies)
  schemaRoutes(app, dependencies)
  settingsRoutes(app, dependencies)
  namedResourceRoutes(app, dependencies)
  rulePreviewRoutes(app, dependencies)
  ruleChangeRoutes(app, dependencies)
  relevanceRoutes(app, dependencies)
  semanticRoutes(app, dependencies)
  synonymSuggestionRoutes(app, dependencies)
  missedSearchRoutes(app, dependencies)
  experimentRoutes(app, dependencies)
  analyticsRoutes(app, dependencies)
  checkEventsRoutes(app, dependencies)
  ingestRoutes(app, dependencies, uses)
  eventTailRoutes(app, dependencies)
  suggestionRoutes(app, dependencies)
  recommendationRoutes(app, dependencies)
  reportRoutes(app, dependencies)
  storeRoutes(app, dependencies)
  storeKeyRoutes(app, dependencies)
  sessionRoutes(app, dependencies)
  userRoutes(app, dependencies)
  snapshotRoutes(app, dependencies)
  restoreRoutes(app, dependencies)
  healthRoutes(app, dependencies)
  metricsRoutes(app, dependencies)
  activityRoutes(app, dependencies)
  referenceRoutes(app, dependencies)
  dashboardRoutes(app, dependencies)
  demoRoutes(app, dependencies)
  docsRoutes(app, dependencies)
}
