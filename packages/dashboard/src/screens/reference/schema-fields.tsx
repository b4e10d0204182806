import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { ProseText } from '../../ui/code-block.tsx'
import { limitsText, resolved, typeText, type DescribedApi, type Schema } from './described-api.ts'

/** Schemas hold each other; deeper ones are named only. */
const DEPTH_MAX = 4

/** The members of an object, and the members of those behind a disclosure. */
export function SchemaFields({
  schema: given,
  api,
  depth = 0,
}: {
  readonly schema: Schema
  readonly api: DescribedApi
  readonly depth?: number
}): ReactNode {
  const { schema } = resolved(given, api)
  const fields = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required)
  if (fields.length === 0) {
    return (
      <p className="muted">
        {typeText(given, api)}
        {schema.description !== undefined && (
          <>
            . <ProseText text={schema.description} />
          </>
        )}
      </p>
    )
  }
  return (
    <dl className="reference-fields">
      {fields.map(([name, field]) => {
        const inner = innerObject(field, api)
        const { schema: target } = resolved(field, api)
        const limits = limitsText(target)
        const about = field.description ?? target.description
        return (
          <div key={name} className="reference-field">
            <dt className="row">
              <code className="strong">{name}</code>
              <span className="small muted">{typeText(field, api)}</span>
              {required.has(name) && <Badge>required</Badge>}
            </dt>
            <dd>
              {about !== undefined && (
                <p>
                  <ProseText text={about} />
                </p>
              )}
              {limits !== '' && <p className="small muted">{limits}</p>}
              {inner !== undefined && depth < DEPTH_MAX && (
                <details>
                  <summary className="small">Members</summary>
                  <SchemaFields schema={inner} api={api} depth={depth + 1} />
                </details>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The object in it: itself, of a list, or the first of several. */
function innerObject(given: Schema, api: DescribedApi): Schema | undefined {
  const { schema } = resolved(given, api)
  if (schema.properties !== undefined && Object.keys(schema.properties).length > 0) return schema
  if (schema.items !== undefined) return innerObject(schema.items, api)
  for (const variant of schema.anyOf ?? schema.oneOf ?? []) {
    const inner = innerObject(variant, api)
    if (inner !== undefined) return inner
  }
  return undefined
}
