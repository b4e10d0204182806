import type { FastifyInstance } from 'fastify'
import type { UseNotes } from '../services/access/use-notes.ts'
import type { AppDependencies } from './dependencies.ts'
import { registerActivity } from './plugins/activity.ts'
import { registerAdmission } from './plugins/admission.ts'
import { registerAnswerMemory } from './plugins/answer-memory.ts'
import { registerAudit } from './plugins/audit.ts'
import { registerAuth } from './plugins/auth.ts'
import { registerBody } from './plugins/body.ts'
import { registerCatchUp } from './plugins/catch-up.ts'
import { registerConnectionLimit } from './plugins/connection-limit.ts'
import { registerCors } from './plugins/cors.ts'
import { registerEventsCors } from './plugins/cors-events.ts'
import { registerErrors } from './plugins/errors.ts'
import { registerMetrics } from './plugins/metrics.ts'
import type { Patience } from './plugins/patience.ts'
import { registerRateLimit } from './plugins/rate-limit.ts'
import { registerSlowPeers } from './plugins/slow-peers.ts'
import { registerTracing } from './plugins/tracing.ts'
import { registerUnknownParameters } from './plugins/unknown-parameters.ts'
import { registerUnreadBody } from './plugins/unread-body.ts'
import { registerUrlText } from './plugins/url-text.ts'
import { registerRouteTable } from './route-table.ts'

export interface PluginOptions {
  readonly uses: UseNotes
  readonly patience: Patience
}

export interface HttpPlugin {
  readonly name: string
  /** Plugins that must be registered before this one, with the reason. */
  readonly after?: Readonly<Record<string, string>>
  readonly register: (
    app: FastifyInstance,
    dependencies: AppDependencies,
    options: PluginOptions,
  ) => void
}

/** Hooks of one kind run in this order. Routes come after all of them. */
export const PLUGINS: readonly HttpPlugin[] = [
  { name: 'route table', register: registerRouteTable },
  { name: 'errors', register: registerErrors },
  { name: 'metrics', register: registerMetrics },
  { name: 'activity', register: (app, { activity }) => registerActivity(app, activity) },
  {
    name: 'connection limit',
    after: { metrics: 'it counts refused connections' },
    register: (app, { connections }) => {
      if (connections !== undefined) registerConnectionLimit(app, connections)
    },
  },
  {
    name: 'answer memory',
    after: { metrics: 'it counts what it refuses' },
    register: (app, { answerMemory }) => registerAnswerMemory(app, answerMemory),
  },
  { name: 'tracing', register: (app, { tracer }) => registerTracing(app, tracer) },
  { name: 'events cors', register: registerEventsCors },
  {
    name: 'catch up',
    after: { 'connection limit': 'an excess connection is refused first' },
    register: registerCatchUp,
  },
  {
    name: 'auth',
    after: {
      'connection limit':
        'an excess connection is refused before it counts as a request of its address',
      'events cors': 'a page of another origin can read why it was refused',
      'catch up': 'keys and users of another node are known',
    },
    register: (app, dependencies, { uses }) => registerAuth(app, { ...dependencies, uses }),
  },
  {
    name: 'rate limit',
    after: {
      metrics: 'it counts what it refuses',
      'connection limit':
        'an excess connection is refused before it counts as a request of its address',
      'events cors': 'a page of another origin can read how long it has to wait',
      auth: 'the limit of an address depends on whose keys it sends',
    },
    register: (app, limits, { patience }) =>
      registerRateLimit(app, limits, patience.refusalPauseMs),
  },
  {
    name: 'cors',
    after: {
      auth: 'the store says which origins may read its answers',
      'rate limit': 'preflights count as requests without a key',
    },
    register: registerCors,
  },
  {
    name: 'admission',
    after: {
      cors: 'a page of another origin can read that it has to wait',
      metrics: 'it counts what it refuses, and how long others wait',
      auth: 'only requests that may be answered wait, in the queue of their store',
      'rate limit': 'a client that sends too many is refused, not queued',
    },
    register: (app, dependencies) =>
      registerAdmission(app, dependencies, {
        watch: dependencies.watch,
        timeoutMaxMs: dependencies.options.searchTimeoutMaxMs,
        timeoutDefaultMs: dependencies.options.searchTimeoutDefaultMs,
        turnMaxMs: dependencies.options.turnMaxMs,
      }),
  },
  {
    name: 'url text',
    after: {
      auth: 'a caller without access learns nothing about a URL',
      cors: 'a page of another origin can read what is wrong with its URL',
    },
    register: registerUrlText,
  },
  {
    name: 'unknown parameters',
    after: {
      auth: 'a caller without access learns nothing about a URL',
      cors: 'a page of another origin can read what is wrong with its URL',
      'url text': 'a name that is not text is not compared',
    },
    register: registerUnknownParameters,
  },
  {
    name: 'body',
    after: {
      auth: 'a caller without access learns nothing about a body',
      cors: 'a page of another origin can read why its body was not taken',
    },
    register: registerBody,
  },
  {
    name: 'slow peers',
    after: { metrics: 'it counts them' },
    register: (app, _dependencies, { patience }) => registerSlowPeers(app, patience),
  },
  {
    name: 'unread body',
    register: (app, _dependencies, { patience }) => registerUnreadBody(app, patience),
  },
  {
    name: 'audit',
    after: {
      errors: 'an entry has the code of the failure',
      auth: 'an entry names the caller',
      'unread body': 'a body is drained while the entry is written',
    },
    register: (app, { access, clock }) => registerAudit(app, access, clock),
  },
]

/**
 * @throws Error if a plugin is listed before one that it needs, or that one is missing: a
 * programming error
 */
export function requireOrder(plugins: readonly HttpPlugin[]): void {
  const seen = new Set<string>()
  for (const { name, after = {} } of plugins) {
    for (const [needed, reason] of Object.entries(after)) {
      if (!seen.has(needed)) {
        throw new Error(`Plugin "${name}" must be registered after "${needed}": ${reason}`)
      }
    }
    seen.add(name)
  }
}

export function registerPlugins(
  app: FastifyInstance,
  dependencies: AppDependencies,
  options: PluginOptions,
): void {
  requireOrder(PLUGINS)
  for (const { register } of PLUGINS) register(app, dependencies, options)
}
