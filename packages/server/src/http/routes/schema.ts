import { ChangedSchema, ChangeSchemaRequest, StoreSchema } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { changeSchema, describeSchema } from '../../services/store/change-schema.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyJson } from '../plugins/body.ts'

const SCHEMA = '/api/v1/stores/:id/schema'

/** Reads and changes the fields of a store. */
export function schemaRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.get(
    SCHEMA,
    route('read', 'Schema', {
      id: 'getSchema',
      summary: 'Read the schema',
      success: jsonAnswer(StoreSchema, 'The current fields.'),
    }),
    (request, reply) => reply.send(describeSchema(ports, request.storeId)),
  )
  app.post(
    SCHEMA,
    route('write', 'Schema', {
      id: 'changeSchema',
      summary: 'Define, extend or replace the schema',
      body: { 'application/json': ChangeSchemaRequest },
      example: {
        fields: [
          { name: 'title', type: 'string', searchable: true },
          { name: 'brand', type: 'string', searchable: true, facet: true },
          { name: 'price', type: 'float', facet: true, sort: true },
        ],
      },
      success: jsonAnswer(ChangedSchema),
      errors: ['invalid_schema'],
    }),
    (request) => changeSchema(ports, request.storeId, bodyJson(request)),
  )
}
