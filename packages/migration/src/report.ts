import type { Migration } from './migration.ts'

/** A report for people: what was migrated, and what has no equivalent. Markdown. */
export function reportOf(
  title: string,
  { configuration: { schema, settings, resources }, notes }: Migration,
  documents: { readonly written: number; readonly leftOut: ReadonlyMap<string, number> },
): string {
  const lines = [
    `# ${title}`,
    '',
    '## Migrated',
    '',
    `- documents: ${documents.written}`,
    `- fields: ${schema?.length ?? 0}`,
    ...[...resources].map(([kind, named]) => `- ${kind}: ${named.size}`),
    ...(settings === undefined ? [] : ['- settings']),
    '',
    '## Changed or without an equivalent',
    '',
    ...notes.map(({ about, note }) => `- ${about}: ${note}`),
    ...[...documents.leftOut].map(
      ([member, count]) =>
        `- member ${member}: ${count} documents have it, but the schema does not; it is left out`,
    ),
  ]
  if (notes.length + documents.leftOut.size === 0) lines.push('Nothing.')
  return `${lines.join('\n')}\n`
}
