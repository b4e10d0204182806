import type { Role } from '@aisle/contract'
import type { FastifyContextConfig, FastifyInstance, RouteOptions } from 'fastify'

/**
 * The class of a route: whom it lets in.
 *
 * - `none`: anybody.
 * - `read`, `write`: the read or write secret of a store; or a session, of a role that may.
 * - `events`: the write key of a store, which is in the body and so looked at by the route.
 * - `admin`: the admin token; or a session, of a role that may.
 * - `session`: a session of any role, and nothing else.
 * - `login`: anybody who has a login and its password, which the route looks at.
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

/** Classes that no session opens. */
const WITHOUT_ROLE: ReadonlySet<AuthNeed> = new Set(['none', 'events', 'login', 'local'])

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route says which key it asks for; building fails for one that does not. */
    auth?: AuthNeed
    /**
     * The least role whose session opens it. Routes of the class `admin` must say; see `roleOf`.
     */
    role?: Role
    /** Whether calls go to the audit log; see `isAudited`. */
    audit?: boolean
    /** Not part of the API: left out of the OpenAPI document. */
    hidden?: boolean
  }
  interface FastifyInstance {
    /** Every route, in the order of registration, HEAD twins included. */
    readonly routeTable: readonly RouteOptions[]
  }
}

/** Keeps the list of routes, and refuses a route that does not say whom it lets in. */
export function registerRouteTable(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.decorate('routeTable', routes)
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

/** The least role whose session opens a route; undefined: no session does. */
export function roleOf(
  { auth, role }: Pick<FastifyContextConfig, 'auth' | 'role'>,
  method: string,
): Role | undefined {
  if (auth === undefined || WITHOUT_ROLE.has(auth)) return undefined
  return role ?? (auth === 'write' && !isReading(method) ? 'editor' : 'analyst')
}

/** What changes something, or lets somebody in, is audited unless the route says otherwise. */
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

/** Methods that some route of this path takes, sorted. */
export function allowedMethods(app: FastifyInstance, path: string): string[] {
  const parts = path.split('/')
  const methods = new Set<string>()
  for (const route of app.routeTable) {
    if (!matches(route.url.split('/'), parts)) continue
    for (const method of [route.method].flat()) methods.add(method)
  }
  return [...methods].toSorted()
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false
  return pattern.every((segment, i) =>
    segment.startsWith(':') ? parts[i] !== '' : segment === parts[i],
  )
}
