import type { Migration } from './migration.ts'

/** A report for people: what came over, and what has no equivalent. Markdown. */
export function reportOf(
  title: string,
  { configuration: { schema, settings, resources }, notes }: Migration,
  documents: { readonly written: number; readonly leftOut: ReadonlyMap<string, number> },
): string {
  const lines = [
    `# ${title}`,
    '',
    '## What came over',
    '',
    `- documents: ${documents.written}`,
    `- fields: ${schema?.length ?? 0}`,
    ...[...resources].map(([kind, named]) => `- ${kind}: ${named.size}`),
    ...(settings === undefined ? [] : ['- settings']),
    '',
    '## What has no equivalent, or came over changed',
    '',
    ...notes.map(({ about, note }) => `- ${about}: ${note}`),
    ...[...documents.leftOut].map(
      ([member, count]) =>
        `- member ${member}: ${count} documents have it, the schema does not; it is left out`,
    ),
  ]
  if (notes.length + documents.leftOut.size === 0) lines.push('Nothing.')
  return `${lines.join('\n')}\n`
}
