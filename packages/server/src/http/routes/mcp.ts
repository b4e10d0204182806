import { ApiError, SEARCH_BODY_MAX_BYTES, Type } from '@aisle/contract'
import type { FastifyInstance, FastifyRequest, InjectOptions } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyJson } from '../plugins/body.ts'

const LOCAL = 'http://aisle.local'

/**
 * Serves the tools of a store for assistants, by the Model Context Protocol (streamable HTTP,
 * without sessions). Each tool calls the API with the secrets of the caller, so that rights, limits
 * and records are those of the API.
 */
export function mcpRoutes(app: FastifyInstance, { options, version }: AppDependencies): void {
  if (options.mcp !== true) return
  // Loaded when the first request needs it, it would stop the searches of others for 200 ms.
  app.addHook('onReady', async () => void (await loadTools()))
  app.post(
    '/mcp',
    route('read', 'Service', {
      bodyLimit: SEARCH_BODY_MAX_BYTES,
      role: 'analyst',
      id: 'callTools',
      summary: 'Tools of the store for assistants (Model Context Protocol)',
      success: jsonAnswer(Type.Record(Type.String(), Type.Unknown()), 'A JSON-RPC response.'),
    }),
    async (request, reply) => {
      const readSecret = headerText(request, 'x-storesecret')
      const writeSecret = headerText(request, 'x-store-write-secret')
      if (readSecret === undefined && writeSecret === undefined) {
        throw new ApiError('missing_credentials', 'Tools need a secret of the store')
      }
      const { serveRequests, AisleClient } = await loadTools()
      const store = new AisleClient({
        url: LOCAL,
        readSecret: readSecret ?? writeSecret,
        writeSecret,
        retries: 0,
        fetch: (url, init) => callOwn(app, request, url, init),
      }).store(headerText(request, 'x-storeid') ?? '')
      const answer = await serveRequests(version)(webRequest(request), bodyJson(request), {
        store,
        rights: { manages: writeSecret !== undefined, changes: writeSecret !== undefined },
      })
      if (answer.contentType !== null) void reply.type(answer.contentType)
      return reply.code(answer.status).send(answer.text)
    },
  )
}

/** Few services offer tools, so the others do not load them. */
async function loadTools() {
  const [{ serveRequests }, { AisleClient }] = await Promise.all([
    import('@aisle/mcp'),
    import('@aisle/client'),
  ])
  return { serveRequests, AisleClient }
}

function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Headers that the protocol reads. */
const PROTOCOL_HEADERS = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]

function webRequest(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    const isOfProtocol = PROTOCOL_HEADERS.includes(name) || name.startsWith('mcp-param-')
    if (isOfProtocol && typeof value === 'string') headers.set(name, value)
  }
  return new Request(`${LOCAL}/mcp`, { method: 'POST', headers })
}

/** Calls our API within this thread. */
async function callOwn(
  app: FastifyInstance,
  caller: FastifyRequest,
  address: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(address instanceof Request ? address.url : address)
  const { statusCode, rawPayload, headers } = await app.inject({
    method: (init.method ?? 'GET') as NonNullable<InjectOptions['method']>,
    url: url.pathname + url.search,
    headers: { ...Object.fromEntries(new Headers(init.headers)), host: url.host },
    remoteAddress: caller.ip,
    ...(init.body === undefined || init.body === null
      ? {}
      : { payload: init.body as string | Buffer }),
  })
  const type = headers['content-type']
  return new Response(new Uint8Array(rawPayload), {
    status: statusCode,
    headers: typeof type === 'string' ? { 'content-type': type } : {},
  })
}
