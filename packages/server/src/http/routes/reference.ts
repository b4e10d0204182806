import { Type } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import type { PageFile } from '../../ports/host/page-files.ts'
import type { AppDependencies } from '../dependencies.ts'
import { openApiDocument } from '../openapi-document.ts'
import { jsonFile, sendFile } from '../page-file.ts'
import { jsonAnswer, route } from '../operation.ts'

/**
 * Serves the machine-readable description of the API; the dashboard shows it to people at
 * `/docs/api`.
 */
export function referenceRoutes(app: FastifyInstance, { version }: AppDependencies): void {
  let file: PageFile | undefined
  app.get(
    '/openapi.json',
    route('none', 'Service', {
      id: 'getOpenApi',
      summary: 'This document',
      success: jsonAnswer(Type.Record(Type.String(), Type.Unknown()), 'OpenAPI 3.1.'),
    }),
    (request, reply) => {
      file ??= jsonFile(JSON.stringify(openApiDocument(app, version)))
      return sendFile(request, reply.header('cache-control', 'no-cache'), file)
    },
  )
}
