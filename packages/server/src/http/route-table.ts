import type { Role } from '@aisle/contract'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

/**
 * The class of a route: who may call it.
 *
 * - `none`: anybody.
 * - `read`, `write`: the read or write secret of a store; or a session with a sufficient role.
 * - `events`: the write key of a store, which is in the body and therefore checked by the route.
 * - `admin`: the admin token; or a session with a sufficient role.
 * - `session`: only a session, of any role.
 * - `login`: anybody with a login and its password, which the route checks.
 * - `local`: anybody on the same machine; from elsewhere the admin token.
 */
export type AuthNeed =
  | 'none'
  | 'read'
  | 'write'
  | 'events'
  | 'admin'
  | 'session'
  | 'login'
  | 'local'

/** Classes that no session may call. */
const WITHOUT_ROLE: ReadonlySet<AuthNeed> = new Set(['none', 'events', 'login', 'local'])

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route declares who may call it; building the application fails if one does not. */
    auth?: AuthNeed
    /**
     * The lowest role whose session may call it. Required for routes of the class `admin`; see
     * `roleOf`.
     */
    role?: Role
    /**
     * What of a scoped token the route enforces: the filter, the filter and the preset, or for
     * events that they are about visible documents. A token with a preset opens no route that
     * ignores it. Absent: no token opens it.
     */
    scoped?: 'filter' | 'filter_and_preset' | 'events'
    /**
     * Of the class `admin`, without a store in its path: members of some stores may call it, and it
     * answers about these only.
     */
    perStore?: true
    /** Whether calls are recorded in the audit log; see `isAudited`. */
    audit?: boolean
    /** Not part of the API, and left out of the OpenAPI document. */
    hidden?: boolean
    /** Its body may have any content type, and the route reads its bytes. */
    takesAnyBody?: true
    /** Tells a load balancer whether to send requests here, and is therefore never refused. */
    isProbe?: true
  }
  interface FastifyRequest {
    /**
     * The configuration of its route, with its pattern; undefined if there is no such route. Null
     * before the first hook. (`routeOptions` of the framework creates an object on each read.)
     */
    routeConfig: (FastifyContextConfig & { readonly url?: string }) | null
  }
  interface FastifyInstance {
    /** All routes, in the order of registration, HEAD twins included. */
    readonly routeTable: readonly RouteOptions[]
  }
}

/** Maintains the list of routes, and rejects a route that does not declare who may call it. */
export function registerRouteTable(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.decorate('routeTable', routes)
  app.decorateRequest('routeConfig', null)
  app.addHook('onRequest', (request, _reply, done) => {
    request.routeConfig = request.routeOptions.config
    done()
  })
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  // Plugins may still complete their routes after the hook above.
  app.addHook('onReady', (done) => {
    const open = routes.find((route) => route.config?.auth === undefined)
    if (open !== undefined) {
      return done(new Error(`Route ${String(open.method)} ${open.url} does not declare its class`))
    }
    const vague = routes.find(({ config }) => config?.auth === 'admin' && config.role === undefined)
    if (vague === undefined) return done()
    done(new Error(`Route ${String(vague.method)} ${vague.url} does not declare its role`))
  })
}

/** Whether a request needs no key: anybody may make this thread respond to it. */
export function isPublic({ is404, routeConfig }: FastifyRequest): boolean {
  return is404 || routeConfig?.auth === 'none' || routeConfig?.auth === 'local'
}

/** The lowest role whose session may call a route; undefined: no session may. */
export function roleOf(
  { auth, role }: Pick<FastifyContextConfig, 'auth' | 'role'>,
  method: string,
): Role | undefined {
  if (auth === undefined || WITHOUT_ROLE.has(auth)) return undefined
  return role ?? (auth === 'write' && !isReading(method) ? 'editor' : 'analyst')
}

/** Routes that change something, or log somebody in, are audited unless they say otherwise. */
export function isAudited(
  { auth, audit }: Pick<FastifyContextConfig, 'auth' | 'audit'>,
  method: string,
): boolean {
  if (audit !== undefined) return audit
  const isControl = auth === 'write' || auth === 'admin' || auth === 'session' || auth === 'login'
  return isControl && !isReading(method)
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Methods of the routes with this path, sorted. */
export function allowedMethods(app: FastifyInstance, path: string): string[] {
  return [...new Set(routesAt(app, path).flatMap(({ method }) => method))].toSorted()
}

/** The routes with this path, of any method. */
export function routesAt({ routeTable }: FastifyInstance, path: string): readonly RouteOptions[] {
  const parts = path.split('/')
  return routesOfLength(routeTable, parts.length)
    .filter(({ pattern }) => matches(pattern, parts))
    .map(({ route }) => route)
}

interface SplitRoute {
  readonly pattern: readonly string[]
  readonly route: RouteOptions
}

/** Split once, because anybody may ask for paths that do not exist. */
function routesOfLength(table: readonly RouteOptions[], length: number): readonly SplitRoute[] {
  let byLength = splitRoutes.get(table)
  if (byLength === undefined) {
    byLength = Map.groupBy(
      table.map((route) => ({ pattern: route.url.split('/'), route })),
      ({ pattern }) => pattern.length,
    )
    splitRoutes.set(table, byLength)
  }
  return byLength.get(length) ?? []
}

/** By the table, which is complete when the first request arrives. */
const splitRoutes = new WeakMap<readonly RouteOptions[], Map<number, SplitRoute[]>>()

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false
  return pattern.every((segment, i) =>
    segment.startsWith(':') ? parts[i] !== '' : segment === parts[i],
  )
}
