import type { StoreClient } from '@aisle/client'

/** JSON Schema of one parameter. */
type Parameter = Readonly<Record<string, unknown>>

/** The result of a tool. */
export type ToolAnswer = Record<string, unknown>

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Readonly<Record<string, Parameter>>
  readonly required?: readonly string[]
  readonly changes?: true
  /** @throws the errors of the client; their message goes to the caller */
  readonly run: (
    store: StoreClient,
    given: Readonly<Record<string, unknown>>,
  ) => Promise<ToolAnswer>
}

export function text(description: string, maxLength = 1_000): Parameter {
  return { type: 'string', description, maxLength }
}

export function whole(description: string, minimum: number, maximum: number): Parameter {
  return { type: 'integer', description, minimum, maximum }
}

export function flag(description: string): Parameter {
  return { type: 'boolean', description }
}

/** The given parameters under the names of the interface; absent ones stay absent. */
export function renamed(
  given: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, ours]) =>
      given[name] === undefined ? [] : [[ours, given[name]]],
    ),
  )
}
