import type { FastifyInstance, RouteOptions } from 'fastify'

/** Which key a route asks for. `events`: the write key, which is in the body and so looked at by the route. */
export type AuthNeed = 'none' | 'read' | 'write' | 'admin' | 'events'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route says which key it asks for; building fails for one that does not. */
    auth?: AuthNeed
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
    if (open === undefined) return done()
    done(new Error(`Route ${String(open.method)} ${open.url} does not declare its auth need`))
  })
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
