/**
 * The pattern that adds a field when a document has it: `specs.*` adds `specs.color`, and fields
 * inside it.
 */
export function coveringPattern<Field>(
  path: string,
  fields: ReadonlyMap<string, Field>,
): Field | undefined {
  const above = objectsAbove(path).findLast((one) => fields.has(`${one}.*`))
  return above === undefined ? undefined : fields.get(`${above}.*`)
}

/** The parent paths of a path, the outermost first. */
export function objectsAbove(path: string): string[] {
  const above: string[] = []
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    above.push(path.slice(0, dot))
  }
  return above
}
