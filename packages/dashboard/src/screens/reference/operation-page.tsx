import type { ReactNode } from 'react'
import { MethodMark } from '../../parts/operation-list.tsx'
import type { Operation } from '../../parts/operations.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock, ProseText } from '../../ui/code-block.tsx'
import { Section } from '../../ui/page.tsx'
import type { DescribedApi, DescribedOperation } from './described-api.ts'
import { SchemaFields } from './schema-fields.tsx'

const KEYS = {
  read: "Needs the store's read or write secret.",
  write: "Needs the store's write secret.",
  events: 'Needs the events write key, in the body.',
  admin: 'Needs the admin token.',
} as const

/** The reference of one operation. */
export function OperationPage({
  operation,
  document,
}: {
  readonly operation: Operation
  readonly document: DescribedApi
}): ReactNode {
  const { method, path, summary, description, key, role } = operation
  const described = document.paths[path]?.[method.toLowerCase()]
  if (described === undefined) return null
  const body = described.requestBody
  return (
    <article className="stack-groups">
      <header className="stack">
        <h2>{summary}</h2>
        <p className="row">
          <MethodMark method={method} />
          <code className="reference-path">{path}</code>
        </p>
        {description !== undefined && (
          <p>
            <ProseText text={description} />
          </p>
        )}
        <p className="small muted">
          {key === undefined ? '' : `${KEYS[key]} `}
          {role === undefined ? 'No session needed.' : `With a session: ${role} or above.`}
        </p>
      </header>
      {operation.parameters.length > 0 && (
        <Section title="Parameters">
          <dl className="reference-fields">
            {operation.parameters.map((parameter) => (
              <div key={`${parameter.in} ${parameter.name}`} className="reference-field">
                <dt className="row">
                  <code className="strong">{parameter.name}</code>
                  <span className="small muted">in the {parameter.in}</span>
                  {parameter.required === true && <Badge>required</Badge>}
                </dt>
                {parameter.description !== undefined && (
                  <dd>
                    <ProseText text={parameter.description} />
                  </dd>
                )}
              </div>
            ))}
          </dl>
        </Section>
      )}
      {body !== undefined && (
        <Section title="Body" about={Object.keys(body.content).join(', ')}>
          <Bodies content={body.content} document={document} />
          {operation.bodyExample !== undefined && operation.bodyExample !== '{}' && (
            <CodeBlock
              label="Example"
              samples={[{ label: 'Example', code: operation.bodyExample }]}
            />
          )}
        </Section>
      )}
      <Answers responses={described.responses} document={document} />
    </article>
  )
}

function Answers({
  responses,
  document,
}: {
  readonly responses: DescribedOperation['responses']
  readonly document: DescribedApi
}): ReactNode {
  return (
    <Section title="Answers">
      {Object.entries(responses).map(([status, { description, content }]) => {
        const isGood = status.startsWith('2')
        return (
          <details key={status} open={isGood} className="reference-answer">
            <summary>
              <Badge kind={isGood ? 'good' : 'warn'}>{status}</Badge>{' '}
              <ProseText text={description} />
            </summary>
            {content !== undefined && <Bodies content={content} document={document} />}
          </details>
        )
      })}
    </Section>
  )
}

function Bodies({
  content,
  document,
}: {
  readonly content: NonNullable<DescribedOperation['requestBody']>['content']
  readonly document: DescribedApi
}): ReactNode {
  const schemas = Object.entries(content).flatMap(([type, { schema }]) =>
    schema === undefined ? [] : [{ type, schema }],
  )
  return schemas.map(({ type, schema }) => (
    <div key={type} className="stack">
      {schemas.length > 1 && <h3 className="small muted">{type}</h3>}
      <SchemaFields schema={schema} api={document} />
    </div>
  ))
}
