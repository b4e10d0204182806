import { readFile } from 'node:fs/promises'
import type { ExperimentReport, StartExperimentRequest } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { tagTable } from '../terminal/experiment-tags.ts'
import { table } from '../terminal/table.ts'
import { addCommand, addGroup, type Command, type CommonOptions } from './command.ts'

interface ShowOptions extends CommonOptions {
  readonly tag?: string
  readonly byTag?: boolean | string
}

interface PublishOptions extends CommonOptions {
  readonly note?: string
}

/** Drafts against what is live, on visitors. */
export function addCommands(program: Command): void {
  const group = addGroup(program, 'experiments', 'drafts against what is live, on visitors')
  addCommand(group, {
    name: 'list',
    summary: 'list experiments, the newest first',
    talksTo: 'store',
    examples: ['aisle experiments list'],
  }).runs(async (run) => {
    const answer = await (await run.store('write')).experiments()
    const rows = answer.experiments.map((one) => [one.id, one.name, one.kind, one.state])
    run.print(answer, table(['id', 'name', 'kind', 'state'], rows))
  })

  addCommand(group, {
    name: 'start <file>',
    summary: 'start the experiment of a JSON file: name, kind, draft',
    talksTo: 'store',
    examples: ['aisle experiments start titles.json'],
  }).runs(async (run, file: string) => {
    const started = await (await run.store('write')).startExperiment(await readRequest(file))
    run.print(started, `Started: "${started.name}" (${started.id}).\n`)
  })

  addCommand(group, {
    name: 'show <id>',
    summary: 'read the report of an experiment',
    talksTo: 'store',
    examples: ['aisle experiments show 1f0c2a9e77b4', 'aisle experiments show ID --by-tag device:'],
  })
    .option('--tag <tag>', 'only searches with this analytics tag')
    .option('--by-tag [prefix]', 'also each tag of its searches, or those that start with this')
    .runs(async (run, id: string, { tag, byTag }: ShowOptions) => {
      const answer = await (
        await run.store('write')
      ).experiment(id, {
        ...(tag === undefined ? {} : { tags: [tag] }),
        ...(byTag === undefined ? {} : { by_tag: true }),
        ...(typeof byTag === 'string' ? { tag_prefix: byTag } : {}),
      })
      const { name, report } = answer
      const tags = report.by_tag === undefined ? '' : tagTable(report.by_tag)
      run.print(answer, `${name}: ${verdictText(report)}.\n${tags}`)
    })

  addCommand(group, {
    name: 'end <id>',
    summary: 'end an experiment; what is live stays',
    talksTo: 'store',
  }).runs(async (run, id: string) => {
    const ended = await (await run.store('write')).endExperiment(id)
    run.print(ended, `Ended: "${ended.name}".\n`)
  })

  addCommand(group, {
    name: 'publish <id>',
    summary: 'make the draft of an experiment live, and end it',
    talksTo: 'store',
  })
    .option('--note <text>', 'the reason, for the history')
    .runs(async (run, id: string, { note }: PublishOptions) => {
      const request = note === undefined ? {} : { note }
      const done = await (await run.store('write')).publishExperiment(id, request)
      run.print(done, `Published: "${done.experiment.name}".\n`)
    })
}

async function readRequest(file: string): Promise<StartExperimentRequest> {
  try {
    // The service checks its members.
    return JSON.parse(await readFile(file, 'utf8')) as StartExperimentRequest
  } catch (error) {
    throw new CommandError('usage', `Cannot read ${file}: ${(error as Error).message}`)
  }
}

function verdictText({ verdict, reason, confidence, days_left: left }: ExperimentReport): string {
  const sure = `confidence ${Math.floor(confidence * 100)} %`
  if (verdict !== 'undecided') return `the ${verdict} order wins, ${sure}`
  const why = (reason ?? '').replaceAll('_', ' ')
  return `not yet decided (${why}), ${sure}${left === null ? '' : `, about ${left} more days`}`
}
