import {
  applyChanges,
  changesTo,
  differencesOfChange,
  fetchConfiguration,
  redefinesFields,
} from '@aisle/configuration'
import type { Change, Difference } from '@aisle/configuration'
import { CommandError } from '../exit-codes.ts'
import { readConfiguration, writeConfiguration } from '../folder/settings-folder.ts'
import { printable } from '../terminal/style.ts'
import { count, counted } from '../terminal/table.ts'
import { addCommand, type Command, type Run } from './command.ts'

/** Keeps the configuration of a store as files, for version control. */
export function addCommands(program: Command): void {
  addCommand(program, {
    name: 'pull <folder>',
    summary:
      'write schema, settings, collections, presets, rules, synonyms, stop words and query sets of a store as files',
    talksTo: 'store',
  })
    .option('--format <format>', 'yaml or json', 'yaml')
    .option(
      '--schemas',
      'also write .schemas, which editors use to complete and validate the files; later pulls update it',
    )
    .runs(async (run, folder: string, options: PullOptions) => {
      const { format, schemas = false } = options
      if (format !== 'yaml' && format !== 'json') {
        throw new CommandError('usage', '--format must be yaml or json')
      }
      const configuration = await fetchConfiguration(await run.store('write'))
      const files = writeConfiguration(folder, configuration, format, schemas)
      run.print({ folder, files }, `${counted(files, 'file')} in ${folder}\n`)
    })
  addCommand(program, {
    name: 'diff <folder>',
    summary: 'show what apply would change; exit code 5 if there are changes',
    talksTo: 'store',
  }).runs(async (run, folder: string) => {
    const wanted = readConfiguration(folder)
    const changes = changesTo(await fetchConfiguration(await run.store('write')), wanted)
    run.print({ changes }, changes.length === 0 ? 'No differences.\n' : changesText(changes))
    if (changes.length > 0)
      throw new CommandError('incomplete', counted(changes.length, 'difference'))
  })
  addCommand(program, {
    name: 'apply <folder>',
    summary: 'change a store to match the files',
    talksTo: 'store',
  })
    .option(
      '--prune',
      'also delete collections, presets, rules and sets that are not in the folder',
    )
    .option(
      '--change',
      'also redefine fields that exist, without asking; documents stay and are re-analysed',
    )
    .runs(async (run, folder: string, options: ApplyOptions) => {
      const wanted = readConfiguration(folder)
      const store = await run.store('write')
      const changes = changesTo(await fetchConfiguration(store), wanted).filter(
        ({ verb }) => verb !== 'remove' || options.prune === true,
      )
      refuseConflicts(changes, folder)
      if (redefinesFields(changes) && options.change !== true) await confirmChange(run, changes)
      const failures = await applyChanges(store, changes, {
        onProgress: ({ documents_done: done, documents_total: total }) =>
          run.note(
            `Redefining fields: ${count(done)} of ${counted(total, 'document')} re-analysed`,
          ),
      })
      for (const { file, error } of failures) run.note(`${file}: ${error.message}`)
      if (failures.length > 0) {
        throw new CommandError(
          'incomplete',
          `The service refused ${counted(failures.length, 'file')}`,
        )
      }
      run.print({ changes }, changes.length === 0 ? 'Nothing to change.\n' : changesText(changes))
    })
}

interface PullOptions {
  readonly format: string
  readonly schemas?: boolean
}

interface ApplyOptions {
  readonly prune?: boolean
  readonly change?: boolean
}

/** @throws CommandError before anything is changed when documents could not stay */
function refuseConflicts(changes: readonly Change[], folder: string): void {
  const conflict = changes.find(({ verb }) => verb === 'conflict')
  if (conflict === undefined) return
  throw new CommandError(
    'incomplete',
    `Field "${printable(conflict.name)}" cannot become an object, or stop being one, with its documents in place. To fill a second store and swap: aisle reindex --config ${folder}`,
  )
}

/** @throws CommandError unless a person at a terminal agrees */
async function confirmChange(run: Run, changes: readonly Change[]): Promise<void> {
  const redefined = changes.filter(({ kind, verb }) => kind === 'schema' && verb === 'change')
  const { ask } = run.context
  if (ask === undefined) {
    const [{ name }] = redefined as [Change]
    const message = `Field "${printable(name)}" is declared differently: --change redefines it and keeps all documents`
    throw new CommandError('incomplete', message)
  }
  run.note(changesText(redefined).trimEnd())
  const question = `This redefines ${counted(redefined.length, 'field')} and re-analyses all documents; they stay. Continue? (y/N): `
  const answer = await ask(question, { hidden: false })
  if (answer.trim().toLowerCase() !== 'y') {
    throw new CommandError('incomplete', 'Nothing was changed')
  }
}

const SIGNS = { add: '+', change: '~', remove: '-', conflict: '!' } as const

function changesText(changes: readonly Change[]): string {
  return changes
    .map((change) => {
      const head = `${SIGNS[change.verb]} ${change.kind}/${printable(change.name)}`
      if (change.verb !== 'change' && change.verb !== 'conflict') return `${head}\n`
      const lines = differencesOfChange(change).map(differenceText)
      const [only] = lines
      // A setting with a single value is shown on the same line.
      if (lines.length === 1 && only?.startsWith(':') === true) return `${head}${only}\n`
      return `${head}\n${lines.map((line) => `    ${line}\n`).join('')}`
    })
    .join('')
}

/** `boost[0].weight: 3 -> 5` */
function differenceText({ path, before, after }: Difference): string {
  return `${printable(path)}: ${valueWords(before)} -> ${valueWords(after)}`
}

function valueWords(value: unknown): string {
  if (value === undefined) return '(none)'
  // Quotes a text only where its end would be unclear.
  const isWord = typeof value === 'string' && /^[\p{L}\p{N}_.:/@+-]+$/u.test(value)
  return printable(isWord ? value : JSON.stringify(value))
}
