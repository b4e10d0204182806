import {
  DropEventsParameters,
  DroppedEvents,
  ErasedEvents,
  EraseVisitorParameters,
  JourneyParameters,
  RebuiltReports,
  REPORT_NAMES,
  ReportParameters,
  REPORTS,
  Type,
  VisitorJourney,
} from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import { dropEvents, eraseVisitor, rebuildReports } from '../../services/events/event-upkeep.ts'
import { makeReport, reportCsv } from '../../services/events/reports.ts'
import { visitorJourney } from '../../services/events/visitor-journey.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { decodeQuery } from '../query-parameters.ts'

const ANALYTICS = '/api/v1/stores/:id/analytics'
type Query = Readonly<Record<string, string | string[] | undefined>>

/** Serves reports on events, one route each, and operations on all events of a store. */
export function reportRoutes(app: FastifyInstance, ports: AppDependencies): void {
  for (const name of REPORT_NAMES) {
    const { id, summary, answer: schema } = REPORTS[name]
    app.get<{ Querystring: Query }>(
      `${ANALYTICS}/${name}`,
      route('write', 'Analytics', {
        id,
        summary,
        description:
          'Counts every event acknowledged before the request. docs/analytics.md defines each figure.',
        query: ReportParameters,
        success: {
          status: 200,
          description: 'The report.',
          content: {
            'application/json': schema,
            'text/csv': Type.String({ description: 'The rows, with `format=csv`.' }),
          },
        },
        errors: ['invalid_parameter', 'disk_reserve'],
      }),
      async (request, reply) => {
        const given = decodeQuery(ReportParameters, request.query)
        const { answer, format } = await makeReport(ports, request.storeId, name, given)
        if (format === 'json') return reply.send(answer)
        return reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${name}.csv"`)
          .send(reportCsv(name, answer))
      },
    )
  }
  app.get<{ Querystring: Query }>(
    `${ANALYTICS}/visitors`,
    route('write', 'Analytics', {
      id: 'readJourney',
      summary: 'Read the events of a visitor',
      description:
        'The events of a visitor, newest first, in pages, each with the search that it belongs to: exactly the events that erasing the visitor would remove. Neither addresses nor their hashes are returned.',
      query: JourneyParameters,
      success: jsonAnswer(VisitorJourney, 'A page of the journey.'),
      errors: ['invalid_parameter', 'missing_parameter', 'disk_reserve'],
    }),
    async (request, reply) => {
      const given = decodeQuery(JourneyParameters, request.query)
      return reply.send(await visitorJourney(ports, request.storeId, given))
    },
  )
  app.delete<{ Querystring: Query }>(
    `${ANALYTICS}/visitors`,
    route('write', 'Analytics', {
      role: 'owner',
      id: 'eraseVisitor',
      summary: 'Erase the events of a visitor',
      description:
        'Permanently removes them from the log and the reports. Suggestions are rebuilt without them in the background. Existing snapshots contain them until they are deleted.',
      query: EraseVisitorParameters,
      success: jsonAnswer(ErasedEvents, 'Removed from the disk.'),
      errors: ['invalid_parameter', 'missing_parameter'],
    }),
    (request) => eraseVisitor(ports, request.storeId, request.query),
  )
  app.delete<{ Querystring: Query }>(
    `${ANALYTICS}/events`,
    route('write', 'Analytics', {
      role: 'owner',
      id: 'dropEvents',
      summary: 'Remove old events',
      description:
        'Deletes whole files of the log, each of at most one day, as the setting `events.retention_days` does, but before a time of your choice.',
      query: DropEventsParameters,
      success: jsonAnswer(DroppedEvents, 'Removed from the disk.'),
      errors: ['invalid_parameter', 'missing_parameter'],
    }),
    (request) => dropEvents(ports, request.storeId, request.query),
  )
  app.post(
    `${ANALYTICS}/rebuild`,
    route('write', 'Analytics', {
      id: 'rebuildReports',
      summary: 'Rebuild the reports from the event log',
      description:
        'Responds once the whole log has been read. The figures do not change. Suggestions are rebuilt in the background; the old ones are served until then.',
      success: jsonAnswer(RebuiltReports, 'The whole log has been read.'),
      errors: ['disk_reserve'],
    }),
    (request) => rebuildReports(ports, request.storeId),
  )
}
