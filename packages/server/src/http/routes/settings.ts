import { RollbackRequest, SettingsHistory, SettingsPatch, StoreSettings } from '@aisle/contract'
import type { FastifyInstance } from 'fastify'
import {
  describeHistory,
  describeSettings,
  patchSettings,
  rollbackSettings,
  settingsTag,
} from '../../services/store/change-settings.ts'
import { changedBy } from '../actor.ts'
import type { AppDependencies } from '../dependencies.ts'
import { jsonAnswer, route } from '../operation.ts'
import { bodyJson, bodyReader } from '../plugins/body.ts'

const SETTINGS = '/api/v1/stores/:id/settings'
const readRollback = bodyReader<RollbackRequest>(RollbackRequest)

/** Reads and changes the settings of a store, lists their versions and rolls them back. */
export function settingsRoutes(app: FastifyInstance, ports: AppDependencies): void {
  app.get(
    SETTINGS,
    route('write', 'Settings', {
      id: 'getSettings',
      summary: 'Read the settings',
      tagged: true,
      success: jsonAnswer(StoreSettings, 'The current settings, with defaults and guessed values.'),
    }),
    async (request, reply) => {
      const settings = await describeSettings(ports, request.storeId)
      return reply.header('etag', settingsTag(settings)).send(settings)
    },
  )
  app.patch(
    SETTINGS,
    route('write', 'Settings', {
      id: 'patchSettings',
      summary: 'Change settings',
      tagged: true,
      body: { 'application/json': SettingsPatch },
      example: { language: 'de', ranking: { sort_by: null } },
      success: jsonAnswer(StoreSettings, 'Now in force.'),
      errors: [
        'unknown_field',
        'field_not_searchable',
        'field_not_sortable',
        'field_not_facetable',
        'field_not_filterable',
        'invalid_sort',
        'invalid_filter',
        'precondition_failed',
      ],
    }),
    async (request, reply) => {
      const author = { changedBy: changedBy(request) }
      const ifMatch = request.headers['if-match']
      const patch = bodyJson(request)
      const settings = await patchSettings(ports, request.storeId, patch, author, ifMatch)
      return reply.header('etag', settingsTag(settings)).send(settings)
    },
  )
  app.get(
    `${SETTINGS}/history`,
    route('write', 'Settings', {
      id: 'getSettingsHistory',
      summary: 'Read the versions of the settings',
      success: jsonAnswer(SettingsHistory, 'The settings of each version.'),
    }),
    (request, reply) => reply.send(describeHistory(ports, request.storeId)),
  )
  app.post(
    `${SETTINGS}/rollback`,
    route('write', 'Settings', {
      id: 'rollbackSettings',
      summary: 'Roll back to an earlier version of the settings',
      tagged: true,
      body: { 'application/json': RollbackRequest },
      example: { version: 0 },
      success: jsonAnswer(StoreSettings, 'Now in force, as a new version.'),
      errors: ['precondition_failed'],
    }),
    async (request, reply) => {
      const { version } = readRollback(request)
      const author = { changedBy: changedBy(request), note: `Back to version ${version}` }
      const ifMatch = request.headers['if-match']
      const settings = await rollbackSettings(ports, request.storeId, version, author, ifMatch)
      return reply.header('etag', settingsTag(settings)).send(settings)
    },
  )
}
