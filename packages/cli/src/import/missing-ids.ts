import { likelyIds, type FileProfile, type IdFigures } from '@aisle/import'
import type { Run } from '../commands/command.ts'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { count, counted } from '../terminal/table.ts'

const LIST = new Intl.ListFormat('en')

export interface IdChoice {
  readonly idColumn: string
  readonly generateIds: boolean
}

/** The column does not exist, or no row has a value in it. */
export function lacksIds(profile: FileProfile, idColumn: string): boolean {
  if (profile.columns !== undefined) return !profile.columns.includes(idColumn)
  const figures = profile.ids.get(idColumn)
  // Rows that are not objects are refused with a separate message.
  if (figures === undefined) return profile.rowCount > profile.badRows.count
  return figures.rowCount > 0 && figures.emptyCount === figures.rowCount
}

/**
 * Stops an import of documents without ids before anything is sent, because each import would
 * create all of them again. Names the column that is probably meant.
 *
 * @returns `undefined` if they have ids
 */
export function missingIds(
  name: string,
  profile: FileProfile,
  { idColumn, generateIds }: IdChoice,
): string | undefined {
  if (generateIds || !lacksIds(profile, idColumn)) return undefined
  const likely = likelyIds(profile)
  const advice =
    likely === undefined
      ? 'Name a column with a different value in each row: --id-column <column>'
      : `The most likely id column is "${likely.column}" (${qualityOf(likely.figures, profile)}): --id-column ${JSON.stringify(likely.column)}`
  return `${missingText(name, profile, idColumn)} to take document ids from. ${advice}. To generate new ids on each import: --generate-ids`
}

function missingText(name: string, { columns }: FileProfile, idColumn: string): string {
  return columns === undefined
    ? `The rows of "${name}" have no "${idColumn}"`
    : `"${name}" has no column "${idColumn}"`
}

function qualityOf(figures: IdFigures, { isSample }: FileProfile): string {
  const rows = `${isSample ? 'the first ' : ''}${counted(figures.rowCount, 'row')}`
  const faults = faultTexts(figures)
  if (faults.length > 0) return `of ${rows}, ${LIST.format(faults)}`
  return figures.rowCount === 1
    ? 'the only row has a value'
    : `unique in ${isSample ? '' : 'all '}${rows}`
}

function faultTexts({ emptyCount, repeatedCount, badCount }: IdFigures): string[] {
  const texts: string[] = []
  if (emptyCount > 0) texts.push(`${count(emptyCount)} ${hasOrHave(emptyCount)} no value`)
  if (repeatedCount > 0) {
    texts.push(
      `${count(repeatedCount)} ${repeatedCount === 1 ? 'repeats' : 'repeat'} an earlier value`,
    )
  }
  if (badCount > 0) texts.push(`${count(badCount)} ${hasOrHave(badCount)} an invalid id`)
  return texts
}

function hasOrHave(rowCount: number): string {
  return rowCount === 1 ? 'has' : 'have'
}

/** Ids that rows share, and rows without one, with their places. */
export function idNotes(profile: FileProfile, { idColumn, generateIds }: IdChoice): string[] {
  const figures = profile.ids.get(idColumn)
  if (figures === undefined || lacksIds(profile, idColumn)) return []
  const notes: string[] = []
  const { repeatedCount, repeatedIds, emptyCount } = figures
  if (repeatedCount > 0) {
    const ids = repeatedIds.map((id) => `"${printable(id)}"`).join(', ')
    notes.push(
      `${counted(repeatedCount, 'row')} ${hasOrHave(repeatedCount)} the id of an earlier row and will replace it: ${ids}${repeatedCount > repeatedIds.length ? ', …' : ''}.`,
    )
  }
  if (emptyCount > 0 && !generateIds) {
    notes.push(
      `${emptyText(figures, idColumn)} and will be refused. --generate-ids generates new ids on each import; --id-column chooses another column.`,
    )
  }
  return notes
}

function emptyText({ emptyCount, emptyRows, rowCount }: IdFigures, idColumn: string): string {
  const rows = `${emptyRows.map(count).join(', ')}${emptyCount > emptyRows.length ? ', …' : ''}`
  return `${count(emptyCount)} of ${counted(rowCount, 'row')} ${hasOrHave(emptyCount)} no "${idColumn}" (${emptyCount === 1 ? 'row' : 'rows'} ${rows})`
}

/**
 * Decides where the ids come from. On a terminal it asks; elsewhere rows without an id are refused,
 * and no id is invented.
 *
 * @throws CommandError if there are none
 */
export async function chooseIds(
  run: Run,
  name: string,
  profile: FileProfile,
  given: IdChoice,
): Promise<IdChoice> {
  const ask = run.options.json === true ? undefined : run.context.ask
  const missing = missingIds(name, profile, given)
  let choice = given
  if (missing !== undefined) {
    const likely = likelyIds(profile)
    if (ask === undefined || likely === undefined) throw new CommandError('usage', missing)
    const question = `${missingText(name, profile, given.idColumn)} to take document ids from. Use "${printable(likely.column)}" (${qualityOf(likely.figures, profile)})? [Y/n] `
    if (/^n/i.test(await ask(question, { hidden: false }))) throw new CommandError('usage', missing)
    choice = { ...given, idColumn: likely.column }
  }
  const figures = profile.ids.get(choice.idColumn)
  const isOpen = figures !== undefined && figures.emptyCount > 0 && !choice.generateIds
  const notes = idNotes(profile, choice)
  if (!isOpen || ask === undefined) {
    for (const note of notes) run.note(note)
    return choice
  }
  for (const note of notes.slice(0, -1)) run.note(note)
  const answer = await ask(
    `${emptyText(figures, choice.idColumn)}.\n  1  skip rows without an id (default)\n  2  generate new ids on each import\n  3  stop, to choose another column\n? `,
    { hidden: false },
  )
  if (answer.trim() === '3') throw new CommandError('usage', 'Stopped; nothing was sent')
  return { ...choice, generateIds: answer.trim() === '2' }
}
