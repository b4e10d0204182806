import {
  ChangeSchemaRequest,
  PutCollectionRequest,
  PutPresetRequest,
  PutQuerySetRequest,
  PutRuleRequest,
  PutStopwordSetRequest,
  PutStrategyRequest,
  PutSynonymSetRequest,
  SettingsPatch,
  type TSchema,
} from '@aisle/contract'

/** Request schemas by kind of file: `settings`, `rules` … */
const REQUESTS: Readonly<Record<string, TSchema>> = {
  schema: ChangeSchemaRequest,
  settings: SettingsPatch,
  collections: PutCollectionRequest,
  presets: PutPresetRequest,
  strategies: PutStrategyRequest,
  rules: PutRuleRequest,
  'synonym-sets': PutSynonymSetRequest,
  'stopword-sets': PutStopwordSetRequest,
  'query-sets': PutQuerySetRequest,
}

/**
 * JSON schemas with which editors complete and check configuration files: those of the requests,
 * each in a separate text. Unknown names are marked as errors, even where the service only warns.
 *
 * @returns by file name
 */
export function editorSchemas(): Map<string, string> {
  return new Map(
    Object.entries(REQUESTS).map(([kind, request]) => {
      const { properties = {}, ...schema } = forEditors(request) as {
        properties?: Record<string, unknown>
      }
      const named = { $schema: { type: 'string' }, ...properties }
      const whole = { $schema: DRAFT, ...schema, properties: named }
      return [`${kind}.json`, `${JSON.stringify(whole, null, 2)}\n`]
    }),
  )
}

/** The newest draft that the usual editors know. */
const DRAFT = 'http://json-schema.org/draft-07/schema#'

/**
 * Removes ids, which would name other documents, and allows only the named members of objects. An
 * optional member may be `null`, as if it were absent.
 */
function forEditors(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forEditors)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([name]) => name !== '$id')
  const { required = [] } = schema as { required?: readonly string[] }
  const copy = Object.fromEntries(
    members.map(([name, value]) => [
      name,
      name === 'properties' ? membersOf(value as object, required) : forEditors(value),
    ]),
  )
  const isOpen = 'properties' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}

/** Names of members are not keywords. */
function membersOf(properties: object, required: readonly string[]): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, member]) => {
      const schema = forEditors(member) as { description?: string }
      if (required.includes(name)) return [name, schema]
      const { description } = schema
      const described = description === undefined ? {} : { description }
      return [name, { ...described, anyOf: [schema, { type: 'null' }] }]
    }),
  )
}
