import { DATE_ORDERS, NUMBER_FORMATS, propose } from '@aisle/import'
import type {
  DateOrder,
  FileProfile,
  NumberFormat,
  Proposal,
  ProposedColumn,
  ProposeOptions,
} from '@aisle/import'
import type { Run } from '../commands/command.ts'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { count } from '../terminal/table.ts'

/**
 * Completes the proposal with answers that only a person knows: on a terminal it asks about columns
 * that can be read in two ways; elsewhere it reports all of them at once.
 *
 * @throws CommandError
 */
export async function proposeWithAnswers(
  run: Run,
  profile: FileProfile,
  options: ProposeOptions,
): Promise<Proposal> {
  const proposal = propose(profile, options)
  const asked = proposal.columns.filter(({ question }) => question !== undefined)
  if (asked.length === 0) return proposal
  const { ask } = run.context
  if (ask === undefined || run.options.json === true) {
    const open = asked.filter(({ question }) => question!.kind !== 'mixed')
    if (open.length > 0) throw new CommandError('usage', open.map(adviceOf).join('\n'))
    for (const one of asked) run.note(`${mixedText(one)}. ${typeAdvice(one)}`)
    return proposal
  }
  const numbers = new Map(options.numbers)
  const dates = new Map(options.dates)
  const types = new Map(options.types)
  for (const one of asked) {
    const question = one.question!
    const answer = (await ask(questionOf(one), { hidden: false })).trim()
    if (question.kind === 'numbers')
      numbers.set(one.path, choice(answer, ['point', 'comma'] as const))
    else if (question.kind === 'dates') dates.set(one.path, choice(answer, ['dmy', 'mdy'] as const))
    else if (answer === '2') types.set(one.target, question.type)
  }
  return propose(profile, { ...options, numbers, dates, types })
}

/** Returns the first one if there is no answer. */
function choice<One extends NumberFormat | DateOrder>(
  answer: string,
  [first, second]: readonly [One, One],
): One {
  return answer === '2' ? second : first
}

function questionOf(one: ProposedColumn): string {
  const question = one.question!
  if (question.kind === 'mixed') {
    return `${mixedText(one)}.\n  1  text (default)\n  2  ${question.type}, which refuses these rows\n? `
  }
  const [first, second] = waysOf(one)
  return `${ambiguousText(one)}.\n  1  ${first} (default)\n  2  ${second}\n? `
}

function adviceOf(one: ProposedColumn): string {
  const isNumbers = one.question!.kind === 'numbers'
  const [option, values] = isNumbers
    ? ['--number-format', Object.values(NUMBER_FORMATS)]
    : ['--date-format', Object.keys(DATE_ORDERS)]
  const ways = values.map((value) => `${option} ${JSON.stringify(`${one.path}=${value}`)}`)
  return `${ambiguousText(one)}. Use ${ways.join(' or ')}`
}

function ambiguousText(one: ProposedColumn): string {
  const { kind } = one.question!
  const example = one.question!.kind === 'mixed' ? '' : one.question!.example
  const [first, second] = waysOf(one)
  const may = kind === 'numbers' ? 'may mean' : 'may have'
  return `Column "${printable(one.path)}" is ambiguous: "${printable(example)}" ${may} ${first} or ${second}`
}

/** Both readings of the example. */
function waysOf({ question }: ProposedColumn): readonly [string, string] {
  if (question!.kind === 'dates') return ['the day first', 'the month first']
  const digits = question!.kind === 'numbers' ? question!.example : ''
  const isPoint = digits.includes('.')
  const whole = digits.replaceAll(/[^\d]/g, '')
  const decimal = digits.replaceAll(/[^\d.,]/g, '').replace(',', '.')
  return isPoint ? [decimal, whole] : [whole, decimal]
}

function mixedText(one: ProposedColumn): string {
  return `Column "${printable(one.path)}": ${one.why}; ${faultsText(one)}`
}

function typeAdvice({ target, question }: ProposedColumn): string {
  const type = question?.kind === 'mixed' ? question.type : 'float'
  return `--type ${target}=${type} imports it as ${type} and refuses these rows`
}

/** `row 17 "on request", row 99 "N.N."` */
export function faultsText({ faults, faultCount }: ProposedColumn): string {
  const named = faults.map(({ row, value }) => `row ${count(row)} "${printable(value)}"`)
  return `${named.join(', ')}${faultCount > faults.length ? ', …' : ''}`
}
