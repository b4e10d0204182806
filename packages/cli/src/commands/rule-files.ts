import { writeFile } from 'node:fs/promises'
import { RefusedError } from '@aisle/client'
import {
  faultAt,
  ImportError,
  readRules,
  rulesCsv,
  type RuleDifference,
  type RuleFault,
  type RuleTableChange,
} from '@aisle/import'
import type { Context } from '../context.ts'
import { CommandError } from '../exit-codes.ts'
import { openSource } from '../import/source.ts'
import { printable } from '../terminal/style.ts'
import { count, table } from '../terminal/table.ts'
import { addCommand, type Command, type CommonOptions } from './command.ts'

interface ImportOptions extends CommonOptions {
  readonly whole?: boolean
  readonly dryRun?: boolean
  readonly delimiter?: string
}

/** All rules as a table for spreadsheets, and back. */
export function addRuleFileCommands(parent: Command, context: Context): void {
  addCommand(parent, {
    name: 'export <file>',
    summary: 'write all rules as CSV, for a spreadsheet; - writes to standard output',
    talksTo: 'store',
    examples: ['aisle rules export rules.csv'],
  }).runs(async (run, file: string) => {
    const { value: rules } = await (await run.store('write')).taggedRules()
    const csv = rulesCsv(rules)
    if (file === '-') {
      run.print(rules, csv)
      return
    }
    await writeFile(file, csv)
    run.print({ file, rules: rules.length }, `Wrote ${rulesText(rules.length)} to ${file}.\n`)
  })

  addCommand(parent, {
    name: 'import <file>',
    summary: 'create and replace rules from CSV: all rows, or none',
    talksTo: 'store',
    examples: ['aisle rules import rules.csv --dry-run', 'aisle rules import rules.csv --whole'],
  })
    .option('--whole', 'delete the rules that are not in the file')
    .option('--dry-run', 'check every row and show the differences, and change nothing')
    .option('--delimiter <character>', 'between cells (default: detected)')
    .runs(async (run, file: string, options: ImportOptions) => {
      const { whole: isWhole = false, dryRun: isDry = false, delimiter } = options
      const store = await run.store('write')
      const { value: saved, etag } = await store.taggedRules()
      const source = openSource(file, 'csv', context.stdin)
      const change = await unlessUnreadable(readRules(source, saved, { isWhole, delimiter }))
      refuse(change.faults)
      try {
        const { put, delete: removed } = change
        await store.changeRules({ put: [...put], delete: [...removed], dry_run: isDry }, etag)
      } catch (error) {
        throw refusalOf(change, error)
      }
      const { differences, unchanged } = change
      run.print(
        { dry_run: isDry, differences, unchanged },
        `${differences.map(differenceText).join('')}${summary(change, isDry)}`,
      )
    })
}

/** @throws CommandError that lists all faults */
function refuse(faults: readonly RuleFault[]): void {
  if (faults.length === 0) return
  const rows = faults
    .slice(0, FAULTS_SHOWN_MAX)
    .map(({ row, column, message }) => [String(row), printable(column ?? ''), printable(message)])
  const more = faults.length > rows.length ? `And ${faults.length - rows.length} more.\n` : ''
  const text = `${table(['row', 'column', 'fault'], rows)}${more}`
  throw new CommandError('usage', `Nothing was changed:\n${text.trimEnd()}`)
}

const FAULTS_SHOWN_MAX = 50

/** The faults that the service found, each at its row. */
function refusalOf(change: RuleTableChange, error: unknown): unknown {
  if (!(error instanceof RefusedError)) return error
  const faults = error.details.flatMap(
    ({ param, message }) => faultAt(change, param, message) ?? [],
  )
  if (faults.length === 0) return error
  try {
    refuse(faults)
  } catch (refusal) {
    return refusal
  }
  return error
}

async function unlessUnreadable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ImportError) throw new CommandError('usage', error.message)
    throw error
  }
}

function differenceText({ id, verb, cells }: RuleDifference): string {
  const sign = { add: '+', change: '~', remove: '-' }[verb]
  const lines = cells.map(
    ({ column, before, after }) =>
      `    ${column}: ${printable(before || '(empty)')} → ${printable(after || '(empty)')}\n`,
  )
  return `${sign} ${printable(id)}\n${lines.join('')}`
}

function summary({ differences, unchanged }: RuleTableChange, isDry: boolean): string {
  const of = (verb: RuleDifference['verb']): string =>
    count(differences.filter((one) => one.verb === verb).length)
  const figures = `${of('add')} added, ${of('change')} changed, ${of('remove')} removed, ${count(unchanged)} unchanged`
  return isDry ? `Would be: ${figures}. Nothing was changed.\n` : `${figures}.\n`
}

function rulesText(rules: number): string {
  return rules === 1 ? '1 rule' : `${count(rules)} rules`
}
