import {
  CancelledSchemaChange,
  ChangedSchema,
  ChangeSchemaRequest,
  StoreSchema,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import {
  cancelSchemaChange,
  changeSchema,
  describeSchema,
  schemaTag,
} from '../../services/store/change-schema.ts'
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
      tagged: true,
      success: jsonAnswer(StoreSchema, 'The current fields.'),
    }),
    async (request, reply) => {
      const schema = await describeSchema(ports, request.storeId)
      return reply.header('etag', schemaTag(schema)).send(schema)
    },
  )
  app.post(
    SCHEMA,
    route('write', 'Schema', {
      id: 'changeSchema',
      summary: 'Define, extend, change or replace the schema',
      description:
        'Mode `change` redefines fields while documents stay: searches use the former definitions until all documents are re-analysed (202 with a `job`; its progress is in `GET …/schema`).',
      body: { 'application/json': ChangeSchemaRequest },
      example: {
        fields: [
          { name: 'title', type: 'string', searchable: true },
          { name: 'brand', type: 'string', searchable: true, facet: true },
          { name: 'price', type: 'float', facet: true, sort: true },
        ],
      },
      success: {
        status: 200,
        description: 'Done.',
        content: { 'application/json': ChangedSchema },
        also: { 202: 'Mode `change`: the documents are being re-analysed.' },
      },
      errors: [
        'invalid_schema',
        'schema_not_defined',
        'schema_conversion_failed',
        'precondition_failed',
      ],
    }),
    async (request, reply) => {
      const changed = await changeSchema(
        ports,
        request.storeId,
        bodyJson(request),
        request.headers['if-match'],
      )
      return reply.code(changed.job === undefined ? 200 : 202).send(changed)
    },
  )
  app.delete(
    `${SCHEMA}/change`,
    route('write', 'Schema', {
      id: 'cancelSchemaChange',
      summary: 'Cancel a change of the schema that is not complete',
      success: jsonAnswer(CancelledSchemaChange, 'Cancelled; the schema stays as it is.'),
      errors: ['schema_change_not_found'],
    }),
    (request) => cancelSchemaChange(ports, request.storeId),
  )
}
