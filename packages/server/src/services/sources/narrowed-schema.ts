import type { TObject } from '@aisle/contract'

interface Choice {
  readonly properties: { readonly by: { readonly const?: string; readonly enum?: string[] } }
}

/**
 * A schema in which members with several forms have the one that `by` names, so that an error names
 * what is wrong in it.
 *
 * @returns it with a key that tells it from the others of the schema
 */
export function narrowedSchema(
  schema: TObject,
  sent: Readonly<Record<string, unknown>>,
): { readonly schema: TObject; readonly key: string } {
  const properties: Record<string, unknown> = { ...schema.properties }
  const chosen: string[] = []
  for (const [name, property] of Object.entries(properties)) {
    const { anyOf: choices } = property as { readonly anyOf?: readonly Choice[] }
    if (choices === undefined || sent[name] === undefined) continue
    const { by } = Object(sent[name]) as { readonly by?: unknown }
    const choice = choices.find((one) => namesOf(one).includes(by))
    properties[name] = choice ?? {
      type: 'object',
      required: ['by'],
      properties: { by: { enum: choices.flatMap(namesOf) } },
    }
    chosen.push(`${name}:${choice === undefined ? '' : String(by)}`)
  }
  return { schema: { ...schema, properties } as unknown as TObject, key: chosen.join() }
}

function namesOf({ properties: { by } }: Choice): readonly unknown[] {
  return by.enum ?? [by.const]
}
