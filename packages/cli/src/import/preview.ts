import { NUMBER_FORMATS } from '@aisle/import'
import type { FileProfile, Proposal, ProposedColumn } from '@aisle/import'
import type { Run } from '../commands/command.ts'
import { count, counted, table } from '../terminal/table.ts'
import { faultsText } from './column-questions.ts'
import { idNotes, missingIds, type IdChoice } from './missing-ids.ts'
import { likelyIds } from '@aisle/import'

/** Each column with its field, type, roles and reason; and what an import lacks. */
export function showPreview(
  run: Run,
  name: string,
  profile: FileProfile,
  proposal: Proposal,
  choice: IdChoice,
): void {
  const missing = missingIds(name, profile, choice)
  const likely = missing === undefined ? undefined : likelyIds(profile)?.column
  const idColumn = likely ?? choice.idColumn
  const ids = profile.ids.get(idColumn)
  run.print(
    {
      rows: profile.rowCount,
      ...(profile.isSample ? { sample: true } : {}),
      fields: proposal.fields,
      columns: proposal.columns.map(columnJson),
      ...(proposal.distinct === undefined ? {} : { distinct: distinctOf(proposal.distinct) }),
      ...(ids === undefined && likely === undefined ? {} : { id_column: idColumn }),
      ...(ids === undefined
        ? {}
        : {
            ids: {
              empty: ids.emptyCount,
              empty_rows: ids.emptyRows,
              repeated: ids.repeatedCount,
              repeated_ids: ids.repeatedIds,
            },
          }),
      refused_rows: profile.badRows,
    },
    columnTable(proposal.columns),
  )
  run.note(
    `\nRead ${profile.isSample ? 'the first ' : profile.rowCount === 1 ? '' : 'all '}${counted(profile.rowCount, 'row')}${profile.isSample ? ' of the stream' : ''}.`,
  )
  for (const note of previewNotes(profile, proposal)) run.note(note)
  if (missing !== undefined) run.note(missing)
  for (const note of idNotes(profile, choice)) run.note(note)
}

/** The setting by which searches show one of the variants of a product. */
export function distinctOf(field: string): { readonly field: string; readonly limit: number } {
  return { field, limit: 1 }
}

function previewNotes(profile: FileProfile, { columns, distinct }: Proposal): string[] {
  const notes = columns
    .filter(({ faultCount }) => faultCount > 0)
    .map((one) => `"${one.path}": ${one.why}: ${faultsText(one)}`)
  for (const { path, question } of columns) {
    if (question === undefined || question.kind === 'mixed') continue
    const option = question.kind === 'numbers' ? '--number-format' : '--date-format'
    notes.push(
      `"${path}" is ambiguous ("${question.example}"): the import asks, unless you set ${option}.`,
    )
  }
  if (distinct !== undefined) {
    notes.push(
      `Variants share "${distinct}": --guess-schema also sets "distinct", so that searches show only the best of them.`,
    )
  }
  const { count: bad, rows } = profile.badRows
  if (bad > 0) {
    const reason =
      profile.columns === undefined
        ? bad === 1
          ? 'it is not a JSON object'
          : 'they are not JSON objects'
        : `${bad === 1 ? 'it has' : 'they have'} too many or too few cells`
    notes.push(
      `${counted(bad, 'row')} would be refused because ${reason}: ${bad === 1 ? 'row' : 'rows'} ${rows.map(count).join(', ')}${bad > rows.length ? ', …' : ''}`,
    )
  }
  return notes
}

function columnJson(one: ProposedColumn): Record<string, unknown> {
  const { path, target, field, why, reading, faults, faultCount, valueCount, examples } = one
  return {
    column: path,
    field: target === '' ? null : target,
    type: field?.type ?? null,
    why,
    ...(reading.numbers === undefined ? {} : { number_format: NUMBER_FORMATS[reading.numbers] }),
    ...(reading.dates === undefined ? {} : { date_format: reading.dates }),
    ...(one.question === undefined ? {} : { question: one.question.kind }),
    values: valueCount,
    empty_share: Math.round(one.emptyShare * 10_000) / 10_000,
    fault_count: faultCount,
    faults,
    examples,
  }
}

/** Fields with the columns they come from. */
export function columnTable(columns: readonly ProposedColumn[]): string {
  return table(
    ['field', 'type', 'roles', 'column', 'empty', 'why', 'for example'],
    columns.flatMap((one) => [
      [
        one.target === '' ? '-' : one.target,
        one.field?.type ?? '-',
        rolesOf(one.field),
        one.path,
        percentText(one.emptyShare),
        one.why,
        one.examples.join(' · ').slice(0, 60),
      ],
      ...one.companions.map((field) => [
        field.name,
        field.type,
        rolesOf(field),
        one.path,
        '',
        '',
        '',
      ]),
    ]),
  )
}

function rolesOf(field: ProposedColumn['field']): string {
  return (['searchable', 'facet', 'sort'] as const).filter((role) => field?.[role]).join(', ')
}

/** Never rounds a few empty values to none, or a few values to all. */
function percentText(share: number): string {
  if (share === 0) return ''
  const percent = Math.round(share * 100)
  return percent === 0 ? '<1 %' : percent === 100 && share < 1 ? '>99 %' : `${percent} %`
}
