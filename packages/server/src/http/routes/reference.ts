import apiReference from '@scalar/fastify-api-reference'
import { ApiError, Type } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { AppDependencies } from '../dependencies.ts'
import { openApiDocument } from '../openapi-document.ts'
import { sendJson } from '../json-text.ts'
import { jsonAnswer } from '../operation.ts'

/** Nothing is loaded from, or sent to, any other host. */
const DOCS_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; " +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "worker-src 'self' blob:; frame-ancestors 'none'"

/** The API described for machines (`/openapi.json`) and for people (`/docs`). */
export function referenceRoutes(app: FastifyInstance, { version }: AppDependencies): void {
  let text: string | undefined
  app.get(
    '/openapi.json',
    {
      config: {
        auth: 'none',
        operation: {
          id: 'getOpenApi',
          tag: 'Service',
          summary: 'This document',
          success: jsonAnswer(Type.Record(Type.String(), Type.Unknown()), 'OpenAPI 3.1.'),
        },
      },
    },
    (_request, reply) => {
      text ??= JSON.stringify(openApiDocument(app, version))
      return sendJson(reply, text)
    },
  )
  void app.register(async (docs) => {
    // Routes of the plugin are open, like the document that they show.
    docs.addHook('onRoute', (route) => {
      route.config = { auth: 'none', hidden: true, ...route.config }
    })
    await docs.register(apiReference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Aisle API',
        withDefaultFonts: false,
        telemetry: false,
        orderSchemaPropertiesBy: 'preserve',
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
      hooks: {
        onRequest: (request, reply, done) => {
          void reply.header('content-security-policy', DOCS_POLICY)
          // The plugin makes a URL of the host header, whatever is in it.
          const isUrl = URL.canParse(request.url, `${request.protocol}://${request.hostname}`)
          done(
            isUrl ? undefined : new ApiError('malformed_request', 'The host header is not valid'),
          )
        },
      },
    })
  })
}
